// Holds stock for an order until it is paid or given up. An offer only checks what is free.
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { type HoldRefusal, type HoldWish, holdUntil, toHoldRefusal, whyNotHold } from '#platform/holds.ts';
import { STATIC_QUANTITY, type StaticProductId } from '../../products/domain/static-product.ts';
import { dropHolds, expiredHolds, freeStock, heldForUnpaid, holdAddresses, holdOfOrder } from '../entities/stock-hold.ts';
import type { ProductsContext } from '../../products/context.ts';

const SWEEP_BATCH_SIZE = 500;
/** Free addresses are counted up to this number: with more of them, no order holds a share that matters. */
const MAX_COUNTED = 10 * STATIC_QUANTITY.max;

const soldOut = (free: number): Reason =>
  free === 0 ? because('sold_out') : free === 1 ? because('one_address_free') : because('few_addresses_free', { free });

export const outOfStock = (free: number) => fail('out_of_stock', { field: 'quantity', reason: soldOut(free) });

/** Checks that so many addresses are free now; nothing is held. Throws `out_of_stock` with the number of free ones. */
export async function mustBeFree({ em, clock }: ProductsContext, productId: StaticProductId, quantity: number): Promise<void> {
  const free = (await freeStock(em, [productId], clock.now(), STATIC_QUANTITY.max)).get(productId) ?? 0;
  if (free < quantity) throw outOfStock(free);
}

export interface WantedHold {
  orderId: string;
  accountId: string;
  productId: string;
  quantity: number;
  wish: HoldWish;
  /** When the unpaid order lapses. */
  expiresAt: Date;
}

/**
 * Holds addresses for an order that waits for its payment, all or none, and appends an event that tells accounts the result. It runs in the transaction of the
 * event's reader, so orders are handled one after another.
 */
export async function holdForOrder(ctx: ProductsContext, wanted: WantedHold): Promise<void> {
  const { em, clock } = ctx;
  const { orderId, accountId, wish, expiresAt } = wanted;
  if (await holdOfOrder(em, orderId)) return;
  const at = clock.now();
  const until = holdUntil('addresses', wish, at, expiresAt);
  const refusal = await hold(ctx, wanted, until);
  const about = { at, accountId, subject: orderId };
  if (refusal) await appendEvents(em, { type: 'static_stock.refused', ...about, data: { orderId, ...refusal } });
  else await appendEvents(em, { type: 'static_stock.held', ...about, data: { orderId, until: until.toISOString() } });
}

/** Returns the reason why they are not held; undefined when they are. */
async function hold(
  { em, clock }: ProductsContext,
  { orderId, accountId, productId, quantity, wish }: WantedHold,
  until: Date,
): Promise<HoldRefusal | undefined> {
  const at = clock.now();
  const free = (await freeStock(em, [productId], at, MAX_COUNTED)).get(productId) ?? 0;
  const held = await heldForUnpaid(em, { productId, accountId, wish, at });
  const refusal = whyNotHold(wish, quantity, held, free, soldOut(free));
  if (refusal) return refusal;
  const terms = { id: orderId, orderId, accountId, productId, at, until, wish };
  // The first attempt skips addresses that a delivery or an exchange has locked; the second waits for them, since the other transaction may roll back.
  const taken = await holdAddresses(em, { ...terms, quantity, wait: false });
  const all = taken < quantity ? taken + (await holdAddresses(em, { ...terms, quantity: quantity - taken, wait: true })) : taken;
  if (all === quantity) return undefined;
  await dropHolds(em, [orderId]);
  return toHoldRefusal('out_of_stock', soldOut(all));
}

/** Deletes holds whose time is over. They no longer count in any case; this keeps the tables small. */
export async function sweepHolds(context: ProductsContext): Promise<void> {
  for (;;) {
    const dropped = await inTransaction(context, async ({ em, clock }) => {
      const ids = await expiredHolds(em, clock.now(), SWEEP_BATCH_SIZE);
      await dropHolds(em, ids);
      return ids.length;
    });
    if (dropped < SWEEP_BATCH_SIZE) return;
  }
}
