// Giving back what was captured, and what was given back there by others. Payments v2.
import { type KnownRefund, type RefundRequest, type RefundState, type RefusalOfRefund, madeFor } from '../payment-processor.ts';
import type { ProcessorPayment } from '../payer-disputes.ts';
import { type PayPalClient, PayPalRefusal } from './paypal-client.ts';
import { toMinorUnits, toPayPalMoney } from './paypal-money.ts';
import { type PayPalRefund, idAt, orderOfCapture, readCapture, refundShape, unitOf } from './paypal-order.ts';

export interface PayPalRefunds {
  refund(request: RefundRequest): Promise<RefundState>;
  refundsOf(paymentId: string): Promise<KnownRefund[]>;
  /** Of the payment that a refund belongs to; undefined: it belongs to none. */
  refundsAbout(refundId: string): Promise<{ payment: ProcessorPayment; refunds: KnownRefund[] } | undefined>;
}

/** What PayPal's issues mean (`captures.refund-422` of its OpenAPI document); any other refusal is for a person to read. */
const REFUSALS: Readonly<Record<string, RefusalOfRefund>> = {
  CAPTURE_FULLY_REFUNDED: 'already_refunded',
  REFUND_AMOUNT_EXCEEDED: 'already_refunded',
  REFUND_TIME_LIMIT_EXCEEDED: 'not_refundable',
  REFUND_NOT_ALLOWED: 'not_refundable',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'not_refundable',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK: 'disputed',
  TRANSACTION_DISPUTED: 'disputed',
};

export const createPayPalRefunds = (client: PayPalClient): PayPalRefunds => {
  const refundsOf = async (paymentId: string): Promise<KnownRefund[]> => {
    const order = await orderOfCapture(client, await readCapture(client, paymentId));
    return (unitOf(order).payments?.refunds ?? []).filter(({ links }) => (idAt(links, 'up') ?? paymentId) === paymentId).map(toKnown);
  };
  return {
    refundsOf,
    refund: (request) => refund(client, refundsOf, request),
    async refundsAbout(refundId) {
      const { links } = refundShape.parse(await client.call('GET', `/v2/payments/refunds/${encodeURIComponent(refundId)}`));
      const id = idAt(links, 'up');
      if (!id) return undefined;
      const { custom_id: orderId } = await readCapture(client, id);
      return { payment: { id, orderId }, refunds: await refundsOf(id) };
    },
  };
};

async function refund(
  client: PayPalClient,
  refundsOf: PayPalRefunds['refundsOf'],
  { refundId, paymentId, amountMinor, attempt }: RefundRequest,
): Promise<RefundState> {
  // PayPal forgets request ids after 45 days: what it did is looked up first.
  const made = madeFor({ refundId, attempt }, await refundsOf(paymentId));
  if (made) return toState(made);
  const { amount } = await readCapture(client, paymentId);
  const requestId = `${refundId}:refund${attempt > 0 ? `:${attempt}` : ''}`;
  const body = { amount: toPayPalMoney(amountMinor, amount.currency_code), custom_id: attempt > 0 ? `${refundId}:${attempt}` : refundId };
  try {
    const answer = await client.call('POST', `/v2/payments/captures/${encodeURIComponent(paymentId)}/refund`, { requestId, body });
    return toState(toKnown(refundShape.parse(answer)));
  } catch (error) {
    if (!(error instanceof PayPalRefusal)) throw error;
    const why = REFUSALS[error.issue];
    return why ? { status: 'refused', why } : { status: 'unclear', words: error.issue || error.message };
  }
}

const STATUSES: Readonly<Record<string, KnownRefund['status']>> = { COMPLETED: 'sent', FAILED: 'failed', CANCELLED: 'failed' };

const toKnown = ({ id, status, amount, custom_id: ours, status_details: details }: PayPalRefund): KnownRefund => ({
  id,
  refundId: ours?.split(':', 1)[0],
  attempt: Number(ours?.split(':')[1] ?? 0),
  status: STATUSES[status] ?? 'pending',
  amountMinor: toMinorUnits(amount),
  currency: amount.currency_code,
  words: details?.reason,
});

const toState = ({ id, status, words = 'PayPal could not deliver it' }: KnownRefund): RefundState =>
  status === 'failed' ? { id, status, words } : { id, status };
