import { toOffer } from '#shared/offers.ts';
import { builder } from '../builder.ts';
import { priceVps } from '../services/order-vps.ts';
import { OperatingSystem } from './operating-system.ts';
import { Money } from './server-price.ts';
import { VpsPlanCode } from './vps-plan.ts';

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

builder.queryField('vpsOffer', (t) =>
  t.field({
    type: Offer,
    authScopes: { session: true },
    args: {
      plan: t.arg({ type: VpsPlanCode, required: true }),
      months: t.arg.int({ required: true }),
      os: t.arg({ type: OperatingSystem, required: true }),
      hostname: t.arg.string(),
      extraIpv4: t.arg.int({ defaultValue: 0 }),
      sshKeys: t.arg.stringList(),
    },
    resolve: (_root, { hostname, extraIpv4, sshKeys, ...chosen }, ctx) =>
      toOffer(
        priceVps(ctx, { ...chosen, hostname: hostname ?? null, extraIpv4: extraIpv4 ?? 0, sshKeys: sshKeys ?? [] }),
        ctx.providers.offers,
      ),
  }),
);
