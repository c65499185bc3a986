import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import { everyRow } from '#platform/every-row.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';

/** A checkout whose money arrives without us, perhaps in parts, and what has arrived so far according to the processor. */
export const CryptoCheckout = defineEntity({
  name: 'CryptoCheckout',
  tableName: 'crypto_checkout',
  properties: (p) => ({
    /** The processor's id of the checkout. */
    id: p.string().primary(),
    orderId: p.string(),
    openedAt: p.datetime(),
    seenMinor: p.bigint('number'),
    confirmedMinor: p.bigint('number'),
    /** The part of the confirmed amount that became account credit. */
    creditedMinor: p.bigint('number'),
    /** When it was paid, or could not be paid any longer. */
    closedAt: p.datetime().nullable(),
    /** Until when late money is looked for; null: no longer. */
    watchedUntil: p.datetime().nullable(),
  }),
});
export type CryptoCheckout = InferEntity<typeof CryptoCheckout>;

/** The last checkout of an order, the only one that can still be paid. */
export async function checkoutOfOrder(em: EntityManager, orderId: string): Promise<CryptoCheckout | undefined> {
  const [last] = await em.find(CryptoCheckout, { orderId }, { orderBy: { openedAt: 'desc', id: 'desc' }, limit: 1 });
  return last;
}

/** How many of an order's checkouts are over. */
export const closedCheckouts = (em: EntityManager, orderId: string): Promise<number> =>
  em.count(CryptoCheckout, { orderId, closedAt: { $ne: null } });

/** Notes a checkout that opens, in the transaction that gives it to its order. Closed at once: the amount of the order has changed in the meantime. */
export const noteOpened = (
  em: EntityManager,
  opened: Pick<CryptoCheckout, 'id' | 'orderId' | 'openedAt' | 'watchedUntil' | 'closedAt'>,
): Promise<unknown> =>
  em.upsert(CryptoCheckout, { ...opened, seenMinor: 0, confirmedMinor: 0, creditedMinor: 0 }, { onConflictAction: 'ignore' });

/** Checkouts that are closed and at which late money is still looked for, with the method of their orders, by id. */
export const watchedCheckouts = (em: EntityManager): AsyncGenerator<{ id: string; method: PaymentMethod }> =>
  everyRow(async (cursor, limit) => {
    const { rows } = await sql<{ id: string; method: PaymentMethod }>`
      select checkout.id, bought.method from crypto_checkout as checkout join customer_order as bought on bought.id = checkout.order_id
      where checkout.id > ${cursor} and checkout.closed_at is not null and checkout.watched_until is not null
      order by checkout.id limit ${limit}`.execute(em.getKysely());
    return rows;
  });

/** A checkout of that order. */
export const checkoutWithId = (em: EntityManager, id: string, orderId: string): Promise<CryptoCheckout | null> =>
  em.findOne(CryptoCheckout, { id, orderId });
