// What follows for an invoice and its subscription when the invoice is paid, cannot be paid, or is given up.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { cancelIntent } from '../attempt.ts';
import { applyPendingUpdate, dropPendingUpdate } from './pending-update.ts';
import { changeBalance } from './balance.ts';
import { customerOf, subscriptionOf } from './invoice.ts';

export const paymentOf = (books: Books, invoice: Stripe.Invoice): Stripe.InvoicePayment | undefined =>
  Object.values(books.state.invoicePayments).findLast((payment) => payment.invoice === invoice.id && payment.status !== 'canceled');

export const intentOf = (books: Books, invoice: Stripe.Invoice): Stripe.PaymentIntent | undefined =>
  books.state.intents[String(paymentOf(books, invoice)?.payment.payment_intent)];

/** `outside`: the invoice was paid in another way than through an intent. */
export function markPaid(books: Books, invoice: Stripe.Invoice, outside = false): void {
  const payment = paymentOf(books, invoice);
  if (outside) {
    closePayment(books, invoice);
    invoice.amount_paid_off_stripe = invoice.amount_remaining;
  } else if (payment) {
    payment.status = 'paid';
    payment.amount_paid = payment.amount_requested;
    payment.status_transitions.paid_at = books.now();
    books.emit('invoice_payment.paid', payment);
  }
  invoice.amount_paid += outside ? 0 : invoice.amount_remaining;
  invoice.amount_remaining = 0;
  invoice.attempted = true;
  invoice.next_payment_attempt = null;
  invoice.status = 'paid';
  invoice.status_transitions.paid_at = books.now();
  books.emit('invoice.paid', invoice);
  books.emit('invoice.payment_succeeded', invoice);
  const subscription = subscriptionOf(books, invoice);
  if (!subscription || subscription.latest_invoice !== invoice.id) return;
  if (subscription.pending_update) applyPendingUpdate(books, subscription);
  if (subscription.status === 'incomplete' || subscription.status === 'past_due' || subscription.status === 'unpaid') {
    setStatus(books, subscription, 'active');
  }
}

/** There is no automatic retry: retries are switched off, and the shop decides when to try again. */
export function markUnpaid(books: Books, invoice: Stripe.Invoice, actionRequired: boolean): void {
  invoice.next_payment_attempt = null;
  books.emit('invoice.payment_failed', invoice);
  if (actionRequired) books.emit('invoice.payment_action_required', invoice);
  const subscription = subscriptionOf(books, invoice);
  if (subscription?.status !== 'active' || subscription.latest_invoice !== invoice.id || subscription.pending_update) return;
  setStatus(books, subscription, 'past_due');
}

export function voidInvoice(books: Books, invoice: Stripe.Invoice): void {
  const applied = (invoice.ending_balance ?? 0) - invoice.starting_balance;
  closePayment(books, invoice);
  changeBalance(books, customerOf(books, invoice), {
    by: -applied,
    currency: invoice.currency,
    type: 'unapplied_from_invoice',
    invoice: invoice.id,
  });
  invoice.status = 'void';
  invoice.auto_advance = false;
  invoice.status_transitions.voided_at = books.now();
  books.emit('invoice.voided', invoice);
  release(books, invoice);
}

export function markUncollectible(books: Books, invoice: Stripe.Invoice): void {
  invoice.status = 'uncollectible';
  invoice.auto_advance = false;
  invoice.status_transitions.marked_uncollectible_at = books.now();
  books.emit('invoice.marked_uncollectible', invoice);
  release(books, invoice);
}

/** The subscription, or a change of it, no longer waits for an invoice that is given up. */
function release(books: Books, invoice: Stripe.Invoice): void {
  const subscription = subscriptionOf(books, invoice);
  if (!subscription || subscription.latest_invoice !== invoice.id) return;
  if (subscription.pending_update) dropPendingUpdate(books, subscription);
  if (subscription.status === 'past_due') setStatus(books, subscription, 'active');
}

/** Cancels the intent of an invoice that will not be paid through it. */
export function closePayment(books: Books, invoice: Stripe.Invoice): void {
  const payment = paymentOf(books, invoice);
  const intent = intentOf(books, invoice);
  if (!payment || payment.status === 'paid') return;
  payment.status = 'canceled';
  payment.status_transitions.canceled_at = books.now();
  if (intent && intent.status !== 'succeeded') cancelIntent(books, intent, 'void_invoice');
}

function setStatus(books: Books, subscription: Stripe.Subscription, status: Stripe.Subscription.Status): void {
  books.change('customer.subscription.updated', subscription, () => {
    subscription.status = status;
  });
}
