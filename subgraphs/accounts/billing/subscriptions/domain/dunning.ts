// A renewal from its asking to its payment or to the end of what it paid for, as a table of days: the operator's, or these.
import { DAY, after } from '#platform/clock.ts';
import type { SubscriptionStatus } from './subscription.ts';

/** Days of renewals; `../configuration.ts` holds them to what makes sense together. */
export interface DunningTerms {
  /** After the first failure, on which a renewal is tried: the first is 0. After the last of them what it pays for is suspended. */
  retryDays: readonly number[];
  /** How long a suspended thing waits for its payment. */
  graceDays: number;
  /** How long before its end the last mail goes out, at the latest. */
  removalNoticeDays: number;
  /** A card is charged when the period ends. Who has to act is asked this long before, and reminded. */
  askedDays: number;
  remindedDays: readonly number[];
  /** Whose card is charged is told this long before; the second of periods of six months and more. */
  noticeDays: number;
  longNoticeDays: number;
}

/** Spec is silent. */
export const DUNNING: DunningTerms = {
  retryDays: [0, 1, 3, 5],
  graceDays: 7,
  removalNoticeDays: 2,
  askedDays: 7,
  remindedDays: [3, 1],
  noticeDays: 7,
  longNoticeDays: 30,
};

/** Spec is silent: from so many months on a period is a long one. */
export const LONG_MONTHS = 6;

/** Until when a renewal can be paid, in days from its asking: the retries, the grace period, and a week for what is late. */
export const payableDays = ({ askedDays, retryDays, graceDays }: DunningTerms): number =>
  askedDays + (retryDays.at(-1) ?? 0) + graceDays + 7;

/** The facts that decide. */
export interface Renewing {
  status: SubscriptionStatus;
  /** The processor charges what was saved; otherwise its owner is asked, and pays. */
  isCharged: boolean;
  currentPeriodEnd: Date;
  /** Of a period. */
  months: number;
  /** The end of the period whose renewal its owner was told of. */
  noticedFor: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Whether a renewal waits for its payment. */
  asked: boolean;
  failures: number;
  failedAt: Date | null;
  nextAttemptAt: Date | null;
  reminders: number;
  suspendedAt: Date | null;
  removalWarnedAt: Date | null;
}

/** notice: that a card will be charged. end: cancelled, and the period is over. ask: for the next period. attempt: to charge, or to find unpaid. remove: it was suspended for too long. */
export type Step = 'notice' | 'end' | 'ask' | 'remind' | 'attempt' | 'warn' | 'remove';

const daysAfter = (at: Date, days: number): Date => after(at, days * DAY);

/** When a suspended thing is removed: never without the mail before. */
export const removalAt = (
  { suspendedAt, removalWarnedAt }: Pick<Renewing, 'suspendedAt' | 'removalWarnedAt'>,
  { graceDays, removalNoticeDays }: DunningTerms,
): Date | null => {
  if (!suspendedAt) return null;
  const planned = daysAfter(suspendedAt, graceDays);
  const warned = removalWarnedAt && daysAfter(removalWarnedAt, removalNoticeDays);
  return warned && warned > planned ? warned : planned;
};

/** When the next period is asked for. */
const askedAt = ({ isCharged, currentPeriodEnd }: Pick<Renewing, 'isCharged' | 'currentPeriodEnd'>, { askedDays }: DunningTerms): Date =>
  isCharged ? currentPeriodEnd : daysAfter(currentPeriodEnd, -askedDays);

const NEVER = new Date(8_640_000_000_000_000);

/** When its owner is told that the card will be charged, once for each period; who is asked to pay needs no such mail. */
function noticeAt(
  { isCharged, currentPeriodEnd, months, noticedFor }: Pick<Renewing, 'isCharged' | 'currentPeriodEnd' | 'months' | 'noticedFor'>,
  { noticeDays, longNoticeDays }: DunningTerms,
): Date {
  if (!isCharged || noticedFor?.getTime() === currentPeriodEnd.getTime()) return NEVER;
  return daysAfter(currentPeriodEnd, months >= LONG_MONTHS ? -longNoticeDays : -noticeDays);
}

/** What is to be done now; one thing at a time. */
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

/** What a failed attempt leaves: the next one's day, or nothing more to try. */
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

/** Nothing of a renewal is under way. */
export const NOTHING_OWED = {
  failures: 0,
  failedAt: null,
  nextAttemptAt: null,
  reminders: 0,
  suspendedAt: null,
  removalWarnedAt: null,
} as const;
