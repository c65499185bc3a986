// The shareable types of a price, declared once: every subgraph that sells gives the same Money, OfferLine, OfferRenewal and Offer, or the graph does not compose.
import type { Context } from '#platform/context.ts';
import type { Money as MoneyShape } from './money.ts';
import type { toOffer } from './offers.ts';
import type { createBuilder } from '#platform/schema-builder.ts';

type Builder<Ctx extends Pick<Context, 'viewer'>> = ReturnType<typeof createBuilder<Ctx>>;
type OfferShape = ReturnType<typeof toOffer>;

/** The type Money of the builder's subgraph; once per builder. */
export const declareMoney = <Ctx extends Pick<Context, 'viewer'>>(builder: Builder<Ctx>) =>
  builder.objectRef<MoneyShape>('Money').implement({
    shareable: true,
    fields: (t) => ({ amountMinor: t.exposeInt('amountMinor'), currency: t.exposeString('currency') }),
  });

/** The type OfferLine, as `toLines` gives it. Once per builder. */
export const declareOfferLine = <Ctx extends Pick<Context, 'viewer'>>(builder: Builder<Ctx>, Money: ReturnType<typeof declareMoney<Ctx>>) =>
  builder.objectRef<OfferShape['lines'][number]>('OfferLine').implement({
    shareable: true,
    fields: (t) => ({
      label: t.exposeString('label'),
      quantity: t.exposeInt('quantity'),
      amount: t.expose('amount', { type: Money }),
    }),
  });

/** The types OfferLine, OfferRenewal and Offer of the builder's subgraph, as `toOffer` gives them; returns Offer. Once per builder. */
export function declareOffer<Ctx extends Pick<Context, 'viewer'>>(
  builder: Builder<Ctx>,
  Money: ReturnType<typeof declareMoney<Ctx>>,
  OfferLine = declareOfferLine(builder, Money),
) {
  const OfferRenewal = builder.objectRef<NonNullable<OfferShape['renewal']>>('OfferRenewal').implement({
    shareable: true,
    fields: (t) => ({ months: t.exposeInt('months'), total: t.expose('total', { type: Money }) }),
  });
  return builder.objectRef<OfferShape>('Offer').implement({
    shareable: true,
    fields: (t) => ({
      token: t.exposeString('token'),
      title: t.exposeString('title'),
      lines: t.expose('lines', { type: [OfferLine] }),
      subtotal: t.expose('subtotal', { type: Money }),
      tax: t.expose('tax', { type: Money }),
      total: t.expose('total', { type: Money }),
      credit: t.expose('credit', { type: Money, nullable: true }),
      validDays: t.exposeInt('validDays', { nullable: true }),
      renewal: t.expose('renewal', { type: OfferRenewal, nullable: true }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    }),
  });
}
