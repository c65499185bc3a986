// Stock held while an offer is thought over and an order is paid.
import { MINUTE, after } from '#shared/clock.ts';
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import { OFFER_VALID_MS } from '#shared/offers.ts';
import { STATIC_QUANTITY, type StaticProductId } from '../domain/static-product.ts';
import { dropHolds, expiredHolds, freeStock, holdAddresses, openHolds } from '../entities/stock-hold.ts';
import type { StaticContext } from '../providers.ts';
import { OutOfStock, againAfterDeadlock, withStock } from './with-stock.ts';

/** An order placed in an offer's last second reaches us a little later. */
const HOLD_MS = OFFER_VALID_MS + MINUTE;

const SWEPT_AT_ONCE = 500;

export interface StockWanted {
  /** The offer's id, or the exchange's. */
  id: string;
  accountId: string;
  productId: StaticProductId;
  quantity: number;
}

/** Holds so many addresses for an offer. Throws `out_of_stock` with what there is. */
export async function holdStock(context: StaticContext, wanted: StockWanted): Promise<void> {
  const held = await withStock((wait) => inTransaction(context, (tx) => holdIn(tx, wanted, wait)));
  if (held !== undefined) return;
  const { em, clock } = context;
  const free = (await freeStock(em, [wanted.productId], clock.now(), STATIC_QUANTITY.max)).get(wanted.productId) ?? 0;
  throw outOfStock(free);
}

export const outOfStock = (free: number) =>
  fail('out_of_stock', {
    field: 'quantity',
    reason: free === 0 ? 'Out of stock at the moment.' : `Only ${free} of these addresses ${free === 1 ? 'is' : 'are'} free at the moment.`,
  });

/** In the transaction of `tx`. Throws OutOfStock. What the account was offered of the product before, and did not order, is free again: nobody hoards by asking for prices. */
export async function holdIn(
  { em, clock }: StaticContext,
  { id, accountId, productId, quantity }: StockWanted,
  wait: boolean,
): Promise<Date> {
  const at = clock.now();
  const until = after(at, HOLD_MS);
  await dropHolds(em, await openHolds(em, accountId, productId));
  if ((await holdAddresses(em, { id, accountId, productId, quantity, at, until, wait })) < quantity) throw new OutOfStock();
  return until;
}

/** Clears away holds whose time is over. They count no more already; this keeps the tables small. */
export async function sweepHolds(context: StaticContext): Promise<void> {
  for (;;) {
    const dropped = await againAfterDeadlock(() =>
      inTransaction(context, async ({ em, clock }) => {
        const ids = await expiredHolds(em, clock.now(), SWEPT_AT_ONCE);
        await dropHolds(em, ids);
        return ids.length;
      }),
    );
    if (dropped < SWEPT_AT_ONCE) return;
  }
}
