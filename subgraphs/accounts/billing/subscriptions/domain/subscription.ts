// What a subscription is in, by its money alone; what becomes of the thing that is paid for is its seller's matter.
import type { Lifecycle } from '#platform/lifecycle.ts';

/** The billing states of the API that a subscription here can have. UNPAID: its retries are used up, and what it pays for is suspended. */
export type SubscriptionStatus = 'ACTIVE' | 'PAST_DUE' | 'UNPAID' | 'CANCELED';
export type EndReason = 'CANCELLED' | 'UNPAID' | 'NOT_DELIVERED' | 'REFUNDED';
export type SubscriptionEvent = 'renewed' | 'payment_failed' | 'retries_exhausted' | 'ended';

/** CANCELED is the end: no row leads out of it, so that nothing that arrives late brings a service back. */
export const SUBSCRIPTION_LIFECYCLE: Lifecycle<SubscriptionStatus, SubscriptionEvent> = [
  { on: 'renewed', from: ['ACTIVE', 'PAST_DUE', 'UNPAID'], to: 'ACTIVE' },
  { on: 'payment_failed', from: ['ACTIVE', 'PAST_DUE'], to: 'PAST_DUE' },
  { on: 'retries_exhausted', from: ['PAST_DUE'], to: 'UNPAID' },
  { on: 'ended', from: ['ACTIVE', 'PAST_DUE', 'UNPAID'], to: 'CANCELED' },
];

/** The anchor moved on by whole months, at its time of day; on the last day of a month that is too short. */
export function addMonths(anchor: Date, months: number): Date {
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const time = anchor.getTime() % 86_400_000;
  return new Date(Date.UTC(anchor.getUTCFullYear(), month, Math.min(anchor.getUTCDate(), lastDay)) + time);
}

/** The end of the period that begins at `start`, counted from the anchor, so that short months do not move the day for good. */
export function periodEndAfter(anchor: Date, start: Date, months: number): Date {
  let index = 0;
  while (addMonths(anchor, index * months) <= start) index += 1;
  return addMonths(anchor, index * months);
}
