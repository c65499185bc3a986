// Collects an invoice: chooses the card to charge, and applies the bank's answer to the invoice.
import type Stripe from 'stripe';
import { attempt, foresee } from '../attempt.ts';
import type { AttemptResult, AttemptTerms } from '../attempt.ts';
import type { Books } from '../books.ts';
import { invalid } from '../fault.ts';
import { rowOf } from '../state.ts';
import { NEEDS_AUTHENTICATION } from '../test-cards.ts';
import { customerOf, findInvoice, subscriptionOf } from './invoice.ts';
import { intentOf, markPaid, markUnpaid } from './settle.ts';

/** The card to charge: that of the invoice, of the subscription, or of the customer, in this order. */
export function methodFor(books: Books, invoice: Stripe.Invoice): Stripe.PaymentMethod | undefined {
  const subscription = subscriptionOf(books, invoice);
  const customer = customerOf(books, invoice);
  const id = invoice.default_payment_method ?? subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  return rowOf(books.state.paymentMethods, String(id));
}

export const noMethod = (): ReturnType<typeof invalid> =>
  invalid(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    'resource_missing',
  );

/**
 * Charges an open invoice. Without a card this counts as a failed attempt. When the card needs authentication, the intent waits for the customer, also when the
 * customer is absent: they authenticate on the invoice's page.
 */
export function collect(
  books: Books,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined,
  terms: AttemptTerms,
): AttemptResult | null {
  const intent = intentOf(books, invoice);
  if (!intent || !method) {
    invoice.attempted = true;
    invoice.attempt_count += 1;
    markUnpaid(books, invoice, false);
    return null;
  }
  if (foresee(books, method, terms) === NEEDS_AUTHENTICATION)
    return confirmIntent(books, intent, method, { ...terms, offSession: false, alwaysAsk: true });
  return confirmIntent(books, intent, method, terms);
}

/** Attempts an intent, whoever asks for it; its invoice, if it has one, is updated. */
export function confirmIntent(
  books: Books,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  terms: AttemptTerms,
): AttemptResult {
  return conclude(books, intent, method, attempt(books, intent, method, terms));
}

/** Updates the intent's invoice, if it has one, with the result of the attempt. */
export function conclude(books: Books, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, result: AttemptResult): AttemptResult {
  const payment = Object.values(books.state.invoicePayments).find(
    (candidate) => candidate.payment.payment_intent === intent.id && candidate.status === 'open',
  );
  if (!payment) return result;
  const invoice = findInvoice(books, String(payment.invoice));
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (result.outcome === 'succeeded') {
    saveForRenewals(books, invoice, method);
    markPaid(books, invoice);
  } else {
    markUnpaid(books, invoice, result.outcome === 'requires_action');
  }
  return result;
}

/** `payment_settings.save_default_payment_method`: the card that has paid becomes the subscription's default for renewals. */
function saveForRenewals(books: Books, invoice: Stripe.Invoice, method: Stripe.PaymentMethod): void {
  const subscription = subscriptionOf(books, invoice);
  if (subscription?.payment_settings?.save_default_payment_method !== 'on_subscription') return;
  books.change('customer.subscription.updated', subscription, () => {
    subscription.default_payment_method = method.id;
  });
}
