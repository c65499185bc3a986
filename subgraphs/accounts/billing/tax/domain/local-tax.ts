// The tax of an invoice in the currency that the seller pays it in (Directive 2006/112/EC, articles 91 and 230).
import { DAY, after, toDay } from '#platform/clock.ts';
import { divideHalfUp } from '#commerce/money.ts';

/** An exchange rate that the operator has noted. */
export interface ExchangeRate {
  currency: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** How much of the currency one US dollar is, as a decimal. */
  perDollar: string;
  /** Who publishes the rate, for example the ECB. */
  source: string;
}

/** The tax of an invoice in another currency than that of the sale, in minor units, with the rate that it was converted by. */
export interface LocalTax extends ExchangeRate {
  amountMinor: number;
}

/** Whether a text is a valid rate: above zero, with up to ten decimals. */
export const isExchangeRate = (text: string): boolean => /^\d{1,9}(\.\d{1,10})?$/.test(text) && /[1-9]/.test(text);

/** Converts cents to hundredths of the other currency, rounded half up. */
export function convert(cents: number, perDollar: string): number {
  const [whole = '0', places = ''] = perDollar.split('.');
  return Number(divideHalfUp(BigInt(cents) * BigInt(whole + places), 10n ** BigInt(places.length)));
}

export const localTaxAt = (cents: number, { currency, day, perDollar, source }: ExchangeRate): LocalTax => ({
  currency,
  day,
  perDollar,
  source,
  amountMinor: convert(cents, perDollar),
});

/** How old a rate may be: a monthly rate applies to the whole month. */
const OLDEST_MS = 31 * DAY;

/** The first and last day whose rates may be used at `at`. */
export const daysOfRates = (at: Date): { from: string; to: string } => ({ from: toDay(after(at, -OLDEST_MS)), to: toDay(at) });
