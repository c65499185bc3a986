// Refunds of a charge, whole or in part, at once or later, and their returns: https://docs.stripe.com/refunds#failed-refunds
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { disputeOf } from './dispute.ts';
import { invalid } from './fault.ts';
import { createId } from './ids.ts';
import { moveBalance } from './merchant-balance.ts';
import { mergeMetadata } from './metadata.ts';
import { rowOf } from './state.ts';
import { findTestCard } from './test-cards.ts';

export interface RefundTerms {
  /** Default: the remaining amount. */
  amount?: number;
  metadata?: Record<string, string> | null;
  reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer';
}

/** How long a refund takes that is not made to a card at once. */
const LATE_SECONDS = 5 * 86_400;

export function createRefund(books: Books, charge: Stripe.Charge, input: RefundTerms): Stripe.Refund {
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const dispute = disputeOf(books, charge.id);
  if (dispute && !dispute.is_charge_refundable && dispute.status !== 'won')
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  const amount = input.amount ?? left;
  if (amount > left) throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, undefined, 'amount');
  const late = refundsOf(books, charge) === 'late';
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
    status: late ? 'pending' : 'succeeded',
    transfer_reversal: null,
    ...(late && { pending_reason: 'processing' as const }),
  };
  const { id } = moveBalance(books, { ...movementOf(refund), type: typeOf(charge), category: 'refund', amount: -amount });
  refund.balance_transaction = id;
  const before = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  books.state.refunds[refund.id] = refund;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  books.emit('refund.created', refund);
  books.emit('charge.refunded', charge, undefined, before);
  return refund;
}

/** A pending refund has arrived. */
export function settleRefund(books: Books, refund: Stripe.Refund): void {
  if (refund.status !== 'pending') return;
  books.change('refund.updated', refund, () => {
    refund.status = 'succeeded';
    delete refund.pending_reason;
  });
}

/** The bank returns a refund, also one that had succeeded: the money is the merchant's again. */
export function failRefund(books: Books, refund: Stripe.Refund): void {
  if (refund.status !== 'pending' && refund.status !== 'succeeded') return;
  const charge = rowOf(books.state.charges, String(refund.charge));
  const { id } = moveBalance(books, { ...movementOf(refund), type: 'refund_failure', category: 'refund_failure', amount: refund.amount });
  books.change('refund.updated', refund, () => {
    refund.status = 'failed';
    refund.failure_reason = 'expired_or_canceled_card';
    refund.failure_balance_transaction = id;
    delete refund.pending_reason;
  });
  if (charge) {
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
  }
  books.emit('refund.failed', refund);
}

/** Settles the refunds of those test cards whose refunds change with time. */
export function settleDueRefunds(books: Books): void {
  for (const refund of Object.values(books.state.refunds)) {
    if (refund.created + LATE_SECONDS > books.now() || refund.status === 'failed') continue;
    const charge = rowOf(books.state.charges, String(refund.charge));
    if (charge && refundsOf(books, charge) === 'come_back') failRefund(books, refund);
    else settleRefund(books, refund);
  }
}

const refundsOf = (books: Books, charge: Stripe.Charge): ReturnType<typeof findTestCard>['refunds'] =>
  findTestCard(rowOf(books.state.cards, String(charge.payment_method))?.number ?? '').refunds;

/** By the charged payment method; the return of either kind is a `refund_failure`. */
const typeOf = ({ payment_method_details: details }: Stripe.Charge) => (details?.type === 'card' ? 'refund' : 'payment_refund');

const movementOf = ({ id, currency, charge }: Stripe.Refund) => ({
  fee: 0,
  currency,
  source: id,
  description: `REFUND FOR CHARGE (${String(charge)})`,
});
