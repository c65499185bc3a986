import { usd } from '#commerce/money.ts';
import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { Money } from '../../billing/ledger/graphql/money.ts';
import { Order } from '../../billing/orders/graphql/order.ts';
import { type ApiKey as ApiKeyEntity, keyWithId } from '../entities/api-key.ts';
import { grantOrders, orderByKey, setOrderCeiling, spentByKey } from '../services/key-orders.ts';
import { ApiKey } from './api-key.ts';

const KeyOrders = builder.objectRef<ApiKeyEntity>('KeyOrders').implement({
  fields: (t) => ({
    granted: t.field({ type: Money, resolve: ({ orderGrantedMinor }) => usd(orderGrantedMinor) }),
    ceiling: t.field({ type: Money, resolve: ({ orderCeilingMinor }) => usd(orderCeilingMinor) }),
    spent: t.field({ type: Money, resolve: async (key, _, ctx) => usd(await spentByKey(ctx, key)) }),
  }),
});

builder.objectField(ApiKey, 'orders', (t) => t.field({ type: KeyOrders, resolve: (key) => key }));

builder.queryField('keyOrders', (t) =>
  t.field({
    nullable: true,
    type: KeyOrders,
    authScopes: { key: 'plans', session: 'keys' },
    async resolve(_, __, { em, viewer }) {
      const key = viewer.kind === 'key' ? await keyWithId(em, viewer.keyId) : null;
      if (!key) throw fail('forbidden');
      return key;
    },
  }),
);

builder.mutationFields((t) => ({
  keyOrderPlace: t.field({
    type: Order,
    authScopes: { key: 'plans', session: 'pay' },
    args: { offer: t.arg.string({ required: true }), idempotencyKey: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => orderByKey(ctx, input),
  }),
  apiKeySetOrderCeiling: t.field({
    type: ApiKey,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }), ceilingMinor: t.arg.int({ required: true }) },
    resolve: (_, input, ctx) => setOrderCeiling(ctx, input),
  }),
  supportApiKeyGrantOrders: t.field({
    type: ApiKey,
    authScopes: { staff: 'api_keys' },
    args: { id: t.arg.id({ required: true }), ceilingMinor: t.arg.int({ required: true }) },
    resolve: (_, input, ctx) => grantOrders(ctx, input),
  }),
}));
