// A refund that failed, or a pay-out that no processor makes, waits for a person who decides about the money.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { lockMoneyOf } from '../../../identity/entities/account.ts';
import { lockReference } from '../../ledger/entities/journal.ts';
import { lockOrder } from '../../orders/entities/order.ts';
import { type Refund, failedRefunds, moveRefund, refundAt, refundWithId } from '../entities/refund.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { refuseOwnAccount } from '#platform/context.ts';
import { TEXT_MAX } from '../../../../../schema/limits.ts';
import { endAs, ownerOf } from './end-refund.ts';

/** AGAIN: the same way once more; AS_CREDIT: as account credit; NOT_OWED: the customer has it another way; SENT: a person has sent it. */
export const REFUND_DECISIONS = ['AGAIN', 'AS_CREDIT', 'NOT_OWED', 'SENT'] as const;
export type RefundDecision = (typeof REFUND_DECISIONS)[number];

export const refundsThatFailed = ({ em }: SubscriptionsContext): Promise<Refund[]> => failedRefunds(em);

export interface ResolveRefundInput {
  id: string;
  decision: RefundDecision;
  /** With SENT: the bank's or the network's reference of the transfer. */
  reference?: string | null;
}

/** Errors: refund_not_found, action_not_allowed (it does not wait for this), own_account_refused, parameter_invalid (SENT without a new reference). */
export const resolveRefund = (ctx: SubscriptionsContext, { id, decision, reference }: ResolveRefundInput): Promise<Refund> =>
  inTransaction(ctx, async (tx) => {
    const seen = await refundWithId(tx.em, id);
    if (!seen) throw fail('refund_not_found');
    const { orderId } = seen;
    const accountId = await ownerOf(tx, seen);
    await lockMoneyOf(tx.em, accountId);
    if (orderId) await lockOrder(tx.em, orderId);
    refuseOwnAccount(tx, accountId);
    await tx.em.refresh(seen);
    if (!(await decide(tx, seen, decision, reference))) throw fail('action_not_allowed', { reason: because('refund_not_failed') });
    if (seen.kind === 'PAY_OUT') await record(tx, { type: 'credit.pay_out_resolved', accountId, subject: id, data: { decision } });
    else if (orderId && decision !== 'SENT')
      await record(tx, { type: 'refund.resolved', accountId, subject: id, data: { order: orderId, decision } });
    await tx.em.refresh(seen);
    return seen;
  });

async function decide(
  ctx: SubscriptionsContext,
  refund: Refund,
  decision: RefundDecision,
  reference: string | null | undefined,
): Promise<boolean> {
  const { id, status, attempt, payTo } = refund;
  const waitsToBeSent = status === 'PENDING' && Boolean(payTo);
  if (decision === 'SENT') return waitsToBeSent && endAs(ctx, refund, { to: 'DONE', processorId: await newReference(ctx, reference) });
  if (decision === 'AS_CREDIT' && waitsToBeSent) return endAs(ctx, refund, { to: 'CREDITED' });
  if (status !== 'FAILED') return false;
  if (decision === 'AS_CREDIT') return endAs(ctx, refund, { to: 'CREDITED' });
  if (decision === 'NOT_OWED') return endAs(ctx, refund, { to: 'NOT_OWED' });
  const again = await moveRefund(ctx.em, { id, status }, { status: 'PENDING', attempt: attempt + 1, failure: null, processorId: null });
  if (again) await ctx.jobs.enqueue(ctx.em, 'accounts.refund-send', { id });
  return again;
}

/** A reference that no other pay-out has, since each transfer ends one pay-out. */
async function newReference({ em }: SubscriptionsContext, words: string | null | undefined): Promise<string> {
  const reference = words?.trim() ?? '';
  if (reference === '' || reference.length > TEXT_MAX.transferReference)
    throw fail('parameter_invalid', { field: 'reference', reason: because('bank_reference_length') });
  await lockReference(em, reference);
  if (await refundAt(em, reference)) throw fail('parameter_invalid', { field: 'reference', reason: because('transfer_known') });
  return reference;
}
