// The payment intent of a checkout session.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { createId } from './ids.ts';
import type { Checkout } from './state.ts';

/** The session's intent; the first attempt creates it, as at the processor. */
export function openIntent(books: Books, { session, intentData }: Checkout): Stripe.PaymentIntent {
  const existing = books.state.intents[String(session.payment_intent)];
  if (existing) return existing;
  const id = createId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: session.amount_total ?? 0,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${createId('li').slice(3)}`,
    confirmation_method: 'automatic',
    created: books.now(),
    currency: session.currency ?? 'usd',
    customer: session.customer,
    customer_account: null,
    description: intentData.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: { ...intentData.metadata },
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: intentData.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  };
  books.state.intents[id] = intent;
  session.payment_intent = id;
  books.emit('payment_intent.created', intent, null);
  return intent;
}
