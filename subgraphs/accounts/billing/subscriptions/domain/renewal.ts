// The events of a subscription's renewal, each as a change of its facts and the events to append. CANCELED is final: whatever arrives afterwards changes
// nothing.
import { next } from '#platform/lifecycle.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import { type DunningTerms, NOTHING_OWED, type Renewing, afterFailure } from './dunning.ts';
import { SUBSCRIPTION_LIFECYCLE, type SubscriptionEvent, type SubscriptionStatus } from './subscription.ts';

export interface Outcome {
  change: Partial<Renewing>;
  /** The events to append, in this order. */
  facts: SubscriptionFact[];
}

const moved = (status: SubscriptionStatus, event: SubscriptionEvent) => next(SUBSCRIPTION_LIFECYCLE, status, event);

/** A renewal was placed: saved means are charged at once, other owners have until the period ends. */
export const onAsked = ({ isCharged, currentPeriodEnd }: Renewing, now: Date): Outcome => ({
  change: { asked: true, nextAttemptAt: isCharged ? now : currentPeriodEnd },
  facts: [],
});

/** An attempt has failed; undefined when nothing is owed. */
export function onFailed(facts: Renewing, now: Date, terms: DunningTerms): Outcome | undefined {
  const pastDue = moved(facts.status, 'payment_failed');
  if (!facts.asked || pastDue === undefined) return undefined;
  const failed = afterFailure(facts, now, terms);
  const status = failed.suspendedAt ? moved(pastDue, 'retries_exhausted') : pastDue;
  return {
    change: { ...failed, status: status ?? pastDue },
    facts: [
      ...(facts.status === 'ACTIVE' ? (['subscription.past_due'] as const) : []),
      ...(failed.suspendedAt ? (['subscription.suspended'] as const) : []),
    ],
  };
}

/** The open renewal is paid; undefined when there is none, so that the money is not for it. */
export function onPaid(facts: Renewing, currentPeriodEnd: Date): Outcome | undefined {
  const status = moved(facts.status, 'renewed');
  if (!facts.asked || status === undefined) return undefined;
  return {
    change: { ...NOTHING_OWED, asked: false, status, currentPeriodEnd },
    facts: ['subscription.renewed', ...(facts.status === 'UNPAID' ? (['subscription.resumed'] as const) : [])],
  };
}

const WITHDRAWN = { asked: false, nextAttemptAt: null, reminders: 0 } as const;

/** The subscription ends for good, now; undefined when it has ended already. */
export function onEnd(facts: Pick<Renewing, 'status'>): Outcome | undefined {
  const status = moved(facts.status, 'ended');
  return status && { change: { ...WITHDRAWN, status }, facts: ['subscription.ended'] };
}

/** The owner cancels: to the end of the paid period, or at once when that is over. */
export function onCancel(facts: Renewing, now: Date): Outcome | undefined {
  if (facts.status === 'CANCELED' || facts.cancelAtPeriodEnd) return undefined;
  if (facts.currentPeriodEnd <= now) return onEnd(facts);
  return { change: { ...WITHDRAWN, cancelAtPeriodEnd: true }, facts: ['subscription.cancel_scheduled'] };
}

/** The owner takes the cancellation back. */
export function onKeep(facts: Renewing): Outcome | undefined {
  if (facts.status === 'CANCELED' || !facts.cancelAtPeriodEnd) return undefined;
  return { change: { cancelAtPeriodEnd: false }, facts: ['subscription.cancel_taken_back'] };
}
