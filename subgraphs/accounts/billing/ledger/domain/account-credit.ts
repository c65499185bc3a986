// Account credit is used first when buying.
import type { OfferLine } from '#commerce/offers.ts';

/** The card processor takes no less than this. Spec is silent; the processor's own limit for USD, in minor units. */
export const SMALLEST_CHARGE_MINOR = 50;

/** How much of the balance pays for `grossMinor` (with tax). What is left for the card is nothing, or enough for the processor. */
export function creditToUse(balanceMinor: number, grossMinor: number): number {
  if (balanceMinor >= grossMinor) return grossMinor;
  const left = Math.max(grossMinor - balanceMinor, Math.min(SMALLEST_CHARGE_MINOR, grossMinor));
  return grossMinor - left;
}

/** The lines of an order as its buyer sees them: what was sold, then the credit that pays for some of it, as a negative line. */
export const linesWithCredit = (lines: readonly OfferLine[], creditMinor: number): OfferLine[] => [
  ...lines,
  ...(creditMinor > 0 ? [{ label: 'Account credit', quantity: 1, amountMinor: -creditMinor }] : []),
];
