// An attempt to pay a checkout session by card: the intent, the charge, the events, once.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { createCharge, createPaymentMethod } from './charge.ts';
import { openIntent } from './intent.ts';
import { createCustomer } from './resources/customers.ts';
import { customerDetails } from './resources/checkout-sessions.ts';
import type { Checkout, EnteredCard } from './state.ts';
import { findTestCard } from './test-cards.ts';
import type { Decline } from './test-cards.ts';

export type PaymentResult =
  | { outcome: 'paid'; redirectUrl: string }
  | { outcome: 'challenge' }
  | { outcome: 'declined'; code: string; message: string }
  | { outcome: 'closed'; status: 'complete' | 'expired' };

/** The bank's refusal when the customer fails to confirm. */
const NOT_AUTHENTICATED: Decline = {
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/** Tries `card` on an open session. A session that is paid already is not charged again: its result is `paid` once more. */
export function pay(books: Books, checkout: Checkout, card: EnteredCard, email: string | null): PaymentResult {
  const { session } = checkout;
  const closed = closedResult(session);
  if (closed) return closed;

  if (email !== null && session.customer_details === null) session.customer_details = customerDetails(email);
  const row = findTestCard(card.number);
  const intent = openIntent(books, checkout);
  if (row.challenge || checkout.alwaysChallenge) {
    checkout.challenged = card;
    intent.status = 'requires_action';
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { url: challengeUrl(books, session.id), return_url: session.success_url },
    };
    books.emit('payment_intent.requires_action', intent, null);
    return { outcome: 'challenge' };
  }
  return settle(books, checkout, intent, card, row.decline);
}

/** Ends the customer's confirmation with the bank; `passed` is what the customer chose. */
export function completeChallenge(books: Books, checkout: Checkout, passed: boolean): PaymentResult {
  const closed = closedResult(checkout.session);
  if (closed) return closed;
  const card = checkout.challenged;
  if (card === null) return { outcome: 'declined', ...NOT_AUTHENTICATED };
  checkout.challenged = null;
  const intent = openIntent(books, checkout);
  intent.next_action = null;
  if (passed) return settle(books, checkout, intent, card, findTestCard(card.number).decline);
  return refuse(books, intent, createPaymentMethod(books, intent, card), null, NOT_AUTHENTICATED);
}

export const successUrl = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);

const challengeUrl = (books: Books, sessionId: string): string => `${books.url()}/c/pay/${sessionId}/challenge`;

function closedResult(session: Stripe.Checkout.Session): PaymentResult | null {
  if (session.status === 'complete') return { outcome: 'paid', redirectUrl: successUrl(session) };
  if (session.status === 'expired') return { outcome: 'closed', status: 'expired' };
  return null;
}

/** Charges the card, or refuses it, and closes the session when it is paid. */
function settle(
  books: Books,
  checkout: Checkout,
  intent: Stripe.PaymentIntent,
  card: EnteredCard,
  decline: Decline | undefined,
): PaymentResult {
  const { session } = checkout;
  const method = createPaymentMethod(books, intent, card);
  const charge = createCharge(books, intent, method, session.customer_details?.email ?? null, decline);
  intent.latest_charge = charge.id;
  if (decline) return refuse(books, intent, method, charge, decline);

  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  books.emit('charge.succeeded', charge, null);
  books.emit('payment_intent.succeeded', intent, null);

  if (checkout.createCustomer && session.customer === null) {
    const email = session.customer_details?.email;
    session.customer = createCustomer(books, email === undefined || email === null ? {} : { email }, null).id;
    intent.customer = charge.customer = session.customer;
  }
  session.status = 'complete';
  session.payment_status = 'paid';
  session.url = null;
  books.emit('checkout.session.completed', session, null);
  return { outcome: 'paid', redirectUrl: successUrl(session) };
}

/** The intent goes back to waiting for a card, and remembers why. */
function refuse(
  books: Books,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  charge: Stripe.Charge | null,
  decline: Decline,
): PaymentResult {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.last_payment_error = {
    type: charge === null ? 'invalid_request_error' : 'card_error',
    code: decline.code,
    message: decline.message,
    payment_method: structuredClone(method),
    ...(charge && { charge: charge.id }),
    ...(decline.declineCode && { decline_code: decline.declineCode }),
  };
  if (charge) books.emit('charge.failed', charge, null);
  books.emit('payment_intent.payment_failed', intent, null);
  return { outcome: 'declined', code: decline.declineCode ?? decline.code, message: decline.message };
}
