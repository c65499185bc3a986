// Invoices: create, update as a draft, finalize, pay, send, void, mark as uncollectible, list.
import type Stripe from 'stripe';
import { collect, methodFor, noMethod } from '../billing/collect.ts';
import { finalize } from '../billing/finalize.ts';
import { createInvoice, findInvoice, mustBe, pendingLines, total } from '../billing/invoice.ts';
import { intentOf, markPaid, markUncollectible, voidInvoice } from '../billing/settle.ts';
import { findSubscription } from '../billing/subscription.ts';
import { findTaxRates } from '../billing/tax.ts';
import { refusalOf } from '../attempt.ts';
import type { Books } from '../books.ts';
import { Fault, invalid } from '../fault.ts';
import { datedPageFields, pageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { currency } from '../prices.ts';
import { route } from '../route.ts';
import { emptyable, fields, fieldsOf, flag, integer, list, metadata, moment, needed, off, oneOf, text } from '../shape.ts';
import { findCustomer, mustOwn } from '../customer.ts';

const DAY = 86_400;

/** https://docs.stripe.com/api/invoices/create: at most four pairs of short texts. */
const customField = fieldsOf<Stripe.InvoiceCreateParams.CustomField>()({ name: needed(text(40)), value: needed(text(140)) });

const common = {
  auto_advance: flag,
  automatic_tax: fields({ enabled: off }),
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  custom_fields: emptyable(list(customField)),
  days_until_due: integer(0, 365),
  default_payment_method: text(),
  default_tax_rates: list(text()),
  description: text(1500),
  due_date: moment,
  footer: text(),
  metadata,
};
const createInput = fieldsOf<Stripe.InvoiceCreateParams>()({
  ...common,
  customer: needed(text()),
  currency,
  subscription: text(),
  number: text(26),
  pending_invoice_items_behavior: oneOf('include', 'exclude'),
});
const updateInput = fieldsOf<Stripe.InvoiceUpdateParams>()(common);
const payInput = fieldsOf<Stripe.InvoicePayParams>()({ payment_method: text(), off_session: flag, paid_out_of_band: flag });
const finalizeInput = fieldsOf<Stripe.InvoiceFinalizeInvoiceParams>()({ auto_advance: flag });
const listInput = fieldsOf<Stripe.InvoiceListParams>()({
  ...datedPageFields,
  customer: text(),
  subscription: text(),
  status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
  collection_method: oneOf('charge_automatically', 'send_invoice'),
});

export const invoiceRoutes = [
  route('POST', '/v1/invoices', createInput, ({ books, input }) => create(books, input)),
  route('GET', '/v1/invoices', listInput, ({ books, input }) => {
    const found = Object.values(books.state.invoices).filter(
      (one) =>
        (input.customer === undefined || one.customer === input.customer) &&
        (input.subscription === undefined || one.parent?.subscription_details?.subscription === input.subscription) &&
        (input.status === undefined || one.status === input.status) &&
        (input.collection_method === undefined || one.collection_method === input.collection_method) &&
        (input.created?.(one.created) ?? true),
    );
    return pageOf('/v1/invoices', found, input);
  }),
  route('GET', '/v1/invoices/:id', fields({}), ({ books, ids }) => findInvoice(books, ids['id'] ?? '')),
  route('GET', '/v1/invoices/:id/lines', fields(pageFields), ({ books, ids, input }) => {
    const invoice = findInvoice(books, ids['id'] ?? '');
    return pageOf(`/v1/invoices/${invoice.id}/lines`, invoice.lines.data.toReversed(), input);
  }),
  route('POST', '/v1/invoices/:id', updateInput, ({ books, ids, input }) => update(books, findInvoice(books, ids['id'] ?? ''), input)),
  route('DELETE', '/v1/invoices/:id', fields({}), ({ books, ids }) => {
    const invoice = findInvoice(books, ids['id'] ?? '');
    mustBe(invoice, ['draft'], 'delete');
    for (const item of Object.values(books.state.invoiceItems)) if (item.invoice === invoice.id) delete books.state.invoiceItems[item.id];
    delete books.state.invoices[invoice.id];
    books.emit('invoice.deleted', invoice);
    return { id: invoice.id, object: 'invoice', deleted: true };
  }),
  route('POST', '/v1/invoices/:id/finalize', finalizeInput, ({ books, ids, input }) => {
    const invoice = findInvoice(books, ids['id'] ?? '');
    if (input.auto_advance !== undefined) invoice.auto_advance = input.auto_advance;
    finalize(books, invoice);
    return invoice;
  }),
  route('POST', '/v1/invoices/:id/pay', payInput, ({ books, ids, input }) => pay(books, findInvoice(books, ids['id'] ?? ''), input)),
  route('POST', '/v1/invoices/:id/send', fields({}), ({ books, ids }) => {
    const invoice = findInvoice(books, ids['id'] ?? '');
    if (invoice.collection_method !== 'send_invoice') throw invalid('You can only manually send an invoice with `send_invoice`.');
    if (invoice.status === 'draft') finalize(books, invoice);
    mustBe(invoice, ['open', 'paid'], 'send');
    books.emit('invoice.sent', invoice);
    return invoice;
  }),
  route('POST', '/v1/invoices/:id/void', fields({}), ({ books, ids }) => {
    const invoice = findInvoice(books, ids['id'] ?? '');
    mustBe(invoice, ['open', 'uncollectible'], 'void');
    voidInvoice(books, invoice);
    return invoice;
  }),
  route('POST', '/v1/invoices/:id/mark_uncollectible', fields({}), ({ books, ids }) => {
    const invoice = findInvoice(books, ids['id'] ?? '');
    mustBe(invoice, ['open'], 'give up');
    markUncollectible(books, invoice);
    return invoice;
  }),
];

function create(books: Books, input: ReturnType<typeof createInput>): Stripe.Invoice {
  const customer = findCustomer(books, input.customer, 'customer');
  const subscription = input.subscription === undefined ? null : findSubscription(books, input.subscription, 'subscription');
  const money = input.currency ?? subscription?.currency ?? customer.currency ?? 'usd';
  const waiting = input.pending_invoice_items_behavior === 'include' || subscription !== null;
  const method = input.default_payment_method;
  const latest = subscription?.latest_invoice ?? null;
  const invoice = createInvoice(books, {
    customer,
    subscription,
    reason: 'manual',
    lines: waiting ? pendingLines(books, customer.id, subscription?.id ?? null, money) : [],
    currency: money,
    period: { start: books.now(), end: books.now() },
    autoAdvance: input.auto_advance ?? false,
    collectionMethod: input.collection_method ?? 'charge_automatically',
    dueDate: input.due_date ?? (input.days_until_due === undefined ? null : books.now() + input.days_until_due * DAY),
    description: input.description ?? null,
    footer: input.footer ?? null,
    customFields: input.custom_fields ?? null,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    defaultPaymentMethod: method === undefined ? null : mustOwn(books, customer, method, 'default_payment_method').id,
    ...(input.default_tax_rates && { taxRates: findTaxRates(books, input.default_tax_rates, 'default_tax_rates') }),
  });
  // An extra invoice must not become the one that determines the subscription's status.
  if (subscription) subscription.latest_invoice = latest;
  invoice.number = input.number ?? null;
  return invoice;
}

/** The contents of a final invoice are fixed; only its collection can change. */
function update(books: Books, invoice: Stripe.Invoice, input: ReturnType<typeof updateInput>): Stripe.Invoice {
  const {
    metadata: changes,
    default_payment_method: method,
    days_until_due: days,
    auto_advance: advance,
    automatic_tax: _,
    default_tax_rates: taxIds,
    ...plain
  } = input;
  if (Object.keys(plain).length > 0 || days !== undefined || taxIds !== undefined) mustBe(invoice, ['draft'], 'change');
  if (method !== undefined) mustOwn(books, findCustomer(books, String(invoice.customer)), method, 'default_payment_method');
  const rates = taxIds && findTaxRates(books, taxIds, 'default_tax_rates');
  books.change('invoice.updated', invoice, () => {
    Object.assign(invoice, plain);
    if (rates) invoice.default_tax_rates = rates;
    if (rates) total(invoice, findCustomer(books, String(invoice.customer)).balance);
    if (method !== undefined) invoice.default_payment_method = method;
    if (days !== undefined) invoice.due_date = books.now() + days * DAY;
    if (changes !== undefined) invoice.metadata = mergeMetadata(invoice.metadata ?? {}, changes);
    if (advance !== undefined) {
      invoice.auto_advance = advance;
      if (invoice.status === 'draft') invoice.automatically_finalizes_at = advance ? books.now() + 3600 : null;
    }
  });
  return invoice;
}

function pay(books: Books, invoice: Stripe.Invoice, input: ReturnType<typeof payInput>): Stripe.Invoice {
  if (invoice.status === 'draft') finalize(books, invoice);
  else if (invoice.status === 'paid') throw invalid('Invoice is already paid');
  mustBe(invoice, ['open', 'uncollectible', 'paid'], 'pay');
  if (invoice.status === 'paid') return invoice;
  if (input.paid_out_of_band) {
    markPaid(books, invoice, true);
    return invoice;
  }
  const customer = findCustomer(books, String(invoice.customer));
  const chosen =
    input.payment_method === undefined ? methodFor(books, invoice) : mustOwn(books, customer, input.payment_method, 'payment_method');
  if (!chosen) throw noMethod();
  const result = collect(books, invoice, chosen, { offSession: input.off_session ?? true, email: customer.email });
  if (result?.outcome === 'declined') throw refusalOf(intentOf(books, invoice) as Stripe.PaymentIntent, result.decline);
  if (result?.outcome === 'requires_action') throw actionRequired(books, invoice);
  return invoice;
}

const actionRequired = (books: Books, invoice: Stripe.Invoice): Fault =>
  new Fault(402, {
    type: 'card_error',
    code: 'invoice_payment_intent_requires_action',
    message:
      'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.',
    payment_intent: structuredClone(intentOf(books, invoice) ?? {}),
  });
