// Refunds of captures. Issues are those of `captures.refund-422` of payments_payment_v2.json.
import type { z } from 'zod';
import { DAY } from '#platform/clock.ts';
import { enterRefund } from './account.ts';
import { type Books, newId } from './books.ts';
import type { refundInput } from './input.ts';
import { toMoney, unitsOf } from './money.ts';
import { unprocessable } from './problem.ts';
import { payerOf, showRefund } from './shape.ts';
import type { Capture, PayPalRefund } from './state.ts';

/** REFUND_TIME_LIMIT_EXCEEDED: "You are over the time limit to perform a refund on this capture"; PayPal's guides say 180 days. */
const REFUNDABLE_MS = 180 * DAY;

const given = ({ state }: Books, { refundIds }: Capture): number =>
  refundIds
    .map((id) => state.refunds[id] as PayPalRefund)
    .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
    .reduce((sum, { amount }) => sum + unitsOf(amount, '/amount'), 0);

export function refundCapture(books: Books, capture: Capture, input: z.output<typeof refundInput>): object {
  const { currency_code: currency } = capture.amount;
  if (capture.status === 'PENDING') throw unprocessable('PENDING_CAPTURE');
  if (capture.status === 'DECLINED') throw unprocessable('REFUND_NOT_ALLOWED');
  const open = Object.values(books.state.disputes).find(({ captureId, status }) => captureId === capture.id && status !== 'RESOLVED');
  if (open?.channel === 'EXTERNAL') throw unprocessable('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK');
  const left = unitsOf(capture.amount, '/amount') - given(books, capture);
  if (left === 0) throw unprocessable('CAPTURE_FULLY_REFUNDED');
  if (input.amount && input.amount.currency_code !== currency)
    throw unprocessable('REFUND_CAPTURE_CURRENCY_MISMATCH', '/amount/currency_code');
  const units = input.amount ? unitsOf(input.amount, '/amount') : left;
  if (units < 0) throw unprocessable('CANNOT_BE_NEGATIVE', '/amount/value');
  if (units === 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', '/amount/value');
  if (units > left) throw unprocessable('REFUND_AMOUNT_EXCEEDED', '/amount/value');
  if (open && units < left) throw unprocessable('TRANSACTION_DISPUTED');
  if (books.now() - capture.createdAt > REFUNDABLE_MS) throw unprocessable('REFUND_TIME_LIMIT_EXCEEDED');
  const { invoice_id } = input;
  if (invoice_id !== undefined && Object.values(books.state.refunds).some((refund) => refund.invoice_id === invoice_id))
    throw unprocessable('DUPLICATE_INVOICE_ID', '/invoice_id');
  const at = books.now();
  const payer = payerOf(books, books.state.orders[capture.orderId]?.payerId);
  const refund: PayPalRefund = {
    id: newId(),
    captureId: capture.id,
    // A payment by eCheck is refunded by eCheck: status_details.reason ECHECK.
    status: payer?.funding === 'echeck' ? 'PENDING' : 'COMPLETED',
    amount: toMoney(units, currency),
    custom_id: input.custom_id,
    invoice_id,
    note_to_payer: input.note_to_payer,
    createdAt: at,
    updatedAt: at,
  };
  books.state.refunds[refund.id] = refund;
  capture.refundIds.push(refund.id);
  if (refund.status === 'COMPLETED') arrived(books, capture, refund);
  else books.emit('PAYMENT.REFUND.PENDING', 'refund', showRefund(books, refund));
  return showRefund(books, refund);
}

function arrived(books: Books, capture: Capture, refund: PayPalRefund): void {
  capture.status = given(books, capture) === unitsOf(capture.amount, '/amount') ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  capture.updatedAt = books.now();
  enterRefund(books, refund, 'out');
  books.emit('PAYMENT.CAPTURE.REFUNDED', 'refund', showRefund(books, refund));
}

/** The bank has credited the refund, or returns it; a completed refund may be returned too. */
export function settleRefund(books: Books, refund: PayPalRefund, status: 'COMPLETED' | 'FAILED'): void {
  const capture = books.state.captures[refund.captureId] as Capture;
  const hadArrived = refund.status === 'COMPLETED';
  Object.assign(refund, { status, updatedAt: books.now() });
  if (status === 'COMPLETED') return arrived(books, capture, refund);
  capture.status = given(books, capture) === 0 ? 'COMPLETED' : 'PARTIALLY_REFUNDED';
  if (hadArrived) enterRefund(books, refund, 'back');
  books.emit('PAYMENT.REFUND.FAILED', 'refund', showRefund(books, refund));
}
