// The states of a static plan. Spec is silent beyond ACTIVE: the rest follows the states of its subscription.
import type { Lifecycle } from '#platform/lifecycle.ts';

export const STATIC_PLAN_STATUSES = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED'] as const;
export type StaticPlanStatus = (typeof STATIC_PLAN_STATUSES)[number];

/**
 * delivered: its addresses are allocated, after payment.
 * not_delivered: it could not be delivered in time, and is paid back.
 * refunded: support has paid it back.
 * retries_exhausted: the last retry of a failed renewal failed. Until then the plan stays ACTIVE with billing past_due.
 * paid: a suspended plan was paid within the grace period.
 * grace_over: it was not.
 * period_ended: the owner had cancelled, and the paid period is over.
 */
export type StaticPlanEvent = 'delivered' | 'not_delivered' | 'refunded' | 'retries_exhausted' | 'paid' | 'grace_over' | 'period_ended';

/** Events that need no more than the plan; `delivered` is left out since it needs addresses. */
export type PlainPlanEvent = Exclude<StaticPlanEvent, 'delivered'>;

export const STATIC_PLAN_LIFECYCLE: Lifecycle<StaticPlanStatus, StaticPlanEvent> = [
  { on: 'delivered', from: ['PENDING'], to: 'ACTIVE' },
  { on: 'not_delivered', from: ['PENDING'], to: 'CANCELLED' },
  { on: 'refunded', from: ['PENDING', 'ACTIVE', 'SUSPENDED'], to: 'CANCELLED' },
  { on: 'retries_exhausted', from: ['ACTIVE'], to: 'SUSPENDED' },
  { on: 'paid', from: ['SUSPENDED'], to: 'ACTIVE' },
  { on: 'grace_over', from: ['ACTIVE', 'SUSPENDED'], to: 'EXPIRED' },
  // A cancelled plan whose last retry failed ends like any other at the end of its period, and so does one that was never delivered.
  { on: 'period_ended', from: ['PENDING', 'ACTIVE', 'SUSPENDED'], to: 'CANCELLED' },
];

/** The event that is appended for each transition. */
export const STATIC_PLAN_FACTS = {
  delivered: 'static_plan.delivered',
  not_delivered: 'static_plan.failed',
  refunded: 'static_plan.cancelled',
  retries_exhausted: 'static_plan.suspended',
  paid: 'static_plan.resumed',
  grace_over: 'static_plan.expired',
  period_ended: 'static_plan.cancelled',
} as const satisfies Record<StaticPlanEvent, string>;

/** An ended plan holds no addresses and never comes back. */
export const hasEnded = (status: StaticPlanStatus): boolean => status === 'CANCELLED' || status === 'EXPIRED';
