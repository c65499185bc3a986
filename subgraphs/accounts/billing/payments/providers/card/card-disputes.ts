// Disputes of card payments: their state at the processor, and our answers. https://docs.stripe.com/disputes/api
import type Stripe from 'stripe';
import type { DisputeReason, DisputeStatus } from '../../domain/payer-dispute.ts';
import { type DisputeAnswers, type DisputeState, type FraudWarning, ofPayment } from '../payer-disputes.ts';
import { idOf } from './card-client.ts';
import { paymentOf } from './card-refunds.ts';

export interface CardDisputes extends DisputeAnswers {
  warning(id: string): Promise<FraudWarning | undefined>;
}

/** The most characters of one text of an evidence; all texts together may have 150,000. */
const MAX_WORDS = 20_000;

export const createCardDisputes = (stripe: Stripe): CardDisputes => {
  const lookUp = async (id: string) => toState(stripe, await stripe.disputes.retrieve(id));
  const known = async (id: string) => ofPayment(id, await lookUp(id));
  return {
    lookUp,

    async submit(id, { pdf, fileName, email, purchaseAddress, product, servedOn, accessLog, statement }) {
      const before = await stripe.disputes.retrieve(id);
      if (statusOf(before) !== 'NEEDS_RESPONSE') return known(id);
      const file = await stripe.files.create({
        purpose: 'dispute_evidence',
        file: { data: pdf, name: fileName, type: 'application/pdf' },
      });
      await stripe.disputes.update(id, {
        evidence: {
          service_documentation: file.id,
          product_description: product.slice(0, MAX_WORDS),
          access_activity_log: cut(accessLog, MAX_WORDS),
          ...(email !== undefined && { customer_email_address: email }),
          ...(purchaseAddress !== undefined && { customer_purchase_ip: purchaseAddress }),
          ...(servedOn !== undefined && { service_date: servedOn }),
          ...(statement !== '' && { uncategorized_text: statement.slice(0, MAX_WORDS) }),
        },
        submit: true,
      });
      return known(id);
    },

    async giveIn(id) {
      if (statusOf(await stripe.disputes.retrieve(id)) === 'NEEDS_RESPONSE') await stripe.disputes.close(id);
      return known(id);
    },

    async warning(id) {
      const warning = await stripe.radar.earlyFraudWarnings.retrieve(id, { expand: ['charge'] });
      const { charge } = warning;
      const paymentId = idOf(warning.payment_intent) ?? (typeof charge === 'string' ? undefined : idOf(charge.payment_intent));
      if (!paymentId) return undefined;
      return { id, payment: await paymentOf(stripe, paymentId), kind: warning.fraud_type, actionable: warning.actionable };
    },
  };
};

/** The last whole lines of a log that fit, which are the newest. */
function cut(log: string, max: number): string {
  if (log.length <= max) return log;
  const rest = log.slice(log.length - max);
  return rest.slice(rest.indexOf('\n') + 1);
}

const REASONS: Readonly<Record<string, DisputeReason>> = {
  fraudulent: 'FRAUD',
  unrecognized: 'FRAUD',
  product_not_received: 'NOT_RECEIVED',
  product_unacceptable: 'NOT_AS_DESCRIBED',
  subscription_canceled: 'CANCELLED',
  credit_not_processed: 'NOT_CREDITED',
  duplicate: 'DUPLICATE',
};

/** The processor's states -> ours. `prevented`: the payment was refunded before it became a dispute. Appeals are answered by hand, at the processor. */
const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'NEEDS_RESPONSE',
  needs_response: 'NEEDS_RESPONSE',
  warning_under_review: 'UNDER_REVIEW',
  under_review: 'UNDER_REVIEW',
  appeal_needs_response: 'UNDER_REVIEW',
  appeal_under_review: 'UNDER_REVIEW',
  won: 'WON',
  lost: 'LOST',
  warning_closed: 'CLOSED',
  prevented: 'CLOSED',
};

const statusOf = ({ status }: Stripe.Dispute): DisputeStatus => STATUSES[status] ?? 'UNDER_REVIEW';

async function toState(stripe: Stripe, dispute: Stripe.Dispute): Promise<DisputeState | undefined> {
  const paymentId = idOf(dispute.payment_intent);
  if (!paymentId) return undefined;
  const { id, amount, currency, reason, status, balance_transactions: entries, evidence_details: details } = dispute;
  return {
    id,
    payment: await paymentOf(stripe, paymentId),
    stage: status.startsWith('warning_') || status === 'prevented' ? 'INQUIRY' : 'DISPUTE',
    status: statusOf(dispute),
    reason: REASONS[reason] ?? 'OTHER',
    amountMinor: amount,
    currency: currency.toUpperCase(),
    respondBy: details.due_by ? new Date(details.due_by * 1_000) : undefined,
    movements: entries.map((entry) => ({
      id: entry.id,
      amountMinor: entry.amount,
      feeMinor: entry.fee,
      currency: entry.currency.toUpperCase(),
    })),
  };
}
