// Disputes, at PayPal's resolution centre or by the payer's bank. customer_disputes_v1.json
import type { z } from 'zod';
import { DAY } from '#platform/clock.ts';
import { enterDispute, turnHold } from './account.ts';
import { type Books, newId, toTime } from './books.ts';
import type { acceptClaimInput, evidencesInput } from './input.ts';
import { toMoney } from './money.ts';
import { unprocessable } from './problem.ts';
import { link, payerOf } from './shape.ts';
import type { Capture, Movement, PayPalDispute, PayPalOrder } from './state.ts';

/** For a case of the resolution centre; a bank gives about as long. */
const ANSWER_MS = 10 * DAY;
/** In cents: https://www.paypal.com/us/business/paypal-business-fees, "Dispute fees" and "Chargeback fees". */
const FEES = { DISPUTE_FEE: 1_500, CHARGEBACK_FEE: 2_000 } as const;

export interface DisputeTerms {
  reason?: string;
  /** EXTERNAL: by the payer's bank. */
  channel?: 'INTERNAL' | 'EXTERNAL';
  /** INQUIRY: a question of the payer, which moves no money. */
  stage?: 'INQUIRY' | 'CHARGEBACK';
}

export function openDispute(books: Books, capture: Capture, terms: DisputeTerms = {}): PayPalDispute {
  const { reason = 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED', channel = 'INTERNAL', stage = 'CHARGEBACK' } = terms;
  const at = books.now();
  const dispute: PayPalDispute = {
    dispute_id: `PP-R-${newId(3)}-${newId(9)}`,
    captureId: capture.id,
    reason,
    status: 'WAITING_FOR_SELLER_RESPONSE',
    stage,
    channel,
    amount: capture.amount,
    createdAt: at,
    updatedAt: at,
    responseDueAt: at + ANSWER_MS,
    outcome: undefined,
    movements: [],
    evidences: [],
  };
  books.state.disputes[dispute.dispute_id] = dispute;
  if (stage === 'CHARGEBACK') move(books, dispute, 'DEBIT', 'DISPUTE_SETTLEMENT');
  books.emit('CUSTOMER.DISPUTE.CREATED', 'dispute', showDispute(books, dispute));
  return dispute;
}

/** The payer asks PayPal to decide, and the money is held. */
export function escalate(books: Books, dispute: PayPalDispute): void {
  dispute.stage = 'CHARGEBACK';
  move(books, dispute, 'DEBIT', 'DISPUTE_SETTLEMENT');
  update(books, dispute);
}

function move(books: Books, dispute: PayPalDispute, type: Movement['type'], reason: Movement['reason']): void {
  const { currency_code: currency } = dispute.amount;
  const amount = reason === 'DISPUTE_SETTLEMENT' ? dispute.amount : toMoney(FEES[reason], currency);
  const movement: Movement = { affected_party: 'SELLER', amount, initiated_time: toTime(books.now()), type, reason };
  dispute.movements.push(movement);
  enterDispute(books, dispute, movement);
}

function update(books: Books, dispute: PayPalDispute, event = 'CUSTOMER.DISPUTE.UPDATED'): void {
  dispute.updatedAt = books.now();
  books.emit(event, 'dispute', showDispute(books, dispute));
}

/** PayPal or the bank decides; a merchant who loses pays the fee. */
export function resolve(
  books: Books,
  dispute: PayPalDispute,
  outcome: 'RESOLVED_BUYER_FAVOUR' | 'RESOLVED_SELLER_FAVOUR' | 'CANCELED_BY_BUYER',
): void {
  const isHeld = dispute.movements.length > 0;
  if (outcome === 'RESOLVED_BUYER_FAVOUR') {
    if (!isHeld) move(books, dispute, 'DEBIT', 'DISPUTE_SETTLEMENT');
    turnHold(books, dispute);
    move(books, dispute, 'DEBIT', dispute.channel === 'EXTERNAL' ? 'CHARGEBACK_FEE' : 'DISPUTE_FEE');
  } else if (isHeld) move(books, dispute, 'CREDIT', 'DISPUTE_SETTLEMENT');
  Object.assign(dispute, { status: 'RESOLVED', outcome });
  update(books, dispute, 'CUSTOMER.DISPUTE.RESOLVED');
}

/** "A merchant can provide evidence for disputes with the WAITING_FOR_SELLER_RESPONSE status". */
export function provideEvidence(
  books: Books,
  dispute: PayPalDispute,
  { evidences }: z.output<typeof evidencesInput>,
  files: string[],
): void {
  if (dispute.status !== 'WAITING_FOR_SELLER_RESPONSE') throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE');
  dispute.evidences.push(...evidences.map(({ evidence_type, notes }) => ({ evidence_type, notes, files })));
  dispute.status = 'UNDER_REVIEW';
  update(books, dispute);
}

/** "the dispute closes in the customer's favor and PayPal automatically refunds money to the customer". */
export function acceptClaim(books: Books, dispute: PayPalDispute, _: z.output<typeof acceptClaimInput>): void {
  if (dispute.status === 'RESOLVED') throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE');
  if (dispute.movements.length === 0) move(books, dispute, 'DEBIT', 'DISPUTE_SETTLEMENT');
  turnHold(books, dispute);
  Object.assign(dispute, { status: 'RESOLVED', outcome: 'RESOLVED_BUYER_FAVOUR' });
  update(books, dispute, 'CUSTOMER.DISPUTE.RESOLVED');
}

export function showDispute(books: Books, dispute: PayPalDispute): object {
  const { dispute_id, captureId, reason, status, amount, outcome, movements } = dispute;
  const order = books.state.orders[books.state.captures[captureId]?.orderId ?? ''] as PayPalOrder;
  const self = `${books.url()}/v1/customer/disputes/${dispute_id}`;
  const canAnswer = status === 'WAITING_FOR_SELLER_RESPONSE';
  return {
    dispute_id,
    create_time: toTime(dispute.createdAt),
    update_time: toTime(dispute.updatedAt),
    disputed_transactions: [
      {
        seller_transaction_id: captureId,
        transaction_status: 'COMPLETED',
        gross_amount: amount,
        custom: order.unit.custom_id,
        buyer: { email: payerOf(books, order.payerId)?.email },
      },
    ],
    reason,
    status,
    dispute_amount: amount,
    dispute_life_cycle_stage: dispute.stage,
    dispute_channel: dispute.channel,
    ...(canAnswer && { seller_response_due_date: toTime(dispute.responseDueAt) }),
    ...(outcome !== undefined && { dispute_outcome: { outcome_code: outcome } }),
    ...(movements.length > 0 && { money_movements: movements }),
    links: [
      link(self, 'self'),
      ...(canAnswer ? [link(`${self}/provide-evidence`, 'provide-evidence', 'POST')] : []),
      ...(status === 'RESOLVED' ? [] : [link(`${self}/accept-claim`, 'accept-claim', 'POST')]),
    ],
  };
}
