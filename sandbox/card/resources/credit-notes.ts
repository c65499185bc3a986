// Credit notes: reduce an invoice by a refund, by credit, or before it is paid.
import type Stripe from 'stripe';
import { changeBalance } from '../billing/balance.ts';
import { customerOf, findInvoice, mustBe } from '../billing/invoice.ts';
import { intentOf, markPaid } from '../billing/settle.ts';
import { sumsWithTax, taxesOn } from '../billing/tax.ts';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { createId } from '../ids.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { decimal } from '../prices.ts';
import { createRefund } from '../refund.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, integer, list, metadata, needed, oneOf, text } from '../shape.ts';
import { rowOf } from '../state.ts';
import { chargeToRefund } from './refunds.ts';

const cents = integer(0, 99_999_999);
const createInput = fieldsOf<Stripe.CreditNoteCreateParams>()({
  invoice: needed(text()),
  amount: cents,
  credit_amount: cents,
  refund_amount: cents,
  out_of_band_amount: cents,
  lines: list(
    fieldsOf<Stripe.CreditNoteCreateParams.Line>()({
      type: needed(oneOf('invoice_line_item', 'custom_line_item')),
      invoice_line_item: text(),
      amount: cents,
      quantity: integer(1, 999_999),
      unit_amount: cents,
      description: text(),
    }),
  ),
  memo: text(),
  metadata,
  reason: oneOf('duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory'),
});
const listInput = fieldsOf<Stripe.CreditNoteListParams>()({ ...datedPageFields, customer: text(), invoice: text() });

type Input = ReturnType<typeof createInput>;

export const creditNoteRoutes = [
  route('POST', '/v1/credit_notes', createInput, ({ books, input }) => create(books, input)),
  route('GET', '/v1/credit_notes', listInput, ({ books, input }) => {
    const found = Object.values(books.state.creditNotes).filter(
      (one) =>
        (input.customer === undefined || one.customer === input.customer) &&
        (input.invoice === undefined || one.invoice === input.invoice) &&
        (input.created?.(one.created) ?? true),
    );
    return pageOf('/v1/credit_notes', found, input);
  }),
  route('GET', '/v1/credit_notes/:id', fields({}), ({ books, ids }) => findNote(books, ids['id'] ?? '')),
  route('POST', '/v1/credit_notes/:id/void', fields({}), ({ books, ids }) => {
    const note = findNote(books, ids['id'] ?? '');
    if (note.status === 'void') throw invalid('This credit note is already void.');
    if (note.post_payment_amount > 0) throw invalid('You can only void a credit note of an open invoice.');
    const invoice = findInvoice(books, String(note.invoice));
    mustBe(invoice, ['open'], 'void a credit note of');
    note.status = 'void';
    note.voided_at = books.now();
    invoice.pre_payment_credit_notes_amount -= note.amount;
    resize(books, invoice, note.amount);
    books.emit('credit_note.voided', note);
    return note;
  }),
];

function findNote(books: Books, id: string): Stripe.CreditNote {
  const note = rowOf(books.state.creditNotes, id);
  if (!note) throw noSuch('credit_note', id);
  return note;
}

function create(books: Books, input: Input): Stripe.CreditNote {
  const invoice = findInvoice(books, input.invoice, 'invoice');
  mustBe(invoice, ['open', 'paid', 'uncollectible'], 'credit');
  const lines = linesOf(invoice, input);
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  // `amount` includes the tax; lines are without it, as on the invoice.
  const taxes = input.lines ? taxesOn(subtotal, invoice.default_tax_rates) : [];
  const amount = sumsWithTax(subtotal, taxes).total;
  const before = invoice.pre_payment_credit_notes_amount + invoice.post_payment_credit_notes_amount;
  if (amount < 1) throw invalid('The credit note amount must be positive.', undefined, 'amount');
  const max = invoice.status === 'paid' ? invoice.total - before : invoice.amount_remaining;
  if (amount > max) throw invalid(`The credit note amount (${amount}) is more than what can be credited (${max}).`, undefined, 'amount');

  const { refund_amount: refund = 0, credit_amount: credit = 0, out_of_band_amount: outside = 0 } = input;
  if (invoice.status === 'paid' && refund + credit + outside !== amount) {
    throw invalid(
      `The sum of credit_amount, refund_amount and out_of_band_amount must equal the credit note amount (${amount}).`,
      undefined,
      'amount',
    );
  }
  if (invoice.status !== 'paid' && refund + credit + outside > 0) {
    throw invalid('An invoice that is not paid has nothing to give back.', undefined, 'refund_amount');
  }
  const note = shape(books, invoice, input, { lines, subtotal, taxes, amount });
  books.state.creditNotes[note.id] = note;
  if (refund > 0) {
    const made = createRefund(books, chargeToRefund(books, { payment_intent: intentOf(books, invoice)?.id ?? '' }), { amount: refund });
    note.refunds = [{ amount_refunded: refund, payment_record_refund: null, refund: made.id, type: 'refund' }];
  }
  const entry = changeBalance(books, customerOf(books, invoice), {
    by: -credit,
    currency: invoice.currency,
    type: 'credit_note',
    invoice: invoice.id,
    creditNote: note.id,
  });
  note.customer_balance_transaction = entry?.id ?? null;
  if (invoice.status === 'paid') invoice.post_payment_credit_notes_amount += amount;
  else {
    invoice.pre_payment_credit_notes_amount += amount;
    resize(books, invoice, -amount);
  }
  books.emit('credit_note.created', note);
  if (invoice.status === 'open' && invoice.amount_remaining === 0) markPaid(books, invoice);
  return note;
}

