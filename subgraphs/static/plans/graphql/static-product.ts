import { usd } from '#commerce/money.ts';
import { builder } from '../../builder.ts';
import { STATIC_PRODUCT_IDS, STATIC_QUANTITY, type StaticProduct as Product } from '../domain/static-product.ts';
import { freeStock } from '../../inventory/entities/stock-hold.ts';
import { wishesOf } from '../../inventory/entities/stock-wish.ts';
import { unwatchStock, watchStock } from '../../inventory/services/stock-wishes.ts';
import { Money } from './money.ts';

export const StaticKind = builder.enumType('StaticKind', { values: ['ISP', 'DATACENTER'] as const });

export const StaticProduct = builder.objectRef<Product>('StaticProduct').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.field({ type: StaticKind, resolve: ({ kind }) => kind }),
    name: t.exposeString('name'),
    carrier: t.exposeString('carrier', { nullable: true }),
    perAddress: t.field({ type: Money, resolve: ({ perAddressMinor }) => usd(perAddressMinor) }),
    available: t.loadable({
      type: 'Int',
      resolve: ({ id }) => id,
      async load(ids: string[], { em, clock }) {
        const free = await freeStock(em, ids, clock.now(), STATIC_QUANTITY.max);
        return ids.map((id) => free.get(id) ?? 0);
      },
    }),
    watchedQuantity: t.loadable({
      type: 'Int',
      nullable: true,
      resolve: ({ id }) => id,
      async load(ids: string[], { em, viewer }) {
        const wishes =
          viewer.kind === 'session' || viewer.kind === 'key' ? await wishesOf(em, viewer.accountId) : new Map<string, number>();
        return ids.map((id) => wishes.get(id) ?? null);
      },
    }),
  }),
});

builder.queryField('staticProducts', (t) =>
  t.field({
    type: [StaticProduct],
    authScopes: { anyone: true },
    resolve: (_root, _args, { providers }) => STATIC_PRODUCT_IDS.map((id) => providers.products[id]),
  }),
);

builder.mutationFields((t) => ({
  staticStockWatch: t.field({
    type: StaticProduct,
    authScopes: { session: true },
    args: { productId: t.arg.id({ required: true }), quantity: t.arg.int({ required: true }) },
    resolve: (_root, input, ctx) => watchStock(ctx, input),
  }),
  staticStockUnwatch: t.field({
    type: StaticProduct,
    authScopes: { session: true },
    args: { productId: t.arg.id({ required: true }) },
    resolve: (_root, { productId }, ctx) => unwatchStock(ctx, productId),
  }),
}));
