// Billing periods. Their ends are computed from the anchor, so that 31 January is followed by 28 February and then by 31 March.
import type Stripe from 'stripe';

type Interval = Stripe.Price.Recurring['interval'];
export interface Rhythm {
  interval: Interval;
  count: number;
}
/** Unix seconds; the end is exclusive. */
export interface Period {
  start: number;
  end: number;
}

/**
 * A time; or a time with the day of the month that was asked for, since the time is on an earlier day when its month is too short.
 * https://docs.stripe.com/billing/subscriptions/billing-cycle
 */
export type Anchor = number | { at: number; day: number };

export const anchorOf = ({ billing_cycle_anchor: at, billing_cycle_anchor_config: config }: Stripe.Subscription): Anchor =>
  config ? { at, day: config.day_of_month } : at;

type AnchorConfig = Stripe.SubscriptionCreateParams.BillingCycleAnchorConfig;

/** The next time after `now` that fits a configuration; in a month that is too short, its last day. */
export function nextAnchor(now: number, { day_of_month: day, month, hour, minute, second }: AnchorConfig): number {
  const from = new Date(now * 1000);
  const time = ((hour ?? from.getUTCHours()) * 60 + (minute ?? from.getUTCMinutes())) * 60 + (second ?? from.getUTCSeconds());
  for (let ahead = 0; ; ahead += 1) {
    const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + ahead, 1));
    const at = dayOf(first.getUTCFullYear(), first.getUTCMonth(), day) + time;
    if (at > now && (month === undefined || month === first.getUTCMonth() + 1)) return at;
  }
}

const SECONDS: Partial<Record<Interval, number>> = { day: 86_400, week: 7 * 86_400 };
const MONTHS: Partial<Record<Interval, number>> = { month: 1, year: 12 };

/** The period that begins at `start`, which may be in the middle of a period of the anchor. */
export function periodFrom(start: number, anchor: Anchor, rhythm: Rhythm): Period {
  let index = 0;
  while (boundary(anchor, rhythm, index) > start && boundary(anchor, rhythm, index - 1) > start) index -= 1;
  while (boundary(anchor, rhythm, index) <= start) index += 1;
  return { start, end: boundary(anchor, rhythm, index) };
}

/** The whole period that ends at the anchor; a shorter first period is a part of it. */
export const periodBefore = (anchor: Anchor, rhythm: Rhythm): Period => ({
  start: boundary(anchor, rhythm, -1),
  end: boundary(anchor, rhythm, 0),
});

/** The anchor moved by `index` periods, at the same time of day; in a month that is too short, on its last day. */
function boundary(anchor: Anchor, { interval, count }: Rhythm, index: number): number {
  const at = typeof anchor === 'number' ? anchor : anchor.at;
  const seconds = SECONDS[interval];
  if (seconds !== undefined) return at + index * count * seconds;
  const from = new Date(at * 1000);
  const month = from.getUTCMonth() + index * count * (MONTHS[interval] ?? 1);
  const day = typeof anchor === 'number' ? from.getUTCDate() : anchor.day;
  return dayOf(from.getUTCFullYear(), month, day) + (at % 86_400);
}

/** Midnight of that day; in a month that is too short, of its last day. */
function dayOf(year: number, month: number, day: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay)) / 1000;
}

export const rhythmOf = (price: Stripe.Price): Rhythm => ({
  interval: price.recurring?.interval ?? 'month',
  count: price.recurring?.interval_count ?? 1,
});

export const sameRhythm = (a: Rhythm, b: Rhythm): boolean => a.interval === b.interval && a.count === b.count;

/** "month", "3 months". */
export const toRhythmText = ({ interval, count }: Rhythm): string => (count === 1 ? interval : `${count} ${interval}s`);

/** The part of `amount` for `left` of `whole` seconds, rounded half up to the cent; for a negative amount half away from zero. */
export function prorate(amount: number, left: number, whole: number): number {
  const sign = amount < 0 ? -1 : 1;
  const scaled = 2n * BigInt(Math.abs(amount)) * BigInt(left) + BigInt(whole);
  return sign * Number(scaled / (2n * BigInt(whole)));
}
