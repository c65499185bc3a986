// Payment methods: create, retrieve, update, list, attach to a customer, detach.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { pageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { attach, createPaymentMethod, detach, findMethod, thisYear } from '../method.ts';
import { route } from '../route.ts';
import { email, fields, fieldsOf, integer, metadata, needed, oneOf, text } from '../shape.ts';
import { findTestCardByToken, isCardNumber } from '../test-cards.ts';
import { findCustomer } from '../customer.ts';

const billingDetails = fieldsOf<Stripe.PaymentMethodCreateParams.BillingDetails>()({
  email,
  name: text(),
  phone: text(20),
  address: fieldsOf<Stripe.AddressParam>()({
    city: text(),
    country: text(),
    line1: text(),
    line2: text(),
    postal_code: text(),
    state: text(),
  }),
});
const createInput = fieldsOf<Stripe.PaymentMethodCreateParams>()({
  type: needed(oneOf('card')),
  card: needed(
    fieldsOf<Stripe.PaymentMethodCreateParams.Card>()({
      number: text(19),
      exp_month: integer(1, 12),
      exp_year: integer(2000, 2099),
      cvc: text(4),
      token: text(),
    }),
  ),
  billing_details: billingDetails,
  metadata,
});
const updateInput = fieldsOf<Stripe.PaymentMethodUpdateParams>()({
  billing_details: billingDetails,
  card: fieldsOf<Stripe.PaymentMethodUpdateParams.Card>()({ exp_month: integer(1, 12), exp_year: integer(2000, 2099) }),
  metadata,
});
const attachInput = fieldsOf<Stripe.PaymentMethodAttachParams>()({ customer: needed(text()) });
const listInput = fieldsOf<Stripe.PaymentMethodListParams>()({ ...pageFields, customer: text(), type: oneOf('card') });
const ownListInput = fieldsOf<Stripe.CustomerListPaymentMethodsParams>()({ ...pageFields, type: oneOf('card') });

const ofCustomer = (books: Books, customer: string): Stripe.PaymentMethod[] =>
  Object.values(books.state.paymentMethods).filter((method) => method.customer === customer);

export const paymentMethodRoutes = [
  route('POST', '/v1/payment_methods', createInput, ({ books, input }) => {
    const made = readCard(books, input.card);
    if (input.billing_details) Object.assign(made.billing_details, withNulls(input.billing_details));
    made.metadata = mergeMetadata({}, input.metadata ?? {});
    return made;
  }),
  route('GET', '/v1/payment_methods', listInput, ({ books, input }) => {
    if (input.customer === undefined) throw invalid('Missing required param: customer.', 'parameter_missing', 'customer');
    return pageOf('/v1/payment_methods', ofCustomer(books, findCustomer(books, input.customer, 'customer').id), input);
  }),
  route('GET', '/v1/payment_methods/:id', fields({}), ({ books, ids }) => findMethod(books, ids['id'] ?? '')),
  route('POST', '/v1/payment_methods/:id', updateInput, ({ books, ids, input }) => {
    const method = findMethod(books, ids['id'] ?? '');
    if (method.customer === null) throw invalid('You must save this PaymentMethod to a customer before you can update it.');
    books.change('payment_method.updated', method, () => {
      Object.assign(method.card ?? {}, input.card);
      if (input.billing_details) Object.assign(method.billing_details, withNulls(input.billing_details));
      if (input.metadata !== undefined) method.metadata = mergeMetadata(method.metadata ?? {}, input.metadata);
    });
    return method;
  }),
  route('POST', '/v1/payment_methods/:id/attach', attachInput, ({ books, ids, input }) => {
    const customer = findCustomer(books, input.customer, 'customer');
    return attach(books, findMethod(books, ids['id'] ?? ''), customer);
  }),
  route('POST', '/v1/payment_methods/:id/detach', fields({}), ({ books, ids }) => detach(books, findMethod(books, ids['id'] ?? ''))),
  route('GET', '/v1/customers/:id/payment_methods', ownListInput, ({ books, ids, input }) => {
    const customer = findCustomer(books, ids['id'] ?? '');
    return pageOf(`/v1/customers/${customer.id}/payment_methods`, ofCustomer(books, customer.id), input);
  }),
  route('GET', '/v1/customers/:id/payment_methods/:method', fields({}), ({ books, ids }) => {
    const method = findMethod(books, ids['method'] ?? '');
    if (method.customer !== ids['id']) throw noSuch('PaymentMethod', method.id);
    return method;
  }),
];

/** A card by its number, or by a test card's token (`tok_visa`). */
function readCard(
  books: Books,
  card: { number?: string; exp_month?: number; exp_year?: number; cvc?: string; token?: string },
): Stripe.PaymentMethod {
  if (card.token !== undefined) {
    const ready = findTestCardByToken(card.token.replace(/^tok_/, 'pm_card_'));
    if (!ready) throw noSuch('token', card.token, 'card[token]');
    return createPaymentMethod(books, { number: ready.number, expMonth: 12, expYear: thisYear(books) + 3 });
  }
  const { number = '', exp_month: expMonth, exp_year: expYear } = card;
  if (!isCardNumber(number)) throw invalid('Your card number is incorrect.', 'incorrect_number', 'card[number]');
  if (expMonth === undefined || expYear === undefined)
    throw invalid('Missing required param: card[exp_month].', 'parameter_missing', 'card[exp_month]');
  return createPaymentMethod(books, { number, expMonth, expYear });
}

function withNulls(details: ReturnType<typeof billingDetails>): Partial<Stripe.PaymentMethod.BillingDetails> {
  const { address, ...plain } = details;
  if (!address) return plain;
  return { ...plain, address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null, ...address } };
}
