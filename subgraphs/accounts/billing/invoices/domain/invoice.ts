// How invoices and credit notes are numbered, and who stands on them.
import { decimalOf, divideHalfUp } from '#commerce/money.ts';

export const INVOICE_KINDS = ['INVOICE', 'CREDIT_NOTE'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

const LETTERS: Record<InvoiceKind, string> = { INVOICE: 'INV', CREDIT_NOTE: 'CN' };

/** Spec is silent: a series per kind and UTC year, each from 1 without a gap. */
export const seriesOf = (kind: InvoiceKind, at: Date): string => `${LETTERS[kind]}-${at.getUTCFullYear()}`;

/** INV-2026-000001. */
export const formatNumber = ({ series, number }: { series: string; number: number }): string =>
  `${series}-${String(number).padStart(6, '0')}`;

/** The numbers that somebody may mean by "INV-2026-000012", "000012" or "12": of that series, or of any. */
export function numbersOf(typed: string): { series?: string; number: number }[] {
  const [, series, digits] = /^(?:([a-z]+-\d{4})-)?(\d{1,9})$/i.exec(typed) ?? [];
  return digits === undefined ? [] : [{ ...(series && { series: series.toUpperCase() }), number: Number(digits) }];
}

/** Basis points as printed: 1900 -> "19", 770 -> "7.7". */
export const formatRate = (basisPoints: number): string => String(basisPoints / 100);

/**
 * What one of a line costs before tax, as a decimal (Directive 2006/112/EC, article 226, point 8): "2.40"; of what does not divide by cents, up to four places.
 */
export function unitPriceOf({ amountMinor, quantity }: { amountMinor: number; quantity: number }): string {
  if (quantity <= 1 || amountMinor % quantity === 0) return decimalOf(amountMinor / Math.max(1, quantity));
  const parts = divideHalfUp(BigInt(amountMinor) * 100n, BigInt(quantity));
  const digits = String(parts < 0n ? -parts : parts).padStart(5, '0');
  const places = digits.slice(-4).replace(/0{1,2}$/, '');
  return `${parts < 0n ? '-' : ''}${digits.slice(0, -4)}.${places}`;
}

/** In minor units; `totalMinor` is the sum of both. */
export interface Amounts {
  subtotalMinor: number;
  taxMinor: number;
  totalMinor: number;
}

const amountsOf = (subtotalMinor: number, taxMinor: number): Amounts => ({ subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor });

/** What has not been given back of an invoice, after the credit notes that correct it. Never below nothing. */
export const leftOf = (whole: Pick<Amounts, 'subtotalMinor' | 'taxMinor'>, notes: Pick<Amounts, 'subtotalMinor' | 'taxMinor'>): Amounts =>
  amountsOf(Math.max(0, whole.subtotalMinor - notes.subtotalMinor), Math.max(0, whole.taxMinor - notes.taxMinor));

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

/**
 * A part of an invoice that is given back, `totalMinor` with tax, at most what is left. Its tax is counted from what was given back before, so that
 * the parts of a whole invoice carry exactly its tax, whatever their order and sizes.
 */
export function partOfTotal(whole: Amounts, left: Amounts, totalMinor: number): Amounts {
  const upTo = whole.totalMinor - left.totalMinor + totalMinor;
  const fair = Number(divideHalfUp(BigInt(upTo) * BigInt(whole.taxMinor), BigInt(whole.totalMinor))) - (whole.taxMinor - left.taxMinor);
  const taxMinor = clamp(fair, Math.max(0, totalMinor - left.subtotalMinor), Math.min(totalMinor, left.taxMinor));
  return amountsOf(totalMinor - taxMinor, taxMinor);
}

/** The same of `subtotalMinor`, before tax. */
export function partOfSubtotal(whole: Amounts, left: Amounts, subtotalMinor: number): Amounts {
  const upTo = whole.subtotalMinor - left.subtotalMinor + subtotalMinor;
  const fair = Number(divideHalfUp(BigInt(upTo) * BigInt(whole.taxMinor), BigInt(whole.subtotalMinor))) - (whole.taxMinor - left.taxMinor);
  return amountsOf(subtotalMinor, clamp(fair, 0, left.taxMinor));
}
