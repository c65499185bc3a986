// What events of a subscription mean for the plan that it pays for.
import type { PlainPlanEvent } from './static-plan-lifecycle.ts';

const ENDINGS: Readonly<Record<string, PlainPlanEvent>> = {
  CANCELLED: 'period_ended',
  UNPAID: 'grace_over',
  NOT_DELIVERED: 'not_delivered',
  REFUNDED: 'refunded',
};

/** What an event does to the plan; undefined for one that changes only dates and amounts. An unknown reason for an end counts as the end of the period. */
export function planEventOf(type: string, reason: string | undefined): PlainPlanEvent | undefined {
  if (type === 'subscription.suspended') return 'retries_exhausted';
  if (type === 'subscription.resumed') return 'paid';
  if (type === 'subscription.ended') return ENDINGS[reason ?? ''] ?? 'period_ended';
  return undefined;
}
