// Refunds: create (whole or part), retrieve, list. They succeed at once, as card refunds do.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { createId } from '../ids.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
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
  route('POST', '/v1/refunds', createInput, ({ books, input }) => createRefund(books, input)),
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

/** Gives back the whole of a charge, or a part. */
export function createRefund(books: Books, input: ReturnType<typeof createInput>): Stripe.Refund {
  const charge = chargeToRefund(books, input);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const amount = input.amount ?? left;
  if (amount > left) {
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, 'amount_too_large', 'amount');
  }
  const refund: Stripe.Refund = {
    id: createId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: books.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: mergeMetadata({}, input.metadata ?? {}),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: input.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  const before = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  books.state.refunds[refund.id] = refund;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  books.emit('refund.created', refund);
  books.emit('charge.refunded', charge, undefined, before);
  return refund;
}

function chargeToRefund(books: Books, input: { charge?: string; payment_intent?: string }): Stripe.Charge {
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
