// Refunds of card payments: those that we ask for, and those that others made at the processor.
import Stripe from 'stripe';
import { type KnownRefund, type RefundRequest, type RefundState, type RefusalOfRefund, madeFor } from '../payment-processor.ts';
import type { ProcessorPayment } from '../payer-disputes.ts';
import { idOf } from './card-client.ts';

export interface CardRefunds {
  refund(request: RefundRequest): Promise<RefundState>;
  refundsOf(paymentId: string): Promise<KnownRefund[]>;
  /** The payment that a charge or a refund belongs to, with all its refunds; undefined: there is no such payment. */
  refundsAbout(type: string, id: string): Promise<{ payment: ProcessorPayment; refunds: KnownRefund[] } | undefined>;
}

/** What each of the processor's codes means (https://docs.stripe.com/error-codes); any other refusal is for a person to read. */
const REFUSALS: Readonly<Record<string, RefusalOfRefund>> = {
  charge_already_refunded: 'already_refunded',
  charge_disputed: 'disputed',
  refund_disputed_payment: 'disputed',
  charge_not_refundable: 'not_refundable',
};

export const createCardRefunds = (stripe: Stripe): CardRefunds => {
  const refundsOf = async (paymentId: string): Promise<KnownRefund[]> => {
    const refunds: KnownRefund[] = [];
    for await (const refund of stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) refunds.push(toKnown(refund));
    return refunds.toReversed();
  };
  return {
    refundsOf,
    refund: (request) => refund(stripe, refundsOf, request),
    async refundsAbout(type, id) {
      const { payment_intent: payment } = await (type === 'charge.refunded' ? stripe.charges.retrieve(id) : stripe.refunds.retrieve(id));
      const paymentId = idOf(payment);
      if (!paymentId) return undefined;
      return { payment: await paymentOf(stripe, paymentId), refunds: await refundsOf(paymentId) };
    },
  };
};

/** A payment, with the order id that we had given to the processor. */
export async function paymentOf(stripe: Stripe, id: string): Promise<ProcessorPayment> {
  const { metadata } = await stripe.paymentIntents.retrieve(id);
  return { id, orderId: metadata['order_id'] };
}

async function refund(
  stripe: Stripe,
  refundsOf: CardRefunds['refundsOf'],
  { refundId, paymentId, amountMinor, attempt }: RefundRequest,
): Promise<RefundState> {
  // The processor forgets idempotency keys after a day, so a refund that was made already is looked up first.
  const made = madeFor({ refundId, attempt }, await refundsOf(paymentId));
  if (made) return toState(made);
  const key = `${refundId}:refund${attempt > 0 ? `:${attempt}` : ''}`;
  try {
    const request = { payment_intent: paymentId, amount: amountMinor, metadata: { refund_id: refundId, refund_attempt: String(attempt) } };
    return toState(toKnown(await stripe.refunds.create(request, { idempotencyKey: key })));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const why = REFUSALS[error.code ?? ''];
    return why ? { status: 'refused', why } : { status: 'unclear', words: error.message };
  }
}

const STATUSES: Readonly<Record<string, KnownRefund['status']>> = { succeeded: 'sent', failed: 'failed', canceled: 'failed' };

const toKnown = ({ id, status, amount, currency, metadata, failure_reason: words }: Stripe.Refund): KnownRefund => ({
  id,
  refundId: metadata?.['refund_id'],
  attempt: Number(metadata?.['refund_attempt'] ?? 0),
  status: STATUSES[status ?? ''] ?? 'pending',
  amountMinor: amount,
  currency: currency.toUpperCase(),
  words,
});

const toState = ({ id, status, words = 'the bank of the card has sent it back' }: KnownRefund): RefundState =>
  status === 'failed' ? { id, status, words } : { id, status };
