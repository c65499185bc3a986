import { type InferEntity, defineEntity } from '@mikro-orm/core';

export const BillingSubscription = defineEntity({
  name: 'BillingSubscription',
  tableName: 'billing_subscription',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    status: p.string().$type<'INCOMPLETE' | 'INCOMPLETE_EXPIRED' | 'TRIALING' | 'ACTIVE' | 'PAST_DUE' | 'CANCELED' | 'UNPAID' | 'PAUSED'>(),
    currentPeriodEnd: p.datetime(),
    amountMinor: p.bigint('number'),
    currency: p.string(),
    interval: p.string().$type<'DAY' | 'WEEK' | 'MONTH' | 'YEAR'>(),
    intervalCount: p.integer(),
    cancelAtPeriodEnd: p.boolean(),
  }),
});
export type BillingSubscription = InferEntity<typeof BillingSubscription>;
