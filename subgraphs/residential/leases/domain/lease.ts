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

export type Grant = { outcome: 'granted'; bytes: bigint } | { outcome: 'wait' | 'used_up' | 'daily_limit' };

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
