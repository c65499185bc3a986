import { maySee } from '#platform/context.ts';
import { builder } from '../../builder.ts';
import { existingAccount } from '../../identity/entities/account.ts';
import { SUPPORT_ORDER_LISTS, supportOrder, supportOrders } from '../services/support-orders.ts';
import { Account } from '../../identity/graphql/account.ts';
import { Order } from '../../billing/orders/graphql/order.ts';

const SupportOrderList = builder.enumType('SupportOrderList', {
  values: SUPPORT_ORDER_LISTS,
});

builder.objectField(Order, 'account', (t) =>
  t.field({
    type: Account,
    // Keys are refused: what they may read of an account says nothing about the person behind it.
    authScopes: ({ accountId }, _, { viewer }) => viewer.kind === 'session' && maySee(viewer, accountId),
    resolve: ({ accountId }, _, { em }) => existingAccount(em, accountId),
  }),
);

builder.queryFields((t) => ({
  supportOrders: t.field({
    type: [Order],
    authScopes: { staff: 'orders' },
    args: { list: t.arg({ type: SupportOrderList, required: true }) },
    resolve: (_, { list }, ctx) => supportOrders(ctx, list),
  }),
  supportOrder: t.field({
    type: Order,
    authScopes: { staff: 'customers' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => supportOrder(ctx, id),
  }),
}));
