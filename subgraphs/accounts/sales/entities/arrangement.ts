import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const ARRANGEMENT_KINDS = ['VOLUME', 'PLAN', 'PRICE', 'SLA'] as const;
export type ArrangementKind = (typeof ARRANGEMENT_KINDS)[number];

export const Arrangement = defineEntity({
  name: 'Arrangement',
  tableName: 'arrangement',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    kind: p.string().$type<ArrangementKind>(),
    terms: p.string(),
    recordedAt: p.datetime(),
    validUntil: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    /** The token of a signed offer, which the account's owner can order. */
    offer: p.string().nullable(),
    offerId: p.string().nullable(),
  }),
});
export type Arrangement = InferEntity<typeof Arrangement>;

export const arrangementsOfAccount = (em: EntityManager, accountId: string): Promise<Arrangement[]> =>
  em.find(Arrangement, { accountId }, { orderBy: { id: 'desc' }, limit: 100 });

/** An arrangement that is known to exist. */
export const existingArrangement = (em: EntityManager, id: string): Promise<Arrangement> => em.findOneOrFail(Arrangement, { id });

/** An arrangement that was not ended by staff; null when there is none. */
export const arrangementNotEnded = (em: EntityManager, id: string): Promise<Arrangement | null> =>
  em.findOne(Arrangement, { id, endedAt: null });

/** Whether an arrangement carries this offer. */
export const isOfferArranged = async (em: EntityManager, offerId: string): Promise<boolean> =>
  (await em.count(Arrangement, { offerId })) > 0;

export async function insertArrangement(em: EntityManager, arrangement: Omit<Arrangement, 'endedAt'>): Promise<void> {
  await em.insert(Arrangement, { ...arrangement, endedAt: null });
}
