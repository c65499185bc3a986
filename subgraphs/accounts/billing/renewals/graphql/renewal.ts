// Renewals: the next one, the attempts that failed, and how their owner pays.
import { mayAsStaff } from '#platform/staff-rights.ts';
import { toLines } from '#commerce/offers.ts';
import { builder } from '../../../builder.ts';
import { orderWithId } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { type RenewalAttempt as RenewalAttemptEntity, attemptsOfOrder, attemptsOfSubscription } from '../entities/renewal-attempt.ts';
import { setMethod } from '../services/change-method.ts';
import { payNow, savedCards, setCard } from '../services/saved-cards.ts';
import { type Upcoming, upcomingOf, upcomingRenewals } from '../services/upcoming-renewals.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { Money, OfferLine } from '../../ledger/graphql/money.ts';
import { Order, PaymentMethod } from '../../orders/graphql/order.ts';
import { BillingSubscription } from '../../subscriptions/graphql/billing-subscription.ts';
import { SavedCard } from './saved-card.ts';

const isStaff = ({ viewer }: SubscriptionsContext): boolean => mayAsStaff(viewer, 'customers');

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

builder.objectFields(BillingSubscription, (t) => ({
  upcomingRenewal: t.field({ type: UpcomingRenewal, nullable: true, resolve: (row, _, ctx) => upcomingOf(ctx, row) }),
  card: t.field({
    type: SavedCard,
    nullable: true,
    resolve: async ({ accountId, meansId }, _, ctx) =>
      meansId ? ((await savedCards(ctx, accountId)).find(({ id }) => id === meansId) ?? null) : null,
  }),
  attempts: t.field({ type: [RenewalAttempt], resolve: ({ id }, _, { em }) => attemptsOfSubscription(em, id) }),
}));

builder.objectField(Account, 'upcomingRenewals', (t) =>
  t.field({
    type: [UpcomingRenewal],
    authScopes: { account: 'billing' },
    resolve: ({ id }, _, ctx) => upcomingRenewals(ctx, id),
  }),
);

builder.mutationFields((t) => ({
  subscriptionPayNow: t.field({
    type: BillingSubscription,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }), cardId: t.arg.id(), idempotencyKey: t.arg.string({ required: true }) },
    resolve: (_, { id, cardId, idempotencyKey }, ctx) => payNow(ctx, { id, cardId: cardId ?? null, idempotencyKey }),
  }),
  subscriptionSetMethod: t.field({
    type: BillingSubscription,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }), method: t.arg({ type: PaymentMethod, required: true }), cardId: t.arg.id() },
    resolve: (_, { id, method, cardId }, ctx) => setMethod(ctx, { id, method, cardId: cardId ?? null }),
  }),
  subscriptionSetCard: t.field({
    type: BillingSubscription,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }), cardId: t.arg.id({ required: true }) },
    resolve: (_, input, ctx) => setCard(ctx, input),
  }),
}));
