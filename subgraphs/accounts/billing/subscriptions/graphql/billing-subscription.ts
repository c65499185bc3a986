import { verdictsFor } from '#platform/action-verdict.ts';
import { batched, grouped } from '#platform/batched.ts';
import { declareAvailableAction } from '#platform/available-action.ts';
import { accountOf, maySee } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { sumOfLines, toLines } from '#commerce/offers.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import { SUBSCRIPTION_FACTS } from '#commerce/subscription-facts.ts';
import { builder } from '../../../builder.ts';
import { removalAt } from '../domain/dunning.ts';
import { firstPeriodAt, isUpToDate } from '../domain/repricing.ts';
import { subscriptionActions } from '../domain/subscription-action.ts';
import {
  type BillingSubscription as BillingSubscriptionEntity,
  subscriptionOfOwner,
  subscriptionsOfAccount,
  subscriptionsWithIds,
} from '../entities/billing-subscription.ts';
import { repricingsOf } from '../entities/repricing.ts';
import { ordersOfSubscription, orderWithId, subscriptionIdOfResource } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../context.ts';
import { cancelSubscription, undoCancellation } from '../services/cancel-subscription.ts';
import { renewingOf } from '../services/subscriptions.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { Money, OfferLine } from '../../ledger/graphql/money.ts';
import { Order, OrderSeller, PaymentMethod } from '../../orders/graphql/order.ts';
import { END_REASONS } from '../domain/subscription.ts';

const BillingStatus = builder.enumType('BillingStatus', {
  values: ['INCOMPLETE', 'INCOMPLETE_EXPIRED', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'UNPAID', 'PAUSED'] as const,
});
const BillingInterval = builder.enumType('BillingInterval', { values: ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const });
const SubscriptionEndReason = builder.enumType('SubscriptionEndReason', {
  values: END_REASONS,
});

const AvailableAction = declareAvailableAction(builder);

const NextPrice = builder.objectRef<{ from: Date; amount: { amountMinor: number; currency: string } }>('NextPrice').implement({
  fields: (t) => ({ from: t.expose('from', { type: 'DateTime' }), amount: t.expose('amount', { type: Money }) }),
});

export const BillingSubscription = builder.objectRef<BillingSubscriptionEntity>('BillingSubscription');

const purchaseOf = ({ orderId: id }: BillingSubscriptionEntity, { em }: SubscriptionsContext) => orderWithId(em, id);

/** Batched, since a page of subscriptions asks for many at once. */
const announcedOf = batched(async (em, ids) =>
  grouped(await repricingsOf(em, ids), ids, ({ subscriptionId }) => subscriptionId).map(([announced]) => announced),
);

BillingSubscription.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.expose('status', { type: BillingStatus }),
    title: t.exposeString('title'),
    seller: t.expose('seller', { type: OrderSeller }),
    method: t.expose('method', { type: PaymentMethod }),
    version: t.exposeInt('version'),
    lines: t.field({ type: [OfferLine], resolve: ({ lines, currency }) => toLines(lines, currency) }),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    currentPeriodStart: t.expose('currentPeriodStart', { type: 'DateTime' }),
    currentPeriodEnd: t.expose('currentPeriodEnd', { type: 'DateTime' }),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    nextPrice: t.field({
      type: NextPrice,
      nullable: true,
      async resolve(subscription, _, { em }) {
        if (subscription.status === 'CANCELED') return null;
        const announced = await announcedOf(em, subscription.id);
        if (!announced || !isUpToDate(announced, subscription)) return null;
        const amount = { amountMinor: sumOfLines(announced.lines), currency: subscription.currency };
        return { from: firstPeriodAt(announced, subscription), amount };
      },
    }),
    interval: t.expose('interval', { type: BillingInterval }),
    intervalCount: t.exposeInt('intervalCount'),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd'),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
    endReason: t.expose('endReason', { type: SubscriptionEndReason, nullable: true }),
    orderId: t.exposeID('orderId'),
    renewalOrderId: t.exposeID('renewalOrderId', { nullable: true }),
    resourceId: t.id({ nullable: true, resolve: async (row, _, ctx) => (await purchaseOf(row, ctx))?.resourceId }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ status, nextAttemptAt }) => (status === 'PAST_DUE' ? nextAttemptAt : null),
    }),
    removalAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ status, suspendedAt = null, removalWarnedAt = null }, _, { providers }) =>
        status === 'UNPAID' ? removalAt({ suspendedAt, removalWarnedAt }, providers.dunning) : null,
    }),
    orders: t.field({
      type: [Order],
      resolve: ({ id: subscriptionId }, _, { em }) => ordersOfSubscription(em, subscriptionId),
    }),
    availableActions: t.field({
      type: [AvailableAction],
      resolve: (row, _args, { viewer }) => verdictsFor(viewer, subscriptionActions(renewingOf(row)), () => 'pay'),
    }),
  }),
});

