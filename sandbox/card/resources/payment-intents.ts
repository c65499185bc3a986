// Payment intents: create, update, confirm, cancel, with the customer present or absent.
import type Stripe from 'stripe';
import { cancelIntent, refusalOf } from '../attempt.ts';
import { MIN_CHARGE } from '../billing/balance.ts';
import { confirmIntent } from '../billing/collect.ts';
import type { Books } from '../books.ts';
import { cardRefused, invalid, noSuch } from '../fault.ts';
import { createIntent } from '../intent.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { findMethod } from '../method.ts';
import { currency } from '../prices.ts';
import { route } from '../route.ts';
import { email, fields, fieldsOf, flag, integer, list, metadata, needed, off, oneOf, text, webUrl } from '../shape.ts';
import { rowOf } from '../state.ts';
import { NEEDS_AUTHENTICATION } from '../test-cards.ts';
import { findCustomer, mustOwn } from '../customer.ts';

const amount = integer(1, 99_999_999);
const futureUsage = oneOf('off_session', 'on_session');
const confirmation = {
  payment_method: text(),
  off_session: flag,
  return_url: webUrl,
  error_on_requires_action: flag,
  receipt_email: email,
  setup_future_usage: futureUsage,
  use_stripe_sdk: off,
};
const createInput = fieldsOf<Stripe.PaymentIntentCreateParams>()({
  ...confirmation,
  amount: needed(amount),
  currency: needed(currency),
  customer: text(),
  confirm: flag,
  description: text(1000),
  metadata,
  capture_method: oneOf('automatic', 'automatic_async'),
  confirmation_method: oneOf('automatic'),
  allowed_payment_method_types: list(oneOf('card')),
  automatic_payment_methods: fieldsOf<Stripe.PaymentIntentCreateParams.AutomaticPaymentMethods>()({
    enabled: needed(flag),
    allow_redirects: oneOf('always', 'never'),
  }),
  statement_descriptor_suffix: text(22),
});
const confirmInput = fieldsOf<Stripe.PaymentIntentConfirmParams>()(confirmation);
const updateInput = fieldsOf<Stripe.PaymentIntentUpdateParams>()({
  amount,
  currency,
  customer: text(),
  description: text(1000),
  metadata,
  payment_method: text(),
  receipt_email: email,
  setup_future_usage: futureUsage,
});
const cancelInput = fieldsOf<Stripe.PaymentIntentCancelParams>()({
  cancellation_reason: oneOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'),
});

export const paymentIntentRoutes = [
  route('POST', '/v1/payment_intents', createInput, ({ books, input }) => {
    if (input.amount < MIN_CHARGE) throw invalid('Amount must be at least $0.50 usd.', 'amount_too_small', 'amount');
    if (input.off_session && !input.confirm) {
      throw invalid('You can only set `off_session` to true when confirming a PaymentIntent.', undefined, 'off_session');
    }
    const customer = input.customer === undefined ? null : findCustomer(books, input.customer, 'customer');
    const method = readMethod(books, customer, input.payment_method);
    const intent = createIntent(books, {
      amount: input.amount,
      currency: input.currency,
      customer: customer?.id ?? null,
      paymentMethod: method?.id ?? null,
      description: input.description ?? null,
      metadata: mergeMetadata({}, input.metadata ?? {}),
      receiptEmail: input.receipt_email ?? null,
      setupFutureUsage: input.setup_future_usage ?? null,
      statementSuffix: input.statement_descriptor_suffix ?? null,
    });
    return input.confirm ? confirm(books, intent, input) : intent;
  }),
  route(
    'GET',
    '/v1/payment_intents',
    fieldsOf<Stripe.PaymentIntentListParams>()({ ...datedPageFields, customer: text() }),
    ({ books, input }) => {
      const found = Object.values(books.state.intents).filter(
        (intent) => (input.customer === undefined || intent.customer === input.customer) && (input.created?.(intent.created) ?? true),
      );
      return pageOf('/v1/payment_intents', found, input);
    },
  ),
  route('GET', '/v1/payment_intents/:id', fields({}), ({ books, ids }) => findIntent(books, ids['id'] ?? '')),
  route('POST', '/v1/payment_intents/:id', updateInput, ({ books, ids, input }) => {
    const intent = findIntent(books, ids['id'] ?? '');
    mustBeOpen(intent, 'update');
    const { metadata: changes, payment_method: id, customer, ...plain } = input;
    const owner = findOwner(books, customer ?? intent.customer);
    const method = readMethod(books, owner, id);
    Object.assign(intent, plain, { customer: owner?.id ?? null });
    if (changes !== undefined) intent.metadata = mergeMetadata(intent.metadata, changes);
    if (method) Object.assign(intent, { payment_method: method.id, status: 'requires_confirmation' });
    books.changed();
    return intent;
  }),
  route('POST', '/v1/payment_intents/:id/confirm', confirmInput, ({ books, ids, input }) =>
    confirm(books, findIntent(books, ids['id'] ?? ''), input),
  ),
  route('POST', '/v1/payment_intents/:id/cancel', cancelInput, ({ books, ids, input }) => {
    const intent = findIntent(books, ids['id'] ?? '');
    mustBeOpen(intent, 'cancel');
    cancelIntent(books, intent, input.cancellation_reason ?? null);
    return intent;
  }),
];

export function findIntent(books: Books, id: string, param?: string): Stripe.PaymentIntent {
  const intent = rowOf(books.state.intents, id);
  if (!intent) throw noSuch('payment_intent', id, param);
  return intent;
}

const findOwner = (books: Books, id: unknown): Stripe.Customer | null =>
  typeof id === 'string' ? findCustomer(books, id, 'customer') : null;

function readMethod(books: Books, customer: Stripe.Customer | null, id: string | undefined): Stripe.PaymentMethod | null {
  if (id === undefined) return null;
  const method = findMethod(books, id, 'payment_method');
  if (method.customer === null) return method;
  if (customer) return mustOwn(books, customer, method.id, 'payment_method');
  throw invalid(
    `The payment method ${method.id} belongs to a customer: pass that customer in the \`customer\` parameter.`,
    undefined,
    'payment_method',
  );
}

function mustBeOpen(intent: Stripe.PaymentIntent, what: string): void {
  if (intent.status !== 'succeeded' && intent.status !== 'canceled' && intent.status !== 'processing') return;
  throw invalid(
    `You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`,
    'payment_intent_unexpected_state',
    'payment_intent',
  );
}

function confirm(books: Books, intent: Stripe.PaymentIntent, input: ReturnType<typeof confirmInput>): Stripe.PaymentIntent {
  mustBeOpen(intent, 'confirm');
  const owner = findOwner(books, intent.customer);
  const chosen = readMethod(books, owner, input.payment_method) ?? rowOf(books.state.paymentMethods, String(intent.payment_method));
  if (!chosen) {
    throw invalid(
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      'payment_intent_unexpected_state',
      'payment_method',
    );
  }
  if (input.setup_future_usage !== undefined) intent.setup_future_usage = input.setup_future_usage;
  const result = confirmIntent(books, intent, chosen, {
    offSession: input.off_session ?? false,
    email: input.receipt_email ?? intent.receipt_email ?? owner?.email ?? null,
    returnUrl: input.return_url ?? null,
  });
  if (result.outcome === 'declined') throw refusalOf(intent, result.decline);
  if (result.outcome === 'requires_action' && input.error_on_requires_action) {
    Object.assign(intent, { status: 'requires_payment_method', next_action: null });
    throw cardRefused(NEEDS_AUTHENTICATION, { payment_intent: structuredClone(intent) });
  }
  return intent;
}
