import { type InferEntity, defineEntity } from '@mikro-orm/core';

/** To whom an account's invoices are written. */
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
