// A checkout paid by a method whose money arrives days later: it is complete but unpaid at first, and paid or failed in the end:
// https://docs.stripe.com/payments/checkout/fulfill-orders (delayed notification), https://docs.stripe.com/payments/ach-direct-debit
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { bookCharge, createCharge } from './charge.ts';
import { createId } from './ids.ts';
import { openIntent } from './intent.ts';
import { EMPTY_BILLING } from './method.ts';
import type { Checkout } from './state.ts';

/** "Up to 4 business days". */
const SETTLES_SECONDS = 6 * 86_400;

export const DELAYED_METHODS = ['us_bank_account', 'sepa_debit'] as const;
/** The methods that the merchant has enabled in the processor's dashboard; a session offers all of them, or those that it allows. */
export const DASHBOARD_METHODS: readonly string[] = ['card', 'us_bank_account'];

export const takesDelayed = ({ mode, payment_method_types: types }: Stripe.Checkout.Session): boolean =>
  mode === 'payment' && DELAYED_METHODS.some((type) => types.includes(type));

/** The customer has agreed to the debit: the session can no longer be paid, but no money has arrived. */
export function promise(books: Books, checkout: Checkout): void {
  const { session } = checkout;
  if (session.status !== 'open' || !takesDelayed(session)) throw new Error(`session ${session.id} takes no delayed payment`);
  const type = DELAYED_METHODS.find((one) => session.payment_method_types.includes(one)) ?? 'us_bank_account';
  const intent = openIntent(books, checkout);
  const method = createDebit(books, type);
  const charge = createCharge(books, intent, method, session.customer_details?.email ?? null, 'pending');
  intent.status = 'processing';
  intent.payment_method = method.id;
  intent.latest_charge = charge.id;
  books.emit('charge.pending', charge);
  books.emit('payment_intent.processing', intent);
  session.status = 'complete';
  session.url = null;
  books.emit('checkout.session.completed', session, null);
}

/** The customer's bank has paid or refused the debit. */
export function settleDebit(books: Books, { session }: Checkout, succeeded: boolean): void {
  const intent = books.state.intents[String(session.payment_intent)];
  const charge = books.state.charges[String(intent?.latest_charge)];
  if (!intent || !charge || intent.status !== 'processing') return;
  charge.status = succeeded ? 'succeeded' : 'failed';
  charge.paid = succeeded;
  if (succeeded) {
    bookCharge(books, charge);
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    session.payment_status = 'paid';
    books.emit('charge.succeeded', charge);
    books.emit('payment_intent.succeeded', intent);
    books.emit('checkout.session.async_payment_succeeded', session, null);
    return;
  }
  charge.failure_code = 'payment_method_provider_decline';
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  books.emit('charge.failed', charge);
  books.emit('payment_intent.payment_failed', intent);
  books.emit('checkout.session.async_payment_failed', session, null);
}

/** Debits that no test has settled succeed after SETTLES_SECONDS. */
export function settleDueDebits(books: Books): void {
  for (const checkout of Object.values(books.state.checkouts)) {
    const intent = books.state.intents[String(checkout.session.payment_intent)];
    if (intent?.status === 'processing' && intent.created + SETTLES_SECONDS <= books.now()) settleDebit(books, checkout, true);
  }
}

function createDebit(books: Books, type: (typeof DELAYED_METHODS)[number]): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: createId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: EMPTY_BILLING,
    created: books.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type,
  };
  books.state.paymentMethods[method.id] = method;
  return method;
}
