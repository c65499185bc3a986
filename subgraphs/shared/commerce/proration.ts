// The part of a period's price for the time that is left of it. Previews and charges both use it, so they cannot differ.
import { divideHalfUp } from './money.ts';

export interface Part {
  /** For the whole period, in minor units. */
  fullMinor: number;
  periodStart: Date;
  periodEnd: Date;
  /** How many months a period has. */
  months: number;
  at: Date;
}

const secondOf = (at: Date): bigint => BigInt(Math.floor(at.getTime() / 1_000));

/**
 * The part of `fullMinor` for the time from `at` to the end of the period: per second, rounded half up to the cent. Zero after the end. Before the start of a
 * period that is paid in advance: all of it, plus the part for what is left of the period before it.
 */
export function prorate({ fullMinor, periodStart, periodEnd, months, at }: Part): number {
  const [start, end, now] = [secondOf(periodStart), secondOf(periodEnd), secondOf(at)];
  if (end <= start) throw new RangeError('a period ends after it begins');
  const part = (left: bigint, whole: bigint) => Number(divideHalfUp(BigInt(fullMinor) * left, whole));
  if (now >= end) return 0;
  if (now >= start) return part(end - now, end - start);
  const before = start - secondOf(addMonths(periodStart, -months));
  const left = start - now;
  return fullMinor + (left < before ? part(left, before) : fullMinor);
}

/** `anchor` plus whole months, at its time of day; the last day of the month when the month is too short. */
export function addMonths(anchor: Date, months: number): Date {
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const time = anchor.getTime() % 86_400_000;
  return new Date(Date.UTC(anchor.getUTCFullYear(), month, Math.min(anchor.getUTCDate(), lastDay)) + time);
}
