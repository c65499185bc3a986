// An attempt to pay a checkout session by card, in each of its modes: one payment, a card to save, a subscription.
import type Stripe from 'stripe';
import { attempt, failAuthentication, foresee } from './attempt.ts';
import { createSubscription } from './billing/subscription.ts';
import type { Books } from './books.ts';
import { openIntent } from './intent.ts';
import { createPaymentMethod } from './method.ts';
import { customerDetails } from './session-shape.ts';
import { createCustomer } from './customer.ts';
import { readLine } from './line-items.ts';
import { confirmSetup } from './setup.ts';
import { rowOf } from './state.ts';
import type { Checkout, EnteredCard } from './state.ts';
import { asksForAuthentication, findTestCard, NOT_AUTHENTICATED } from './test-cards.ts';
import type { Decline } from './test-cards.ts';

export type PaymentResult =
  | { outcome: 'paid'; redirectUrl: string }
  | { outcome: 'challenge' }
  | { outcome: 'declined'; code: string; message: string }
  | { outcome: 'closed'; status: 'complete' | 'expired' };

/** Tries `card` on an open session. A session that is already paid is not charged again: the result is `paid` once more. */
export function pay(books: Books, checkout: Checkout, card: EnteredCard, email: string | null): PaymentResult {
  const { session } = checkout;
  const closed = closedResult(session);
  if (closed) return closed;

  if (email !== null && session.customer_details === null) session.customer_details = customerDetails(email);
  if (checkout.alwaysChallenge || asksForAuthentication(findTestCard(card.number), { setUp: false, offSession: false })) {
    checkout.challenged = card;
    waitAtTheBank(books, checkout);
    return { outcome: 'challenge' };
  }
  return settle(books, checkout, card, undefined);
}

/** Ends the customer's authentication with the bank; `passed`: whether the customer passed. */
export function completeChallenge(books: Books, checkout: Checkout, passed: boolean): PaymentResult {
  const closed = closedResult(checkout.session);
  if (closed) return closed;
  const card = checkout.challenged;
  if (card === null) return { outcome: 'declined', ...NOT_AUTHENTICATED };
  checkout.challenged = null;
  return settle(books, checkout, card, passed);
}

export const successUrl = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);

function closedResult(session: Stripe.Checkout.Session): PaymentResult | null {
  if (session.status === 'complete') return { outcome: 'paid', redirectUrl: successUrl(session) };
  if (session.status === 'expired') return { outcome: 'closed', status: 'expired' };
  return null;
}

/** Only a single payment has an intent that can show that it waits. */
function waitAtTheBank(books: Books, checkout: Checkout): void {
  const { session } = checkout;
  if (session.mode !== 'payment') return;
  const intent = openIntent(books, checkout);
  intent.status = 'requires_action';
  intent.next_action = {
    type: 'redirect_to_url',
    redirect_to_url: { url: `${books.url()}/c/pay/${session.id}/challenge`, return_url: session.success_url },
  };
  books.emit('payment_intent.requires_action', intent);
}

/** `passed`: whether the customer passed the bank's challenge; undefined when there was none. */
function settle(books: Books, checkout: Checkout, card: EnteredCard, passed: boolean | undefined): PaymentResult {
  const method = createPaymentMethod(books, card, { email: checkout.session.customer_details?.email ?? null });
  const refusal = SETTLE[checkout.session.mode as keyof typeof SETTLE](books, checkout, method, passed);
  if (refusal) return { outcome: 'declined', code: refusal.declineCode ?? refusal.code, message: refusal.message };
  return complete(books, checkout.session);
}

/** Charges or saves the card, by mode; each returns the refusal, or null. */
const SETTLE = { payment: settlePayment, setup: settleSetup, subscription: settleSubscription };

function settlePayment(books: Books, checkout: Checkout, method: Stripe.PaymentMethod, passed: boolean | undefined): Decline | null {
  const intent = openIntent(books, checkout);
  intent.next_action = null;
  const { session } = checkout;
  const email = session.customer_details?.email ?? null;
  const terms = { offSession: false, authenticated: true, email };
  if (checkout.createCustomer && session.customer === null && passed !== false && foresee(books, method, terms) === null) {
    intent.customer = ownerOf(books, checkout).id;
  }
  const result = passed === false ? failAuthentication(books, intent, method) : attempt(books, intent, method, terms);
  if (result.outcome === 'declined') return result.decline;
  session.payment_status = 'paid';
  return null;
}

function settleSetup(books: Books, checkout: Checkout, method: Stripe.PaymentMethod, passed: boolean | undefined): Decline | null {
  const setup = books.state.setupIntents[String(checkout.session.setup_intent)] as Stripe.SetupIntent;
  if (passed !== false) setup.customer ??= ownerOf(books, checkout).id;
  const result = confirmSetup(books, setup, method, { authenticated: passed ?? true });
  return result.outcome === 'declined' ? result.decline : null;
}

function settleSubscription(books: Books, checkout: Checkout, method: Stripe.PaymentMethod, passed: boolean | undefined): Decline | null {
  if (passed === false) return NOT_AUTHENTICATED;
  const refusal = foresee(books, method, { offSession: false, authenticated: true });
  if (refusal && refusal !== 'requires_action') return refusal;
  const { session, subscriptionData, lines } = checkout;
  const customer = ownerOf(books, checkout);
  const setup = books.state.cards[method.id];
  method.customer = customer.id;
  books.emit('payment_method.attached', method);
  if (setup) setup.setUp = true;
  const items = lines.filter((line) => line.price?.recurring);
  const subscription = createSubscription(books, {
    customer,
    items: items.map((line) => ({ price: line.price as Stripe.Price, quantity: line.quantity ?? 1, metadata: {} })),
    extra: lines.filter((line) => !line.price?.recurring).map((line) => readLine(books, line)),
    anchor: subscriptionData.anchor,
    prorationBehavior: subscriptionData.proration,
    paymentBehavior: 'allow_incomplete',
    collectionMethod: 'charge_automatically',
    daysUntilDue: null,
    defaultPaymentMethod: method.id,
    description: subscriptionData.description,
    metadata: subscriptionData.metadata,
    cancelAt: null,
    cancelAtPeriodEnd: false,
    offSession: false,
    saveMethod: 'off',
    taxRates: subscriptionData.taxRates,
    authenticated: true,
  });
  session.subscription = subscription.id;
  session.invoice = typeof subscription.latest_invoice === 'string' ? subscription.latest_invoice : null;
  session.payment_status = 'paid';
  return null;
}

/** The session's customer, created now when there is none. */
function ownerOf(books: Books, { session }: Checkout): Stripe.Customer {
  const known = rowOf(books.state.customers, String(session.customer));
  if (known) return known;
  const email = session.customer_details?.email;
  const made = createCustomer(books, email === undefined || email === null ? {} : { email }, null);
  session.customer = made.id;
  return made;
}

function complete(books: Books, session: Stripe.Checkout.Session): PaymentResult {
  session.status = 'complete';
  session.url = null;
  books.emit('checkout.session.completed', session, null);
  return { outcome: 'paid', redirectUrl: successUrl(session) };
}
