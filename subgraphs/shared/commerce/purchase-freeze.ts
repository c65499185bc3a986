// Events of accounts about a purchase whose payment is disputed; the subject is its order. The seller stops the product meanwhile.
export type FreezeFact = 'purchase.frozen' | 'purchase.thawed';

/** One reaction for both events. */
export const onFreezeFacts = <Reaction>(reaction: Reaction): Record<FreezeFact, Reaction> => ({
  'purchase.frozen': reaction,
  'purchase.thawed': reaction,
});
