// What an owner sets of automatic top-ups, and what is to be done when a plan has come below its mark.
import { GB, MB, toGb } from '#platform/data-size.ts';
import { MINUTE, after } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { PACKAGE_GB } from './products.ts';

/** Why the platform has switched it off: the bank or the processor said no, wants its owner, nothing is saved, or the product is not sold any more. */
export const AUTO_TOP_UP_ENDS = ['DECLINED', 'CONFIRMATION_NEEDED', 'NO_MEANS', 'NOT_SOLD', 'COUNTRY_NEEDED'] as const;
export type AutoTopUpEnd = (typeof AUTO_TOP_UP_ENDS)[number];

export interface AutoTopUpTerms {
  /** Less than this left, and so many GB are bought. */
  leftBytes: bigint;
  gigabytes: number;
  /** Of a calendar month of UTC, with tax. */
  ceilingMinor: number;
  /** At least so long between two orders. */
  pauseMinutes: number;
}

export interface AutoTopUp extends AutoTopUpTerms {
  planId: string;
  enabled: boolean;
  off: AutoTopUpEnd | null;
  /** What is being bought. */
  request: { id: string; totalMinor: number } | null;
  nextAt: Date | null;
  /** In the month that begins on `spentOn`. */
  spentMinor: number;
  spentOn: string;
}

export const AUTO_TOP_UP_LIMITS = {
  leftBytes: { min: 100n * MB, max: 10_000n * GB },
  pauseMinutes: { min: 5, max: 43_200 },
  ceilingMinor: { max: 10_000_000 },
} as const;

/** `totalMinor`: what one of these costs now, with tax. Errors: quantity_invalid, parameter_invalid. */
export function checkAutoTopUp({ leftBytes, gigabytes, ceilingMinor, pauseMinutes }: AutoTopUpTerms, totalMinor: number): void {
  const { leftBytes: left, pauseMinutes: pause, ceilingMinor: ceiling } = AUTO_TOP_UP_LIMITS;
  if (gigabytes < PACKAGE_GB.min || gigabytes > PACKAGE_GB.max)
    throw fail('quantity_invalid', { field: 'gigabytes', reason: because('package_size', PACKAGE_GB) });
  if (leftBytes < left.min || leftBytes > left.max)
    throw fail('parameter_invalid', {
      field: 'leftBytes',
      reason: because('auto_top_up_left', { fromGb: toGb(left.min), toGb: toGb(left.max) }),
    });
  if (pauseMinutes < pause.min || pauseMinutes > pause.max)
    throw fail('parameter_invalid', { field: 'pauseMinutes', reason: because('auto_top_up_pause', pause) });
  if (ceilingMinor < totalMinor || ceilingMinor > ceiling.max)
    throw fail('parameter_invalid', { field: 'ceilingMinor', reason: because('auto_top_up_ceiling', { max: ceiling.max / 100 }) });
}

/** The first day of a month of UTC: `2026-01-01`. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/** The first moment of the next month of UTC. */
export const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));

/** What was spent in the month of `now`. */
export const spentIn = ({ spentMinor, spentOn }: Pick<AutoTopUp, 'spentMinor' | 'spentOn'>, now: Date): number =>
  spentOn === monthOf(now) ? spentMinor : 0;

/** Whether it waits for nothing but the plan. */
export const isDue = ({ enabled, request, nextAt }: Pick<AutoTopUp, 'enabled' | 'request' | 'nextAt'>, now: Date): boolean =>
  enabled && !request && (nextAt === null || nextAt <= now);

/** It asks for an order of this price; undefined: the month's ceiling leaves no room for it. */
export function ask(rule: AutoTopUp, request: { id: string; totalMinor: number }, now: Date): AutoTopUp | undefined {
  const spentMinor = spentIn(rule, now) + request.totalMinor;
  if (spentMinor > rule.ceilingMinor) return undefined;
  return { ...rule, request, spentMinor, spentOn: monthOf(now), nextAt: after(now, rule.pauseMinutes * MINUTE) };
}

/** The order has come to nothing: what was set aside of the month's ceiling is free again. */
export const takenBack = (rule: AutoTopUp): AutoTopUp => ({
  ...rule,
  request: null,
  spentMinor: Math.max(0, rule.spentMinor - (rule.request?.totalMinor ?? 0)),
});
