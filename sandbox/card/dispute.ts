// A payer asks their bank for the money back: https://docs.stripe.com/disputes/how-disputes-work. An inquiry moves no money; a dispute takes the amount and a
// fee at once, and returns the amount, but not the fee, when it is won.
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { invalid, noSuch } from './fault.ts';
import { createId } from './ids.ts';
import { DISPUTE_FEE, moveBalance } from './merchant-balance.ts';
import { rowOf } from './state.ts';

const DAY = 86_400;
/** The processor gives 7 to 21 days, depending on the network; a dispute without an answer is then lost. */
const ANSWER_SECONDS = 9 * DAY;

export interface DisputeTerms {
  reason: 'fraudulent' | 'product_not_received' | 'product_unacceptable' | 'subscription_canceled' | 'duplicate' | 'general';
  /** An inquiry of the bank, which moves no money. */
  inquiry?: boolean;
  /** For a part of the charge. */
  amount?: number;
}

export function openDispute(books: Books, charge: Stripe.Charge, { reason, inquiry = false, amount }: DisputeTerms): Stripe.Dispute {
  if (charge.status !== 'succeeded' || charge.disputed) throw new Error(`charge ${charge.id} cannot be disputed`);
  const dispute: Stripe.Dispute = {
    id: createId('du'),
    object: 'dispute',
    amount: amount ?? charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: books.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence(charge),
    evidence_details: {
      due_by: books.now() + ANSWER_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', case_type: inquiry ? 'inquiry' : 'chargeback', network: 'visa', network_reason_code: '10.4' },
    },
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
  books.state.disputes[dispute.id] = dispute;
  charge.disputed = true;
  books.emit('charge.dispute.created', dispute);
  if (!inquiry) withdraw(books, dispute);
  return dispute;
}

/** An inquiry becomes a dispute: `warning_needs_response` -> `needs_response`. */
export function escalate(books: Books, dispute: Stripe.Dispute): void {
  if (!dispute.status.startsWith('warning_')) throw new Error(`dispute ${dispute.id} is no inquiry`);
  books.change('charge.dispute.updated', dispute, () => {
    dispute.status = 'needs_response';
    dispute.is_charge_refundable = false;
    dispute.evidence_details.due_by = books.now() + ANSWER_SECONDS;
  });
  withdraw(books, dispute);
}

/** The bank has decided, or the deadline has passed. `fee`: the part of the fee that is returned, which depends on network and country. */
export function decide(books: Books, dispute: Stripe.Dispute, outcome: 'won' | 'lost', fee = 0): void {
  if (isOver(dispute)) throw new Error(`dispute ${dispute.id} is over`);
  const inquiry = dispute.status.startsWith('warning_');
  dispute.status = inquiry ? 'warning_closed' : outcome;
  dispute.is_charge_refundable = inquiry;
  if (!inquiry && outcome === 'won') {
    const entry = moveBalance(books, {
      type: 'adjustment',
      category: 'dispute_reversal',
      amount: dispute.amount,
      fee: -fee,
      currency: dispute.currency,
      source: dispute.id,
      description: `Chargeback reversal for ${String(dispute.charge)}`,
    });
    dispute.balance_transactions.push(entry);
    books.emit('charge.dispute.funds_reinstated', dispute);
  }
  books.emit('charge.dispute.closed', dispute);
}

/**
 * Takes a lost dispute to the network again, by hand; it can still be won. The statuses of an appeal are the SDK's (stripe 23.1.0,
 * `resources/Disputes.d.ts`, `Status`).
 */
export function appeal(books: Books, dispute: Stripe.Dispute): void {
  if (dispute.status !== 'lost') throw new Error(`dispute ${dispute.id} is not lost`);
  books.change('charge.dispute.updated', dispute, () => {
    dispute.status = 'appeal_under_review';
  });
}

/** Ends what was not answered in time: a dispute is lost, an inquiry closed. */
export function endUnanswered(books: Books): void {
  for (const dispute of Object.values(books.state.disputes)) {
    const { due_by: dueBy, past_due: pastDue } = dispute.evidence_details;
    if (!needsAnswer(dispute) || pastDue || dueBy === null || dueBy > books.now()) continue;
    decide(books, dispute, 'lost');
  }
}

/** Submits the staged evidence, which is possible once; then the bank decides. */
export function submitEvidence(books: Books, dispute: Stripe.Dispute): void {
  if (!needsAnswer(dispute)) throw invalid('This dispute is already submitted or closed, and its evidence cannot be changed.');
  books.change('charge.dispute.updated', dispute, () => {
    dispute.evidence_details.submission_count += 1;
    dispute.evidence_details.submission_method = 'manual';
    dispute.status = dispute.status === 'warning_needs_response' ? 'warning_under_review' : 'under_review';
  });
  // https://docs.stripe.com/testing#evidence: these texts decide the dispute at once.
  const outcome = { winning_evidence: 'won', losing_evidence: 'lost' } as const;
  const words = dispute.evidence.uncategorized_text;
  if (words === 'winning_evidence' || words === 'losing_evidence') decide(books, dispute, outcome[words]);
}

export const needsAnswer = ({ status }: Stripe.Dispute): boolean => status === 'needs_response' || status === 'warning_needs_response';
export const isOver = ({ status }: Stripe.Dispute): boolean => status === 'won' || status === 'lost' || status === 'warning_closed';

export function findDispute(books: Books, id: string): Stripe.Dispute {
  const dispute = rowOf(books.state.disputes, id);
  if (!dispute) throw noSuch('dispute', id);
  return dispute;
}

/** The charge's dispute, also one that has ended: a bank disputes a charge once. */
export const disputeOf = (books: Books, charge: string): Stripe.Dispute | undefined =>
  Object.values(books.state.disputes).find((dispute) => dispute.charge === charge);

/** The payer's bank reports a charge as fraud before anybody disputes it: https://docs.stripe.com/disputes/measuring */
export function warnOfFraud(books: Books, charge: Stripe.Charge): Stripe.Radar.EarlyFraudWarning {
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: createId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: !charge.refunded && !charge.disputed,
    charge: charge.id,
    created: books.now(),
    fraud_type: 'unauthorized_use_of_card',
    livemode: false,
    ...(typeof charge.payment_intent === 'string' && { payment_intent: charge.payment_intent }),
  };
  books.state.fraudWarnings[warning.id] = warning;
  books.emit('radar.early_fraud_warning.created', warning);
  return warning;
}

function withdraw(books: Books, dispute: Stripe.Dispute): void {
  const entry = moveBalance(books, {
    type: 'adjustment',
    category: 'dispute',
    amount: -dispute.amount,
    fee: DISPUTE_FEE,
    currency: dispute.currency,
    source: dispute.id,
    description: `Chargeback withdrawal for ${String(dispute.charge)}`,
  });
  dispute.balance_transactions.push(entry);
  books.emit('charge.dispute.funds_withdrawn', dispute);
}

const noEvidence = (charge: Stripe.Charge): Stripe.Dispute.Evidence => ({
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: charge.billing_details.email,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
});
