import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** A checkout of the crypto processor, and what has arrived at it, as the processor last said. */
export const CryptoCheckout = defineEntity({
  name: 'CryptoCheckout',
  tableName: 'crypto_checkout',
  properties: (p) => ({
    /** The processor's own. */
    id: p.string().primary(),
    orderId: p.string(),
    openedAt: p.datetime(),
    seenMinor: p.bigint('number'),
    confirmedMinor: p.bigint('number'),
    /** Of the confirmed, what became account credit. */
    creditedMinor: p.bigint('number'),
    /** Since when it has been paid, or cannot be paid any more. */
    closedAt: p.datetime().nullable(),
    /** Null: nothing is looked for any more. */
    watchedUntil: p.datetime().nullable(),
  }),
});
export type CryptoCheckout = InferEntity<typeof CryptoCheckout>;

/** Of several the last one: an order has at most one that can be paid. */
export async function checkoutOfOrder(em: EntityManager, orderId: string): Promise<CryptoCheckout | undefined> {
  const [last] = await em.find(CryptoCheckout, { orderId }, { orderBy: { openedAt: 'desc', id: 'desc' }, limit: 1 });
  return last;
}
