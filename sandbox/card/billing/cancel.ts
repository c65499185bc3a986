// Ends a subscription: at a planned time, which can be withdrawn, or now.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { collect, methodFor } from './collect.ts';
import { finalize } from './finalize.ts';
import { createInvoice, customerOf, pendingLines } from './invoice.ts';
import { createInvoiceItem, prorationLine } from './lines.ts';
import { voidInvoice } from './settle.ts';
import { periodOf } from './subscription.ts';

/** Plans the end for `at` or for the end of the period; null withdraws it. */
export function planEnd(books: Books, subscription: Stripe.Subscription, at: number | 'period_end' | null): void {
  subscription.cancel_at_period_end = at === 'period_end';
  subscription.cancel_at = at === 'period_end' ? periodOf(subscription).end : at;
  subscription.canceled_at = at === null ? null : books.now();
  subscription.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    reason: at === null ? null : 'cancellation_requested',
  };
}

export interface EndRequest {
  /** Credits what was paid for the remaining time. */
  prorate: boolean;
  invoiceNow: boolean;
}

export function endNow(books: Books, subscription: Stripe.Subscription, { prorate, invoiceNow }: EndRequest): void {
  const customer = customerOf(books, subscription);
  const now = books.now();
  if (prorate) {
    for (const item of subscription.items.data) {
      const period = { start: item.current_period_start, end: item.current_period_end };
      createInvoiceItem(books, prorationLine(books, item, subscription.id, period, now, 'credit'), customer.id, null);
    }
  }
  const lines = invoiceNow ? pendingLines(books, customer.id, subscription.id, subscription.currency) : [];
  if (lines.length > 0) {
    const period = { start: periodOf(subscription).start, end: now };
    const request = { customer, subscription, reason: 'subscription_update' as const, lines, currency: subscription.currency, period };
    const invoice = createInvoice(books, { ...request, autoAdvance: true });
    finalize(books, invoice);
    if (invoice.status === 'open') collect(books, invoice, methodFor(books, invoice), { offSession: true });
  }
  close(books, subscription, 'cancellation_requested');
}

/** Ends the subscription now. Open invoices stay open and are no longer collected. */
export function close(books: Books, subscription: Stripe.Subscription, reason: Stripe.Subscription.CancellationDetails.Reason): void {
  subscription.status = 'canceled';
  subscription.ended_at = books.now();
  subscription.canceled_at ??= books.now();
  subscription.cancellation_details = {
    comment: null,
    feedback: null,
    feedback_option: null,
    ...subscription.cancellation_details,
    reason,
  };
  subscription.pending_update = null;
  for (const invoice of Object.values(books.state.invoices)) {
    if (invoice.parent?.subscription_details?.subscription !== subscription.id) continue;
    if (invoice.status === 'draft' || invoice.status === 'open') invoice.auto_advance = false;
  }
  books.emit('customer.subscription.deleted', subscription);
}

/** Ends a subscription whose first payment has not come within 23 hours. */
export function expireIncomplete(books: Books, subscription: Stripe.Subscription): void {
  const invoice = books.state.invoices[String(subscription.latest_invoice)];
  if (invoice?.status === 'open') voidInvoice(books, invoice);
  books.change('customer.subscription.updated', subscription, () => {
    subscription.status = 'incomplete_expired';
    subscription.ended_at = books.now();
  });
}
