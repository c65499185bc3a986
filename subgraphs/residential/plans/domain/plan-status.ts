// Spec, States, Residential plan. The status is derived from facts by ordered rules; the first rule that holds decides.
import { type Plan, usedBytes } from './plan.ts';
import { isLapsed } from './validity.ts';
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';

export type UsageFacts = Pick<
  Plan,
  'totalBytes' | 'upBytes' | 'downBytes' | 'dailyLimitBytes' | 'usedTodayBytes' | 'withdrawn' | 'validUntil' | 'asOf'
>;

/** Why a plan is over. A plan that is used up goes on when it is topped up, the others are over for good. */
export const PLAN_ENDS = ['WITHDRAWN', 'LAPSED', 'USED_UP'] as const;
export type PlanEnd = (typeof PLAN_ENDS)[number];

/** Why the plan is over; null while it is not. */
export function planEndOf(facts: UsageFacts): PlanEnd | null {
  if (facts.withdrawn) return 'WITHDRAWN';
  if (isLapsed(facts)) return 'LAPSED';
  return usedBytes(facts) >= facts.totalBytes ? 'USED_UP' : null;
}

const STATUS_RULES: readonly { status: PlanStatus; holds: (facts: UsageFacts) => boolean }[] = [
  { status: 'EXPIRED', holds: (facts) => planEndOf(facts) !== null },
  { status: 'PAUSED', holds: ({ dailyLimitBytes, usedTodayBytes }) => dailyLimitBytes !== null && usedTodayBytes >= dailyLimitBytes },
  { status: 'ACTIVE', holds: () => true },
];

/** The status at the moment of the facts: `usedTodayBytes` belongs to that moment's UTC day. */
export const statusOf = (facts: UsageFacts): PlanStatus => STATUS_RULES.find(({ holds }) => holds(facts))?.status ?? 'ACTIVE';

/** The event that announces this status of a plan. */
export const STATUS_EVENTS = {
  ACTIVE: 'residential_plan.resumed',
  PAUSED: 'residential_plan.paused',
  EXPIRED: 'residential_plan.expired',
} as const satisfies Record<PlanStatus, string>;
