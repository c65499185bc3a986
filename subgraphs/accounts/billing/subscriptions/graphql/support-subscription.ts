// What support sees of subscriptions, and does with them.
import { builder } from '../../../builder.ts';
import { Order } from '../../orders/graphql/order.ts';
import { daysOf } from '../domain/subscription.ts';
import { subscriptionWithId } from '../entities/billing-subscription.ts';
import { endBySupport } from '../services/end-for-customer.ts';
import { BillingSubscription } from './billing-subscription.ts';

builder.objectFields(BillingSubscription, (t) => ({
  daysUsed: t.int({ resolve: (row, _, { clock }) => daysOf(row, clock.now()).used }),
  daysInPeriod: t.int({ resolve: (row, _, { clock }) => daysOf(row, clock.now()).all }),
}));

builder.objectField(Order, 'subscription', (t) =>
  t.field({
    type: BillingSubscription,
    nullable: true,
    resolve: ({ subscriptionId }, _, { em }) => (subscriptionId ? subscriptionWithId(em, subscriptionId) : null),
  }),
);

builder.mutationField('supportSubscriptionEnd', (t) =>
  t.field({
    type: BillingSubscription,
    authScopes: { staff: 'subscriptions' },
    args: { id: t.arg.id({ required: true }), atPeriodEnd: t.arg.boolean({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, end, ctx) => endBySupport(ctx, end),
  }),
);
