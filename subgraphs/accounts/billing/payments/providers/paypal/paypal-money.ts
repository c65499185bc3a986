// Amounts as PayPal writes them: decimal strings. https://developer.paypal.com/api/rest/reference/currency-codes/
import { z } from 'zod';

export const moneyShape = z.object({ currency_code: z.string().length(3), value: z.string().regex(/^-?\d*(\.\d+)?$/) });
export type PayPalMoney = z.output<typeof moneyShape>;

/** Currencies without two decimal places -> how many our minor units have, and PayPal's amounts. */
const OURS: Readonly<Record<string, number>> = { JPY: 0 };
const THEIRS: Readonly<Record<string, number>> = { JPY: 0, HUF: 0, TWD: 0 };
const PLACES = 2;

/** Throws a RangeError for a part of a unit that PayPal does not count. */
export function toPayPalMoney(amountMinor: number, currency: string): PayPalMoney {
  const [places, theirs] = [OURS[currency] ?? PLACES, THEIRS[currency] ?? PLACES];
  const digits = String(Math.abs(amountMinor)).padStart(places + 1, '0');
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  if (theirs < places && Number(fraction) !== 0) throw new RangeError(`PayPal takes no parts of ${currency}`);
  const value = theirs === 0 ? whole : `${whole}.${fraction}`;
  return { currency_code: currency, value: amountMinor < 0 ? `-${value}` : value };
}

/** Throws a RangeError for more places than the currency has. */
export function toMinorUnits({ currency_code: currency, value }: PayPalMoney): number {
  const places = OURS[currency] ?? PLACES;
  const [whole = '0', fraction = ''] = value.replace('-', '').split('.');
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > places) throw new RangeError(`not an amount of ${currency}: ${value}`);
  const minor = Number(`${whole || '0'}${digits.padEnd(places, '0')}`);
  return value.startsWith('-') ? -minor : minor;
}
