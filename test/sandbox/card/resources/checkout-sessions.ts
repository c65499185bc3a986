// Checkout sessions, mode `payment`: create, retrieve, list, line items, expire.
import type Stripe from 'stripe';
import type { Books, Cause } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { createId, randomCharacters } from '../ids.ts';
import { datedPageFields, pageFields, pageOf } from '../list.ts';
import { createLineItems, lineItemInput } from '../line-items.ts';
import { route } from '../route.ts';
import { email, fields, fieldsOf, integer, list, metadata, needed, off, oneOf, text, webUrl } from '../shape.ts';
import { rowOf } from '../state.ts';
import type { Checkout } from '../state.ts';
import { findCustomer, mergeMetadata } from './customers.ts';

const switchedOff = fields({ enabled: off });

const createInput = fieldsOf<Stripe.Checkout.SessionCreateParams>()({
  mode: needed(oneOf('payment')),
  ui_mode: oneOf('hosted_page'),
  line_items: needed(list(lineItemInput)),
  success_url: needed(webUrl),
  cancel_url: webUrl,
  client_reference_id: text(200),
  customer: text(),
  customer_email: email,
  customer_creation: oneOf('always', 'if_required'),
  expires_at: integer(),
  locale: text(10),
  metadata,
  submit_type: oneOf('auto', 'pay'),
  allowed_payment_method_types: list(oneOf('card')),
  payment_intent_data: fieldsOf<Stripe.Checkout.SessionCreateParams.PaymentIntentData>()({
    description: text(1000),
    metadata,
    receipt_email: email,
    capture_method: oneOf('automatic', 'automatic_async'),
  }),
  payment_method_options: fieldsOf<Stripe.Checkout.SessionCreateParams.PaymentMethodOptions>()({
    card: fieldsOf<Stripe.Checkout.SessionCreateParams.PaymentMethodOptions.Card>()({
      request_three_d_secure: oneOf('automatic', 'any', 'challenge'),
    }),
  }),
  allow_promotion_codes: off,
  automatic_tax: switchedOff,
  invoice_creation: switchedOff,
  phone_number_collection: switchedOff,
  tax_id_collection: switchedOff,
});

const listInput = fieldsOf<Stripe.Checkout.SessionListParams>()({
  ...datedPageFields,
  customer: text(),
  customer_details: fieldsOf<Stripe.Checkout.SessionListParams.CustomerDetails>()({ email: needed(text()) }),
  payment_intent: text(),
  status: oneOf('open', 'complete', 'expired'),
});

export const checkoutSessionRoutes = [
  route('POST', '/v1/checkout/sessions', createInput, ({ books, input }) => createSession(books, input)),
  route('GET', '/v1/checkout/sessions', listInput, ({ books, input }) => {
    const wanted = (session: Stripe.Checkout.Session): boolean =>
      (input.customer === undefined || session.customer === input.customer) &&
      (input.customer_details === undefined || session.customer_details?.email === input.customer_details.email) &&
      (input.payment_intent === undefined || session.payment_intent === input.payment_intent) &&
      (input.status === undefined || session.status === input.status) &&
      (input.created?.(session.created) ?? true);
    const sessions = Object.values(books.state.checkouts).map((checkout) => checkout.session);
    return pageOf('/v1/checkout/sessions', sessions.filter(wanted), input);
  }),
  route('GET', '/v1/checkout/sessions/:id', fields({}), ({ books, ids }) => findCheckout(books, ids['id'] ?? '').session),
  route('GET', '/v1/checkout/sessions/:id/line_items', fields(pageFields), ({ books, ids, input }) => {
    const { lines, session } = findCheckout(books, ids['id'] ?? '');
    return pageOf(`/v1/checkout/sessions/${session.id}/line_items`, lines.toReversed(), input);
  }),
  route('POST', '/v1/checkout/sessions/:id/expire', fields({}), ({ books, ids, cause }) => {
    const { session } = findCheckout(books, ids['id'] ?? '');
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    }
    expireSession(books, session, cause);
    return session;
  }),
];

export function findCheckout(books: Books, id: string): Checkout {
  const checkout = rowOf(books.state.checkouts, id);
  if (!checkout) throw noSuch('checkout.session', id);
  return checkout;
}

export function expireSession(books: Books, session: Stripe.Checkout.Session, cause: Cause): void {
  session.status = 'expired';
  session.url = null;
  books.emit('checkout.session.expired', session, cause);
}

/** Ends every open session whose time has come. */
export function expireDueSessions(books: Books): void {
  for (const { session } of Object.values(books.state.checkouts)) {
    if (session.status === 'open' && session.expires_at <= books.now()) expireSession(books, session, null);
  }
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
/** The processor charges nothing below 50 cents. */
const LEAST_TOTAL = 50;

function createSession(books: Books, input: ReturnType<typeof createInput>): Stripe.Checkout.Session {
  const now = books.now();
  const expiresAt = input.expires_at ?? now + DAY;
  // A minute of grace on both sides, since the caller's clock has moved on when the request arrives.
  if (expiresAt < now + 29 * MINUTE || expiresAt > now + DAY + MINUTE) {
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      undefined,
      'expires_at',
    );
  }
  if (input.customer !== undefined && input.customer_email !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'parameter_invalid', 'customer');
  }
  if (input.customer !== undefined && input.customer_creation !== undefined) {
    throw invalid('You may only specify one of these parameters: customer, customer_creation.', 'parameter_invalid', 'customer');
  }
  const customer = input.customer === undefined ? null : findCustomer(books, input.customer, 'customer');
  const lines = createLineItems(books, input.line_items);
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0);
  if (total < LEAST_TOTAL) {
    throw invalid("The Checkout Session's total amount must convert to at least 50 cents.", 'amount_too_small', 'line_items');
  }
  const intent = input.payment_intent_data;
  const knownEmail = customer?.email ?? input.customer_email ?? null;
  const id = createId('cs_test');
  const threeDSecure = input.payment_method_options?.card?.request_three_d_secure ?? 'automatic';
  const session: Stripe.Checkout.Session = {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: lines[0]?.currency ?? null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: customer?.id ?? null,
    customer_account: null,
    customer_creation: customer ? null : (input.customer_creation ?? 'if_required'),
    customer_details: knownEmail === null ? null : customerDetails(knownEmail),
    customer_email: input.customer_email ?? null,
    discounts: [],
    expires_at: expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: input.locale ?? null,
    managed_payments: null,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: threeDSecure } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: input.submit_type ?? null,
    subscription: null,
    success_url: input.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${books.url()}/c/pay/${id}#${randomCharacters(24)}`,
    wallet_options: null,
  };
  books.state.checkouts[id] = {
    session,
    lines,
    intentData: {
      description: intent?.description ?? null,
      metadata: mergeMetadata({}, intent?.metadata ?? {}),
      receiptEmail: intent?.receipt_email ?? null,
    },
    createCustomer: input.customer_creation === 'always',
    alwaysChallenge: threeDSecure !== 'automatic',
    challenged: null,
  };
  books.changed();
  return session;
}

export const customerDetails = (address: string): Stripe.Checkout.Session.CustomerDetails => ({
  address: null,
  business_name: null,
  email: address,
  individual_name: null,
  name: null,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
});
