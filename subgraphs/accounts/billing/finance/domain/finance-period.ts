// A span of whole days in UTC, given as bookkeepers do: by its first and last day, both included.
import { DAY, after, isDay, toDay } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';

export interface FinancePeriod {
  from: Date;
  /** The end, exclusive. */
  until: Date;
}

/** `from` and `to` as YYYY-MM-DD. Errors: parameter_invalid for a day that does not exist, or that comes before `from`. */
export function periodOfDays(from: string, to: string): FinancePeriod {
  const period = { from: startOf('from', from), until: after(startOf('to', to), DAY) };
  if (period.until <= period.from) throw fail('parameter_invalid', { field: 'to', reason: because('period_reversed') });
  return period;
}

function startOf(field: string, day: string): Date {
  if (!isDay(day)) throw fail('parameter_invalid', { field, reason: because('day_unknown', { day }) });
  return new Date(day);
}

/** The first and the last day of a period, YYYY-MM-DD. */
export const daysOf = ({ from, until }: FinancePeriod) => ({
  from: toDay(from),
  to: toDay(after(until, -DAY)),
});

/** The ends of `count` months, beginning with the month of `at`. */
export const monthEnds = (at: Date, count: number): Date[] =>
  Array.from({ length: count }, (_, index) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1 + index, 1)));

/** The end, exclusive, of a quarter written as YYYY-Qn. */
export const endOfQuarter = (quarter: string): Date => new Date(Date.UTC(Number(quarter.slice(0, 4)), Number(quarter.slice(-1)) * 3, 1));
