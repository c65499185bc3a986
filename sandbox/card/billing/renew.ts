// A period ends: the next one begins, with an invoice for it.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { close } from './cancel.ts';
import { composeInvoice, createInvoice, customerOf, pendingLines } from './invoice.ts';
import type { InvoiceRequest } from './invoice.ts';
import { periodLine } from './lines.ts';
import { anchorOf, periodFrom, rhythmOf } from './period.ts';
import { periodOf } from './subscription.ts';

/** What the next renewal asks for, with the items as they are, or as `items` would make them. */
export function invoiceOfRenewal(books: Books, subscription: Stripe.Subscription, items = subscription.items.data): InvoiceRequest {
  const customer = customerOf(books, subscription);
  const last = { start: items[0]?.current_period_start ?? 0, end: items[0]?.current_period_end ?? 0 };
  const lines = items.map((item) => {
    const next = periodFrom(last.end, anchorOf(subscription), rhythmOf(item.price));
    return periodLine(books, item, subscription.id, next);
  });
  return {
    customer,
    subscription,
    reason: 'subscription_cycle',
    lines: [...pendingLines(books, customer.id, subscription.id, subscription.currency), ...lines],
    currency: subscription.currency,
    period: last,
    // `pause_collection`: the shop makes its invoices final itself.
    autoAdvance: subscription.pause_collection === null,
  };
}

/** Renews at the end of the period, or ends what was to end. */
export function renew(books: Books, subscription: Stripe.Subscription): void {
  if (subscription.cancel_at !== null && subscription.cancel_at <= books.now()) {
    close(books, subscription, subscription.cancellation_details?.reason ?? 'cancellation_requested');
    return;
  }
  const request = invoiceOfRenewal(books, subscription);
  books.change('customer.subscription.updated', subscription, () => {
    for (const item of subscription.items.data) {
      const next = periodFrom(item.current_period_end, anchorOf(subscription), rhythmOf(item.price));
      Object.assign(item, { current_period_start: next.start, current_period_end: next.end });
    }
  });
  createInvoice(books, request);
}

/** `invoice.upcoming`: what the renewal will ask for, some days before. */
export function announce(books: Books, subscription: Stripe.Subscription): void {
  books.state.announced[subscription.id] = periodOf(subscription).end;
  books.emit('invoice.upcoming', composeInvoice(books, { ...invoiceOfRenewal(books, subscription), reason: 'upcoming' }, 'upcoming_in'));
}
