// The progress of a payment by cryptocurrency, as its buyer sees it.

/**
 * WAITING: no payment has appeared; PARTIAL: less than is due; CONFIRMING: the whole amount, not confirmed yet; CONFIRMED; OVER: the checkout has ended, and
 * what still arrives becomes account credit.
 */
export const CRYPTO_STATES = ['WAITING', 'PARTIAL', 'CONFIRMING', 'CONFIRMED', 'OVER'] as const;
export type CryptoState = (typeof CRYPTO_STATES)[number];

export function cryptoStateOf(
  order: { status: string; paidAt: Date | null | undefined; totalMinor: number },
  { seenMinor, closedAt }: { seenMinor: number; closedAt: Date | null | undefined },
): CryptoState {
  if (order.paidAt) return 'CONFIRMED';
  if (order.status !== 'PENDING' || closedAt) return 'OVER';
  if (seenMinor === 0) return 'WAITING';
  return seenMinor < order.totalMinor ? 'PARTIAL' : 'CONFIRMING';
}