/** Changes the amount due of an open invoice and of its intent. */
function resize(books: Books, invoice: Stripe.Invoice, by: number): void {
  books.change('invoice.updated', invoice, () => {
    invoice.amount_due += by;
    invoice.amount_remaining += by;
  });
  const intent = intentOf(books, invoice);
  if (intent) intent.amount = invoice.amount_remaining;
}

function linesOf(invoice: Stripe.Invoice, input: Input): Stripe.CreditNoteLineItem[] {
  const line = (fields: Partial<Stripe.CreditNoteLineItem> & { amount: number }): Stripe.CreditNoteLineItem => ({
    id: createId('cnli'),
    object: 'credit_note_line_item',
    description: null,
    discount_amount: 0,
    discount_amounts: [],
    livemode: false,
    metadata: {},
    pretax_credit_amounts: [],
    quantity: 1,
    tax_rates: [],
    taxes: [],
    type: 'custom_line_item',
    unit_amount: fields.amount,
    unit_amount_decimal: decimal(fields.amount),
    ...fields,
  });
  if ((input.amount === undefined) === (input.lines === undefined)) {
    throw invalid('You must specify one of `amount` and `lines`.', 'parameter_missing', 'amount');
  }
  if (input.amount !== undefined) return [line({ amount: input.amount })];
  return (input.lines ?? []).map((wanted, index) => {
    if (wanted.type === 'custom_line_item') {
      const amount = (wanted.unit_amount ?? 0) * (wanted.quantity ?? 1);
      return line({ amount, description: wanted.description ?? null, quantity: wanted.quantity ?? 1 });
    }
    const of = invoice.lines.data.find(({ id }) => id === wanted.invoice_line_item);
    if (!of) throw noSuch('invoice line item', wanted.invoice_line_item ?? '', `lines[${index}][invoice_line_item]`);
    const amount = wanted.amount ?? of.amount;
    if (amount > of.amount) throw invalid('The amount is more than the line’s.', undefined, `lines[${index}][amount]`);
    return line({ amount, type: 'invoice_line_item', invoice_line_item: of.id, description: of.description });
  });
}

interface Sums {
  lines: Stripe.CreditNoteLineItem[];
  subtotal: number;
  taxes: Stripe.Invoice.TotalTax[];
  amount: number;
}

function shape(books: Books, invoice: Stripe.Invoice, input: Input, { lines, subtotal, taxes, amount }: Sums): Stripe.CreditNote {
  const id = createId('cn');
  const paid = invoice.status === 'paid';
  const earlier = Object.values(books.state.creditNotes).filter((note) => note.invoice === invoice.id).length;
  return {
    id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    created: books.now(),
    currency: invoice.currency,
    customer: String(invoice.customer),
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: books.now(),
    invoice: invoice.id,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/credit_notes/${id}/lines` },
    livemode: false,
    memo: input.memo ?? null,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    number: `${invoice.number}-CN-${String(earlier + 1).padStart(2, '0')}`,
    out_of_band_amount: input.out_of_band_amount ?? null,
    pdf: `${books.url()}/i/${invoice.id}/credit-notes/${id}`,
    post_payment_amount: paid ? amount : 0,
    pre_payment_amount: paid ? 0 : amount,
    pretax_credit_amounts: [],
    reason: input.reason ?? null,
    refunds: [],
    shipping_cost: null,
    status: 'issued',
    subtotal,
    subtotal_excluding_tax: sumsWithTax(subtotal, taxes).withoutTax,
    total: amount,
    total_excluding_tax: sumsWithTax(subtotal, taxes).withoutTax,
    total_taxes: taxes,
    type: paid ? 'post_payment' : 'pre_payment',
    voided_at: null,
  };
}
