// The effect of an account's suspension on its renewals. Spec is silent: paid time passes meanwhile and is not compensated, but nothing is asked for, charged
// or removed.
import { after } from '#platform/clock.ts';
import type { Renewing } from '../../subscriptions/domain/dunning.ts';

/**
 * The changed facts of a renewal when its account is restored. The dates of a renewal that is owed move by the length of the suspension. A period that ended
 * meanwhile without its renewal having been asked for ends now instead, so that nobody pays for time in which nothing ran.
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
