// Ends a period: the next one begins, with an invoice.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { close } from './cancel.ts';
import { composeInvoice, createInvoice, customerOf, pendingLines } from './invoice.ts';
import type { InvoiceRequest } from './invoice.ts';
import { periodLine } from './lines.ts';
import { anchorOf, periodFrom, rhythmOf } from './period.ts';
import { periodOf } from './subscription.ts';

/** The invoice of the next renewal, with the present items or with `items`. */
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
    // `pause_collection`: the shop finalizes the invoices itself.
    autoAdvance: subscription.pause_collection === null,
  };
}

/** Renews a subscription whose period has ended, or ends it when that was planned. */
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

/** `invoice.upcoming`: announces the renewal's invoice some days ahead. */
export function announce(books: Books, subscription: Stripe.Subscription): void {
  books.state.announced[subscription.id] = periodOf(subscription).end;
  books.emit('invoice.upcoming', composeInvoice(books, { ...invoiceOfRenewal(books, subscription), reason: 'upcoming' }, 'upcoming_in'));
}
