import type { Money as MoneyShape } from '#shared/money.ts';
import { builder } from '../builder.ts';
import type { ServerPrice as ServerPriceShape } from '../domain/server-price.ts';

export const Money = builder.objectRef<MoneyShape>('Money').implement({
  shareable: true,
  fields: (t) => ({ amountMinor: t.exposeInt('amountMinor'), currency: t.exposeString('currency') }),
});

export const ServerPrice = builder.objectRef<ServerPriceShape>('ServerPrice').implement({
  fields: (t) => ({
    months: t.exposeInt('months'),
    perMonth: t.expose('perMonth', { type: Money }),
    upfront: t.expose('upfront', { type: Money }),
  }),
});
