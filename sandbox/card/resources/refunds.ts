// Refunds: create (whole or part), retrieve, list.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { createRefund } from '../refund.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, integer, metadata, oneOf, text } from '../shape.ts';
import { rowOf } from '../state.ts';
import { findCharge } from './charges.ts';
import { findIntent } from './payment-intents.ts';

const createInput = fieldsOf<Stripe.RefundCreateParams>()({
  amount: integer(1),
  charge: text(),
  payment_intent: text(),
  metadata,
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
});
const listInput = fieldsOf<Stripe.RefundListParams>()({ ...datedPageFields, charge: text(), payment_intent: text() });

export const refundRoutes = [
  route('POST', '/v1/refunds', createInput, ({ books, input }) => createRefund(books, chargeToRefund(books, input), input)),
  route('GET', '/v1/refunds', listInput, ({ books, input }) => {
    const found = Object.values(books.state.refunds).filter(
      (refund) =>
        (input.charge === undefined || refund.charge === input.charge) &&
        (input.payment_intent === undefined || refund.payment_intent === input.payment_intent) &&
        (input.created?.(refund.created) ?? true),
    );
    return pageOf('/v1/refunds', found, input);
  }),
  route('GET', '/v1/refunds/:id', fields({}), ({ books, ids }) => {
    const id = ids['id'] ?? '';
    const refund = rowOf(books.state.refunds, id);
    if (!refund) throw noSuch('refund', id);
    return refund;
  }),
];

/** The charge that a request refers to. */
export function chargeToRefund(books: Books, input: { charge?: string; payment_intent?: string }): Stripe.Charge {
  if ((input.charge === undefined) === (input.payment_intent === undefined)) {
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.', 'parameter_missing');
  }
  const charge =
    input.charge === undefined
      ? rowOf(books.state.charges, String(findIntent(books, input.payment_intent ?? '', 'payment_intent').latest_charge))
      : findCharge(books, input.charge, 'charge');
  if (charge?.status !== 'succeeded')
    throw invalid('This payment does not have a successful charge to refund.', undefined, 'payment_intent');
  return charge;
}
