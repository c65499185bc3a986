// The fields that the inventory adds to a product: how many addresses are free, and for how many the caller waits.
import { builder } from '../../builder.ts';
import { STATIC_QUANTITY } from '../../products/domain/static-product.ts';
import { StaticProduct } from '../../products/graphql/static-product.ts';
import { freeStock } from '../entities/stock-hold.ts';
import { wishesOf } from '../entities/stock-wish.ts';
import { unwatchStock, watchStock } from '../services/stock-wishes.ts';

builder.objectFields(StaticProduct, (t) => ({
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
      const wishes = viewer.kind === 'session' || viewer.kind === 'key' ? await wishesOf(em, viewer.accountId) : new Map<string, number>();
      return ids.map((id) => wishes.get(id) ?? null);
    },
  }),
}));

builder.mutationFields((t) => ({
  staticStockWatch: t.field({
    type: StaticProduct,
    authScopes: { session: 'pay' },
    args: { productId: t.arg.id({ required: true }), quantity: t.arg.int({ required: true }) },
    resolve: (_root, input, ctx) => watchStock(ctx, input),
  }),
  staticStockUnwatch: t.field({
    type: StaticProduct,
    authScopes: { session: 'pay' },
    args: { productId: t.arg.id({ required: true }) },
    resolve: (_root, { productId }, ctx) => unwatchStock(ctx, productId),
  }),
}));
