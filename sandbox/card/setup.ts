// Saves a card for later: the bank is asked once, nothing is charged.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { createId } from './ids.ts';
import { attach, knownCard, markSetUp } from './method.ts';
import { rowOf } from './state.ts';
import { NOT_AUTHENTICATED } from './test-cards.ts';
import type { Decline } from './test-cards.ts';

export interface SetupRequest {
  customer: string | null;
  paymentMethod?: string | null;
  description?: string | null;
  metadata?: Record<string, string>;
  usage?: 'off_session' | 'on_session';
}

export type SetupResult = { outcome: 'succeeded' } | { outcome: 'requires_action' } | { outcome: 'declined'; decline: Decline };

export function createSetup(books: Books, request: SetupRequest): Stripe.SetupIntent {
  const id = createId('seti');
  const setup: Stripe.SetupIntent = {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${createId('li').slice(3)}`,
    created: books.now(),
    customer: request.customer,
    customer_account: null,
    description: request.description ?? null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: { ...request.metadata },
    next_action: null,
    on_behalf_of: null,
    payment_method: request.paymentMethod ?? null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: request.paymentMethod ? 'requires_confirmation' : 'requires_payment_method',
    usage: request.usage ?? 'off_session',
  };
  books.state.setupIntents[id] = setup;
  books.emit('setup_intent.created', setup);
  return setup;
}

/** Tries to save `method`; `authenticated`: whether the customer has just passed the bank's authentication; undefined when there was none. */
export function confirmSetup(
  books: Books,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  { authenticated, returnUrl = null }: { authenticated?: boolean; returnUrl?: string | null } = {},
): SetupResult {
  const { row } = knownCard(books, method);
  // Also a card that is set up at the bank already, or that asks at every charge, is saved after one authentication.
  if (row.challenge !== undefined && row.challenge !== 'on_session' && authenticated === undefined) {
    setup.status = 'requires_action';
    setup.payment_method = method.id;
    setup.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { url: `${books.url()}/c/confirm/${setup.id}`, return_url: returnUrl },
    };
    books.emit('setup_intent.requires_action', setup);
    return { outcome: 'requires_action' };
  }
  const refused: Decline = { ...NOT_AUTHENTICATED, code: 'setup_intent_authentication_failure' };
  const decline = authenticated === false ? refused : row.decline;
  setup.next_action = null;
  if (decline && !(row.saves && authenticated !== false)) {
    setup.status = 'requires_payment_method';
    setup.payment_method = null;
    setup.last_setup_error = {
      type: authenticated === false ? 'invalid_request_error' : 'card_error',
      code: decline.code,
      message: decline.message,
      payment_method: structuredClone(method),
      ...(decline.declineCode && { decline_code: decline.declineCode }),
    };
    books.emit('setup_intent.setup_failed', setup);
    return { outcome: 'declined', decline };
  }
  setup.status = 'succeeded';
  setup.payment_method = method.id;
  setup.last_setup_error = null;
  const customer = rowOf(books.state.customers, String(setup.customer));
  if (customer) attach(books, method, customer);
  if (setup.usage === 'off_session') markSetUp(books, method);
  books.emit('setup_intent.succeeded', setup);
  return { outcome: 'succeeded' };
}
