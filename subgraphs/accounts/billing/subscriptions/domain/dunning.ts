// The rules of a renewal from its order to its payment, or to the removal of what it pays for, as a table of days. The operator can set the days; `DUNNING` has
// the defaults.
import { DAY, after } from '#platform/clock.ts';
import type { SubscriptionStatus } from './subscription.ts';

/** The days of renewals; `../configuration.ts` checks that they fit together. */
export interface DunningTerms {
  /** Days after the first failure on which a renewal is tried; the first is 0. After the last one what it pays for is suspended. */
  retryDays: readonly number[];
  /** How many days a suspended plan or server waits for its payment. */
  graceDays: number;
  /** How many days before the removal the last mail is sent, at the latest. */
  removalNoticeDays: number;
  /**
   * How many days before the period's end the owner is asked to pay, and reminded, where no saved means are charged; those are charged when the period ends.
   */
  askedDays: number;
  remindedDays: readonly number[];
  /** How many days before a charge the owner is told; `longNoticeDays` for periods of six months and more. */
  noticeDays: number;
  longNoticeDays: number;
}

/** Spec is silent: the defaults. */
export const DUNNING: DunningTerms = {
  retryDays: [0, 1, 3, 5],
  graceDays: 7,
  removalNoticeDays: 2,
  askedDays: 7,
  remindedDays: [3, 1],
  noticeDays: 7,
  longNoticeDays: 30,
};

/** Spec is silent: from how many months on a period is long. */
export const LONG_MONTHS = 6;

/** For how many days after its order a renewal can be paid: the retries, the grace period, and a week for late money. */
export const payableDays = ({ askedDays, retryDays, graceDays }: DunningTerms): number =>
  askedDays + (retryDays.at(-1) ?? 0) + graceDays + 7;

/** The facts that decide about the steps of a renewal. */
export interface Renewing {
  status: SubscriptionStatus;
  /** True: the processor charges saved means. False: the owner is asked to pay. */
  isCharged: boolean;
  currentPeriodEnd: Date;
  /** The length of a period. */
  months: number;
  /** The end of the period about whose renewal the owner was told. */
  noticedFor: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Whether an unpaid renewal exists. */
  asked: boolean;
  failures: number;
  failedAt: Date | null;
  nextAttemptAt: Date | null;
  reminders: number;
  suspendedAt: Date | null;
  removalWarnedAt: Date | null;
}

/**
 * notice: tell that a card will be charged; end: end a cancelled subscription whose period is over; ask: place the order of the next period; remind: remind the
 * owner to pay; attempt: charge the means, or count the renewal as unpaid; warn: announce the removal; remove: remove what was suspended for too long.
 */
export type Step = 'notice' | 'end' | 'ask' | 'remind' | 'attempt' | 'warn' | 'remove';

const daysAfter = (at: Date, days: number): Date => after(at, days * DAY);

/** When a suspended plan or server is removed: never before the announced time after the warning mail. */
export const removalAt = (
  { suspendedAt, removalWarnedAt }: Pick<Renewing, 'suspendedAt' | 'removalWarnedAt'>,
  { graceDays, removalNoticeDays }: DunningTerms,
): Date | null => {
  if (!suspendedAt) return null;
  const planned = daysAfter(suspendedAt, graceDays);
  const warned = removalWarnedAt && daysAfter(removalWarnedAt, removalNoticeDays);
  return warned && warned > planned ? warned : planned;
};

/** When the order of the next period is placed. */
const askedAt = ({ isCharged, currentPeriodEnd }: Pick<Renewing, 'isCharged' | 'currentPeriodEnd'>, { askedDays }: DunningTerms): Date =>
  isCharged ? currentPeriodEnd : daysAfter(currentPeriodEnd, -askedDays);

const NEVER = new Date(8_640_000_000_000_000);

/** When the owner is told that saved means will be charged, once per period; owners who are asked to pay need no such mail. */
function noticeAt(
  { isCharged, currentPeriodEnd, months, noticedFor }: Pick<Renewing, 'isCharged' | 'currentPeriodEnd' | 'months' | 'noticedFor'>,
  { noticeDays, longNoticeDays }: DunningTerms,
): Date {
  if (!isCharged || noticedFor?.getTime() === currentPeriodEnd.getTime()) return NEVER;
  return daysAfter(currentPeriodEnd, months >= LONG_MONTHS ? -longNoticeDays : -noticeDays);
}

/** The step that is due now; undefined: none. */
export function stepAt(facts: Renewing, now: Date, terms: DunningTerms): Step | undefined {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, asked, nextAttemptAt, suspendedAt, removalWarnedAt, reminders } = facts;
  if (status === 'CANCELED') return undefined;
  if (cancelAtPeriodEnd) return currentPeriodEnd <= now ? 'end' : undefined;
  if (status === 'UNPAID' && suspendedAt) {
    if (!removalWarnedAt) return daysAfter(suspendedAt, terms.graceDays - terms.removalNoticeDays) <= now ? 'warn' : undefined;
    return (removalAt(facts, terms) as Date) <= now ? 'remove' : undefined;
  }
  if (!asked) {
    if (askedAt(facts, terms) <= now) return 'ask';
    return noticeAt(facts, terms) <= now ? 'notice' : undefined;
  }
  if (nextAttemptAt && nextAttemptAt <= now) return 'attempt';
  const days = terms.remindedDays[reminders];
  return days !== undefined && currentPeriodEnd > now && daysAfter(currentPeriodEnd, -days) <= now ? 'remind' : undefined;
}

export type Failed = Pick<Renewing, 'failures' | 'failedAt' | 'nextAttemptAt' | 'suspendedAt'>;

/** The facts after a failed attempt: the day of the next one, or the suspension when it was the last. */
export function afterFailure(
  { failures, failedAt }: Pick<Renewing, 'failures' | 'failedAt'>,
  now: Date,
  { retryDays }: Pick<DunningTerms, 'retryDays'>,
): Failed {
  const first = failedAt ?? now;
  const days = retryDays[failures + 1];
  const next = days === undefined ? null : daysAfter(first, days);
  return { failures: failures + 1, failedAt: first, nextAttemptAt: next, suspendedAt: next === null ? now : null };
}

/** The facts while no renewal is open. */
export const NOTHING_OWED = {
  failures: 0,
  failedAt: null,
  nextAttemptAt: null,
  reminders: 0,
  suspendedAt: null,
  removalWarnedAt: null,
} as const;
