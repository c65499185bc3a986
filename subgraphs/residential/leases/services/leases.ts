// Metering by leases, on the platform's side: leases are granted, reported on, and reaped when lost. Reports become ledger entries; totals, days and status
// events change in the same transaction.
import { after, daysBefore, nextMidnight, toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import { type Counters, LEASE, growthOf, validityOf } from '../domain/lease.ts';
import { type Origin, originKey } from '../../../../edge/protocol/origin.ts';
import { planOfSubject, userOfSubject } from '../../../../edge/protocol/subject.ts';
import type { LeaseReport, LeaseWant, SyncAnswer, SyncRequest } from '../../../../edge/protocol/control-plane.ts';
import { markSeen } from '../../edges/entities/edge.ts';
import {
  type LeaseChange,
  type LeasePartRow,
  type LeaseRow,
  closeLost,
  forgetLeases,
  leasesOf,
  lostLeases,
  partsOf,
  plansOfLeases,
  saveLeases,
  saveParts,
} from '../entities/lease.ts';
import { countGatewayBytes } from '../../gateways/services/node-gateways.ts';
import { noteOldPasswordUses } from '../../plans/entities/old-password.ts';
import type { LockedPlan, Plan } from '../../plans/domain/plan.ts';
import { validMsLeft } from '../../plans/domain/validity.ts';
import { lockPlans, plansById } from '../../plans/entities/plan.ts';
import { type LedgerLine, enterLines } from '../../metering/entities/usage-ledger.ts';
import { exitUsesOf } from '../../metering/domain/exit-use.ts';
import type { HostForms } from '../../metering/providers/kept-host.ts';
import { needWeeks } from '../../metering/entities/usage-week.ts';
import type { ProxyUser } from '../../users/domain/proxy-user.ts';
import { proxyUsersById } from '../../users/entities/proxy-user.ts';
import type { Context } from '../../edges/context.ts';
import { announceStatus } from '../../plans/services/announce-status.ts';
import { grantLeases, mayGoOn } from './grant-leases.ts';

/**
 * One exchange with a node, in one transaction: its reports are settled, then its wants granted. A repeated exchange grants again and settles nothing twice.
 */
export async function syncLeases(
  ctx: Context,
  edgeId: string,
  { reports, wants, oldPasswords = [], graceMs = 0 }: SyncRequest,
): Promise<SyncAnswer> {
  const now = ctx.clock.now();
  const leaseIds = reports.map(({ lease }) => lease);
  // Traffic counts for the day of its lease, and leases are kept for so long.
  if (reports.length > 0) await needWeeks(ctx.em, [now, daysBefore(now, ctx.providers.retention.leases)]);
  return inTransaction(ctx, async (tx) => {
    const reported = leaseIds.length > 0 ? await plansOfLeases(tx.em, edgeId, leaseIds) : [];
    const planIds = [...new Set([...reported, ...wants.map(({ planId }) => planOfSubject(planId))])];
    const locked = planIds.length > 0 ? await lockPlans(tx.em, planIds) : new Map<string, LockedPlan>();
    const leases = leaseIds.length > 0 ? await leasesOf(tx.em, edgeId, leaseIds) : new Map<string, LeaseRow>();
    const hostsOf = (planId: string) => tx.providers.hosts.of(locked.get(planId)?.hostsChosen ?? null);
    const settled = await settle(tx, edgeId, { leases, hostsOf }, reports, now);
    const plans = new Map((planIds.length > 0 ? await plansById(tx.em, planIds, now) : []).map((plan) => [plan.id, plan]));
    const users = await usersOf(tx, leases, wants, now);

    // A lease ends with its day, and with the validity of its plan. It is not renewed under an old password, or when its plan or user is stopped.
    const validMsOf = (plan: Plan) => validityOf(graceMs, Math.min(nextMidnight(now).getTime() - now.getTime(), validMsLeft(plan, now)));
    const renewedMsOf = ({ open, day, epoch, planId, userId }: LeaseRow): number | null => {
      const plan = plans.get(planId);
      const user = userId === null ? null : users.get(userId);
      return open && day === toDay(now) && plan && user !== undefined && mayGoOn(plan, user, epoch) ? validMsOf(plan) : null;
    };
    const changes: (LeaseChange & { renewedMs: number | null })[] = [...leases.values()].map((lease) => {
      const renewedMs = renewedMsOf(lease);
      return {
        id: lease.id,
        settledBytes: settled.get(lease.id) ?? lease.settledBytes,
        open: lease.open,
        expiresAt: renewedMs === null ? null : after(now, renewedMs),
        renewedMs,
      };
    });
    await saveLeases(tx.em, changes);
    const grants = wants.length > 0 ? await grantLeases(tx, edgeId, wants, { plans, users }, { now, validMsOf }) : [];
    const ofPlans = oldPasswords.filter(({ planId }) => userOfSubject(planId) === null);
    if (ofPlans.length > 0) await noteOldPasswordUses(tx.em, ofPlans, now);
    await markSeen(tx.em, edgeId, now);
    const renewed = changes.flatMap(({ id, renewedMs }) => (renewedMs === null ? [] : [{ lease: id, validMs: renewedMs }]));
    return { renewed, grants };
  });
}

/**
 * Raises the counters to the reported ones and enters the growth into the ledger. Sets `open` of those in `leases` whose report is final to false. Returns the
 * settled bytes by lease.
 */
async function settle(
  tx: Context,
  edgeId: string,
  { leases, hostsOf }: { leases: Map<string, LeaseRow>; hostsOf: (planId: string) => HostForms },
  reports: readonly LeaseReport[],
  now: Date,
): Promise<Map<string, bigint>> {
  const known = new Map<string, LeasePartRow>();
  const keyOf = (lease: string, part: Origin) => `${lease}|${originKey(part)}`;
  if (leases.size > 0) for (const part of await partsOf(tx.em, [...leases.keys()])) known.set(keyOf(part.leaseId, part), part);

  const settled = new Map<string, bigint>();
  const raised = new Map<string, LeasePartRow>();
  // The counters make sure that a report counts once; the id must only be new.
  const reportId = newId('op', tx.clock);
  const lines: LedgerLine[] = [];
  for (const { lease: id, parts, final } of reports) {
    const lease = leases.get(id);
    if (!lease) continue;
    const hosts = hostsOf(lease.planId);
    for (const { up, down, exits = [], ...reached } of parts) {
      const origin = countedOrigin(hosts, id, reached, (one) => known.has(keyOf(id, one)));
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
        userId: lease.userId,
        reportId,
        base: '',
        upBytes: growth.up,
        downBytes: growth.down,
        at: momentOf(lease.day, now),
        country: origin.country,
        session: origin.session,
        // Empty: the lease has its maximum of parts, and the rest is counted without host and client.
        host: hosts.entered(reached.host || null),
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

/** An origin with its host as it is kept: as counted before, if it was, whatever has been chosen since. */
function countedOrigin(hosts: HostForms, lease: string, reached: Origin, isKnown: (origin: Origin) => boolean): Origin {
  const origin = { ...reached, host: hosts.counted(lease, reached.host) };
  if (isKnown(origin)) return origin;
  const otherwise = { ...reached, host: hosts.countedOtherwise(lease, reached.host) };
  return isKnown(otherwise) ? otherwise : origin;
}

/** The proxy users of the leases and wants, read after the reports were settled. */
async function usersOf(
  tx: Context,
  leases: ReadonlyMap<string, LeaseRow>,
  wants: readonly LeaseWant[],
  now: Date,
): Promise<Map<string, ProxyUser>> {
  const named = [...[...leases.values()].map(({ userId }) => userId), ...wants.map(({ planId }) => userOfSubject(planId))];
  const ids = [...new Set(named.filter((id) => id !== null))];
  return new Map((ids.length > 0 ? await proxyUsersById(tx.em, ids, now) : []).map((user) => [user.id, user]));
}

/** Traffic counts for the day of its lease; what is reported after midnight is dated to the last moment of that day. */
const momentOf = (day: string, now: Date): Date => (day === toDay(now) ? now : new Date(`${day}T23:59:59.999Z`));

const BATCH_SIZE = 500;

/** Closes leases whose nodes were not heard of until the margin after their end, so that their rest can be leased again. Returns how many. */
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

/** Deletes closed leases that are past `RETAIN_LEASES_DAYS`; their bytes stay in the ledger, and a report that comes later is lost. */
export async function forgetOldLeases(ctx: Context): Promise<void> {
  const moment = daysBefore(ctx.clock.now(), ctx.providers.retention.leases);
  while ((await forgetLeases(ctx.em, moment, BATCH_SIZE)) === BATCH_SIZE);
}
