// Billing periods: their ends follow from the anchor, so that 31 January leads to 28 February and then to 31 March.
import type Stripe from 'stripe';

type Interval = Stripe.Price.Recurring['interval'];
export interface Rhythm {
  interval: Interval;
  count: number;
}
/** Unix seconds, the end not included. */
export interface Period {
  start: number;
  end: number;
}

const SECONDS: Partial<Record<Interval, number>> = { day: 86_400, week: 7 * 86_400 };
const MONTHS: Partial<Record<Interval, number>> = { month: 1, year: 12 };

/** The period that begins at `start`, which may be in the middle of one of the anchor's. */
export function periodFrom(start: number, anchor: number, rhythm: Rhythm): Period {
  let index = 0;
  while (boundary(anchor, rhythm, index) > start && boundary(anchor, rhythm, index - 1) > start) index -= 1;
  while (boundary(anchor, rhythm, index) <= start) index += 1;
  return { start, end: boundary(anchor, rhythm, index) };
}

/** The whole period that ends at the anchor: what a first, shorter period is a part of. */
export const periodBefore = (anchor: number, rhythm: Rhythm): Period => ({ start: boundary(anchor, rhythm, -1), end: anchor });

/** The anchor moved on by `index` periods, at the same time of day, on the last day of a month that is too short. */
function boundary(anchor: number, { interval, count }: Rhythm, index: number): number {
  const seconds = SECONDS[interval];
  if (seconds !== undefined) return anchor + index * count * seconds;
  const from = new Date(anchor * 1000);
  const month = from.getUTCMonth() + index * count * (MONTHS[interval] ?? 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const time = anchor % 86_400;
  return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay)) / 1000 + time;
}

export const rhythmOf = (price: Stripe.Price): Rhythm => ({
  interval: price.recurring?.interval ?? 'month',
  count: price.recurring?.interval_count ?? 1,
});

export const sameRhythm = (a: Rhythm, b: Rhythm): boolean => a.interval === b.interval && a.count === b.count;

/** "month", "3 months". */
export const toRhythmText = ({ interval, count }: Rhythm): string => (count === 1 ? interval : `${count} ${interval}s`);

/** The part of `amount` that falls on `left` of `whole` seconds: to the cent, half up, away from zero for a negative amount. */
export function prorate(amount: number, left: number, whole: number): number {
  const sign = amount < 0 ? -1 : 1;
  const scaled = 2n * BigInt(Math.abs(amount)) * BigInt(left) + BigInt(whole);
  return sign * Number(scaled / (2n * BigInt(whole)));
}
