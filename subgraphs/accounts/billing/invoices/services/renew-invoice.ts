// An invoice in the place of another, which a credit note cancels: to the buyer of today, or because a payer's bank has given back what it had taken.
import { type Amounts, formatNumber } from '../domain/invoice.ts';
import type { Invoice, InvoiceLeft } from '../entities/invoice.ts';
import { notesOfInvoice } from '../entities/invoice.ts';
import { settlementsOf } from '../entities/invoice-settlement.ts';
import type { TaxContext } from '../../tax/context.ts';
import { type Settlement, issue, issueNote } from './issue-invoice.ts';

/** What stands again of an invoice although it was given back. */
export interface StandsAgain extends Amounts {
  label: string;
}

/**
 * What is left of an invoice, and what stands again of it, as a new one; what was given back before stands as lines. No money moves by it. The caller
 * holds the invoice's lock.
 */
export async function renewInvoice(ctx: TaxContext, open: InvoiceLeft, reason: string, again?: StandsAgain): Promise<Invoice> {
  const { invoice, left } = open;
  const amounts = again ? sumOf(left, again) : left;
  const notes = await notesOfInvoice(ctx.em, invoice.id);
  const given = notes.map((note) => ({ label: `Given back by ${formatNumber(note)}`, quantity: 1, amountMinor: -note.subtotalMinor }));
  const back = again ? [{ label: again.label, quantity: 1, amountMinor: again.subtotalMinor }] : [];
  const { accountId, orderId, note, periodStart, periodEnd, lines, currency, taxBasisPoints, reverseCharge } = invoice;
  const renewed = await issue(
    ctx,
    {
      kind: 'INVOICE',
      accountId,
      orderId,
      correctsId: null,
      replacesId: invoice.id,
      note,
      periodStart,
      periodEnd,
      lines: [...lines, ...given, ...back],
      currency,
      taxBasisPoints,
      reverseCharge,
      ...amounts,
    },
    firstOf(await settlementsOf(ctx.em, invoice.id), amounts.totalMinor),
  );
  if (left.totalMinor > 0) await cancel(ctx, open, renewed, reason);
  return renewed;
}

const sumOf = (one: Amounts, other: Amounts): Amounts => ({
  subtotalMinor: one.subtotalMinor + other.subtotalMinor,
  taxMinor: one.taxMinor + other.taxMinor,
  totalMinor: one.totalMinor + other.totalMinor,
});

async function cancel(ctx: TaxContext, { invoice, left }: InvoiceLeft, renewed: Invoice, reason: string): Promise<void> {
  const label = `Cancels ${formatNumber(invoice)}, issued anew as ${formatNumber(renewed)}`;
  const passedOn = firstOf(await settlementsOf(ctx.em, invoice.id), left.totalMinor);
  await issueNote(
    ctx,
    { invoice, part: left, label, note: reason },
    passedOn.map(({ reference, ...part }) => ({ ...part, reference: `${reference}:${renewed.id}` })),
  );
}

/** What paid the first `amountMinor` of an invoice. */
function firstOf(settlements: readonly Settlement[], amountMinor: number): Settlement[] {
  let open = amountMinor;
  return settlements.map(({ method, reference, amountMinor: whole, shortMinor = 0 }) => {
    const part = Math.min(open, whole);
    open -= part;
    return { method, reference, amountMinor: part, shortMinor: Math.min(part, shortMinor) };
  });
}
