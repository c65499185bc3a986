// Orders, captures and refunds in the form in which the API returns them.
import { type Books, toTime } from './books.ts';
import { toMoney, unitsOf } from './money.ts';
import type { Capture, Payer, PayPalOrder, PayPalRefund } from './state.ts';

type Shown = Record<string, unknown>;

export const link = (href: string, rel: string, method = 'GET') => ({ href, rel, method });

export const payerOf = ({ state }: Books, id: string | undefined): Payer | undefined => (id === undefined ? undefined : state.payers[id]);

export function showOrder(books: Books, order: PayPalOrder): Shown {
  const { id, unit } = order;
  const payer = payerOf(books, order.payerId);
  const captures = order.captureIds.map((captureId) => books.state.captures[captureId] as Capture);
  const refunds = captures.flatMap(({ refundIds }) => refundIds.map((refundId) => books.state.refunds[refundId] as PayPalRefund));
  const token = order.tokenId === undefined ? undefined : books.state.paymentTokens[order.tokenId];
  const vault = token && { id: token.id, status: 'VAULTED', customer: { id: token.customerId } };
  const self = `${books.url()}/v2/checkout/orders/${id}`;
  const page = `${books.url()}/checkoutnow?token=${id}`;
  return {
    id,
    intent: 'CAPTURE',
    status: order.status,
    create_time: toTime(order.createdAt),
    update_time: toTime(order.updatedAt),
    ...(payer && {
      payer: { email_address: payer.email, payer_id: payer.id, address: { country_code: payer.country } },
      payment_source: {
        paypal: {
          email_address: payer.email,
          account_id: payer.id,
          account_status: 'VERIFIED',
          address: { country_code: payer.country },
          ...(vault && { attributes: { vault } }),
        },
      },
    }),
    purchase_units: [
      {
        ...unit,
        payee: { merchant_id: MERCHANT_ID, email_address: 'merchant@egress.test' },
        ...(captures.length > 0 && {
          payments: {
            captures: captures.map((capture) => showCapture(books, capture)),
            ...(refunds.length > 0 && { refunds: refunds.map((refund) => showRefund(books, refund)) }),
          },
        }),
      },
    ],
    links: [
      link(self, 'self'),
      ...(order.status === 'CREATED' ? [link(page, 'approve')] : []),
      ...(order.status === 'PAYER_ACTION_REQUIRED' ? [link(page, 'payer-action')] : []),
      ...(order.status === 'COMPLETED' ? [] : [link(`${self}/capture`, 'capture', 'POST')]),
    ],
  };
}

/** `ppaas_payer_id_v3`; the merchant to whom the client belongs. */
export const MERCHANT_ID = 'EGRESSSHQP234';

/** 3.49 % and 49 cents, as PayPal's fees in the United States. */
const feeOf = (units: number): number => Math.round(units * 0.0349) + 49;

export function showCapture(books: Books, capture: Capture): Shown {
  const { id, orderId, amount, reason } = capture;
  const { custom_id, invoice_id } = (books.state.orders[orderId] as PayPalOrder).unit;
  const gross = unitsOf(amount, '/amount');
  const { currency_code: currency } = amount;
  return {
    id,
    status: capture.status,
    ...(reason !== undefined && { status_details: { reason } }),
    amount,
    final_capture: true,
    ...(custom_id !== undefined && { custom_id }),
    ...(invoice_id !== undefined && { invoice_id }),
    seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'] },
    // "This is not available for transactions that are in pending state."
    ...(capture.status !== 'PENDING' &&
      capture.status !== 'DECLINED' && {
        seller_receivable_breakdown: {
          gross_amount: amount,
          paypal_fee: toMoney(feeOf(gross), currency),
          net_amount: toMoney(gross - feeOf(gross), currency),
        },
      }),
    supplementary_data: { related_ids: { order_id: orderId } },
    create_time: toTime(capture.createdAt),
    update_time: toTime(capture.updatedAt),
    links: [
      link(`${books.url()}/v2/payments/captures/${id}`, 'self'),
      link(`${books.url()}/v2/payments/captures/${id}/refund`, 'refund', 'POST'),
      link(`${books.url()}/v2/checkout/orders/${orderId}`, 'up'),
    ],
  };
}

export function showRefund(books: Books, refund: PayPalRefund): Shown {
  const { id, captureId, status, amount, custom_id, invoice_id, note_to_payer } = refund;
  return {
    id,
    status,
    ...(status === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
    amount,
    ...(custom_id !== undefined && { custom_id }),
    ...(invoice_id !== undefined && { invoice_id }),
    ...(note_to_payer !== undefined && { note_to_payer }),
    create_time: toTime(refund.createdAt),
    update_time: toTime(refund.updatedAt),
    links: [link(`${books.url()}/v2/payments/refunds/${id}`, 'self'), link(`${books.url()}/v2/payments/captures/${captureId}`, 'up')],
  };
}
