import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** The name and address that an account's invoices are issued to. */
export const BillingDetails = defineEntity({
  name: 'BillingDetails',
  tableName: 'billing_details',
  properties: (p) => ({
    accountId: p.string().primary(),
    name: p.string(),
    address: p.json<string[]>(),
    country: p.string(),
    taxId: p.string().nullable(),
    updatedAt: p.datetime(),
  }),
});
export type BillingDetails = InferEntity<typeof BillingDetails>;

export const detailsOfAccount = (em: EntityManager, accountId: string): Promise<BillingDetails | null> =>
  em.findOne(BillingDetails, { accountId });

export const storeDetails = (em: EntityManager, details: BillingDetails): Promise<BillingDetails> => em.upsert(BillingDetails, details);
