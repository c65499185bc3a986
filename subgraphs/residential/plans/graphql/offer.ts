import { declareOffer } from '#commerce/offer-types.ts';
import { toOffer } from '#commerce/offers.ts';
import { builder } from '../../builder.ts';
import { priceCustomPackage } from '../services/price-custom-package.ts';
import { pricePackage, priceTopUp } from '../services/price-package.ts';
import { Money, ResidentialProductCode } from './residential-product.ts';

const Offer = declareOffer(builder, Money);

builder.queryField('residentialOffer', (t) =>
  t.field({
    type: Offer,
    authScopes: { key: 'plans', session: 'read' },
    args: { product: t.arg({ type: ResidentialProductCode, required: true }), gigabytes: t.arg.int({ required: true }) },
    resolve: async (_root, { product, gigabytes }, ctx) =>
      toOffer(await pricePackage(ctx, product, gigabytes), ctx.providers.secrets.offers),
  }),
);

builder.queryField('residentialTopUpOffer', (t) =>
  t.field({
    type: Offer,
    authScopes: { key: 'plans', session: 'read' },
    args: { planId: t.arg.id({ required: true }), gigabytes: t.arg.int({ required: true }) },
    resolve: async (_root, { planId, gigabytes }, ctx) => toOffer(await priceTopUp(ctx, planId, gigabytes), ctx.providers.secrets.offers),
  }),
);

builder.queryField('supportResidentialOffer', (t) =>
  t.field({
    type: Offer,
    authScopes: { staff: 'sales' },
    args: {
      accountId: t.arg.id({ required: true }),
      product: t.arg({ type: ResidentialProductCode, required: true }),
      gigabytes: t.arg.int({ required: true }),
      amountMinor: t.arg.int({ required: true }),
      validDays: t.arg.int({ required: true, defaultValue: 14 }),
    },
    resolve: async (_root, input, ctx) => toOffer(await priceCustomPackage(ctx, input), ctx.providers.secrets.offers),
  }),
);
