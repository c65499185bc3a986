import type { Money as MoneyValue } from '#shared/money.ts';
import type { OfferLine as OfferLineValue } from '#shared/offers.ts';
import { builder } from '../builder.ts';

export const Money = builder.objectRef<MoneyValue>('Money').implement({
  shareable: true,
  fields: (t) => ({ amountMinor: t.exposeInt('amountMinor'), currency: t.exposeString('currency') }),
});

export const OfferLine = builder.objectRef<OfferLineValue & { currency: string }>('OfferLine').implement({
  shareable: true,
  fields: (t) => ({
    label: t.exposeString('label'),
    quantity: t.exposeInt('quantity'),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
  }),
});
