import { declareOffer } from '#commerce/offer-types.ts';
import { toOffer } from '#commerce/offers.ts';
import { builder } from '../../builder.ts';
import { priceAddition, priceRemoval } from '../services/price-change.ts';
import { priceCustomPlan, pricePlan } from '../services/price-plan.ts';
import { Money } from '../../products/graphql/static-product.ts';

const Offer = declareOffer(builder, Money);

builder.mutationFields((t) => ({
  staticOfferMake: t.field({
    type: Offer,
    authScopes: { key: 'plans', session: 'read' },
    args: { productId: t.arg.id({ required: true }), quantity: t.arg.int({ required: true }) },
    resolve: async (_root, input, ctx) => toOffer(await pricePlan(ctx, input), ctx.providers.offers),
  }),
  staticPlanOfferMore: t.field({
    type: Offer,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }), quantity: t.arg.int({ required: true }) },
    resolve: async (_root, input, ctx) => toOffer(await priceAddition(ctx, input), ctx.providers.offers),
  }),
  staticPlanOfferFewer: t.field({
    type: Offer,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }), addresses: t.arg.stringList({ required: true }) },
    resolve: async (_root, input, ctx) => toOffer(await priceRemoval(ctx, input), ctx.providers.offers),
  }),
  supportStaticOffer: t.field({
    type: Offer,
    authScopes: { staff: 'sales' },
    args: {
      accountId: t.arg.id({ required: true }),
      productId: t.arg.id({ required: true }),
      quantity: t.arg.int({ required: true }),
      perAddressMinor: t.arg.int({ required: true }),
      validDays: t.arg.int({ required: true }),
    },
    resolve: async (_root, input, ctx) => toOffer(await priceCustomPlan(ctx, input), ctx.providers.offers),
  }),
}));
