import DataLoader from 'dataloader';
import { maySee } from '#shared/context.ts';
import { builder } from '../builder.ts';
import { BillingSubscription as BillingSubscriptionEntity } from '../entities/billing-subscription.ts';
import type { Context } from '../providers.ts';
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
  resolveReference: ({ id }, ctx) => loaderOf(ctx).load(id),
});

/** A list of plans asks for all of theirs at once: one statement, not one for each. What the viewer may not see is null. */
function loaderOf({ em, viewer }: Context): DataLoader<string, BillingSubscriptionEntity | null> {
  const known = loaders.get(em);
  if (known) return known;
  const loader = new DataLoader<string, BillingSubscriptionEntity | null>(async (ids) => {
    const found = await em.find(BillingSubscriptionEntity, { id: { $in: [...ids] } });
    const mine = new Map(found.filter(({ accountId }) => maySee(viewer, accountId)).map((subscription) => [subscription.id, subscription]));
    return ids.map((id) => mine.get(id) ?? null);
  });
  loaders.set(em, loader);
  return loader;
}
const loaders = new WeakMap<object, DataLoader<string, BillingSubscriptionEntity | null>>();
