import { declareOwnPrice } from '#commerce/account-prices/own-price.ts';
import { declareMoney } from '#commerce/offer-types.ts';
import { builder } from '../../builder.ts';
import type { ServerPrice as ServerPriceShape } from '../domain/server-price.ts';

export const Money = declareMoney(builder);

export const OwnPrice = declareOwnPrice(builder);

export const ServerPrice = builder.objectRef<ServerPriceShape>('ServerPrice').implement({
  fields: (t) => ({
    months: t.exposeInt('months'),
    perMonth: t.expose('perMonth', { type: Money }),
    upfront: t.expose('upfront', { type: Money }),
  }),
});
