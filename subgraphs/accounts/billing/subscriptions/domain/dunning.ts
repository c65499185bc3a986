// A renewal from its asking to its payment or to the end of what it paid for, as a table of days. Spec is silent on the days; see the decisions of
// the README.
import { DAY, after } from '#platform/clock.ts';
import type { SubscriptionStatus } from './subscription.ts';

/** Days after the first failure on which a renewal is tried; after the last of them what it pays for is suspended. */
export const RETRY_DAYS = [0, 1, 3, 5] as const;
/** How long a suspended thing waits for its payment, and how long before its end the last mail goes out, at the latest. */
export const GRACE_DAYS = 7;
const LAST_WARNING_DAYS = 2;
/** A card is charged when the period ends. Who has to act is asked this many days before, and reminded. */
export const ASKED_DAYS_BEFORE = 7;
const REMINDED_DAYS_BEFORE = [3, 1] as const;

/** The facts that decide. */
export interface Renewing {
  status: SubscriptionStatus;
  /** The processor charges what was saved; otherwise its owner is asked, and pays. */
  isCharged: boolean;
  currentPeriodEnd: Date;
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

/** end: cancelled, and the period is over. ask: for the next period. attempt: to charge, or to find unpaid. remove: it was suspended for too long. */
export type Step = 'end' | 'ask' | 'remind' | 'attempt' | 'warn' | 'remove';

const daysAfter = (at: Date, days: number): Date => after(at, days * DAY);

/** When a suspended thing is removed: never without the mail before. */
export const removalAt = ({ suspendedAt, removalWarnedAt }: Pick<Renewing, 'suspendedAt' | 'removalWarnedAt'>): Date | null => {
  if (!suspendedAt) return null;
  const planned = daysAfter(suspendedAt, GRACE_DAYS);
  const warned = removalWarnedAt && daysAfter(removalWarnedAt, LAST_WARNING_DAYS);
  return warned && warned > planned ? warned : planned;
};

/** When the next period is asked for. */
export const askedAt = ({ isCharged, currentPeriodEnd }: Pick<Renewing, 'isCharged' | 'currentPeriodEnd'>): Date =>
  isCharged ? currentPeriodEnd : daysAfter(currentPeriodEnd, -ASKED_DAYS_BEFORE);

/** What is to be done now; one thing at a time. */
export function stepAt(facts: Renewing, now: Date): Step | undefined {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, asked, nextAttemptAt, suspendedAt, removalWarnedAt, reminders } = facts;
  if (status === 'CANCELED') return undefined;
  if (cancelAtPeriodEnd) return currentPeriodEnd <= now ? 'end' : undefined;
  if (status === 'UNPAID' && suspendedAt) {
    if (!removalWarnedAt) return daysAfter(suspendedAt, GRACE_DAYS - LAST_WARNING_DAYS) <= now ? 'warn' : undefined;
    return (removalAt(facts) as Date) <= now ? 'remove' : undefined;
  }
  if (!asked) return askedAt(facts) <= now ? 'ask' : undefined;
  if (nextAttemptAt && nextAttemptAt <= now) return 'attempt';
  const days = REMINDED_DAYS_BEFORE[reminders];
  return days !== undefined && currentPeriodEnd > now && daysAfter(currentPeriodEnd, -days) <= now ? 'remind' : undefined;
}

export type Failed = Pick<Renewing, 'failures' | 'failedAt' | 'nextAttemptAt' | 'suspendedAt'>;

/** What a failed attempt leaves: the next one's day, or nothing more to try. */
export function afterFailure({ failures, failedAt }: Pick<Renewing, 'failures' | 'failedAt'>, now: Date): Failed {
  const first = failedAt ?? now;
  const days = RETRY_DAYS[failures + 1];
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
