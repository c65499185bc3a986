// How fast a plan is used. Its row has the facts for this beside the totals, so both rates are computed without reading the ledger.
import { DAY, SECOND, after } from '#platform/clock.ts';
import { type Plan, remainingBytes } from '../../plans/domain/plan.ts';
import { statusOf } from '../../plans/domain/plan-status.ts';

/** The live rate is the mean of so many seconds: the present one and those before it. */
export const RECENT_SECONDS = 10;
/**
 * The time in which the weight of a byte in the pace falls to 1/e, about a third. It is a few days, so that nights and week-ends hardly change the projected
 * end.
 */
export const PACED_MS = 3 * DAY;
/** With less than a day of use there is no projection: it would depend on the hour of the day. */
const MIN_AGE_MS = DAY;
/** An end farther away than this is not projected. */
const MAX_REST_MS = 3_650 * DAY;

/** The number of an instant's second. Bytes that are reported at an instant flowed before it, so a second includes its end and not its beginning. */
const second = (at: Date): number => Math.ceil(at.getTime() / SECOND);

/** Mean bytes per second of the ten seconds before `asOf`; zero for a plan that is not ACTIVE. */
export function bytesPerSecond(plan: Plan): bigint {
  const { bytesBySecond, ratedAt, asOf } = plan;
  if (!ratedAt || statusOf(plan) !== 'ACTIVE') return 0n;
  const since = Math.max(0, second(asOf) - second(ratedAt));
  const flowed = bytesBySecond.slice(0, Math.max(0, RECENT_SECONDS - since)).reduce((sum, bytes) => sum + bytes, 0);
  return BigInt(Math.round(flowed / RECENT_SECONDS));
}

/** When the rest will be used up at the pace of the last days; null when there is no projection, or the end is more than ten years away. */
export function projectedEnd(plan: Plan): Date | null {
  const { pacedBytes, ratedAt, usedSince, asOf } = plan;
  if (!ratedAt || !usedSince || statusOf(plan) !== 'ACTIVE') return null;
  const age = asOf.getTime() - usedSince.getTime();
  if (age < MIN_AGE_MS) return null;
  const paced = pacedBytes * Math.exp(-Math.max(0, asOf.getTime() - ratedAt.getTime()) / PACED_MS);
  // A plan that has been in use for less than the fading time has carried bytes for only a part of it.
  const perMs = paced / (PACED_MS * -Math.expm1(-age / PACED_MS));
  const left = Number(remainingBytes(plan)) / perMs;
  return left < MAX_REST_MS ? after(asOf, left) : null;
}
