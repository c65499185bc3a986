// Tax in the currency that the seller pays it in (Directive 2006/112/EC, articles 91 and 230).
import { DAY, after, toDay } from '#platform/clock.ts';
import { divideHalfUp } from '#commerce/money.ts';

/** A rate as the operator has noted it. */
export interface ExchangeRate {
  currency: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** Of the currency for one US dollar, a decimal. */
  perDollar: string;
  /** Whose rate it is. */
  source: string;
}

/** The tax of an invoice in another currency than it was sold in, in minor units, with the rate that gave it. */
export interface LocalTax extends ExchangeRate {
  amountMinor: number;
}

/** Up to ten places; above zero. */
export const isExchangeRate = (text: string): boolean => /^\d{1,9}(\.\d{1,10})?$/.test(text) && /[1-9]/.test(text);

/** An amount of dollars, in cents, in hundredths of the other currency, half up. */
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

/** A rate of a month holds for all of it; an older one says nothing of today. */
const OLDEST_MS = 31 * DAY;

/** The days whose rates may be used at `at`. */
export const daysOfRates = (at: Date): { from: string; to: string } => ({ from: toDay(after(at, -OLDEST_MS)), to: toDay(at) });
