// Amounts are integer minor units of a currency; only Intl turns them into text.
export interface Money {
  amountMinor: number;
  currency: string;
}

const locale = 'en-US';

export function formatMoney({ amountMinor, currency }: Money): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountMinor / 10 ** digits);
}
