// How invoices and credit notes are numbered, and who stands on them.
import { divideHalfUp } from '#shared/money.ts';

export type InvoiceKind = 'INVOICE' | 'CREDIT_NOTE';

/** Who sells or buys, as printed. */
export interface Party {
  name: string;
  /** Lines above the country. */
  address: string[];
  /** ISO 3166 alpha-2. */
  country: string | null;
  taxId: string | null;
  email: string | null;
}

const LETTERS: Record<InvoiceKind, string> = { INVOICE: 'INV', CREDIT_NOTE: 'CN' };

/** Spec is silent: a series per kind and UTC year, each from 1 without a gap. */
export const seriesOf = (kind: InvoiceKind, at: Date): string => `${LETTERS[kind]}-${at.getUTCFullYear()}`;

/** INV-2026-000001. */
export const formatNumber = ({ series, number }: { series: string; number: number }): string =>
  `${series}-${String(number).padStart(6, '0')}`;

/** Basis points as printed: 1900 -> "19", 770 -> "7.7". */
export const formatRate = (basisPoints: number): string => String(basisPoints / 100);

/**
 * The tax within a part of a price that is given back, in minor units. Counted from what was given back before, so that the parts of a whole price carry exactly
 * its tax, whatever the order and sizes of the parts.
 */
export function taxOfPart(whole: { totalMinor: number; taxMinor: number }, before: { totalMinor: number; taxMinor: number }, part: number) {
  const upTo = divideHalfUp(BigInt(before.totalMinor + part) * BigInt(whole.taxMinor), BigInt(whole.totalMinor));
  return Number(upTo) - before.taxMinor;
}
