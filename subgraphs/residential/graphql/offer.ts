import { toOffer } from '#shared/offers.ts';
import { builder } from '../builder.ts';
import { pricePackage } from '../services/price-package.ts';
import { Money } from './money.ts';
import { ResidentialProductCode } from './residential-product.ts';

type OfferShape = ReturnType<typeof toOffer>;

const OfferLine = builder.objectRef<OfferShape['lines'][number]>('OfferLine').implement({
  shareable: true,
  fields: (t) => ({
    label: t.exposeString('label'),
    quantity: t.exposeInt('quantity'),
    amount: t.expose('amount', { type: Money }),
  }),
});

const Offer = builder.objectRef<OfferShape>('Offer').implement({
  shareable: true,
  fields: (t) => ({
    token: t.exposeString('token'),
    title: t.exposeString('title'),
    lines: t.expose('lines', { type: [OfferLine] }),
    subtotal: t.expose('subtotal', { type: Money }),
    tax: t.expose('tax', { type: Money }),
    total: t.expose('total', { type: Money }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

builder.queryField('residentialOffer', (t) =>
  t.field({
    type: Offer,
    authScopes: { session: true },
    args: { product: t.arg({ type: ResidentialProductCode, required: true }), gigabytes: t.arg.int({ required: true }) },
    resolve: (_root, { product, gigabytes }, ctx) => toOffer(pricePackage(ctx, product, gigabytes), ctx.providers.secrets.offers),
  }),
);
