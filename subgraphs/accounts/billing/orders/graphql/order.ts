import { accountOf, maySee } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import type { EntityManager } from '#platform/database.ts';
import { type IdPage, pageById } from '#platform/id-page.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import { searchWords } from '#platform/search-words.ts';
import { toLines } from '#commerce/offers.ts';
import type { Seller } from '../../../../../schema/subgraphs.ts';
import { builder } from '../../../builder.ts';
import { ORDER_KINDS, ORDER_STATUSES } from '../domain/order-lifecycle.ts';
import type { Order as OrderEntity } from '../entities/order.ts';
import { orderOfOwner, orderWithId, ordersOfAccount, pageOfOrders } from '../entities/order.ts';
import { linesWithCredit } from '../../ledger/domain/account-credit.ts';
import { orderMethods } from '../../payments/providers/payment-methods.ts';
import { ORDER_EVENTS, cancelOrder } from '../services/orders.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { Money, OfferLine } from '../../ledger/graphql/money.ts';

export const PaymentMethod = builder.enumType('PaymentMethod', { values: orderMethods() });
export const OrderSeller = builder.enumType('OrderSeller', {
  values: { RESIDENTIAL: { value: 'residential' }, STATIC: { value: 'static' }, COMPUTE: { value: 'compute' } } as const satisfies {
    [Name in Seller as Uppercase<Name>]: { value: Name };
  },
});
const OrderKind = builder.enumType('OrderKind', { values: ORDER_KINDS });
const OrderStatus = builder.enumType('OrderStatus', {
  values: ORDER_STATUSES,
});

export const Order = builder.objectRef<OrderEntity>('Order').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.expose('status', { type: OrderStatus }),
    title: t.exposeString('title'),
    lines: t.field({
      type: [OfferLine],
      resolve: ({ lines, creditMinor, currency }) => toLines(linesWithCredit(lines, creditMinor), currency),
    }),
    subtotal: t.field({ type: Money, resolve: ({ subtotalMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    tax: t.field({ type: Money, resolve: ({ taxMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    credit: t.field({ type: Money, resolve: ({ creditMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    total: t.field({ type: Money, resolve: ({ totalMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    method: t.expose('method', { type: PaymentMethod }),
    seller: t.expose('seller', { type: OrderSeller }),
    kind: t.expose('kind', { type: OrderKind }),
    automatic: t.exposeBoolean('automatic'),
    subscriptionId: t.exposeID('subscriptionId', { nullable: true }),
    periodStart: t.expose('periodStart', { type: 'DateTime', nullable: true }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime', nullable: true }),
    checkoutUrl: t.string({ nullable: true, resolve: ({ status, checkoutUrl }) => (status === 'PENDING' ? checkoutUrl : null) }),
    placedAt: t.expose('placedAt', { type: 'DateTime' }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    fulfilledAt: t.expose('fulfilledAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    resourceId: t.exposeID('resourceId', { nullable: true }),
    holdExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ status, holdExpiresAt }) => (status === 'PENDING' ? holdExpiresAt : null),
    }),
  }),
});

const OrderPage = builder
  .objectRef<IdPage<OrderEntity>>('OrderPage')
  .implement({ fields: (t) => ({ items: t.expose('items', { type: [Order] }), next: t.exposeID('next', { nullable: true }) }) });

builder.objectFields(Account, (t) => ({
  orders: t.field({
    type: [Order],
    deprecationReason: 'Since 2026-11-28: orderPage has them page after page. Removed on 2027-11-28 at the earliest.',
    authScopes: { account: 'billing' },
    resolve: ({ id }, _, { em }) => ordersOfAccount(em, id),
  }),
  orderPage: t.field({
    type: OrderPage,
    authScopes: { account: 'billing' },
    args: { first: t.arg.int({ required: true, defaultValue: 25 }), after: t.arg.id(), search: t.arg.string() },
    resolve: ({ id }, { search, ...asked }, { em }) =>
      pageById(asked, (limit, after) => pageOfOrders(em, id, limit, { after, search: searchWords(search) })),
  }),
}));

builder.asEntity(Order, {
  key: builder.selection<{ id: string }>('id'),
  async resolveReference({ id }, { em, viewer }) {
    if (viewer.kind === 'key' && !viewer.scopes.includes('billing')) return null;
    const order = await orderWithId(em, id);
    return order && maySee(viewer, order.accountId) ? order : null;
  },
});

/** Another account's order and an absent one are the same. Errors: order_not_found. */
async function ownOrder(em: EntityManager, accountId: string, id: string): Promise<OrderEntity> {
  const order = await orderOfOwner(em, id, accountId);
  if (!order) throw fail('order_not_found');
  return order;
}

builder.queryField('order', (t) =>
  t.field({
    type: Order,
    nullable: true,
    authScopes: { account: 'billing' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => orderOfOwner(ctx.em, id, accountOf(ctx)),
  }),
);

builder.mutationFields((t) => ({
  orderCancel: t.field({
    type: Order,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => cancelOrder(ctx, id),
  }),
}));

builder.subscriptionField('orderChanged', (t) =>
  t.field({
    type: Order,
    authScopes: { session: 'billing' },
    args: { id: t.arg.id({ required: true }) },
    async subscribe(_, { id }, ctx) {
      const accountId = accountOf(ctx);
      await ownOrder(ctx.em, accountId, id);
      return liveIterator<true>((push) => {
        const stop = ctx.events.subscribe({ types: ORDER_EVENTS, accountId, subject: id }, () => push(true));
        push(true);
        return stop;
      });
    },
    resolve: (_, { id }, ctx) => ownOrder(ctx.em, accountOf(ctx), id),
  }),
);
