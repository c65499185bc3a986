// What nodes may spend next of a plan, or of a proxy user within its plan. The plans are locked, and were read after the reports of the exchange were settled.
import { after, nextMidnight, toDay } from '#platform/clock.ts';
import type { LeaseGrant, LeaseWant } from '../../../../edge/protocol/control-plane.ts';
import { planOfSubject, userOfSubject } from '../../../../edge/protocol/subject.ts';
import { type Plan, usedBytes } from '../../plans/domain/plan.ts';
import { statusOf } from '../../plans/domain/plan-status.ts';
import { isLapsed } from '../../plans/domain/validity.ts';
import { type ProxyUser, capsOf, resumesAt, stateOf } from '../../users/domain/proxy-user.ts';
import type { Context } from '../../edges/context.ts';
import { type Allowance, type Grant, type LeasedCap, grantOf, userGrantOf } from '../domain/lease.ts';
import { type NewLease, heldForUsers, insertLeases, leasedBytes, leasedToUsers, recallLeases } from '../entities/lease.ts';

/** Plans and users by their id. */
export interface Metered {
  plans: ReadonlyMap<string, Plan>;
  users: ReadonlyMap<string, ProxyUser>;
}

interface Leased {
  all: bigint;
  today: bigint;
}

const NOTHING = { all: 0n, month: 0n, today: 0n };

/** Whether bytes that were leased under this epoch may still be spent. `user` is null for the plan's own lines. */
export const mayGoOn = (plan: Plan, user: ProxyUser | null, epoch: number): boolean =>
  !plan.accountSuspended &&
  statusOf(plan) === 'ACTIVE' &&
  (user ?? plan).credentialEpoch === epoch &&
  (!user || stateOf(user) === 'ACTIVE');

/** Answers each want, in their order. */
export async function grantLeases(
  tx: Context,
  edgeId: string,
  wants: readonly LeaseWant[],
  { plans, users }: Metered,
  { now, validMsOf }: { now: Date; validMsOf: (plan: Plan) => number },
): Promise<LeaseGrant[]> {
  const leased: Map<string, Leased> = await leasedBytes(tx.em, [...plans.keys()], toDay(now));
  const ofUsers = users.size > 0 ? await leasedToUsers(tx.em, [...users.keys()], toDay(now)) : new Map<string, typeof NOTHING>();
  const held = users.size > 0 ? await heldForUsers(tx.em, edgeId, [...plans.keys()]) : new Map<string, bigint>();
  const granted: NewLease[] = [];

  const decide = (plan: Plan, user: ProxyUser | undefined, bytes: bigint): Grant => {
    const out = leased.get(plan.id) ?? NOTHING;
    const allowance: Allowance = { ...plan, usedBytes: usedBytes(plan), leasedBytes: out.all, leasedTodayBytes: out.today };
    const ofUser = (user && ofUsers.get(user.id)) ?? NOTHING;
    const decision = user ? userGrantOf(bytes, allowance, leasedCaps(user, ofUser), held.get(plan.id) ?? 0n) : grantOf(bytes, allowance);
    if (decision.outcome !== 'granted') return decision;
    leased.set(plan.id, { all: out.all + decision.bytes, today: out.today + decision.bytes });
    if (user) {
      const { all, month, today } = ofUser;
      ofUsers.set(user.id, { all: all + decision.bytes, month: month + decision.bytes, today: today + decision.bytes });
      held.set(plan.id, (held.get(plan.id) ?? 0n) + decision.bytes);
    }
    return decision;
  };

  const answers = wants.map(({ planId: subject, epoch, bytes }): LeaseGrant => {
    const none = { planId: subject, bytes: 0, validMs: 0 };
    const plan = plans.get(planOfSubject(subject));
    const userId = userOfSubject(subject);
    const user = userId === null ? undefined : users.get(userId);
    if (!plan || (userId !== null && (user?.planId !== plan.id || user.removedAt))) return { ...none, outcome: 'unknown' };
    if ((user ?? plan).credentialEpoch !== epoch) return { ...none, outcome: 'revoked' };
    if (plan.accountSuspended) return { ...none, outcome: 'suspended' };
    if (plan.withdrawn || isLapsed(plan)) return { ...none, outcome: 'used_up' };
    if (user?.paused) return { ...none, outcome: 'user_paused' };
    const decision = decide(plan, user, BigInt(bytes));
    if (decision.outcome === 'granted') {
      const validMs = validMsOf(plan);
      granted.push({ planId: plan.id, userId, epoch, grantedBytes: decision.bytes, expiresAt: after(now, validMs) });
      return { planId: subject, outcome: 'granted', bytes: Number(decision.bytes), validMs };
    }
    const until = decision.outcome === 'daily_limit' ? nextMidnight(now) : user && resumesAt(stateOf(user), now);
    return { ...none, outcome: decision.outcome, validMs: until ? until.getTime() - now.getTime() : 0 };
  });
  // A starved want calls unneeded bytes back from all lines of its plan: its users' and its own, since either may hold them.
  const called = wants
    .filter(({ starved }, index) => starved && answers[index]?.outcome === 'wait')
    .map(({ planId }) => planOfSubject(planId));
  await recallLeases(
    tx.em,
    [...new Set(called)].map((planId) => ({ planId, epoch: plans.get(planId)?.credentialEpoch ?? 0 })),
  );
  const ids = await insertLeases(tx.em, edgeId, toDay(now), granted);
  return answers.map((answer) => (answer.outcome === 'granted' ? { ...answer, lease: ids.shift() as string } : answer));
}

function leasedCaps(user: ProxyUser, out: typeof NOTHING): LeasedCap[] {
  const leasedOf = { USED_UP: out.all, MONTHLY_LIMIT: out.month, DAILY_LIMIT: out.today };
  return capsOf(user).map(({ state, limitBytes, usedBytes: used }) => ({
    limitBytes,
    usedBytes: used,
    leasedBytes: leasedOf[state],
    outcome: state === 'USED_UP' ? 'user_used_up' : 'user_limit',
  }));
}
