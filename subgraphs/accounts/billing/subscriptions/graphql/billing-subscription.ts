import DataLoader from 'dataloader';
import { declareAvailableAction } from '#platform/available-action.ts';
import { accountOf, maySee } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { toLines } from '#commerce/offers.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import { mayAsStaff } from '#platform/staff-rights.ts';
import { SUBSCRIPTION_FACTS } from '#commerce/subscription-facts.ts';
import { builder } from '../../../builder.ts';
import { removalAt } from '../domain/dunning.ts';
import { subscriptionActions } from '../domain/subscription-action.ts';
import {
  type BillingSubscription as BillingSubscriptionEntity,
  subscriptionOfOwner,
  subscriptionsOfAccount,
  subscriptionsWithIds,
} from '../entities/billing-subscription.ts';
import {
  type RenewalAttempt as RenewalAttemptEntity,
  attemptsOfOrder,
  attemptsOfSubscription,
} from '../../renewals/entities/renewal-attempt.ts';
import { ordersOfSubscription, orderWithId } from '../../orders/entities/order.ts';
import type { BillingContext } from '../../context.ts';
import { cancelSubscription, undoCancellation } from '../services/cancel-subscription.ts';
import { setMethod } from '../../renewals/services/change-method.ts';
import { payNow, savedCards, setCard } from '../../renewals/services/saved-cards.ts';
import { renewingOf } from '../services/subscriptions.ts';
import { type Upcoming, upcomingOf, upcomingRenewals } from '../../renewals/services/upcoming-renewals.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { Money, OfferLine } from '../../ledger/graphql/money.ts';
import { Order, OrderSeller, PaymentMethod } from '../../orders/graphql/order.ts';
import { SavedCard } from '../../renewals/graphql/saved-card.ts';

const BillingStatus = builder.enumType('BillingStatus', {
  values: ['INCOMPLETE', 'INCOMPLETE_EXPIRED', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'UNPAID', 'PAUSED'] as const,
});
const BillingInterval = builder.enumType('BillingInterval', { values: ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const });
const SubscriptionEndReason = builder.enumType('SubscriptionEndReason', {
  values: ['CANCELLED', 'UNPAID', 'NOT_DELIVERED', 'REFUNDED'] as const,
});

const AvailableAction = declareAvailableAction(builder);

export const BillingSubscription = builder.objectRef<BillingSubscriptionEntity>('BillingSubscription');
const isStaff = ({ viewer }: BillingContext): boolean => mayAsStaff(viewer, 'customers');

const RenewalAttempt = builder.objectRef<RenewalAttemptEntity>('RenewalAttempt').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    attemptedAt: t.expose('attemptedAt', { type: 'DateTime' }),
    attended: t.exposeBoolean('attended'),
    reason: t.exposeString('reason'),
    final: t.exposeBoolean('isFinal'),
    declineCode: t.string({ nullable: true, resolve: ({ declineCode }, _, ctx) => (isStaff(ctx) ? declineCode : null) }),
    adviceCode: t.string({ nullable: true, resolve: ({ adviceCode }, _, ctx) => (isStaff(ctx) ? adviceCode : null) }),
  }),
});

builder.objectField(Order, 'attempts', (t) =>
  t.field({ type: [RenewalAttempt], resolve: ({ id, kind }, _, { em }) => (kind === 'RENEWAL' ? attemptsOfOrder(em, id) : []) }),
);

const UpcomingRenewal = builder.objectRef<Upcoming>('UpcomingRenewal').implement({
  fields: (t) => ({
    subscription: t.expose('subscription', { type: BillingSubscription }),
    at: t.expose('at', { type: 'DateTime' }),
    lines: t.field({
      type: [OfferLine],
      resolve: ({ price, subscription: { currency } }) => toLines(price.lines, currency),
    }),
    subtotal: t.field({
      type: Money,
      resolve: ({ price, subscription: { currency } }) => ({ amountMinor: price.subtotalMinor, currency }),
    }),
    tax: t.field({ type: Money, resolve: ({ price, subscription: { currency } }) => ({ amountMinor: price.taxMinor, currency }) }),
    total: t.field({ type: Money, resolve: ({ price, subscription: { currency } }) => ({ amountMinor: price.totalMinor, currency }) }),
    method: t.field({ type: PaymentMethod, resolve: ({ subscription }) => subscription.method }),
    order: t.field({
      type: Order,
      nullable: true,
      resolve: ({ subscription: { renewalOrderId: id } }, _, { em }) => (id ? orderWithId(em, id) : null),
    }),
  }),
});

