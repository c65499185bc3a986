// Account credit is used first when buying.
import { fail } from '#platform/errors.ts';
import { formatMoney, usd } from '#commerce/money.ts';
import type { OfferLine } from '#commerce/offers.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';

/** The card processor takes no less than this. Spec is silent; the processor's own limit for USD, in minor units. */
export const SMALLEST_CHARGE_MINOR = 50;

/** What is left for a card is nothing, or enough for the processor. Throws `card_amount_too_small`. */
export function checkCharge(method: PaymentMethod, leftMinor: number): void {
  if (method === 'CARD' && leftMinor > 0 && leftMinor < SMALLEST_CHARGE_MINOR)
    throw fail('card_amount_too_small', {
      field: 'method',
      reason: `A card is charged from ${formatMoney(usd(SMALLEST_CHARGE_MINOR))}; this costs ${formatMoney(usd(leftMinor))}.`,
    });
}

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
