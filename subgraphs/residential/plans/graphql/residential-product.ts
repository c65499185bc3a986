import { atOwnPrices, declareOwnPrice, ownPriceOf } from '#commerce/account-prices/own-price.ts';
import { usd } from '#commerce/money.ts';
import { declareMoney } from '#commerce/offer-types.ts';
import { builder } from '../../builder.ts';
import { itemOf } from '../domain/catalogue.ts';
import { type PriceStep, type Product, formSessionMinutes } from '../domain/products.ts';
import { PRODUCT_CODES, type ProductCode } from '../../../../edge/protocol/product.ts';

export const Money = declareMoney(builder);

const OwnPrice = declareOwnPrice(builder);

export const ResidentialProductCode = builder.enumType('ResidentialProductCode', { values: PRODUCT_CODES });

const ResidentialPrice = builder.objectRef<PriceStep>('ResidentialPrice').implement({
  fields: (t) => ({
    fromGb: t.exposeInt('fromGb'),
    perGb: t.field({ type: Money, resolve: ({ perGbMinor }) => usd(perGbMinor) }),
  }),
});

export const ResidentialProduct = builder.objectRef<Product>('ResidentialProduct').implement({
  fields: (t) => ({
    code: t.expose('code', { type: ResidentialProductCode }),
    name: t.exposeString('name'),
    sessionMinutes: t.intList({ resolve: ({ sessionMinutes }) => [...sessionMinutes] }),
    formSessionMinutes: t.intList({ resolve: formSessionMinutes }),
    dailyLimitAvailable: t.exposeBoolean('dailyLimitAvailable'),
    validDays: t.exposeInt('validDays', { nullable: true }),
    prices: t.field({
      type: [ResidentialPrice],
      resolve: async ({ code }, _args, ctx) => [...(await atOwnPrices(ctx, ctx.providers.productsAt, ctx.providers.products))[code].prices],
    }),
    ownPrice: t.field({ type: OwnPrice, nullable: true, resolve: ({ code }, _args, ctx) => ownPriceOf(ctx, itemOf(code)) }),
  }),
});

builder.asEntity(ResidentialProduct, {
  key: builder.selection<{ code: ProductCode }>('code'),
  resolveReference: ({ code }, { providers }) => (Object.hasOwn(providers.products, code) ? providers.products[code] : null),
});

builder.queryField('residentialProducts', (t) =>
  t.field({
    nullable: true,
    type: [ResidentialProduct],
    authScopes: { anyone: true },
    resolve: (_root, _args, { providers }) => PRODUCT_CODES.map((code) => providers.products[code]).filter(({ sold }) => sold),
  }),
);
