// How fast a plan is used, by facts that stand in its row with the totals: both rates are read without looking at the ledger.
import { DAY, SECOND, after } from '#platform/clock.ts';
import { type Plan, remainingBytes } from '../../plans/domain/plan.ts';
import { statusOf } from '../../plans/domain/plan-status.ts';

/** The live rate is of so many seconds: of the one that runs and of those before it. */
export const RECENT_SECONDS = 10;
/**
 * Within this, a byte fades to about a third: the pace by which the end is projected. A few days, so that nights and week-ends do not move it much.
 */
export const PACED_MS = 3 * DAY;
/** Less than a day of use is no pace: it would be the hour of the day. */
const MIN_AGE_MS = DAY;
/** An end farther away than this is none. */
const MAX_REST_MS = 3_650 * DAY;

/** Bytes that are reported at an instant flowed before it: a second holds its last instant and not its first. */
const second = (at: Date): number => Math.ceil(at.getTime() / SECOND);

/** Bytes a second of the last ten seconds before `asOf`; none of a plan that carries nothing. */
export function bytesPerSecond(plan: Plan): bigint {
  const { bytesBySecond, ratedAt, asOf } = plan;
  if (!ratedAt || statusOf(plan) !== 'ACTIVE') return 0n;
  const since = Math.max(0, second(asOf) - second(ratedAt));
  const flowed = bytesBySecond.slice(0, Math.max(0, RECENT_SECONDS - since)).reduce((sum, bytes) => sum + bytes, 0);
  return BigInt(Math.round(flowed / RECENT_SECONDS));
}

/** When the rest will be used up at the pace of the last days; null: at no time that is worth showing. */
export function projectedEnd(plan: Plan): Date | null {
  const { pacedBytes, ratedAt, usedSince, asOf } = plan;
  if (!ratedAt || !usedSince || statusOf(plan) !== 'ACTIVE') return null;
  const age = asOf.getTime() - usedSince.getTime();
  if (age < MIN_AGE_MS) return null;
  const paced = pacedBytes * Math.exp(-Math.max(0, asOf.getTime() - ratedAt.getTime()) / PACED_MS);
  // A plan that is in use for less than the span has carried for only so much of it.
  const perMs = paced / (PACED_MS * -Math.expm1(-age / PACED_MS));
  const left = Number(remainingBytes(plan)) / perMs;
  return left < MAX_REST_MS ? after(asOf, left) : null;
}
