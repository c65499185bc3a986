// Setup intents: create, update, confirm, cancel, retrieve, list.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { cardRefused, invalid, noSuch } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { findMethod } from '../method.ts';
import { route } from '../route.ts';
import { confirmSetup, createSetup } from '../setup.ts';
import { fields, fieldsOf, flag, list, metadata, needed, off, oneOf, text, webUrl } from '../shape.ts';
import { rowOf } from '../state.ts';
import { findCustomer, mustOwn } from '../customer.ts';

const confirmation = { payment_method: text(), return_url: webUrl, use_stripe_sdk: off };
const createInput = fieldsOf<Stripe.SetupIntentCreateParams>()({
  ...confirmation,
  customer: text(),
  confirm: flag,
  description: text(1000),
  metadata,
  usage: oneOf('off_session', 'on_session'),
  allowed_payment_method_types: list(oneOf('card')),
  automatic_payment_methods: fieldsOf<Stripe.SetupIntentCreateParams.AutomaticPaymentMethods>()({
    enabled: needed(flag),
    allow_redirects: oneOf('always', 'never'),
  }),
});
const confirmInput = fieldsOf<Stripe.SetupIntentConfirmParams>()(confirmation);
const updateInput = fieldsOf<Stripe.SetupIntentUpdateParams>()({
  customer: text(),
  description: text(1000),
  metadata,
  payment_method: text(),
});
const cancelInput = fieldsOf<Stripe.SetupIntentCancelParams>()({
  cancellation_reason: oneOf('abandoned', 'duplicate', 'requested_by_customer'),
});
const listInput = fieldsOf<Stripe.SetupIntentListParams>()({ ...datedPageFields, customer: text(), payment_method: text() });

export const setupIntentRoutes = [
  route('POST', '/v1/setup_intents', createInput, ({ books, input }) => {
    const customer = input.customer === undefined ? null : findCustomer(books, input.customer, 'customer').id;
    const setup = createSetup(books, {
      customer,
      paymentMethod: readMethod(books, customer, input.payment_method)?.id ?? null,
      description: input.description ?? null,
      metadata: mergeMetadata({}, input.metadata ?? {}),
      usage: input.usage ?? 'off_session',
    });
    return input.confirm ? confirm(books, setup, input) : setup;
  }),
  route('GET', '/v1/setup_intents', listInput, ({ books, input }) => {
    const found = Object.values(books.state.setupIntents).filter(
      (one) =>
        (input.customer === undefined || one.customer === input.customer) &&
        (input.payment_method === undefined || one.payment_method === input.payment_method) &&
        (input.created?.(one.created) ?? true),
    );
    return pageOf('/v1/setup_intents', found, input);
  }),
  route('GET', '/v1/setup_intents/:id', fields({}), ({ books, ids }) => findSetup(books, ids['id'] ?? '')),
  route('POST', '/v1/setup_intents/:id', updateInput, ({ books, ids, input }) => {
    const setup = findSetup(books, ids['id'] ?? '');
    mustBeOpen(setup);
    if (input.customer !== undefined) setup.customer = findCustomer(books, input.customer, 'customer').id;
    if (input.description !== undefined) setup.description = input.description;
    if (input.metadata !== undefined) setup.metadata = mergeMetadata(setup.metadata ?? {}, input.metadata);
    const method = readMethod(books, setup.customer, input.payment_method);
    if (method) Object.assign(setup, { payment_method: method.id, status: 'requires_confirmation' });
    books.changed();
    return setup;
  }),
  route('POST', '/v1/setup_intents/:id/confirm', confirmInput, ({ books, ids, input }) =>
    confirm(books, findSetup(books, ids['id'] ?? ''), input),
  ),
  route('POST', '/v1/setup_intents/:id/cancel', cancelInput, ({ books, ids, input }) => {
    const setup = findSetup(books, ids['id'] ?? '');
    mustBeOpen(setup);
    Object.assign(setup, { status: 'canceled', cancellation_reason: input.cancellation_reason ?? null, next_action: null });
    books.emit('setup_intent.canceled', setup);
    return setup;
  }),
];

export function findSetup(books: Books, id: string): Stripe.SetupIntent {
  const setup = rowOf(books.state.setupIntents, id);
  if (!setup) throw noSuch('setupintent', id);
  return setup;
}

function mustBeOpen(setup: Stripe.SetupIntent): void {
  if (setup.status !== 'succeeded' && setup.status !== 'canceled') return;
  throw invalid(`This SetupIntent has a status of ${setup.status}.`, 'setup_intent_unexpected_state', 'setup_intent');
}

function readMethod(books: Books, customer: unknown, id: string | undefined): Stripe.PaymentMethod | null {
  if (id === undefined) return null;
  const method = findMethod(books, id, 'payment_method');
  if (method.customer === null) return method;
  return mustOwn(books, findCustomer(books, String(customer), 'customer'), method.id, 'payment_method');
}

function confirm(books: Books, setup: Stripe.SetupIntent, input: ReturnType<typeof confirmInput>): Stripe.SetupIntent {
  mustBeOpen(setup);
  const method = readMethod(books, setup.customer, input.payment_method) ?? rowOf(books.state.paymentMethods, String(setup.payment_method));
  if (!method) {
    throw invalid('You cannot confirm this SetupIntent because it is missing a payment method.', 'parameter_missing', 'payment_method');
  }
  const result = confirmSetup(books, setup, method, { returnUrl: input.return_url ?? null });
  if (result.outcome === 'declined') {
    throw cardRefused(result.decline, { setup_intent: structuredClone(setup), payment_method: structuredClone(method) });
  }
  return setup;
}
