// Spec, States, Residential plan. The status is derived from facts by ordered rules; the first rule that holds decides.
import { type Plan, usedBytes } from './plan.ts';
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';

export type UsageFacts = Pick<Plan, 'totalBytes' | 'upBytes' | 'downBytes' | 'dailyLimitBytes' | 'usedTodayBytes' | 'withdrawn'>;

const STATUS_RULES: readonly { status: PlanStatus; holds: (facts: UsageFacts) => boolean }[] = [
  { status: 'EXPIRED', holds: (facts) => facts.withdrawn || usedBytes(facts) >= facts.totalBytes },
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
