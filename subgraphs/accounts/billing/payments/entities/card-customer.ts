import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** An account as the card processor knows it. */
export const CardCustomer = defineEntity({
  name: 'CardCustomer',
  tableName: 'card_customer',
  properties: (p) => ({
    accountId: p.string().primary(),
    processorId: p.string(),
    /** The card that new subscriptions renew by. */
    defaultCardId: p.string().nullable(),
  }),
});
export type CardCustomer = InferEntity<typeof CardCustomer>;

export const customerOfAccount = (em: EntityManager, accountId: string): Promise<CardCustomer | null> =>
  em.findOne(CardCustomer, { accountId });

/** Of several at once one is written. */
export async function insertCustomer(em: EntityManager, accountId: string, processorId: string): Promise<void> {
  await em.qb(CardCustomer).insert({ accountId, processorId, defaultCardId: null }).onConflict().ignore().execute('run');
}

export const setDefaultCard = (em: EntityManager, accountId: string, cardId: string): Promise<number> =>
  em.nativeUpdate(CardCustomer, { accountId }, { defaultCardId: cardId });

/** The card is the default one where there is none. */
export const setFirstDefaultCard = (em: EntityManager, accountId: string, cardId: string): Promise<number> =>
  em.nativeUpdate(CardCustomer, { accountId, defaultCardId: null }, { defaultCardId: cardId });

export const forgetDefaultCard = (em: EntityManager, accountId: string, cardId: string): Promise<number> =>
  em.nativeUpdate(CardCustomer, { accountId, defaultCardId: cardId }, { defaultCardId: null });
