// Payment intents: an amount that is paid once, for a checkout session, an invoice, or the shop's own request.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { createId } from './ids.ts';
import type { Checkout } from './state.ts';

export interface IntentRequest {
  amount: number;
  currency: string;
  customer: string | null;
  paymentMethod?: string | null;
  description?: string | null;
  metadata?: Record<string, string>;
  receiptEmail?: string | null;
  setupFutureUsage?: 'off_session' | 'on_session' | null;
  statementSuffix?: string | null;
}

export function createIntent(books: Books, request: IntentRequest): Stripe.PaymentIntent {
  const id = createId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: request.amount,
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
    currency: request.currency,
    customer: request.customer,
    customer_account: null,
    description: request.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: { ...request.metadata },
    next_action: null,
    on_behalf_of: null,
    payment_method: request.paymentMethod ?? null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: request.receiptEmail ?? null,
    review: null,
    setup_future_usage: request.setupFutureUsage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: request.statementSuffix ?? null,
    status: request.paymentMethod ? 'requires_confirmation' : 'requires_payment_method',
    transfer_group: null,
  };
  books.state.intents[id] = intent;
  books.emit('payment_intent.created', intent);
  return intent;
}

/** The session's intent, created at the first attempt, as at the real processor. */
export function openIntent(books: Books, { session, intentData }: Checkout): Stripe.PaymentIntent {
  const existing = books.state.intents[String(session.payment_intent)];
  if (existing) return existing;
  const intent = createIntent(books, {
    amount: session.amount_total ?? 0,
    currency: session.currency ?? 'usd',
    customer: typeof session.customer === 'string' ? session.customer : null,
    ...intentData,
  });
  session.payment_intent = intent.id;
  return intent;
}
