// A span of whole days in UTC, given as people do: by its first and last day, both included.
import { DAY, after, isDay, toDay } from './clock.ts';
import { because, fail } from './errors.ts';

export interface DayPeriod {
  from: Date;
  /** The end, exclusive. */
  until: Date;
}

/** `from` and `to` as YYYY-MM-DD. Errors: parameter_invalid for a day that does not exist, or that comes before `from`. */
export function periodOfDays(from: string, to: string): DayPeriod {
  const period = { from: startOf('from', from), until: after(startOf('to', to), DAY) };
  if (period.until <= period.from) throw fail('parameter_invalid', { field: 'to', reason: because('period_reversed') });
  return period;
}

function startOf(field: string, day: string): Date {
  if (!isDay(day)) throw fail('parameter_invalid', { field, reason: because('day_unknown', { day }) });
  return new Date(day);
}

/** The first and the last day of a period, YYYY-MM-DD. */
export const daysOf = ({ from, until }: DayPeriod) => ({
  from: toDay(from),
  to: toDay(after(until, -DAY)),
});
