// Amounts are integers in minor units of a currency; only Intl formats them.
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

/** Without cents, for the axis of a chart: minor units as a decimal string. */
export const formatWhole =
  (currency: string) =>
  (minor: string): string =>
    new Intl.NumberFormat(numberLocale, { style: 'currency', currency, maximumFractionDigits: 0 }).format(Number(minor) / 100);

/** "12.50" to 1250; undefined when the text is no amount above zero with up to two decimals. */
export function parseCents(text: string): number | undefined {
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  const cents = match && Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return cents || undefined;
}
