// Marks of a package's use at which its owner is notified: the default ones, or the owner's own.
import { GB, MB, toGb } from '#platform/data-size.ts';
import { because, fail } from '#platform/errors.ts';
import { type Plan, remainingBytes, usedBytes } from './plan.ts';
import type { Ending } from './validity.ts';

/** The default marks, in percent of what was sold. */
export const LOW_BALANCE_PERCENTS: readonly number[] = [80, 95, 100];
/** Always notified, since the plan no longer works. */
const USED_UP = 100;

/** The most marks of each kind that a plan may have. */
export const ALERTS_MAX = 5;
const LEFT_BYTES = { min: MB, max: 10_000n * GB };

export interface AlertMarks {
  /** Null: the default marks. */
  percents: readonly number[] | null;
  leftBytes: readonly bigint[];
}

type Used = Pick<Plan, 'totalBytes' | 'upBytes' | 'downBytes'>;

/** The percents at which the owner of a plan is notified, ascending. */
export const percentsOf = (percents: AlertMarks['percents']): readonly number[] =>
  percents === null ? LOW_BALANCE_PERCENTS : [...percents, USED_UP];

/** The highest mark that was reached; 0 below all. It is in percent of what was sold; both directions of traffic count. */
export const reachedMark = (plan: Used & Partial<Pick<Plan, 'alertPercents'>>): number =>
  percentsOf(plan.alertPercents ?? null).findLast((percent) => usedBytes(plan) * 100n >= plan.totalBytes * BigInt(percent)) ?? 0;

/** The lowest mark of bytes left that was reached; null when none was. */
export const reachedLeft = (plan: Used & Ending & Pick<Plan, 'alertLeftBytes'>): bigint | null =>
  plan.alertLeftBytes.find((left) => remainingBytes(plan) <= left) ?? null;

/** Percent used, rounded down. */
export const percentUsed = (plan: Used): number => Number((usedBytes(plan) * 100n) / plan.totalBytes);

/** Checks marks; returns them ascending, each once, without 100 percent, which is always a mark. Errors: parameter_invalid. */
export function checkAlerts({ percents, leftBytes }: { percents: readonly number[]; leftBytes: readonly bigint[] }): AlertMarks {
  if (percents.length > ALERTS_MAX || percents.some((percent) => percent < 1 || percent > USED_UP))
    throw fail('parameter_invalid', { field: 'percents', reason: because('alert_percents', { max: ALERTS_MAX }) });
  if (leftBytes.length > ALERTS_MAX || leftBytes.some((left) => left < LEFT_BYTES.min || left > LEFT_BYTES.max))
    throw fail('parameter_invalid', {
      field: 'leftBytes',
      reason: because('alert_left', { max: ALERTS_MAX, fromGb: toGb(LEFT_BYTES.min), toGb: toGb(LEFT_BYTES.max) }),
    });
  return {
    percents: [...new Set(percents)].filter((percent) => percent < USED_UP).toSorted((a, b) => a - b),
    leftBytes: [...new Set(leftBytes)].toSorted((a, b) => (a < b ? -1 : 1)),
  };
}
