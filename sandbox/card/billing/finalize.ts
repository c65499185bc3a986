// Finalizes an invoice: its number, the amount due after the balance is applied, and the intent that will pay it.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { createId } from '../ids.ts';
import { createIntent } from '../intent.ts';
import { MIN_CHARGE, changeBalance } from './balance.ts';
import { customerOf, mustBe, subscriptionOf, total } from './invoice.ts';
import { markPaid } from './settle.ts';

const DAY = 86_400;

/** Numbers the invoice and opens it; it is paid at once when nothing is due. */
export function finalize(books: Books, invoice: Stripe.Invoice): void {
  mustBe(invoice, ['draft'], 'finalize');
  const customer = customerOf(books, invoice);
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  customer.currency ??= invoice.currency;
  invoice.status = 'open';
  invoice.number ??= `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`;
  invoice.automatically_finalizes_at = null;
  invoice.status_transitions.finalized_at = invoice.effective_at = books.now();
  invoice.hosted_invoice_url = `${books.url()}/i/${invoice.id}`;
  invoice.invoice_pdf = `${books.url()}/i/${invoice.id}/pdf`;
  if (invoice.collection_method === 'send_invoice') invoice.due_date ??= books.now() + daysUntilDue(books, invoice) * DAY;
  total(invoice, customer.balance);
  const owed = (invoice.ending_balance ?? 0) - customer.balance;
  const tooSmall = invoice.total > 0 && invoice.amount_due === 0 && invoice.total + customer.balance > 0;
  changeBalance(books, customer, {
    by: owed,
    currency: invoice.currency,
    type: tooSmall && invoice.total < MIN_CHARGE ? 'invoice_too_small' : 'applied_to_invoice',
    invoice: invoice.id,
  });
  if (invoice.amount_due > 0) openPayment(books, invoice);
  books.emit('invoice.finalized', invoice);
  if (invoice.amount_due === 0) markPaid(books, invoice);
}

const daysUntilDue = (books: Books, invoice: Stripe.Invoice): number => subscriptionOf(books, invoice)?.days_until_due ?? 30;

function openPayment(books: Books, invoice: Stripe.Invoice): void {
  const subscription = subscriptionOf(books, invoice);
  const intent = createIntent(books, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: String(invoice.customer),
    description: subscription
      ? invoice.billing_reason === 'subscription_create'
        ? 'Subscription creation'
        : 'Subscription update'
      : invoice.description,
    setupFutureUsage: subscription && invoice.billing_reason === 'subscription_create' ? 'off_session' : null,
  });
  const payment: Stripe.InvoicePayment = {
    id: createId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: books.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
  books.state.invoicePayments[payment.id] = payment;
  books.changed();
}
