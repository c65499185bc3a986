// What happens to a subscription's renewal, each as a change of its facts and its events. Nothing leads out of CANCELED: whatever arrives afterwards
// finds nothing to change.
import { next } from '#platform/lifecycle.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import { type DunningTerms, NOTHING_OWED, type Renewing, afterFailure } from './dunning.ts';
import { SUBSCRIPTION_LIFECYCLE, type SubscriptionEvent, type SubscriptionStatus } from './subscription.ts';

export interface Outcome {
  change: Partial<Renewing>;
  /** In this order. */
  facts: SubscriptionFact[];
}

const moved = (status: SubscriptionStatus, event: SubscriptionEvent) => next(SUBSCRIPTION_LIFECYCLE, status, event);

/** A renewal is asked for: a card is charged at once, everybody else has until the period ends. */
export const onAsked = ({ isCharged, currentPeriodEnd }: Renewing, now: Date): Outcome => ({
  change: { asked: true, nextAttemptAt: isCharged ? now : currentPeriodEnd },
  facts: [],
});

/** An attempt to be paid has failed; undefined when nothing is owed. */
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

/** The renewal that is asked for is paid; undefined when none is: the money belongs elsewhere. */
export function onPaid(facts: Renewing, currentPeriodEnd: Date): Outcome | undefined {
  const status = moved(facts.status, 'renewed');
  if (!facts.asked || status === undefined) return undefined;
  return {
    change: { ...NOTHING_OWED, asked: false, status, currentPeriodEnd },
    facts: ['subscription.renewed', ...(facts.status === 'UNPAID' ? (['subscription.resumed'] as const) : [])],
  };
}

const WITHDRAWN = { asked: false, nextAttemptAt: null, reminders: 0 } as const;

/** It ends for good, now, and asks for nothing any more; undefined when it has ended already. */
export function onEnd(facts: Pick<Renewing, 'status'>): Outcome | undefined {
  const status = moved(facts.status, 'ended');
  return status && { change: { ...WITHDRAWN, status }, facts: ['subscription.ended'] };
}

/** Its owner cancels: to the end of what is paid, or at once when that is over. */
export function onCancel(facts: Renewing, now: Date): Outcome | undefined {
  if (facts.status === 'CANCELED' || facts.cancelAtPeriodEnd) return undefined;
  if (facts.currentPeriodEnd <= now) return onEnd(facts);
  return { change: { ...WITHDRAWN, cancelAtPeriodEnd: true }, facts: ['subscription.cancel_scheduled'] };
}

/** Its owner takes that back. */
export function onKeep(facts: Renewing): Outcome | undefined {
  if (facts.status === 'CANCELED' || !facts.cancelAtPeriodEnd) return undefined;
  return { change: { cancelAtPeriodEnd: false }, facts: ['subscription.cancel_taken_back'] };
}
