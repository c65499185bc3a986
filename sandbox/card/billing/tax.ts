// Taxes: rates in percent on the sum of an invoice's lines, rounded once per invoice.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { rowOf } from '../state.ts';
import { prorate } from './period.ts';

/** Percentages with four decimals are counted in millionths. */
const MILLION = 1_000_000;
const partsOf = ({ percentage }: Stripe.TaxRate): number => Math.round(percentage * 10_000);

/** The tax that `rate` adds to `amount` or, for an inclusive rate, that `amount` contains. */
export function taxOn(amount: number, rate: Stripe.TaxRate): number {
  return prorate(amount, partsOf(rate), rate.inclusive ? MILLION + partsOf(rate) : MILLION);
}

/** One row per rate for `subtotal`. */
export const taxesOn = (subtotal: number, rates: readonly Stripe.TaxRate[]): Stripe.Invoice.TotalTax[] =>
  rates.map((rate) => {
    const amount = taxOn(subtotal, rate);
    return {
      amount,
      tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
      tax_rate_details: { tax_rate: rate.id },
      taxability_reason: 'not_available',
      taxable_amount: rate.inclusive ? subtotal - amount : subtotal,
      type: 'tax_rate_details',
    };
  });

/** The total with the taxes that are added to the subtotal, and the subtotal without the taxes that it contains. */
export function sumsWithTax(subtotal: number, taxes: readonly Stripe.Invoice.TotalTax[]): { total: number; withoutTax: number } {
  const sumOf = (behavior: string): number =>
    taxes.filter((tax) => tax.tax_behavior === behavior).reduce((sum, tax) => sum + tax.amount, 0);
  return { total: subtotal + sumOf('exclusive'), withoutTax: subtotal - sumOf('inclusive') };
}

/** Distributes an invoice's tax over its lines: each share is rounded, and the last line takes the rest, so that the shares add up. */
export function shareTaxes(lines: readonly Stripe.InvoiceLineItem[], taxes: readonly Stripe.Invoice.TotalTax[], subtotal: number): void {
  for (const line of lines) line.taxes = [];
  for (const tax of taxes) {
    let left = tax.amount;
    for (const [index, line] of lines.entries()) {
      const share = index === lines.length - 1 || subtotal === 0 ? left : part(tax.amount, line.amount, subtotal);
      left -= share;
      line.taxes?.push({ ...tax, amount: share, taxable_amount: line.amount - (tax.tax_behavior === 'inclusive' ? share : 0) });
    }
  }
}

/** `amount` × `piece` / `whole`, rounded; each may be negative. */
function part(amount: number, piece: number, whole: number): number {
  const sign = Math.sign(amount) * Math.sign(piece) * Math.sign(whole);
  return sign === 0 ? 0 : sign * prorate(Math.abs(amount), Math.abs(piece), Math.abs(whole));
}

export function findTaxRates(books: Books, ids: readonly string[], param: string): Stripe.TaxRate[] {
  return ids.map((id, index) => {
    const rate = rowOf(books.state.taxRates, id);
    if (!rate) throw noSuch('tax rate', id, `${param}[${index}]`);
    if (!rate.active) throw invalid(`The tax rate ${id} is not active.`, undefined, `${param}[${index}]`);
    return structuredClone(rate);
  });
}
