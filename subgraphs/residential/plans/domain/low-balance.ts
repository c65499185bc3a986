// Marks of a package's use at which its owner is notified.
import { type Plan, usedBytes } from './plan.ts';

/** Percent, the highest first. */
export const LOW_BALANCE_PERCENTS = [100, 95, 80] as const;

export type BalanceMark = (typeof LOW_BALANCE_PERCENTS)[number];

/** The highest mark that was reached; 0 below all. Percent of what was sold, both directions of traffic together. */
export const reachedMark = (plan: Pick<Plan, 'totalBytes' | 'upBytes' | 'downBytes'>): BalanceMark | 0 =>
  LOW_BALANCE_PERCENTS.find((percent) => usedBytes(plan) * 100n >= plan.totalBytes * BigInt(percent)) ?? 0;
