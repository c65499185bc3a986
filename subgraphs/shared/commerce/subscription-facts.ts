/** Events of accounts about a subscription; the subject is the subscription. A seller of subscriptions follows all of them. */
export const SUBSCRIPTION_FACTS = [
  'subscription.started',
  'subscription.begun',
  'subscription.renewed',
  'subscription.past_due',
  'subscription.suspended',
  'subscription.resumed',
  'subscription.cancel_scheduled',
  'subscription.cancel_taken_back',
  'subscription.changed',
  'subscription.ended',
] as const;

export type SubscriptionFact = (typeof SUBSCRIPTION_FACTS)[number];

/** One reaction for all of these events. */
export const onSubscriptionFacts = <Reaction>(reaction: Reaction): Record<SubscriptionFact, Reaction> =>
  Object.fromEntries(SUBSCRIPTION_FACTS.map((type) => [type, reaction])) as Record<SubscriptionFact, Reaction>;
