// What accounts publishes of what was bought while its payment is disputed; the subject is the order that bought it. Its seller stops it meanwhile.
export type FreezeFact = 'purchase.frozen' | 'purchase.thawed';

/** One reaction for both of them. */
export const onFreezeFacts = <Reaction>(reaction: Reaction): Record<FreezeFact, Reaction> => ({
  'purchase.frozen': reaction,
  'purchase.thawed': reaction,
});
