// The table accounts.repricing: the price that a seller has announced of a subscription, until it renews at it.
import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { OfferLine } from '#commerce/offers.ts';

export const Repricing = defineEntity({
  name: 'Repricing',
  tableName: 'repricing',
  properties: (p) => ({
    subscriptionId: p.string().primary(),
    /** The seller's id of it. */
    repricingId: p.string(),
    /** What recurred when the seller computed it. */
    linesBefore: p.json<OfferLine[]>(),
    /** What recurs at the new price, for a whole period, before tax. */
    lines: p.json<OfferLine[]>(),
    appliesFrom: p.datetime(),
    announcedAt: p.datetime(),
  }),
});
export type Repricing = InferEntity<typeof Repricing>;

export const repricingOf = (em: EntityManager, subscriptionId: string): Promise<Repricing | null> =>
  em.findOne(Repricing, { subscriptionId });

export const repricingsOf = (em: EntityManager, subscriptionIds: readonly string[]): Promise<Repricing[]> =>
  em.find(Repricing, { subscriptionId: { $in: [...subscriptionIds] } });

/** Stores it in place of an earlier one of the subscription. */
export async function storeRepricing(em: EntityManager, repricing: Repricing): Promise<void> {
  await em.upsert(Repricing, repricing, { onConflictFields: ['subscriptionId'], onConflictAction: 'merge' });
}

export const dropRepricing = (em: EntityManager, subscriptionId: string): Promise<number> => em.nativeDelete(Repricing, { subscriptionId });