const purchaseOf = ({ orderId: id }: BillingSubscriptionEntity, { em }: BillingContext) => orderWithId(em, id);

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
    interval: t.expose('interval', { type: BillingInterval }),
    intervalCount: t.exposeInt('intervalCount'),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd'),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
    endReason: t.expose('endReason', { type: SubscriptionEndReason, nullable: true }),
    orderId: t.exposeID('orderId'),
    renewalOrderId: t.exposeID('renewalOrderId', { nullable: true }),
    resourceId: t.id({ nullable: true, resolve: async (row, _, ctx) => (await purchaseOf(row, ctx))?.resourceId }),
    upcomingRenewal: t.field({ type: UpcomingRenewal, nullable: true, resolve: (row, _, ctx) => upcomingOf(ctx, row) }),
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
    card: t.field({
      type: SavedCard,
      nullable: true,
      resolve: async ({ accountId, meansId }, _, ctx) =>
        meansId ? ((await savedCards(ctx, accountId)).find(({ id }) => id === meansId) ?? null) : null,
    }),
    orders: t.field({
      type: [Order],
      resolve: ({ id: subscriptionId }, _, { em }) => ordersOfSubscription(em, subscriptionId),
    }),
    attempts: t.field({ type: [RenewalAttempt], resolve: ({ id }, _, { em }) => attemptsOfSubscription(em, id) }),
    availableActions: t.field({ type: [AvailableAction], resolve: (row) => subscriptionActions(renewingOf(row)) }),
  }),
});

builder.asEntity(BillingSubscription, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: ({ id }, ctx) => loaderOf(ctx).load(id),
});

/** A list of plans asks for all of theirs at once: one statement, not one for each. What the viewer may not see is null. */
function loaderOf({ em, viewer }: BillingContext): DataLoader<string, BillingSubscriptionEntity | null> {
  const known = loaders.get(em);
  if (known) return known;
  const loader = new DataLoader<string, BillingSubscriptionEntity | null>(async (ids) => {
    const found = await subscriptionsWithIds(em, ids);
    const mine = new Map(found.filter(({ accountId }) => maySee(viewer, accountId)).map((subscription) => [subscription.id, subscription]));
    return ids.map((id) => mine.get(id) ?? null);
  });
  loaders.set(em, loader);
  return loader;
}
const loaders = new WeakMap<object, DataLoader<string, BillingSubscriptionEntity | null>>();

builder.objectFields(Account, (t) => ({
  subscriptions: t.field({
    type: [BillingSubscription],
    authScopes: { account: 'billing' },
    resolve: ({ id }, _, { em }) => subscriptionsOfAccount(em, id),
  }),
  upcomingRenewals: t.field({
    type: [UpcomingRenewal],
    authScopes: { account: 'billing' },
    resolve: ({ id }, _, ctx) => upcomingRenewals(ctx, id),
  }),
}));

builder.mutationFields((t) => ({
  subscriptionCancel: t.field({
    type: BillingSubscription,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => cancelSubscription(ctx, id),
  }),
  subscriptionKeep: t.field({
    type: BillingSubscription,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => undoCancellation(ctx, id),
  }),
  subscriptionPayNow: t.field({
    type: BillingSubscription,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }), cardId: t.arg.id(), idempotencyKey: t.arg.string({ required: true }) },
    resolve: (_, { id, cardId, idempotencyKey }, ctx) => payNow(ctx, { id, cardId: cardId ?? null, idempotencyKey }),
  }),
  subscriptionSetMethod: t.field({
    type: BillingSubscription,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }), method: t.arg({ type: PaymentMethod, required: true }), cardId: t.arg.id() },
    resolve: (_, { id, method, cardId }, ctx) => setMethod(ctx, { id, method, cardId: cardId ?? null }),
  }),
  subscriptionSetCard: t.field({
    type: BillingSubscription,
    authScopes: { session: true },
    args: { id: t.arg.id({ required: true }), cardId: t.arg.id({ required: true }) },
    resolve: (_, input, ctx) => setCard(ctx, input),
  }),
}));

/** Another account's subscription and an absent one are the same. Errors: subscription_not_found. */
async function ownSubscription(ctx: BillingContext, id: string): Promise<BillingSubscriptionEntity> {
  const found = await subscriptionOfOwner(ctx.em.fork(), id, accountOf(ctx));
  if (!found) throw fail('subscription_not_found');
  return found;
}

builder.subscriptionField('subscriptionChanged', (t) =>
  t.field({
    type: BillingSubscription,
    authScopes: { session: true },
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
