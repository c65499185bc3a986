import { maySee } from '#shared/context.ts';
import { builder } from '../builder.ts';
import { BillingSubscription as BillingSubscriptionEntity } from '../entities/billing-subscription.ts';
import { Money } from './money.ts';

const BillingStatus = builder.enumType('BillingStatus', {
  values: ['INCOMPLETE', 'INCOMPLETE_EXPIRED', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'UNPAID', 'PAUSED'] as const,
});
const BillingInterval = builder.enumType('BillingInterval', { values: ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const });

const BillingSubscription = builder.objectRef<BillingSubscriptionEntity>('BillingSubscription').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.expose('status', { type: BillingStatus }),
    currentPeriodEnd: t.expose('currentPeriodEnd', { type: 'DateTime' }),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    interval: t.expose('interval', { type: BillingInterval }),
    intervalCount: t.exposeInt('intervalCount'),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd'),
  }),
});

builder.asEntity(BillingSubscription, {
  key: builder.selection<{ id: string }>('id'),
  async resolveReference({ id }, { em, viewer }) {
    const subscription = await em.findOne(BillingSubscriptionEntity, { id });
    return subscription && maySee(viewer, subscription.accountId) ? subscription : null;
  },
});
