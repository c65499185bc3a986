// One attempt to charge a payment intent: the bank's answer, the charge, the intent's new state, the events. The effects on an invoice or session are
// handled by the caller.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { createCharge } from './charge.ts';
import { openDispute, warnOfFraud } from './dispute.ts';
import { cardRefused } from './fault.ts';
import type { Fault } from './fault.ts';
import { attach, knownCard, markSetUp } from './method.ts';
import { rowOf } from './state.ts';
import { asksForAuthentication, EXPIRED, NEEDS_AUTHENTICATION, NOT_AUTHENTICATED } from './test-cards.ts';
import type { Decline, TestCard } from './test-cards.ts';

export interface AttemptTerms {
  /** The customer is absent, so that nobody can authenticate with the bank. */
  offSession: boolean;
  /** The customer has just authenticated. */
  authenticated?: boolean;
  /** The shop demands authentication, whatever the card needs. */
  alwaysAsk?: boolean;
  email?: string | null;
  /** Where the customer goes after the authentication. */
  returnUrl?: string | null;
}

export type AttemptResult = { outcome: 'succeeded' } | { outcome: 'requires_action' } | { outcome: 'declined'; decline: Decline };

/** The refusal that a charge of `method` on these terms would get, or null. Changes nothing. */
export function foresee(books: Books, method: Stripe.PaymentMethod, terms: AttemptTerms): Decline | 'requires_action' | null {
  const { row, setUp } = knownCard(books, method);
  const asked = !terms.authenticated && (terms.alwaysAsk === true || asksForAuthentication(row, { setUp, offSession: terms.offSession }));
  if (asked) return terms.offSession ? NEEDS_AUTHENTICATION : 'requires_action';
  return row.decline ?? (isExpired(books, method) ? EXPIRED : null);
}

/** A card is valid until the end of the month that is printed on it. */
const isExpired = (books: Books, { card }: Stripe.PaymentMethod): boolean =>
  card !== undefined && books.now() * 1000 >= Date.UTC(card.exp_year, card.exp_month, 1);

export function attempt(books: Books, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, terms: AttemptTerms): AttemptResult {
  const answer = foresee(books, method, terms);
  if (answer === 'requires_action') {
    waitForCustomer(books, intent, method, terms.returnUrl ?? null);
    return { outcome: 'requires_action' };
  }
  const charge = createCharge(books, intent, method, terms.email ?? null, answer ?? undefined);
  intent.latest_charge = charge.id;
  if (answer) return refuse(books, intent, method, charge, answer);

  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.payment_method = method.id;
  intent.next_action = null;
  intent.last_payment_error = null;
  books.emit('charge.succeeded', charge);
  books.emit('payment_intent.succeeded', intent);
  if (intent.setup_future_usage !== null) save(books, intent, method);
  const { after } = knownCard(books, method).row;
  if (after) AFTER[after](books, charge);
  return { outcome: 'succeeded' };
}

/** What test cards of these kinds do after they have paid. */
const AFTER: Record<NonNullable<TestCard['after']>, (books: Books, charge: Stripe.Charge) => unknown> = {
  disputes_as_fraud: (books, charge) => openDispute(books, charge, { reason: 'fraudulent' }),
  disputes_as_not_received: (books, charge) => openDispute(books, charge, { reason: 'product_not_received' }),
  inquires: (books, charge) => openDispute(books, charge, { reason: 'fraudulent', inquiry: true }),
  warns_of_fraud: warnOfFraud,
};

/** The customer failed the bank's authentication. */
export function failAuthentication(books: Books, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): AttemptResult {
  return refuse(books, intent, method, null, NOT_AUTHENTICATED);
}

export function waitForCustomer(books: Books, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, returnUrl: string | null): void {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.next_action = {
    type: 'redirect_to_url',
    redirect_to_url: { url: `${books.url()}/c/confirm/${intent.id}`, return_url: returnUrl },
  };
  books.emit('payment_intent.requires_action', intent);
}

/** The answer to a request whose card was refused: 402, with the intent in its present state. */
export function refusalOf(intent: Stripe.PaymentIntent, decline: Decline): Fault {
  const error = intent.last_payment_error;
  return cardRefused(decline, {
    payment_intent: structuredClone(intent),
    ...(error?.charge && { charge: error.charge }),
    ...(error?.payment_method && { payment_method: error.payment_method }),
  });
}

function save(books: Books, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
  const customer = rowOf(books.state.customers, String(intent.customer));
  if (customer) attach(books, method, customer);
  if (intent.setup_future_usage === 'off_session') markSetUp(books, method);
}

/** The intent waits for a payment method again and stores the reason of the refusal. */
function refuse(
  books: Books,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  charge: Stripe.Charge | null,
  decline: Decline,
): AttemptResult {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  intent.last_payment_error = {
    type: charge === null ? 'invalid_request_error' : 'card_error',
    code: decline.code,
    message: decline.message,
    payment_method: structuredClone(method),
    ...(charge && { charge: charge.id }),
    ...(decline.declineCode && { decline_code: decline.declineCode }),
    ...(decline.advice && { advice_code: decline.advice }),
  };
  if (charge) books.emit('charge.failed', charge);
  books.emit('payment_intent.payment_failed', intent);
  return { outcome: 'declined', decline };
}

export function cancelIntent(
  books: Books,
  intent: Stripe.PaymentIntent,
  reason: NonNullable<Stripe.PaymentIntent['cancellation_reason']> | null,
): void {
  intent.status = 'canceled';
  intent.canceled_at = books.now();
  intent.cancellation_reason = reason;
  intent.next_action = null;
  books.emit('payment_intent.canceled', intent);
}
