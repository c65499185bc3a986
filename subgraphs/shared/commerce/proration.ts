// A part of a period's price, for the time that is left of it: previews and charges are both made here, so that they cannot differ.
import { divideHalfUp } from './money.ts';

export interface Part {
  /** For the whole period, in minor units. */
  fullMinor: number;
  periodStart: Date;
  periodEnd: Date;
  at: Date;
}

const secondOf = (at: Date): bigint => BigInt(Math.floor(at.getTime() / 1_000));

/** What `fullMinor` comes to from `at` to the end of its period: per second, to the cent, half up. Whole before the period, nothing after it. */
export function prorate({ fullMinor, periodStart, periodEnd, at }: Part): number {
  const [start, end] = [secondOf(periodStart), secondOf(periodEnd)];
  if (end <= start) throw new RangeError('a period ends after it begins');
  const from = secondOf(at) < start ? start : secondOf(at);
  return from >= end ? 0 : Number(divideHalfUp(BigInt(fullMinor) * (end - from), end - start));
}
