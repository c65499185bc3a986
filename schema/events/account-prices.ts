// What a seller says of a price that one account pays instead of the catalogue's; accounts tells its owner. The subject is the price.
import { z } from 'zod';
import { type EventTerms, instant } from './terms.ts';

const ofItem = {
  seller: z.string(),
  /** In the catalogue: `residential.PREMIUM`, `static.isp-northline`, `vps.backups`. */
  item: z.string(),
  /** What the catalogue calls it: the name of a product, or the carrier of an ISP product. */
  name: z.string().optional(),
  /** What the account pays, before tax: per GB from so many GB on, per month when so many are paid, or per month. */
  prices: z.array(z.object({ from: z.number().int(), amountMinor: z.number().int() })),
  /** Whether its owner is to be told by mail. */
  tell: z.boolean(),
};

export const ACCOUNT_PRICE_EVENTS = {
  'account_price.set': {
    when: 'Staff have set what an account pays for an item of the catalogue.',
    data: z.object({
      ...ofItem,
      /** Hundredths of a percent off the catalogue's price; absent: it is a price. */
      offBasisPoints: z.number().int().optional(),
      from: instant,
      until: instant.optional(),
      /** It takes the place of another price of this account. */
      changes: z.boolean(),
      /** What the account has renews at it too, where that is cheaper. */
      running: z.boolean(),
    }),
  },
  'account_price.requested': {
    when: 'Staff have asked for a price that lowers more than one may alone: it waits for a second member of staff, whom accounts tells.',
    data: z.object({
      seller: z.string(),
      item: z.string(),
      /** Hundredths of a percent below the catalogue's price, at most. */
      lowersBasisPoints: z.number().int(),
      /** The account of the member of staff, or `command`. */
      askedBy: z.string(),
      expiresAt: instant,
    }),
  },
  'account_price.ended': {
    when: 'Staff have ended a price of an account before its time; `prices` is what the account pays from then on.',
    data: z.object({
      ...ofItem,
      /** When it was to begin; absent: it had begun. */
      from: instant.optional(),
    }),
  },
} as const satisfies Record<string, EventTerms>;
