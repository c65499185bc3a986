// Prices are per month and charged at once for the whole period. Spec, VPS plans: multiplied literally, 28.33 x 6 = 169.98.
import { toMinor, usd, type Money } from '#commerce/money.ts';

/** Months that can be paid upfront. Spec, VPS and Dedicated servers. */
export const BILLING_PERIODS = [1, 3, 6] as const;

export interface ServerPrice {
  months: number;
  perMonth: Money;
  upfront: Money;
}

/** Prices of minor units per month, by the number of months, in USD. Throws a RangeError when one is missing. */
export const pricedAt = (perMonth: Readonly<Record<string, number>>): ServerPrice[] =>
  BILLING_PERIODS.map((months) => {
    const amountMinor = perMonth[months];
    if (amountMinor === undefined) throw new RangeError(`no price for ${months} months`);
    return { months, perMonth: usd(amountMinor), upfront: usd(amountMinor * months) };
  });

/** Prices per month for 1, 3 and 6 months, in USD. */
export const pricesOf = (...[one, three, six]: readonly [string, string, string]): ServerPrice[] =>
  pricedAt({ 1: toMinor(one), 3: toMinor(three), 6: toMinor(six) });
