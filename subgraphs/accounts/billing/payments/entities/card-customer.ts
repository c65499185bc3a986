import { type InferEntity, defineEntity } from '@mikro-orm/core';

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
