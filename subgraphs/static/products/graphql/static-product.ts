import { atOwnPrices, declareOwnPrice, ownPriceOf } from '#commerce/account-prices/own-price.ts';
import { usd } from '#commerce/money.ts';
import { declareMoney } from '#commerce/offer-types.ts';
import { builder } from '../../builder.ts';
import { itemOf } from '../domain/catalogue.ts';
import { STATIC_KINDS, STATIC_PRODUCT_IDS, type StaticProduct as Product } from '../domain/static-product.ts';

export const Money = declareMoney(builder);

const OwnPrice = declareOwnPrice(builder);

export const StaticKind = builder.enumType('StaticKind', { values: STATIC_KINDS });

export const StaticProduct = builder.objectRef<Product>('StaticProduct').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.field({ type: StaticKind, resolve: ({ kind }) => kind }),
    name: t.exposeString('name'),
    carrier: t.exposeString('carrier', { nullable: true }),
    perAddress: t.field({
      type: Money,
      resolve: async ({ id }, _args, ctx) =>
        usd((await atOwnPrices(ctx, ctx.providers.productsAt, ctx.providers.products))[id].perAddressMinor),
    }),
    ownPrice: t.field({ type: OwnPrice, nullable: true, resolve: ({ id }, _args, ctx) => ownPriceOf(ctx, itemOf(id)) }),
  }),
});

builder.queryField('staticProducts', (t) =>
  t.field({
    nullable: true,
    type: [StaticProduct],
    authScopes: { anyone: true },
    resolve: (_root, _args, { providers }) => STATIC_PRODUCT_IDS.map((id) => providers.products[id]).filter(({ sold }) => sold),
  }),
);
