// What unpaid orders may hold of the stock, and for how long: one table for the sellers, which hold for them. The till counts the orders.
// Stock is held from Pay. Nobody holds anything by looking at a price, and nobody the whole of a product without paying.
import { MINUTE, after } from './clock.ts';
import { type Reason, because, sentenceOf } from './errors.ts';
import type { EventOf } from './events.ts';

/** Spec is silent: what unpaid orders may hold at once of what could be sold of a product (free, or held for unpaid orders); always one piece at least. */
export const HELD_SHARE = {
  account: { known: 3 / 4, new: 1 / 2 },
  /** All accounts without a paid order that come from one client address. */
  address: 1 / 2,
  /** All accounts without a paid order that pay this way: coins ask for nothing that names a buyer. */
  method: { CARD: 3 / 4, CRYPTO: 1 / 2 },
} as const;

/** Spec is silent: how long stock waits for a payment; never longer than the order does. A known account has paid for something before. */
const HOLD_MS = {
  addresses: { known: 60 * MINUTE, new: 15 * MINUTE },
  machines: { known: 15 * MINUTE, new: 10 * MINUTE },
} as const;

/** What `order.placed` says when its seller is to hold stock for it. */
export type HoldWish = NonNullable<EventOf<'order.placed'>['data']['hold']>;

/** Pieces of a product that unpaid orders hold now. The last three are those of the wish's account, and, of accounts without a paid order, its address and its method. */
export interface HeldNow {
  all: number;
  account: number;
  address: number;
  method: number;
}

/** Why an order has no hold, as its buyer is told and as it is kept: the sentence beside its code, which older ones do not have. */
export type HoldRefusal = Omit<EventOf<'static_stock.refused' | 'compute_stock.refused'>['data'], 'orderId'>;

export const toHoldRefusal = (code: HoldRefusal['code'], reason: Reason): HoldRefusal => ({
  code,
  reason: sentenceOf(reason),
  reasonCode: reason.code,
  params: reason.params,
});

const shareOf = (share: number, sellable: number): number => Math.max(1, Math.floor(share * sellable));

/** How many pieces more may be held for this wish, whatever is free. */
export function mayHold({ known, method }: HoldWish, held: HeldNow, free: number): number {
  const sellable = free + held.all;
  const left = [shareOf(known ? HELD_SHARE.account.known : HELD_SHARE.account.new, sellable) - held.account];
  if (!known) left.push(shareOf(HELD_SHARE.address, sellable) - held.address, shareOf(HELD_SHARE.method[method], sellable) - held.method);
  return Math.max(0, Math.min(...left));
}

/** Why so many pieces cannot be held; undefined when they can. `outOfStock` is the seller's own reason. */
export function whyNotHold(wish: HoldWish, quantity: number, held: HeldNow, free: number, outOfStock: Reason): HoldRefusal | undefined {
  if (free < quantity) return toHoldRefusal('out_of_stock', outOfStock);
  const max = mayHold(wish, held, free);
  if (max >= quantity) return undefined;
  return toHoldRefusal('hold_too_large', max === 0 ? because('hold_used_up') : because('hold_limited', { max: max }));
}

/** Until when stock is held for an order that is placed now and waits until `expiresAt`. */
export function holdUntil(what: keyof typeof HOLD_MS, { known }: HoldWish, now: Date, expiresAt: Date): Date {
  const end = after(now, HOLD_MS[what][known ? 'known' : 'new']);
  return end < expiresAt ? end : expiresAt;
}
