// Amounts in PayPal's form: decimal strings with the currency's number of decimals. https://developer.paypal.com/api/rest/reference/currency-codes/
import { unprocessable } from './problem.ts';
import type { Money } from './state.ts';

/** The currencies that an account in this country accepts. */
const SUPPORTED = new Set(['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'HUF', 'TWD']);
/** "This currency does not support decimals." */
const WHOLE = new Set(['JPY', 'HUF', 'TWD']);

const placesOf = (currency: string): number => (WHOLE.has(currency) ? 0 : 2);

/** The amount in the currency's smallest unit. Throws PayPal's refusals; `field`: the name in its errors. */
export function unitsOf({ currency_code: currency, value }: Money, field: string): number {
  if (!SUPPORTED.has(currency)) throw unprocessable('INVALID_CURRENCY_CODE', `${field}/currency_code`);
  const match = /^(-?)(\d{0,10})(?:\.(\d+))?$/.exec(value);
  if (!match) throw unprocessable('MAX_VALUE_EXCEEDED', `${field}/value`);
  const [, sign = '', whole = '', fraction = ''] = match;
  const places = placesOf(currency);
  if (fraction.length > places) throw unprocessable('DECIMAL_PRECISION', `${field}/value`);
  const units = Number(`${whole}${fraction.padEnd(places, '0')}`);
  return sign === '-' ? -units : units;
}

export const toMoney = (units: number, currency: string): Money => {
  const places = placesOf(currency);
  const digits = String(Math.abs(units)).padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return { currency_code: currency, value: units < 0 ? `-${text}` : text };
};
