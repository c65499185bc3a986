// Drafts of invoice lines, and their conversion to pending invoice items and to lines of an invoice.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { toPrice } from '../prices.ts';
import { createId } from '../ids.ts';
import { decimal, productName } from '../prices.ts';
import { prorate, rhythmOf, toRhythmText } from './period.ts';
import type { Period } from './period.ts';

export interface LineDraft {
  amount: number;
  currency: string;
  description: string | null;
  quantity: number;
  period: Period;
  price: Stripe.Price | null;
  subscription: string | null;
  subscriptionItem: string | null;
  proration: boolean;
  invoiceItem: string | null;
  metadata: Record<string, string>;
}

type Priced = Pick<Stripe.SubscriptionItem, 'price' | 'quantity'> & { id: string | null };

const amountOf = ({ price, quantity }: Priced): number => (price.unit_amount ?? 0) * (quantity ?? 1);

const draftOf = (item: Priced, subscription: string | null, period: Period): LineDraft => ({
  amount: amountOf(item),
  currency: item.price.currency,
  description: null,
  quantity: item.quantity ?? 1,
  period,
  price: item.price,
  subscription,
  subscriptionItem: item.id,
  proration: false,
  invoiceItem: null,
  metadata: {},
});

/** A subscription item for a whole period. */
export function periodLine(books: Books, item: Priced, subscription: string | null, period: Period): LineDraft {
  const { price } = item;
  const rate = `${toPrice(price.unit_amount ?? 0, price.currency)} / ${toRhythmText(rhythmOf(price))}`;
  return { ...draftOf(item, subscription, period), description: `${item.quantity ?? 1} × ${productName(books, price)} (at ${rate})` };
}

/** The part of a subscription item for the rest of `period` from `at`; with `credit` as a negative line. */
export function prorationLine(
  books: Books,
  item: Priced,
  subscription: string | null,
  period: Period,
  at: number,
  kind: 'credit' | 'charge',
): LineDraft {
  const name = `${(item.quantity ?? 1) > 1 ? `${item.quantity} × ` : ''}${productName(books, item.price)}`;
  const rest = prorate(amountOf(item), period.end - at, period.end - period.start);
  return {
    ...draftOf(item, subscription, { start: at, end: period.end }),
    amount: kind === 'credit' ? -rest : rest,
    description: `${kind === 'credit' ? 'Unused' : 'Remaining'} time on ${name} after ${toDay(at)}`,
    proration: true,
  };
}

const toDay = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toLocaleDateString('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Creates a line that waits for the customer's next invoice, or that belongs to the draft `invoice`. */
export function createInvoiceItem(books: Books, draft: LineDraft, customer: string, invoice: string | null): Stripe.InvoiceItem {
  const item: Stripe.InvoiceItem = {
    id: createId('ii'),
    object: 'invoiceitem',
    amount: draft.amount,
    currency: draft.currency,
    customer,
    customer_account: null,
    date: books.now(),
    description: draft.description,
    discountable: !draft.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: draft.metadata,
    net_amount: draft.amount,
    parent:
      draft.subscription === null
        ? null
        : {
            type: 'subscription_details',
            subscription_details: {
              subscription: draft.subscription,
              ...(draft.subscriptionItem !== null && { subscription_item: draft.subscriptionItem }),
            },
          },
    period: draft.period,
    pricing: pricingOf(draft),
    proration: draft.proration,
    quantity: draft.quantity,
    quantity_decimal: decimal(draft.quantity),
    tax_rates: [],
    test_clock: books.state.customers[customer]?.test_clock ?? null,
  };
  books.state.invoiceItems[item.id] = item;
  books.emit('invoiceitem.created', item);
  return item;
}

/** The line draft of a pending item. */
export function draftOfItem(books: Books, item: Stripe.InvoiceItem): LineDraft {
  const details = item.parent?.subscription_details;
  return {
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    quantity: item.quantity,
    period: item.period,
    price: books.state.prices[String(item.pricing?.price_details?.price)] ?? null,
    subscription: details?.subscription ?? null,
    subscriptionItem: details?.subscription_item ?? null,
    proration: item.proration,
    invoiceItem: item.id,
    metadata: item.metadata ?? {},
  };
}

export function toLine(draft: LineDraft, invoice: string): Stripe.InvoiceLineItem {
  const common = { proration: draft.proration, proration_details: draft.proration ? { credited_items: null } : null };
  return {
    id: createId('il'),
    object: 'line_item',
    amount: draft.amount,
    currency: draft.currency,
    description: draft.description,
    discount_amounts: [],
    discountable: !draft.proration,
    discounts: [],
    invoice,
    livemode: false,
    metadata: draft.metadata,
    parent:
      draft.subscription !== null && draft.subscriptionItem !== null
        ? {
            type: 'subscription_item_details',
            invoice_item_details: null,
            subscription_item_details: {
              ...common,
              invoice_item: draft.invoiceItem,
              subscription: draft.subscription,
              subscription_item: draft.subscriptionItem,
            },
          }
        : {
            type: 'invoice_item_details',
            invoice_item_details: { ...common, invoice_item: draft.invoiceItem ?? '', subscription: draft.subscription },
            subscription_item_details: null,
          },
    period: draft.period,
    pretax_credit_amounts: [],
    pricing: pricingOf(draft),
    quantity: draft.quantity,
    quantity_decimal: decimal(draft.quantity),
    subscription: draft.subscription,
    subtotal: draft.amount,
    taxes: [],
  };
}

const pricingOf = ({ price, amount, quantity }: LineDraft): Stripe.InvoiceLineItem['pricing'] => ({
  type: 'price_details',
  ...(price && { price_details: { price: price.id, product: String(price.product) } }),
  unit_amount_decimal: price ? price.unit_amount_decimal : decimal(amount / quantity),
});
