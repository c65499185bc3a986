// Pending invoice items: create, retrieve, update, delete, list.
import type Stripe from 'stripe';
import { findInvoice, mustBe, total } from '../billing/invoice.ts';
import { createInvoiceItem, draftOfItem, toLine } from '../billing/lines.ts';
import type { LineDraft } from '../billing/lines.ts';
import { findSubscription } from '../billing/subscription.ts';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { createPrice, currency, findPrice, findProduct, productName, taxBehavior } from '../prices.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, flag, integer, metadata, moment, needed, text } from '../shape.ts';
import { rowOf } from '../state.ts';
import { findCustomer } from '../customer.ts';

const anyAmount = integer(-99_999_999, 99_999_999);
const period = fieldsOf<Stripe.InvoiceItemCreateParams.Period>()({ start: needed(moment), end: needed(moment) });
const priceData = fieldsOf<Stripe.InvoiceItemCreateParams.PriceData>()({
  currency: needed(currency),
  product: needed(text()),
  unit_amount: needed(anyAmount),
  tax_behavior: taxBehavior,
});
const quantity = integer(1, 999_999);
/** A line that is only on a subscription's first invoice. */
export const newLineInput = fieldsOf<Stripe.SubscriptionCreateParams.AddInvoiceItem>()({
  price: text(),
  price_data: priceData,
  quantity,
  metadata,
});
const createInput = fieldsOf<Stripe.InvoiceItemCreateParams>()({
  customer: needed(text()),
  amount: anyAmount,
  currency,
  description: text(),
  invoice: text(),
  subscription: text(),
  metadata,
  period,
  price_data: priceData,
  pricing: fieldsOf<Stripe.InvoiceItemCreateParams.Pricing>()({ price: text() }),
  quantity,
});
const updateInput = fieldsOf<Stripe.InvoiceItemUpdateParams>()({ amount: anyAmount, description: text(), metadata, period });
const listInput = fieldsOf<Stripe.InvoiceItemListParams>()({ ...datedPageFields, customer: text(), invoice: text(), pending: flag });

export const invoiceItemRoutes = [
  route('POST', '/v1/invoiceitems', createInput, ({ books, input }) => createItem(books, input)),
  route('GET', '/v1/invoiceitems', listInput, ({ books, input }) => {
    const found = Object.values(books.state.invoiceItems).filter(
      (item) =>
        (input.customer === undefined || item.customer === input.customer) &&
        (input.invoice === undefined || item.invoice === input.invoice) &&
        (input.pending === undefined || (item.invoice === null) === input.pending) &&
        (input.created?.(item.date) ?? true),
    );
    return pageOf('/v1/invoiceitems', found, input);
  }),
  route('GET', '/v1/invoiceitems/:id', fields({}), ({ books, ids }) => findItem(books, ids['id'] ?? '')),
  route('POST', '/v1/invoiceitems/:id', updateInput, ({ books, ids, input }) => {
    const item = findItem(books, ids['id'] ?? '');
    const invoice = draftOf(books, item);
    if (input.amount !== undefined) item.amount = item.net_amount = input.amount;
    if (input.description !== undefined) item.description = input.description;
    if (input.period !== undefined) item.period = input.period;
    if (input.metadata !== undefined) item.metadata = mergeMetadata(item.metadata ?? {}, input.metadata);
    if (invoice) {
      invoice.lines.data = invoice.lines.data.map((line) =>
        itemOf(line) === item.id ? toLine(draftOfItem(books, item), invoice.id) : line,
      );
      retotal(books, invoice);
    }
    books.changed();
    return item;
  }),
  route('DELETE', '/v1/invoiceitems/:id', fields({}), ({ books, ids }) => {
    const item = findItem(books, ids['id'] ?? '');
    const invoice = draftOf(books, item);
    if (invoice) {
      invoice.lines.data = invoice.lines.data.filter((line) => itemOf(line) !== item.id);
      retotal(books, invoice);
    }
    delete books.state.invoiceItems[item.id];
    books.emit('invoiceitem.deleted', item);
    return { id: item.id, object: 'invoiceitem', deleted: true };
  }),
];

