// How fast a plan is used. Bytes fade with their age, so that a rate is two numbers in the plan's row, read without looking at the ledger.
import { DAY, HOUR, SECOND, after } from '#shared/clock.ts';
import { type Plan, remainingBytes } from './plan.ts';

/** Within this, a byte fades to about a third: what flows now. */
export const RECENT_MS = 30 * SECOND;
/** The same for the pace by which the end is told: a few days, so that nights and week-ends do not move it much. */
export const PACED_MS = 3 * DAY;
/** A plan's first hour tells no pace yet. */
const YOUNGEST_MS = HOUR;
/** Less than this a second is nothing that flows. */
const SMALLEST = 100;
/** An end farther away than this is none. */
const FARTHEST_MS = 3_650 * DAY;

type RateFacts = Pick<Plan, 'recentBytes' | 'pacedBytes' | 'ratedAt' | 'createdAt' | 'asOf'>;

const faded = (bytes: number, since: Date, now: Date, withinMs: number): number =>
  bytes * Math.exp(-Math.max(0, now.getTime() - since.getTime()) / withinMs);

/** Bytes a second, of about the last half minute. */
export function bytesPerSecond({ recentBytes, ratedAt, asOf }: Pick<RateFacts, 'recentBytes' | 'ratedAt' | 'asOf'>): bigint {
  const rate = ratedAt ? (faded(recentBytes, ratedAt, asOf, RECENT_MS) / RECENT_MS) * SECOND : 0;
  return rate < SMALLEST ? 0n : BigInt(Math.round(rate));
}

/** When the rest will be used up at the pace of the last days; null: at no time that is worth telling. */
export function projectedEnd(plan: RateFacts & Parameters<typeof remainingBytes>[0]): Date | null {
  const { pacedBytes, ratedAt, createdAt, asOf } = plan;
  const remaining = remainingBytes(plan);
  if (remaining === 0n || !ratedAt) return null;
  // A plan younger than the span has only so much of it behind it.
  const age = Math.max(YOUNGEST_MS, asOf.getTime() - createdAt.getTime());
  const perMs = faded(pacedBytes, ratedAt, asOf, PACED_MS) / (PACED_MS * -Math.expm1(-age / PACED_MS));
  const left = Number(remaining) / perMs;
  return left < FARTHEST_MS ? after(asOf, left) : null;
}
