// Amounts are integer minor units of a currency; only Intl turns them into text.
import { numberLocale } from '#lib/text/language.ts';

export interface Money {
  amountMinor: number;
  currency: string;
}

export function formatMoney({ amountMinor, currency }: Money): string {
  const format = new Intl.NumberFormat(numberLocale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountMinor / 10 ** digits);
}
