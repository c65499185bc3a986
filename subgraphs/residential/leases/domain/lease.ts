// Leases of a plan's allowance to proxy nodes. The settled and leased bytes of a plan never exceed what was sold, nor those of a day its limit.
import { SECOND } from '#platform/clock.ts';

export const LEASE = {
  /** A node that cannot report spends no longer than this, or than its grace time if that is longer. Published: it bounds the over-use of a node that is cut off. */
  validMs: 10 * SECOND,
  /** A lease that was not reported on for this long after its end counts as lost, and its rest can be leased again. */
  marginMs: 60 * SECOND,
  maxBytes: 64n * 1_048_576n,
  /** No node gets more than a quarter of what is left, so that no node holds the whole rest; but at least so many bytes. */
  minShareBytes: 1_048_576n,
  /** Leases of a proxy user are smaller, since a plan may have thousands. Published: twice this bounds the over-use of one user on a node that is cut off. */
  userMaxBytes: 8n * 1_048_576n,
  userMinShareBytes: 262_144n,
  /** The most that one node holds for all users of a plan together. Published, for the same reason. */
  usersOfNodeBytes: 512n * 1_048_576n,
} as const;

/** For how many milliseconds a lease that is granted or renewed now is valid, on a node with this grace time; at most until the end of the day. */
export const validityOf = (graceMs: number, leftOfDayMs: number): number => Math.min(Math.max(LEASE.validMs, graceMs), leftOfDayMs);

export interface Allowance {
  totalBytes: bigint;
  usedBytes: bigint;
  dailyLimitBytes: bigint | null;
  usedTodayBytes: bigint;
  /** Unspent bytes of open leases: of all days, and of today. */
  leasedBytes: bigint;
  leasedTodayBytes: bigint;
}

export type Grant = { outcome: 'granted'; bytes: bigint } | { outcome: 'wait' | 'used_up' | 'daily_limit' | 'user_limit' | 'user_used_up' };

const min = (...values: [bigint, ...bigint[]]): bigint => values.reduce((a, b) => (b < a ? b : a));
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** How many of the wanted bytes can be granted now. */
export function grantOf(
  wanted: bigint,
  { totalBytes, usedBytes, dailyLimitBytes, usedTodayBytes, leasedBytes, leasedTodayBytes }: Allowance,
): Grant {
  if (usedBytes >= totalBytes) return { outcome: 'used_up' };
  if (dailyLimitBytes !== null && usedTodayBytes >= dailyLimitBytes) return { outcome: 'daily_limit' };
  const rest = totalBytes - usedBytes - leasedBytes;
  const today = dailyLimitBytes === null ? rest : min(rest, dailyLimitBytes - usedTodayBytes - leasedTodayBytes);
  // Other nodes hold all that is left, and some of it may be given back.
  if (today <= 0n) return { outcome: 'wait' };
  return { outcome: 'granted', bytes: min(max(wanted, 1n), LEASE.maxBytes, max(rest / 4n, LEASE.minShareBytes), today) };
}

/** A limit of a proxy user, and how many of its bytes are leased. */
export interface LeasedCap {
  limitBytes: bigint;
  usedBytes: bigint;
  leasedBytes: bigint;
  /** `user_limit` ends by itself on a later day, `user_used_up` does not. */
  outcome: 'user_limit' | 'user_used_up';
}

/** How many of the bytes that a user's line wants can be granted now: bounded by the plan, the user's own limits, and what the node may hold for users of the plan. */
export function userGrantOf(wanted: bigint, plan: Allowance, caps: readonly LeasedCap[], heldByNode: bigint): Grant {
  const reached = caps.find(({ usedBytes, limitBytes }) => usedBytes >= limitBytes);
  if (reached) return { outcome: reached.outcome };
  const ofPlan = grantOf(wanted, plan);
  if (ofPlan.outcome !== 'granted') return ofPlan;
  const room = LEASE.usersOfNodeBytes - heldByNode;
  const rest = min(room, ...caps.map((cap) => cap.limitBytes - cap.usedBytes - cap.leasedBytes));
  if (rest <= 0n) return { outcome: 'wait' };
  // Nodes share a user's limit as they share a package: none takes all of it while more than `minShareBytes` is left.
  const shares = caps.map((cap) => max((cap.limitBytes - cap.usedBytes - cap.leasedBytes) / 4n, LEASE.minShareBytes));
  const share = min(LEASE.userMaxBytes, max(room / 64n, LEASE.userMinShareBytes), ...shares);
  return { outcome: 'granted', bytes: min(ofPlan.bytes, rest, share) };
}

export interface Counters {
  up: bigint;
  down: bigint;
}

/**
 * What a report adds to the counters of one part of a lease. Only growth counts, so a report that comes twice, late or out of order adds nothing. It is at most
 * `room`, the bytes that were granted and are not settled.
 */
export function growthOf(known: Counters, reported: Counters, room: bigint): Counters {
  const up = min(max(reported.up - known.up, 0n), room);
  const down = min(max(reported.down - known.down, 0n), room - up);
  return { up, down };
}
