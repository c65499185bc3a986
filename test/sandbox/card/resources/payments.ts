// What has been paid, to read: payment intents, payment methods, charges.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { noSuch } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, text } from '../shape.ts';
import { rowOf } from '../state.ts';

export const paymentRoutes = [
  route('GET', '/v1/payment_intents/:id', fields({}), ({ books, ids }) => findIntent(books, ids['id'] ?? '')),
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
  route('GET', '/v1/payment_methods/:id', fields({}), ({ books, ids }) => {
    const id = ids['id'] ?? '';
    const method = rowOf(books.state.paymentMethods, id);
    if (!method) throw noSuch('PaymentMethod', id);
    return method;
  }),
  route('GET', '/v1/charges/:id', fields({}), ({ books, ids }) => findCharge(books, ids['id'] ?? '')),
  route(
    'GET',
    '/v1/charges',
    fieldsOf<Stripe.ChargeListParams>()({ ...datedPageFields, customer: text(), payment_intent: text() }),
    ({ books, input }) => {
      const found = Object.values(books.state.charges).filter(
        (charge) =>
          (input.customer === undefined || charge.customer === input.customer) &&
          (input.payment_intent === undefined || charge.payment_intent === input.payment_intent) &&
          (input.created?.(charge.created) ?? true),
      );
      return pageOf('/v1/charges', found, input);
    },
  ),
];

export function findIntent(books: Books, id: string, param?: string): Stripe.PaymentIntent {
  const intent = rowOf(books.state.intents, id);
  if (!intent) throw noSuch('payment_intent', id, param);
  return intent;
}

export function findCharge(books: Books, id: string, param?: string): Stripe.Charge {
  const charge = rowOf(books.state.charges, id);
  if (!charge) throw noSuch('charge', id, param);
  return charge;
}
