// One checkout session: made, found, ended.
import type Stripe from 'stripe';
import { LEAST_CHARGE } from './billing/balance.ts';
import { findTaxRates, sumsWithTax, taxesOn } from './billing/tax.ts';
import type { Books, Cause } from './books.ts';
import { invalid, noSuch } from './fault.ts';
import { createId, randomCharacters } from './ids.ts';
import { createLineItems } from './line-items.ts';
import { mergeMetadata } from './metadata.ts';
import { findCustomer } from './resources/customers.ts';
import type { sessionInput } from './session-input.ts';
import { createSetup } from './setup.ts';
import { rowOf } from './state.ts';
import type { Checkout } from './state.ts';

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

export function createSession(books: Books, input: ReturnType<typeof sessionInput>): Stripe.Checkout.Session {
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
  const { mode } = input;
  checkMode(input);
  const lines = mode === 'setup' ? [] : createLineItems(books, input.line_items ?? []);
  const recurring = lines.some((line) => line.price?.recurring);
  if (mode === 'payment' && recurring) {
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    );
  }
  if (mode === 'subscription' && !recurring) {
    throw invalid('You must provide at least one recurring price in `subscription` mode when using prices.', undefined, 'line_items');
  }
  const subtotal = lines.reduce((sum, line) => sum + line.amount_total, 0);
  const taxRates = findTaxRates(books, input.subscription_data?.default_tax_rates ?? [], 'subscription_data[default_tax_rates]');
  const taxes = taxesOn(subtotal, taxRates);
  const { total } = sumsWithTax(subtotal, taxes);
  if (mode === 'payment' && total < LEAST_CHARGE) {
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
    amount_subtotal: mode === 'setup' ? null : subtotal,
    amount_total: mode === 'setup' ? null : total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: lines[0]?.currency ?? input.currency ?? null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: customer?.id ?? null,
    customer_account: null,
    customer_creation: customer ? null : (input.customer_creation ?? (mode === 'subscription' ? 'always' : 'if_required')),
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
    mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: threeDSecure } },
    payment_method_types: ['card'],
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
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
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: taxes.reduce((sum, tax) => sum + tax.amount, 0) },
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
      setupFutureUsage: intent?.setup_future_usage ?? null,
    },
    subscriptionData: {
      description: input.subscription_data?.description ?? null,
      metadata: mergeMetadata({}, input.subscription_data?.metadata ?? {}),
      anchor: input.subscription_data?.billing_cycle_anchor ?? null,
      proration: input.subscription_data?.proration_behavior ?? 'create_prorations',
      taxRates,
    },
    // A card that is saved, or that renews, needs someone it belongs to.
    createCustomer: mode !== 'payment' || input.customer_creation === 'always' || intent?.setup_future_usage !== undefined,
    alwaysChallenge: threeDSecure !== 'automatic',
    challenged: null,
  };
  if (mode === 'setup') {
    const { description = null, metadata: about } = input.setup_intent_data ?? {};
    session.setup_intent = createSetup(books, { customer: customer?.id ?? null, description, metadata: mergeMetadata({}, about ?? {}) }).id;
  }
  books.changed();
  return session;
}

/** Which groups of fields belong to which mode. */
const MODES = { payment_intent_data: 'payment', setup_intent_data: 'setup', subscription_data: 'subscription' } as const;

function checkMode(input: ReturnType<typeof sessionInput>): void {
  for (const [field, mode] of Object.entries(MODES)) {
    if (input[field as keyof typeof MODES] === undefined || input.mode === mode) continue;
    throw invalid(`You can not pass \`${field}\` in \`${input.mode}\` mode.`, 'parameter_invalid', field);
  }
  if (input.mode === 'setup' && input.line_items)
    throw invalid('You can not pass `line_items` in `setup` mode.', 'parameter_invalid', 'line_items');
  if (input.mode !== 'setup' && !input.line_items) throw invalid('Missing required param: line_items.', 'parameter_missing', 'line_items');
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
