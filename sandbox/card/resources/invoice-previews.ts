// Previews of invoices: of the next renewal, of a change with its prorations, or of a new subscription. Nothing is created.
import type Stripe from 'stripe';
import { changedItemInput, readNewItem } from '../billing/item.ts';
import { invoiceOfChange, planChange } from '../billing/change.ts';
import { composeInvoice, customerOf } from '../billing/invoice.ts';
import type { InvoiceRequest } from '../billing/invoice.ts';
import { prorationLine } from '../billing/lines.ts';
import { invoiceOfRenewal } from '../billing/renew.ts';
import { composeSubscription, findSubscription, isLive, periodOf } from '../billing/subscription.ts';
import { findTaxRates } from '../billing/tax.ts';
import type { Books } from '../books.ts';
import { invalid } from '../fault.ts';
import { mergeMetadata } from '../metadata.ts';
import { currency } from '../prices.ts';
import { route } from '../route.ts';
import { emptyable, fieldsOf, flag, list, metadata, moment, needed, oneOf, text } from '../shape.ts';
import { findCustomer } from '../customer.ts';

const details = fieldsOf<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails>()({
  items: list(changedItemInput),
  proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  proration_date: moment,
  billing_cycle_anchor: fieldsOf<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails.BillingCycleAnchor>()({
    type: needed(oneOf('now', 'unchanged', 'timestamp')),
    timestamp: moment,
  }),
  cancel_now: flag,
  default_tax_rates: emptyable(list(text())),
  metadata,
});
const previewInput = fieldsOf<Stripe.InvoiceCreatePreviewParams>()({
  customer: text(),
  subscription: text(),
  subscription_details: details,
  currency,
});

type Input = ReturnType<typeof previewInput>;

export const invoicePreviewRoutes = [
  route('POST', '/v1/invoices/create_preview', previewInput, ({ books, input }) => {
    const rates = ratesOf(books, input);
    const invoice = composeInvoice(books, { ...requestOf(books, input), ...(rates && { taxRates: rates }) }, 'upcoming_in');
    invoice.auto_advance = true;
    return invoice;
  }),
];

/** The tax rates of the request, when they differ from the subscription's. */
function ratesOf(books: Books, input: Input): Stripe.TaxRate[] | undefined {
  const ids = input.subscription_details?.default_tax_rates;
  return ids === undefined ? undefined : findTaxRates(books, ids ?? [], 'subscription_details[default_tax_rates]');
}

function requestOf(books: Books, input: Input): InvoiceRequest {
  if (input.subscription === undefined) return previewNew(books, input);
  const subscription = findSubscription(books, input.subscription, 'subscription');
  if (!isLive(subscription))
    throw invalid(`No upcoming invoices for subscription: ${subscription.id}`, 'invoice_upcoming_none', 'subscription');
  if (input.customer !== undefined && input.customer !== subscription.customer) {
    throw invalid('The subscription does not belong to the customer.', undefined, 'customer');
  }
  const terms = input.subscription_details;
  if (terms?.cancel_now) return previewEnd(books, subscription, terms.proration_date ?? books.now(), terms.proration_behavior !== 'none');
  if (!terms?.items && terms?.billing_cycle_anchor?.type !== 'now') {
    if (subscription.cancel_at !== null) {
      throw invalid(`No upcoming invoices for subscription: ${subscription.id}`, 'invoice_upcoming_none', 'subscription');
    }
    return { ...invoiceOfRenewal(books, subscription), reason: 'upcoming' };
  }
  const behavior = terms.proration_behavior ?? 'create_prorations';
  const change = planChange(books, subscription, {
    items: terms.items ?? [],
    prorationBehavior: behavior,
    prorationDate: terms.proration_date ?? null,
    resetAnchor: terms.billing_cycle_anchor?.type === 'now',
  });
  const now = invoiceOfChange(books, subscription, change, behavior === 'always_invoice');
  if (now) return now;
  const renewal = invoiceOfRenewal(books, subscription, change.items);
  return { ...renewal, reason: 'upcoming', lines: [...change.prorations, ...renewal.lines] };
}

function previewEnd(books: Books, subscription: Stripe.Subscription, at: number, prorate: boolean): InvoiceRequest {
  const period = periodOf(subscription);
  const lines = prorate ? subscription.items.data.map((item) => prorationLine(books, item, subscription.id, period, at, 'credit')) : [];
  const customer = customerOf(books, subscription);
  return { customer, subscription, reason: 'upcoming', lines, currency: subscription.currency, period: { start: period.start, end: at } };
}

function previewNew(books: Books, input: Input): InvoiceRequest {
  if (input.customer === undefined) throw invalid('You must specify `customer` or `subscription`.', 'parameter_missing', 'customer');
  const customer = findCustomer(books, input.customer, 'customer');
  const items = (input.subscription_details?.items ?? []).map((item, index) =>
    readNewItem(books, withoutId(item, index), `subscription_details[items][${index}]`),
  );
  const anchor = input.subscription_details?.billing_cycle_anchor?.timestamp ?? null;
  const { first } = composeSubscription(books, {
    customer,
    items,
    extra: [],
    anchor,
    prorationBehavior: input.subscription_details?.proration_behavior ?? 'create_prorations',
    paymentBehavior: 'allow_incomplete',
    collectionMethod: 'charge_automatically',
    daysUntilDue: null,
    defaultPaymentMethod: null,
    description: null,
    metadata: mergeMetadata({}, input.subscription_details?.metadata ?? {}),
    cancelAt: null,
    cancelAtPeriodEnd: false,
    offSession: false,
    saveMethod: 'off',
    taxRates: [],
  });
  return first;
}

function withoutId({ id, deleted, ...item }: ReturnType<typeof changedItemInput>, index: number): Omit<typeof item, never> {
  if (id !== undefined || deleted !== undefined) {
    throw invalid('A new subscription has no items to change yet.', undefined, `subscription_details[items][${index}][id]`);
  }
  return item;
}