const subscriptionOfOne = batched(async (em, ids) =>
  grouped(await subscriptionsWithIds(em, ids), ids, ({ id }) => id).map(([subscription]) => subscription),
);

builder.asEntity(BillingSubscription, {
  key: builder.selection<{ id: string }>('id'),
  // Batched, since a list of plans asks for many at once.
  async resolveReference({ id }, { em, viewer }) {
    const subscription = await subscriptionOfOne(em, id);
    return subscription && maySee(viewer, subscription.accountId) ? subscription : null;
  },
});

builder.objectFields(Account, (t) => ({
  subscriptions: t.field({
    type: [BillingSubscription],
    authScopes: { account: 'billing' },
    resolve: ({ id }, _, { em }) => subscriptionsOfAccount(em, id),
  }),
}));

builder.mutationFields((t) => ({
  subscriptionCancel: t.field({
    type: BillingSubscription,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => cancelSubscription(ctx, id),
  }),
  subscriptionKeep: t.field({
    type: BillingSubscription,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => undoCancellation(ctx, id),
  }),
  serverCancel: t.field({
    type: BillingSubscription,
    authScopes: { key: 'servers', session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, ctx) => cancelSubscription(ctx, await subscriptionOfServer(ctx, id)),
  }),
  serverKeep: t.field({
    type: BillingSubscription,
    authScopes: { key: 'servers', session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, ctx) => undoCancellation(ctx, await subscriptionOfServer(ctx, id)),
  }),
}));

/** The id of the subscription that pays for a server of the caller. Errors: server_not_found. */
async function subscriptionOfServer(ctx: SubscriptionsContext, serverId: string): Promise<string> {
  const id = await subscriptionIdOfResource(ctx.em.fork(), { accountId: accountOf(ctx), seller: 'compute', resourceId: serverId });
  if (id !== null) return id;
  throw fail('server_not_found', {}, 'The account pays for no such server; what is being built can be cancelled once it is there.');
}

/** The caller's own subscription; another account's is not found. Errors: subscription_not_found. */
async function ownSubscription(ctx: SubscriptionsContext, id: string): Promise<BillingSubscriptionEntity> {
  const found = await subscriptionOfOwner(ctx.em.fork(), id, accountOf(ctx));
  if (!found) throw fail('subscription_not_found');
  return found;
}

builder.subscriptionField('subscriptionChanged', (t) =>
  t.field({
    type: BillingSubscription,
    authScopes: { session: 'billing' },
    args: { id: t.arg.id({ required: true }) },
    async subscribe(_, { id }, ctx) {
      await ownSubscription(ctx, id);
      return liveIterator<true>((push) => {
        const stop = ctx.events.subscribe({ types: SUBSCRIPTION_FACTS, accountId: accountOf(ctx), subject: id }, () => push(true));
        push(true);
        return stop;
      });
    },
    resolve: (_, { id }, ctx) => ownSubscription(ctx, id),
  }),
);
