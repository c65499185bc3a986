import type { Money as MoneyShape } from '#shared/money.ts';
import { builder } from '../builder.ts';

export const Money = builder.objectRef<MoneyShape>('Money').implement({
  shareable: true,
  fields: (t) => ({ amountMinor: t.exposeInt('amountMinor'), currency: t.exposeString('currency') }),
});
