import { usd } from '#commerce/money.ts';
import { declareMoney } from '#commerce/offer-types.ts';
import { builder } from '../../builder.ts';
import { STATIC_KINDS, STATIC_PRODUCT_IDS, type StaticProduct as Product } from '../domain/static-product.ts';

export const Money = declareMoney(builder);

export const StaticKind = builder.enumType('StaticKind', { values: STATIC_KINDS });

export const StaticProduct = builder.objectRef<Product>('StaticProduct').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.field({ type: StaticKind, resolve: ({ kind }) => kind }),
    name: t.exposeString('name'),
    carrier: t.exposeString('carrier', { nullable: true }),
    perAddress: t.field({ type: Money, resolve: ({ perAddressMinor }) => usd(perAddressMinor) }),
  }),
});

builder.queryField('staticProducts', (t) =>
  t.field({
    type: [StaticProduct],
    authScopes: { anyone: true },
    resolve: (_root, _args, { providers }) => STATIC_PRODUCT_IDS.map((id) => providers.products[id]).filter(({ sold }) => sold),
  }),
);
