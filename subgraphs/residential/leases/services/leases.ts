// The ledger's side of metering by leases: grant, report, reap. Reports end as ledger entries; totals, days and status events change with them or not
// at all.
import { SECOND, after, nextMidnight, toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import { type Counters, LEASE, grantOf, growthOf, validityOf } from '../domain/lease.ts';
import { type Origin, originKey } from '../../../../edge/protocol/origin.ts';
import { type Plan, usedBytes } from '../../plans/domain/plan.ts';
import { statusOf } from '../../plans/domain/plan-status.ts';
import type { LeaseGrant, LeaseReport, LeaseWant, SyncAnswer, SyncRequest } from '../../../../edge/protocol/control-plane.ts';
import { markSeen } from '../../edges/entities/edge.ts';
import {
  type LeaseChange,
  type LeasePartRow,
  type LeaseRow,
  type NewLease,
  recallLeases,
  closeLost,
  forgetLeases,
  insertLeases,
  leasedBytes,
  leasesOf,
  lostLeases,
  partsOf,
  plansOfLeases,
  saveLeases,
  saveParts,
} from '../entities/lease.ts';
import { countGatewayBytes } from '../../gateways/services/node-gateways.ts';
import { noteOldPasswordUses } from '../../plans/entities/old-password.ts';
import { lockPlans, plansById } from '../../plans/entities/plan.ts';
import { type LedgerLine, enterLines } from '../../metering/entities/usage-ledger.ts';
import { exitUsesOf } from '../../metering/domain/exit-use.ts';
import { needWeeks } from '../../metering/entities/usage-week.ts';
import type { Context } from '../../edges/context.ts';
import { announceStatus } from '../../plans/services/announce-status.ts';

/**
 * One exchange with a node: its reports settled, then its wants granted, in one transaction. A repeated exchange grants again and settles nothing
 * twice.
 */
export async function syncLeases(
  ctx: Context,
  edgeId: string,
  { reports, wants, oldPasswords = [], graceMs = 0 }: SyncRequest,
): Promise<SyncAnswer> {
  const now = ctx.clock.now();
  const leaseIds = reports.map(({ lease }) => lease);
  // Traffic lies on the day of its lease, and leases are remembered for so long.
  if (reports.length > 0) await needWeeks(ctx.em, [now, after(now, -REMEMBERED_MS)]);
  return inTransaction(ctx, async (tx) => {
    const reported = leaseIds.length > 0 ? await plansOfLeases(tx.em, edgeId, leaseIds) : [];
    const planIds = [...new Set([...reported, ...wants.map(({ planId }) => planId)])];
    if (planIds.length > 0) await lockPlans(tx.em, planIds);
    const leases = leaseIds.length > 0 ? await leasesOf(tx.em, edgeId, leaseIds) : new Map<string, LeaseRow>();
    const settled = await settle(tx, edgeId, leases, reports, now);
    const plans = new Map((planIds.length > 0 ? await plansById(tx.em, planIds, now) : []).map((plan) => [plan.id, plan]));

    // A lease ends with its day; one of an old password or of a plan that may not go on is not renewed.
    const validMs = validityOf(graceMs, nextMidnight(now).getTime() - now.getTime());
    const renewable = ({ open, day, epoch, planId }: LeaseRow) => {
      const plan = plans.get(planId);
      return open && day === toDay(now) && plan !== undefined && plan.credentialEpoch === epoch && mayGoOn(plan);
    };
    const changes: LeaseChange[] = [...leases.values()].map((lease) => ({
      id: lease.id,
      settledBytes: settled.get(lease.id) ?? lease.settledBytes,
      open: lease.open,
      expiresAt: renewable(lease) ? after(now, validMs) : null,
    }));
    await saveLeases(tx.em, changes);
    const grants = wants.length > 0 ? await grant(tx, edgeId, wants, plans, now, validMs) : [];
    if (oldPasswords.length > 0) await noteOldPasswordUses(tx.em, oldPasswords, now);
    await markSeen(tx.em, edgeId, now);
    return { renewed: [...leases.values()].filter(renewable).map(({ id }) => ({ lease: id, validMs })), grants };
  });
}

/**
 * Raises the counters to what was reported, enters the growth. `leases` are changed in place where a report is final. Returns lease -> settled bytes.
 */
async function settle(
  tx: Context,
  edgeId: string,
  leases: Map<string, LeaseRow>,
  reports: readonly LeaseReport[],
  now: Date,
): Promise<Map<string, bigint>> {
  const known = new Map<string, LeasePartRow>();
  const keyOf = (lease: string, part: Origin) => `${lease}|${originKey(part)}`;
  if (leases.size > 0) for (const part of await partsOf(tx.em, [...leases.keys()])) known.set(keyOf(part.leaseId, part), part);

  const settled = new Map<string, bigint>();
  const raised = new Map<string, LeasePartRow>();
  // The counters make a report count once; the id only has to be new.
  const reportId = newId('op', tx.clock);
  const lines: LedgerLine[] = [];
  for (const { lease: id, parts, final } of reports) {
    const lease = leases.get(id);
    if (!lease) continue;
    for (const { up, down, exits = [], ...origin } of parts) {
      const key = keyOf(id, origin);
      const before = known.get(key);
      const counters: Counters = { up: before?.upBytes ?? 0n, down: before?.downBytes ?? 0n };
      const room = lease.grantedBytes - (settled.get(id) ?? lease.settledBytes);
      const growth = growthOf(counters, { up: BigInt(up), down: BigInt(down) }, room);
      if (growth.up + growth.down === 0n) continue;
      const part: LeasePartRow = { leaseId: id, ...origin, upBytes: counters.up + growth.up, downBytes: counters.down + growth.down };
      known.set(key, part);
      raised.set(key, part);
      settled.set(id, (settled.get(id) ?? lease.settledBytes) + growth.up + growth.down);
      lines.push({
        line: lines.length,
        planId: lease.planId,
        reportId,
        base: '',
        upBytes: growth.up,
        downBytes: growth.down,
        at: momentOf(lease.day, now),
        country: origin.country,
        session: origin.session,
        // Empty: beyond the parts that a lease may have.
        host: origin.host || null,
        client: origin.client || null,
        exits: exitUsesOf(
          growth,
          exits.map((use) => ({ exit: use.id, address: use.address ?? null, upBytes: BigInt(use.up), downBytes: BigInt(use.down) })),
        ),
      });
    }
    if (final) lease.open = false;
  }
  if (lines.length === 0) return settled;
  await saveParts(tx.em, [...raised.values()]);
  const changed = await enterLines(tx.em, `edge:${edgeId}`, lines, now);
  await countGatewayBytes(tx, lines);
  await announceStatus(tx, changed);
  return settled;
}

const mayGoOn = (plan: Plan): boolean => !plan.accountSuspended && statusOf(plan) === 'ACTIVE';

/** Traffic lies on the day of its lease: reported after midnight, it is the last moment of that day. */
const momentOf = (day: string, now: Date): Date => (day === toDay(now) ? now : new Date(`${day}T23:59:59.999Z`));

/** Answers in the order of the wants. */
async function grant(
  tx: Context,
  edgeId: string,
  wants: readonly LeaseWant[],
  plans: ReadonlyMap<string, Plan>,
  now: Date,
  validMs: number,
): Promise<LeaseGrant[]> {
  const leased = await leasedBytes(tx.em, [...plans.keys()], toDay(now));
  const granted: NewLease[] = [];
  const answers = wants.map(({ planId, epoch, bytes }): LeaseGrant => {
    const none = { planId, bytes: 0, validMs: 0 };
    const plan = plans.get(planId);
    if (!plan) return { ...none, outcome: 'unknown' };
    if (plan.credentialEpoch !== epoch) return { ...none, outcome: 'revoked' };
    if (plan.accountSuspended) return { ...none, outcome: 'suspended' };
    if (plan.withdrawn) return { ...none, outcome: 'used_up' };
    const out = leased.get(planId) ?? { all: 0n, today: 0n };
    const decision = grantOf(BigInt(bytes), { ...plan, usedBytes: usedBytes(plan), leasedBytes: out.all, leasedTodayBytes: out.today });
    if (decision.outcome === 'daily_limit')
      return { ...none, outcome: 'daily_limit', validMs: nextMidnight(now).getTime() - now.getTime() };
    if (decision.outcome !== 'granted') return { ...none, outcome: decision.outcome };
    leased.set(planId, { all: out.all + decision.bytes, today: out.today + decision.bytes });
    granted.push({ planId, epoch, grantedBytes: decision.bytes });
    return { planId, outcome: 'granted', bytes: Number(decision.bytes), validMs };
  });
  const called = wants.filter(({ starved }, index) => starved && answers[index]?.outcome === 'wait');
  await recallLeases(tx.em, called);
  const ids = await insertLeases(tx.em, edgeId, toDay(now), after(now, validMs), granted);
  return answers.map((answer) => (answer.outcome === 'granted' ? { ...answer, lease: ids.shift() as string } : answer));
}

const BATCH_SIZE = 500;
/** A report later than this is lost: nothing remembers its lease. */
const REMEMBERED_MS = 7 * 86_400 * SECOND;

/** Sells the rest of leases again whose nodes were not heard of for the margin after their end. Returns how many. */
export async function reapLeases(ctx: Context): Promise<number> {
  const moment = after(ctx.clock.now(), -LEASE.marginMs);
  for (let reaped = 0; ;) {
    const lost = await lostLeases(ctx.em, moment, BATCH_SIZE);
    if (lost.length > 0) {
      await inTransaction(ctx, async ({ em }) => {
        await lockPlans(em, [...new Set(lost.map(({ planId }) => planId))]);
        await closeLost(
          em,
          lost.map(({ id }) => id),
          moment,
        );
      });
    }
    reaped += lost.length;
    if (lost.length < BATCH_SIZE) return reaped;
  }
}

/** Deletes leases that no report can concern any more; their bytes stay in the ledger. */
export async function forgetOldLeases(ctx: Context): Promise<void> {
  const moment = after(ctx.clock.now(), -REMEMBERED_MS);
  while ((await forgetLeases(ctx.em, moment, BATCH_SIZE)) === BATCH_SIZE);
}
