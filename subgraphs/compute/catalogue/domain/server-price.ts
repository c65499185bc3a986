// Prices are per month and charged at once for the whole period. Spec, VPS plans: multiplied literally, 28.33 x 6 = 169.98.
import { toMinor, usd, type Money } from '#commerce/money.ts';

/** Months that can be paid upfront. Spec, VPS and Dedicated servers. */
const BILLING_PERIODS = [1, 3, 6] as const;

export interface ServerPrice {
  months: number;
  perMonth: Money;
  upfront: Money;
}

/** Prices per month for 1, 3 and 6 months, in USD. */
export const pricesOf = (...perMonth: readonly [string, string, string]): ServerPrice[] =>
  BILLING_PERIODS.map((months, index) => {
    const amountMinor = toMinor(perMonth[index] as string);
    return { months, perMonth: usd(amountMinor), upfront: usd(amountMinor * months) };
  });
