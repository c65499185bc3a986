// What the facts of a subscription mean for the plan that it pays for.
import type { PlainPlanEvent } from './static-plan-lifecycle.ts';

const ENDINGS: Readonly<Record<string, PlainPlanEvent>> = {
  CANCELLED: 'period_ended',
  UNPAID: 'grace_over',
  NOT_DELIVERED: 'not_delivered',
  REFUNDED: 'refunded',
};

/** What happens to the plan; undefined for what changes dates and amounts only. An ending of a new kind still ends. */
export function planEventOf(type: string, reason: string | undefined): PlainPlanEvent | undefined {
  if (type === 'subscription.suspended') return 'retries_exhausted';
  if (type === 'subscription.resumed') return 'paid';
  if (type === 'subscription.ended') return ENDINGS[reason ?? ''] ?? 'period_ended';
  return undefined;
}
