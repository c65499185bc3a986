// Checkout sessions: created, found, expired.
import type Stripe from 'stripe';
import { MIN_CHARGE } from './billing/balance.ts';
import { findTaxRates, sumsWithTax, taxesOn } from './billing/tax.ts';
import type { Books, Cause } from './books.ts';
import { DASHBOARD_METHODS } from './delayed.ts';
import { invalid, noSuch } from './fault.ts';
import { createLineItems } from './line-items.ts';
import { mergeMetadata } from './metadata.ts';
import { findCustomer } from './customer.ts';
import type { sessionInput } from './session-input.ts';
import { composeSession } from './session-shape.ts';
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

/** Expires all open sessions that are due. */
export function expireDueSessions(books: Books): void {
  for (const { session } of Object.values(books.state.checkouts)) {
    if (session.status === 'open' && session.expires_at <= books.now()) expireSession(books, session, null);
  }
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

export function createSession(books: Books, input: ReturnType<typeof sessionInput>): Stripe.Checkout.Session {
  checkExpiry(books, input);
  if (input.customer !== undefined && (input.customer_email !== undefined || input.customer_creation !== undefined)) {
    const other = input.customer_email === undefined ? 'customer_creation' : 'customer_email';
    throw invalid(`You may only specify one of these parameters: customer, ${other}.`, undefined, 'customer');
  }
  const customer = input.customer === undefined ? null : findCustomer(books, input.customer, 'customer');
  checkMode(input);
  checkMethods(input);
  const lines = input.mode === 'setup' ? [] : createLineItems(books, input.line_items ?? []);
  checkLines(input, lines);
  const subtotal = lines.reduce((sum, line) => sum + line.amount_total, 0);
  const taxRates = findTaxRates(books, input.subscription_data?.default_tax_rates ?? [], 'subscription_data[default_tax_rates]');
  const taxes = taxesOn(subtotal, taxRates);
  const { total } = sumsWithTax(subtotal, taxes);
  if (input.mode === 'payment' && total < MIN_CHARGE) {
    throw invalid("The Checkout Session's total amount must convert to at least 50 cents.", 'amount_too_small', 'line_items');
  }
  const tax = taxes.reduce((sum, { amount }) => sum + amount, 0);
  const session = composeSession(books, input, { customer, currency: lines[0]?.currency, subtotal, total, tax });
  books.state.checkouts[session.id] = { session, lines, ...checkoutOf(input, taxRates) };
  if (input.mode === 'setup') {
    const { description = null, metadata: about } = input.setup_intent_data ?? {};
    session.setup_intent = createSetup(books, { customer: customer?.id ?? null, description, metadata: mergeMetadata({}, about ?? {}) }).id;
  }
  books.changed();
  return session;
}

type SessionInput = ReturnType<typeof sessionInput>;

function checkExpiry(books: Books, { expires_at: at }: SessionInput): void {
  const now = books.now();
  // One minute of tolerance on both sides, since the caller's clock has moved on when the request arrives.
  if (at === undefined || (at >= now + 29 * MINUTE && at <= now + DAY + MINUTE)) return;
  throw invalid(
    'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
    undefined,
    'expires_at',
  );
}

function checkMethods({ allowed_payment_method_types: allowed }: SessionInput): void {
  if (allowed === undefined || allowed.some((type) => DASHBOARD_METHODS.includes(type))) return;
  throw invalid('No valid payment method types for this Checkout Session.', undefined, 'allowed_payment_method_types');
}

function checkLines({ mode }: SessionInput, lines: readonly Stripe.LineItem[]): void {
  const recurring = lines.some((line) => line.price?.recurring);
  if (mode === 'payment' && recurring) {
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    );
  }
  if (mode === 'subscription' && !recurring) {
    throw invalid('You must provide at least one recurring price in `subscription` mode when using prices.', undefined, 'line_items');
  }
}

/** The data of a session that the API does not return. */
function checkoutOf(input: SessionInput, taxRates: Stripe.TaxRate[]): Omit<Checkout, 'session' | 'lines'> {
  const { payment_intent_data: intent, subscription_data: subscription } = input;
  return {
    intentData: {
      description: intent?.description ?? null,
      metadata: mergeMetadata({}, intent?.metadata ?? {}),
      receiptEmail: intent?.receipt_email ?? null,
      setupFutureUsage: intent?.setup_future_usage ?? null,
    },
    subscriptionData: {
      description: subscription?.description ?? null,
      metadata: mergeMetadata({}, subscription?.metadata ?? {}),
      anchor: subscription?.billing_cycle_anchor ?? null,
      proration: subscription?.proration_behavior ?? 'create_prorations',
      taxRates,
    },
    // A card that is saved or renewed needs a customer.
    createCustomer: input.mode !== 'payment' || input.customer_creation === 'always' || intent?.setup_future_usage !== undefined,
    alwaysChallenge: threeDSecureOf(input) !== 'automatic',
    challenged: null,
  };
}

const threeDSecureOf = (input: SessionInput) => input.payment_method_options?.card?.request_three_d_secure ?? 'automatic';

/** The mode to which each group of fields belongs. */
const MODES = { payment_intent_data: 'payment', setup_intent_data: 'setup', subscription_data: 'subscription' } as const;

function checkMode(input: ReturnType<typeof sessionInput>): void {
  for (const [field, mode] of Object.entries(MODES)) {
    if (input[field as keyof typeof MODES] === undefined || input.mode === mode) continue;
    throw invalid(`You can not pass \`${field}\` in \`${input.mode}\` mode.`, undefined, field);
  }
  if (input.mode === 'setup' && input.line_items) throw invalid('You can not pass `line_items` in `setup` mode.', undefined, 'line_items');
  if (input.mode !== 'setup' && !input.line_items) throw invalid('Missing required param: line_items.', 'parameter_missing', 'line_items');
}
