// Invoices until they are final: their lines and totals. The same function makes an invoice and its preview.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { createId } from '../ids.ts';
import { rowOf } from '../state.ts';
import { settleAgainst } from './balance.ts';
import { BLANK_INVOICE } from './blank-invoice.ts';
import { draftOfItem, toLine } from './lines.ts';
import type { LineDraft } from './lines.ts';
import type { Period } from './period.ts';
import { shareTaxes, sumsWithTax, taxesOn } from './tax.ts';

export interface InvoiceRequest {
  customer: Stripe.Customer;
  subscription: Stripe.Subscription | null;
  reason: NonNullable<Stripe.Invoice['billing_reason']>;
  lines: LineDraft[];
  currency: string;
  period: Period;
  autoAdvance?: boolean;
  collectionMethod?: Stripe.Invoice['collection_method'];
  dueDate?: number | null;
  description?: string | null;
  footer?: string | null;
  customFields?: Stripe.Invoice['custom_fields'];
  metadata?: Record<string, string>;
  defaultPaymentMethod?: string | null;
  /** Default: those of the subscription. */
  taxRates?: Stripe.TaxRate[];
  /** Unix seconds at which the draft becomes final; default: DRAFT_SECONDS after its creation. */
  finalizesAt?: number | null;
}

/** How long a renewal's draft can be changed before it becomes final. */
export const DRAFT_SECONDS = 60 * 60;

/** Makes an invoice without storing it: `in_` for one to store, `upcoming_in_` for a preview. */
export function composeInvoice(books: Books, request: InvoiceRequest, id = createId('in')): Stripe.Invoice {
  const { customer, subscription } = request;
  const autoAdvance = request.autoAdvance ?? false;
  const invoice: Stripe.Invoice = {
    id,
    ...structuredClone(BLANK_INVOICE),
    auto_advance: autoAdvance,
    automatically_finalizes_at: autoAdvance ? (request.finalizesAt ?? books.now() + DRAFT_SECONDS) : null,
    billing_reason: request.reason,
    collection_method: request.collectionMethod ?? subscription?.collection_method ?? 'charge_automatically',
    created: books.now(),
    currency: request.currency,
    custom_fields: request.customFields ?? customer.invoice_settings.custom_fields,
    ...customerOn(customer),
    default_payment_method: request.defaultPaymentMethod ?? null,
    default_tax_rates: request.taxRates ?? subscription?.default_tax_rates ?? [],
    description: request.description ?? null,
    due_date: request.dueDate ?? null,
    footer: request.footer ?? customer.invoice_settings.footer,
    lines: { object: 'list', data: request.lines.map((line) => toLine(line, id)), has_more: false, url: `/v1/invoices/${id}/lines` },
    metadata: { ...request.metadata },
    parent: subscription && {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
    },
    period_end: request.period.end,
    period_start: request.period.start,
    test_clock: customer.test_clock ?? null,
  };
  total(invoice, customer.balance);
  return invoice;
}

/** The customer's data as copied onto an invoice. */
const customerOn = (customer: Stripe.Customer) => ({
  customer: customer.id,
  customer_account: null,
  customer_address: customer.address ?? null,
  customer_email: customer.email,
  customer_name: customer.name ?? null,
  customer_phone: customer.phone ?? null,
  customer_shipping: null,
  customer_tax_exempt: 'none' as const,
  customer_tax_ids: [],
});

/** Sums the lines, adds the tax, and applies the customer's present balance; the balance itself changes when the invoice is finalized. */
export function total(invoice: Stripe.Invoice, balance: number): void {
  const subtotal = invoice.lines.data.reduce((all, line) => all + line.amount, 0);
  const taxes = taxesOn(subtotal, invoice.default_tax_rates);
  const sums = sumsWithTax(subtotal, taxes);
  shareTaxes(invoice.lines.data, taxes, subtotal);
  const { due, ending } = settleAgainst(balance, sums.total);
  invoice.subtotal = subtotal;
  invoice.total = sums.total;
  invoice.subtotal_excluding_tax = invoice.total_excluding_tax = sums.withoutTax;
  invoice.total_taxes = taxes;
  invoice.starting_balance = balance;
  invoice.ending_balance = invoice.status === 'draft' ? null : ending;
  invoice.amount_due = invoice.amount_remaining = due;
}

/** Stores a draft; the pending items on it belong to it from now on. */
export function createInvoice(books: Books, request: InvoiceRequest): Stripe.Invoice {
  const invoice = composeInvoice(books, request);
  books.state.invoices[invoice.id] = invoice;
  for (const { invoiceItem } of request.lines) {
    const item = rowOf(books.state.invoiceItems, invoiceItem ?? '');
    if (item) item.invoice = invoice.id;
  }
  if (request.subscription) request.subscription.latest_invoice = invoice.id;
  books.emit('invoice.created', invoice);
  return invoice;
}

/** The lines that wait for the next invoice of this subscription or, with null, of the customer. */
export const pendingLines = (books: Books, customer: string, subscription: string | null, currency: string): LineDraft[] =>
  Object.values(books.state.invoiceItems)
    .filter((item) => item.customer === customer && item.invoice === null && item.currency === currency)
    .map((item) => draftOfItem(books, item))
    .filter((draft) => draft.subscription === null || draft.subscription === subscription);

export function findInvoice(books: Books, id: string, param?: string): Stripe.Invoice {
  const invoice = rowOf(books.state.invoices, id);
  if (!invoice) throw noSuch('invoice', id, param);
  return invoice;
}

export function mustBe(invoice: Stripe.Invoice, statuses: Stripe.Invoice.Status[], what: string): void {
  if (statuses.some((status) => status === invoice.status)) return;
  throw invalid(
    `You cannot ${what} an invoice with the status ${invoice.status}; it must be ${statuses.join(' or ')}.`,
    'invoice_not_editable',
  );
}

export const subscriptionOf = (books: Books, invoice: Stripe.Invoice): Stripe.Subscription | undefined =>
  rowOf(books.state.subscriptions, String(invoice.parent?.subscription_details?.subscription));

export const customerOf = (books: Books, of: { customer: unknown }): Stripe.Customer =>
  rowOf(books.state.customers, String(of.customer)) as Stripe.Customer;
