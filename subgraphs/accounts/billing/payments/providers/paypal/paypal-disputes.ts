// Disputes of what was captured: cases of PayPal's resolution centre, and what payers' banks ask through it. Disputes v1.
import { z } from 'zod';
import type { DisputeReason, DisputeStatus } from '../../domain/payer-dispute.ts';
import { sumOfAmounts } from '#commerce/money.ts';
import { type DisputeAnswers, type DisputeMovement, type DisputeState, type Evidence, ofPayment } from '../payer-disputes.ts';
import { type PayPalClient, isMissing } from './paypal-client.ts';
import { moneyShape, toMinorUnits } from './paypal-money.ts';

const disputeShape = z.object({
  dispute_id: z.string().min(1),
  reason: z.string(),
  status: z.string(),
  dispute_life_cycle_stage: z.string().optional(),
  dispute_amount: moneyShape,
  seller_response_due_date: z.string().optional(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional(), custom: z.string().optional() })).default([]),
  money_movements: z
    .array(
      z.object({
        affected_party: z.string().optional(),
        amount: moneyShape.optional(),
        initiated_time: z.string().optional(),
        type: z.string().optional(),
        reason: z.string().optional(),
      }),
    )
    .default([]),
});
type PayPalDispute = z.output<typeof disputeShape>;

/** The most characters that PayPal takes in the notes of an evidence. */
const MAX_WORDS = 2_000;
const AT = '/v1/customer/disputes';

export const createPayPalDisputes = (client: PayPalClient): DisputeAnswers => {
  const path = (id: string) => `${AT}/${encodeURIComponent(id)}`;
  const lookUp = async (id: string): Promise<DisputeState | undefined> => {
    try {
      return toState(disputeShape.parse(await client.call('GET', path(id))));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  const known = async (id: string) => ofPayment(id, await lookUp(id));
  return {
    lookUp,

    async submit(id, evidence) {
      const before = await known(id);
      if (before.status !== 'NEEDS_RESPONSE') return before;
      await client.call('POST', `${path(id)}/provide-evidence`, { body: formOf(evidence) });
      return known(id);
    },

    async giveIn(id) {
      const before = await known(id);
      if (before.status !== 'NEEDS_RESPONSE') return before;
      await client.call('POST', `${path(id)}/accept-claim`, { body: { note: 'We give the money back.', accept_claim_type: 'REFUND' } });
      return known(id);
    },
  };
};

/** The pack is the document; the notes say in short what it holds. */
function formOf({ pdf, fileName, product, servedOn, accessLog, statement }: Evidence): FormData {
  const notes = [statement, product, servedOn && `Delivered on ${servedOn}.`, accessLog && `Last uses:\n${accessLog}`]
    .filter(Boolean)
    .join('\n');
  const input = { evidences: [{ evidence_type: 'OTHER', notes: notes.slice(0, MAX_WORDS), documents: [{ name: fileName }] }] };
  const form = new FormData();
  form.set('input', new Blob([JSON.stringify(input)], { type: 'application/json' }));
  form.set('evidence-file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), fileName);
  return form;
}

const REASONS: Readonly<Record<string, DisputeReason>> = {
  UNAUTHORISED: 'FRAUD',
  MERCHANDISE_OR_SERVICE_NOT_RECEIVED: 'NOT_RECEIVED',
  MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED: 'NOT_AS_DESCRIBED',
  CREDIT_NOT_PROCESSED: 'NOT_CREDITED',
  DUPLICATE_TRANSACTION: 'DUPLICATE',
  CANCELED_RECURRING_BILLING: 'CANCELLED',
};

/** PayPal gives its movements no ids: the place among them is one, for they are only added to. */
const movementsOf = ({ dispute_id: id, money_movements: movements }: PayPalDispute): DisputeMovement[] =>
  movements.flatMap(({ affected_party: party, amount, type, reason = '' }, index): DisputeMovement[] => {
    if (party !== 'SELLER' || !amount) return [];
    const minor = toMinorUnits(amount);
    const isSettlement = reason === 'DISPUTE_SETTLEMENT';
    const taken = type === 'DEBIT' ? minor : -minor;
    return [
      {
        id: `${id}:${index}`,
        amountMinor: isSettlement ? 0 - taken : 0,
        feeMinor: isSettlement ? 0 : taken,
        currency: amount.currency_code,
      },
    ];
  });

/** What is decided is told by where the money is: PayPal pays some payers out of its own pocket. */
function statusOf({ status, dispute_life_cycle_stage: stage }: PayPalDispute, movements: readonly DisputeMovement[]): DisputeStatus {
  if (status === 'WAITING_FOR_SELLER_RESPONSE') return 'NEEDS_RESPONSE';
  if (status !== 'RESOLVED') return 'UNDER_REVIEW';
  if (sumOfAmounts(movements) < 0) return 'LOST';
  return stage === 'INQUIRY' ? 'CLOSED' : 'WON';
}

function toState(dispute: PayPalDispute): DisputeState | undefined {
  const [transaction] = dispute.disputed_transactions;
  if (!transaction?.seller_transaction_id) return undefined;
  const movements = movementsOf(dispute);
  const { dispute_id: id, dispute_amount: amount, seller_response_due_date: due } = dispute;
  return {
    id,
    payment: { id: transaction.seller_transaction_id, orderId: transaction.custom },
    stage: dispute.dispute_life_cycle_stage === 'INQUIRY' ? 'INQUIRY' : 'DISPUTE',
    status: statusOf(dispute, movements),
    reason: REASONS[dispute.reason] ?? 'OTHER',
    amountMinor: toMinorUnits(amount),
    currency: amount.currency_code,
    respondBy: due === undefined ? undefined : new Date(due),
    movements,
  };
}