const itemOf = (line: Stripe.InvoiceLineItem): string | null | undefined =>
  line.parent?.invoice_item_details?.invoice_item ?? line.parent?.subscription_item_details?.invoice_item;

const retotal = (books: Books, invoice: Stripe.Invoice): void => total(invoice, findCustomer(books, String(invoice.customer)).balance);

function findItem(books: Books, id: string): Stripe.InvoiceItem {
  const item = rowOf(books.state.invoiceItems, id);
  if (!item) throw noSuch('invoiceitem', id);
  return item;
}

/** The draft that contains the item; an item of a final invoice can no longer change. */
function draftOf(books: Books, item: Stripe.InvoiceItem): Stripe.Invoice | null {
  if (item.invoice === null) return null;
  const invoice = findInvoice(books, String(item.invoice));
  mustBe(invoice, ['draft'], 'change an item of');
  return invoice;
}

type NewLine = ReturnType<typeof newLineInput>;

/** A line with an existing price or with one of its own. */
export function readNewLine(books: Books, input: NewLine, param: string): LineDraft {
  if ((input.price === undefined) === (input.price_data === undefined)) {
    throw invalid(`You must specify either \`price\` or \`price_data\` in ${param}.`, 'parameter_missing', `${param}[price]`);
  }
  const data = input.price_data;
  const price = data
    ? createPrice(books, { ...data, product: findProduct(books, data.product, `${param}[price_data][product]`).id }, 'once')
    : findPrice(books, input.price ?? '', `${param}[price]`);
  const count = input.quantity ?? 1;
  return {
    amount: (price.unit_amount ?? 0) * count,
    currency: price.currency,
    description: productName(books, price),
    quantity: count,
    period: { start: books.now(), end: books.now() },
    price,
    subscription: null,
    subscriptionItem: null,
    proration: false,
    invoiceItem: null,
    metadata: mergeMetadata({}, input.metadata ?? {}),
  };
}

function createItem(books: Books, input: ReturnType<typeof createInput>): Stripe.InvoiceItem {
  const customer = findCustomer(books, input.customer, 'customer');
  const price = input.pricing?.price;
  const ways = [input.amount, price, input.price_data].filter((way) => way !== undefined);
  if (ways.length !== 1)
    throw invalid('You must specify one of `amount`, `pricing[price]` and `price_data`.', 'parameter_missing', 'amount');
  if (input.amount !== undefined && input.currency === undefined) {
    throw invalid('Missing required param: currency.', 'parameter_missing', 'currency');
  }
  const priced = input.amount === undefined ? readNewLine(books, { ...input, ...(price && { price }) }, 'pricing') : null;
  const invoice = input.invoice === undefined ? null : findInvoice(books, input.invoice, 'invoice');
  if (invoice) mustBe(invoice, ['draft'], 'add an item to');
  if (invoice && invoice.customer !== customer.id) throw invalid('The invoice belongs to another customer.', undefined, 'invoice');
  const draft: LineDraft = {
    amount: input.amount ?? 0,
    currency: input.currency ?? 'usd',
    quantity: 1,
    price: null,
    subscriptionItem: null,
    proration: false,
    invoiceItem: null,
    ...priced,
    period: input.period ?? { start: books.now(), end: books.now() },
    description: input.description ?? priced?.description ?? null,
    subscription: input.subscription === undefined ? null : findSubscription(books, input.subscription, 'subscription').id,
    metadata: mergeMetadata({}, input.metadata ?? {}),
  };
  const item = createInvoiceItem(books, draft, customer.id, invoice?.id ?? null);
  if (invoice) {
    invoice.lines.data.push(toLine(draftOfItem(books, item), invoice.id));
    retotal(books, invoice);
  }
  return item;
}
