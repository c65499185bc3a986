// Read access to charges.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { noSuch } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, text } from '../shape.ts';
import { rowOf } from '../state.ts';

export const chargeRoutes = [
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

export function findCharge(books: Books, id: string, param?: string): Stripe.Charge {
  const charge = rowOf(books.state.charges, id);
  if (!charge) throw noSuch('charge', id, param);
  return charge;
}
