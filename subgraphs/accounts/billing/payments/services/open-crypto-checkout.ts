import { MINUTE, after } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { CRYPTO_VALID_MS, CRYPTO_WATCHED_MS } from '../domain/crypto-payment.ts';
import { CryptoCheckout } from '../entities/crypto-checkout.ts';
import type { Order } from '../../orders/entities/order.ts';
import type { CryptoProcessor } from '../providers/crypto-processor.ts';
import type { Context } from '../../../providers.ts';

/** Errors: crypto_not_available. */
export function cryptoOf({ providers }: Context): CryptoProcessor {
  if (!providers.crypto) throw fail('crypto_not_available', { field: 'method' });
  return providers.crypto;
}

/** What the processor knows an order's checkout by: a renewal may need several, one after the other. */
const SEPARATOR = '.';
export const orderOfReference = (reference: string): string => reference.split(SEPARATOR)[0] ?? '';
const referenceOf = (orderId: string, earlier: number): string => (earlier === 0 ? orderId : `${orderId}${SEPARATOR}${earlier}`);

/** The processor's page where an order is paid, for as long as it waits and the rate holds; asked again it gives the same one until that is closed. */
export async function openCryptoCheckout(
  ctx: Context,
  order: Order,
  terms: { email: string | undefined; successUrl: string },
): Promise<{ id: string; url: string }> {
  const now = ctx.clock.now().getTime();
  const closed = await ctx.em.fork().count(CryptoCheckout, { orderId: order.id, closedAt: { $ne: null } });
  return cryptoOf(ctx).openCheckout({
    ...terms,
    reference: referenceOf(order.id, closed),
    title: order.title,
    amountMinor: order.totalMinor,
    currency: order.currency,
    minutes: Math.max(1, Math.ceil(Math.min(order.expiresAt.getTime() - now, CRYPTO_VALID_MS) / MINUTE)),
    watchMinutes: CRYPTO_WATCHED_MS / MINUTE,
  });
}

/** Nothing has arrived yet at a checkout that opens. In the transaction that gives it to its order. */
export const awaitCoins = ({ em, clock }: Context, id: string, orderId: string): Promise<unknown> => {
  const openedAt = clock.now();
  const watchedUntil = after(openedAt, CRYPTO_VALID_MS + CRYPTO_WATCHED_MS);
  return em.upsert(
    CryptoCheckout,
    { id, orderId, openedAt, seenMinor: 0, confirmedMinor: 0, creditedMinor: 0, closedAt: null, watchedUntil },
    { onConflictAction: 'ignore' },
  );
};
