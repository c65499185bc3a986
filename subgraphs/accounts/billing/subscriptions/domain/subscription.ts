// The states of a subscription, as far as its payments go. What happens to the plan or server is up to its seller.
import { DAY } from '#platform/clock.ts';
import type { Lifecycle } from '#platform/lifecycle.ts';
import { addMonths } from '#commerce/proration.ts';

/** The states among the API's billing states that a subscription here can have. UNPAID: its retries are used up, and what it pays for is suspended. */
export type SubscriptionStatus = 'ACTIVE' | 'PAST_DUE' | 'UNPAID' | 'CANCELED';
export const END_REASONS = ['CANCELLED', 'UNPAID', 'NOT_DELIVERED', 'REFUNDED'] as const;
export type EndReason = (typeof END_REASONS)[number];
export type SubscriptionEvent = 'renewed' | 'payment_failed' | 'retries_exhausted' | 'ended';

/** CANCELED is final: no row leads out of it, so that nothing that arrives late can revive a service. */
export const SUBSCRIPTION_LIFECYCLE: Lifecycle<SubscriptionStatus, SubscriptionEvent> = [
  { on: 'renewed', from: ['ACTIVE', 'PAST_DUE', 'UNPAID'], to: 'ACTIVE' },
  { on: 'payment_failed', from: ['ACTIVE', 'PAST_DUE'], to: 'PAST_DUE' },
  { on: 'retries_exhausted', from: ['PAST_DUE'], to: 'UNPAID' },
  { on: 'ended', from: ['ACTIVE', 'PAST_DUE', 'UNPAID'], to: 'CANCELED' },
];

/** The yearly revenue of a subscription in minor units before tax; 0 once it is suspended or has ended. The months of an interval divide a year evenly. */
export const yearlyMinorOf = ({
  status,
  amountMinor,
  intervalCount,
}: {
  status: SubscriptionStatus;
  amountMinor: number;
  intervalCount: number;
}) => (status === 'ACTIVE' || status === 'PAST_DUE' ? (amountMinor * 12) / intervalCount : 0);

/**
 * The end of the period that begins at `start`: the date counted from the anchor that is nearest to `months` later. So a short month does not move the day for
 * good, and a day that was moved comes back.
 */
export function periodEndAfter(anchor: Date, start: Date, months: number): Date {
  const wanted = addMonths(start, months).getTime();
  let index = 1;
  while (addMonths(anchor, index * months).getTime() < wanted) index += 1;
  const [before, after] = [addMonths(anchor, (index - 1) * months), addMonths(anchor, index * months)];
  return before > start && wanted - before.getTime() < after.getTime() - wanted ? before : after;
}

/** The days of the present period that have begun, and all its days. */
export function daysOf(
  { currentPeriodStart, currentPeriodEnd }: { currentPeriodStart: Date; currentPeriodEnd: Date },
  now: Date,
): { used: number; all: number } {
  const days = (until: Date) => Math.max(0, Math.ceil((until.getTime() - currentPeriodStart.getTime()) / DAY));
  const all = days(currentPeriodEnd);
  return { used: Math.min(days(now), all), all };
}
