// The spans of a series of figures: the days or the calendar months of a period, in UTC.
import { DAY, after, toDay } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import type { DayPeriod } from '#platform/day-period.ts';

export const FIGURE_STEPS = ['DAY', 'MONTH'] as const;
export type FigureStep = (typeof FIGURE_STEPS)[number];

/** So many spans of a series at most: a quarter by days, or seven years by months. */
export const FIGURE_SPANS_MAX = 92;

const nextOf = (step: FigureStep, at: Date): Date =>
  step === 'DAY' ? after(at, DAY) : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));

/** The days that are shown when none are asked for: thirty, or twelve months up to this one. */
export function usualDays(step: FigureStep, now: Date): { from: string; to: string } {
  const first = step === 'DAY' ? after(now, -29 * DAY) : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1));
  return { from: toDay(first), to: toDay(now) };
}

/** Ascending; the first and the last month may be parts of one. Errors: parameter_invalid when there are more than 92. */
export function spansOf({ from, until }: DayPeriod, step: FigureStep): DayPeriod[] {
  const spans: DayPeriod[] = [];
  for (let begins = from; begins < until; begins = nextOf(step, begins)) {
    if (spans.length === FIGURE_SPANS_MAX)
      throw fail('parameter_invalid', { field: 'from', reason: because('figures_too_many', { max: FIGURE_SPANS_MAX }) });
    const ends = nextOf(step, begins);
    spans.push({ from: begins, until: ends < until ? ends : until });
  }
  return spans;
}
