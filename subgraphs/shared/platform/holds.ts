// How much stock unpaid orders may hold, and for how long: one table for all sellers, which hold the stock; the checkout counts the orders. Stock is held from
// the click on Pay. Looking at a price holds nothing, and nobody can hold all of a product without paying.
import { MINUTE, after } from './clock.ts';
import { type Reason, because, sentenceOf } from './errors.ts';
import type { EventOf } from './events.ts';

/** Spec is silent: which share of a product's sellable stock (free, or held for unpaid orders) unpaid orders may hold at once; always at least one piece. */
export const HELD_SHARE = {
  account: { known: 3 / 4, new: 1 / 2 },
  /** All accounts without a paid order that share a client address. */
  address: 1 / 2,
  /** All accounts without a paid order that use this payment method: crypto payments identify no buyer. */
  method: { CARD: 3 / 4, CRYPTO: 1 / 2 },
} as const;

/** Spec is silent: how long stock is held for an unpaid order, at most until the order expires. `known`: the account has paid for something before. */
const HOLD_MS = {
  addresses: { known: 60 * MINUTE, new: 15 * MINUTE },
  machines: { known: 15 * MINUTE, new: 10 * MINUTE },
} as const;

/** The part of `order.placed` that asks the seller to hold stock. */
export type HoldWish = NonNullable<EventOf<'order.placed'>['data']['hold']>;

/**
 * How many pieces of a product unpaid orders hold now. `account` counts those of the wish's account; `address` and `method` those of all accounts without a
 * paid order.
 */
export interface HeldNow {
  all: number;
  account: number;
  address: number;
  method: number;
}

/** Why stock was not held for an order, as the buyer is told and as it is stored: a sentence, and its code, which older ones lack. */
export type HoldRefusal = Omit<EventOf<'static_stock.refused' | 'compute_stock.refused'>['data'], 'orderId'>;

export const toHoldRefusal = (code: HoldRefusal['code'], reason: Reason): HoldRefusal => ({
  code,
  reason: sentenceOf(reason),
  reasonCode: reason.code,
  params: reason.params,
});

const shareOf = (share: number, sellable: number): number => Math.max(1, Math.floor(share * sellable));

/** How many more pieces may be held for this wish by the shares above. */
export function mayHold({ known, method }: HoldWish, held: HeldNow, free: number): number {
  const sellable = free + held.all;
  const left = [shareOf(known ? HELD_SHARE.account.known : HELD_SHARE.account.new, sellable) - held.account];
  if (!known) left.push(shareOf(HELD_SHARE.address, sellable) - held.address, shareOf(HELD_SHARE.method[method], sellable) - held.method);
  return Math.max(0, Math.min(...left));
}

/** Why this many pieces cannot be held; undefined when they can. `outOfStock` is the seller's own reason. */
export function whyNotHold(wish: HoldWish, quantity: number, held: HeldNow, free: number, outOfStock: Reason): HoldRefusal | undefined {
  if (free < quantity) return toHoldRefusal('out_of_stock', outOfStock);
  const max = mayHold(wish, held, free);
  if (max >= quantity) return undefined;
  return toHoldRefusal('hold_too_large', max === 0 ? because('hold_used_up') : because('hold_limited', { max: max }));
}

/** Until when stock is held for an order that is placed now and expires at `expiresAt`. */
export function holdUntil(what: keyof typeof HOLD_MS, { known }: HoldWish, now: Date, expiresAt: Date): Date {
  const end = after(now, HOLD_MS[what][known ? 'known' : 'new']);
  return end < expiresAt ? end : expiresAt;
}
