// The owner's settings of automatic top-ups, and what follows when a plan falls below the set rest.
import { GB, MB, toGb } from '#platform/data-size.ts';
import { MINUTE, after } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { PACKAGE_GB } from './products.ts';

/**
 * Why the platform has switched automatic top-ups off: the payment was declined, needs the owner's confirmation, nothing is saved to pay with, the product is
 * no longer sold, or the account has no country.
 */
export const AUTO_TOP_UP_ENDS = ['DECLINED', 'CONFIRMATION_NEEDED', 'NO_MEANS', 'NOT_SOLD', 'COUNTRY_NEEDED'] as const;
export type AutoTopUpEnd = (typeof AUTO_TOP_UP_ENDS)[number];

export interface AutoTopUpTerms {
  /** When less than this is left, `gigabytes` GB are bought. */
  leftBytes: bigint;
  gigabytes: number;
  /** The most that may be spent in a calendar month of UTC, with tax. */
  ceilingMinor: number;
  /** The shortest time between two orders. */
  pauseMinutes: number;
}

export interface AutoTopUp extends AutoTopUpTerms {
  planId: string;
  enabled: boolean;
  off: AutoTopUpEnd | null;
  /** The order that was asked for and is not paid yet. */
  request: { id: string; totalMinor: number } | null;
  nextAt: Date | null;
  /** Spent in the month that begins on `spentOn`. */
  spentMinor: number;
  spentOn: string;
}

export const AUTO_TOP_UP_LIMITS = {
  leftBytes: { min: 100n * MB, max: 10_000n * GB },
  pauseMinutes: { min: 5, max: 43_200 },
  ceilingMinor: { max: 10_000_000 },
} as const;

/** Checks settings. `totalMinor`: the price of one top-up now, with tax. Errors: quantity_invalid, parameter_invalid. */
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

/** The first day of the UTC month of an instant: `2026-01-01`. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/** The first moment of the next UTC month. */
export const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));

/** What was spent in the UTC month of `now`. */
export const spentIn = ({ spentMinor, spentOn }: Pick<AutoTopUp, 'spentMinor' | 'spentOn'>, now: Date): number =>
  spentOn === monthOf(now) ? spentMinor : 0;

/** Whether a top-up may be asked for as soon as the plan falls below its rest. */
export const isDue = ({ enabled, request, nextAt }: Pick<AutoTopUp, 'enabled' | 'request' | 'nextAt'>, now: Date): boolean =>
  enabled && !request && (nextAt === null || nextAt <= now);

/** The settings after asking for an order of this price; undefined when the month's ceiling leaves no room for it. */
export function ask(rule: AutoTopUp, request: { id: string; totalMinor: number }, now: Date): AutoTopUp | undefined {
  const spentMinor = spentIn(rule, now) + request.totalMinor;
  if (spentMinor > rule.ceilingMinor) return undefined;
  return { ...rule, request, spentMinor, spentOn: monthOf(now), nextAt: after(now, rule.pauseMinutes * MINUTE) };
}

/** The settings after an order that was not paid: its amount no longer counts for the month's ceiling. */
export const takenBack = (rule: AutoTopUp): AutoTopUp => ({
  ...rule,
  request: null,
  spentMinor: Math.max(0, rule.spentMinor - (rule.request?.totalMinor ?? 0)),
});
