// Leases of a plan's allowance to proxy nodes: the sum of what is settled and what is leased never exceeds what was sold, nor what is left of the
// day.
import { SECOND } from '#platform/clock.ts';

export const LEASE = {
  /** A node that cannot report spends no longer than this, or than its grace. Published: it bounds the over-use of a node that is cut off. */
  validMs: 10 * SECOND,
  /** A lease that was not reported on for this long after its end is taken to be lost, and its rest sold again. */
  marginMs: 60 * SECOND,
  maxBytes: 64n * 1_048_576n,
  /** No node gets more than a quarter of what is left, so that none strands it, down to this size. */
  minShareBytes: 1_048_576n,
  /** Of a proxy user: smaller, since a plan may have thousands. Published: twice as much bounds the over-use of one on a node that is cut off. */
  userMaxBytes: 8n * 1_048_576n,
  userMinShareBytes: 262_144n,
  /** All users of a plan together hold no more on one node. Published, for the same reason. */
  usersOfNodeBytes: 512n * 1_048_576n,
} as const;

/** How long a lease is good for that is given or renewed now, of a node with this grace; it ends with its day. */
export const validityOf = (graceMs: number, leftOfDayMs: number): number => Math.min(Math.max(LEASE.validMs, graceMs), leftOfDayMs);

export interface Allowance {
  totalBytes: bigint;
  usedBytes: bigint;
  dailyLimitBytes: bigint | null;
  usedTodayBytes: bigint;
  /** Unspent bytes of open leases, of all days and of today's. */
  leasedBytes: bigint;
  leasedTodayBytes: bigint;
}

export type Grant = { outcome: 'granted'; bytes: bigint } | { outcome: 'wait' | 'used_up' | 'daily_limit' | 'user_limit' | 'user_used_up' };

const min = (...values: [bigint, ...bigint[]]): bigint => values.reduce((a, b) => (b < a ? b : a));
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** How much of a want can be granted now. */
export function grantOf(
  wanted: bigint,
  { totalBytes, usedBytes, dailyLimitBytes, usedTodayBytes, leasedBytes, leasedTodayBytes }: Allowance,
): Grant {
  if (usedBytes >= totalBytes) return { outcome: 'used_up' };
  if (dailyLimitBytes !== null && usedTodayBytes >= dailyLimitBytes) return { outcome: 'daily_limit' };
  const rest = totalBytes - usedBytes - leasedBytes;
  const today = dailyLimitBytes === null ? rest : min(rest, dailyLimitBytes - usedTodayBytes - leasedTodayBytes);
  // Nothing but what other nodes hold: some of it may come back.
  if (today <= 0n) return { outcome: 'wait' };
  return { outcome: 'granted', bytes: min(max(wanted, 1n), LEASE.maxBytes, max(rest / 4n, LEASE.minShareBytes), today) };
}

/** A limit of a proxy user, with what of it is leased. */
export interface LeasedCap {
  limitBytes: bigint;
  usedBytes: bigint;
  leasedBytes: bigint;
  /** Whether it is over by itself one day. */
  outcome: 'user_limit' | 'user_used_up';
}

/** How much of a user's want can be granted now: what its plan may, its own limits and what the node may hold for users of the plan. */
export function userGrantOf(wanted: bigint, plan: Allowance, caps: readonly LeasedCap[], heldByNode: bigint): Grant {
  const reached = caps.find(({ usedBytes, limitBytes }) => usedBytes >= limitBytes);
  if (reached) return { outcome: reached.outcome };
  const ofPlan = grantOf(wanted, plan);
  if (ofPlan.outcome !== 'granted') return ofPlan;
  const room = LEASE.usersOfNodeBytes - heldByNode;
  const rest = min(room, ...caps.map((cap) => cap.limitBytes - cap.usedBytes - cap.leasedBytes));
  if (rest <= 0n) return { outcome: 'wait' };
  // A limit is shared by nodes as a package is: none takes all of it while there is more than a little.
  const shares = caps.map((cap) => max((cap.limitBytes - cap.usedBytes - cap.leasedBytes) / 4n, LEASE.minShareBytes));
  const share = min(LEASE.userMaxBytes, max(room / 64n, LEASE.userMinShareBytes), ...shares);
  return { outcome: 'granted', bytes: min(ofPlan.bytes, rest, share) };
}

export interface Counters {
  up: bigint;
  down: bigint;
}

/**
 * What a report adds to the counters of one part of a lease: only growth counts, so a report that comes twice, late or out of order adds nothing;
 * and never more than `room`, what was granted and not yet settled.
 */
export function growthOf(known: Counters, reported: Counters, room: bigint): Counters {
  const up = min(max(reported.up - known.up, 0n), room);
  const down = min(max(reported.down - known.down, 0n), room - up);
  return { up, down };
}
