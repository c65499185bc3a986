// What a suspension of the account leaves of its renewals. Spec is silent: paid time runs on meanwhile and is not made up for; nothing is asked for,
// charged or removed.
import { after } from '#platform/clock.ts';
import type { Renewing } from '../../subscriptions/domain/dunning.ts';

/**
 * The facts of a renewal when the account is restored: every date of one that is owed is as far away as it was. A period that ended meanwhile without
 * the next one having been asked for ends now, so that nobody pays for time in which nothing ran.
 */
export function afterSuspension(facts: Renewing, since: Date, now: Date): Partial<Renewing> {
  const heldMs = now.getTime() - since.getTime();
  const later = (at: Date | null) => at && after(at, heldMs);
  const { asked, status, cancelAtPeriodEnd, currentPeriodEnd, failedAt, nextAttemptAt, suspendedAt, removalWarnedAt } = facts;
  const ended = !asked && status === 'ACTIVE' && !cancelAtPeriodEnd && currentPeriodEnd > since && currentPeriodEnd <= now;
  return {
    failedAt: later(failedAt),
    nextAttemptAt: later(nextAttemptAt),
    suspendedAt: later(suspendedAt),
    removalWarnedAt: later(removalWarnedAt),
    ...(ended && { currentPeriodEnd: now }),
  };
}
