// Applies the present state of a dispute, as its processor reports it, under the lock of its order; so repeated, late and concurrent calls change nothing more.
import { toDay } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { formatMoney } from '#commerce/money.ts';
import { isOver, REASON_WORDS } from '../domain/dispute.ts';
import { type Dispute, disputeAt, insertDispute } from '../entities/dispute.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import type { DisputeMovement, DisputeState } from '../../payments/providers/payer-disputes.ts';
import { subscriptionWithId } from '../../subscriptions/entities/billing-subscription.ts';
import type { DisputesContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import { type PaidOrder, lockPaymentOf } from '../../refunds/services/apply-refunds.ts';
import { bookLoss, bookLossBack } from './book-loss.ts';
import { askForRecords } from './evidence.ts';
import { freezeAsWanted } from './freeze.ts';

/** Applies the state of a dispute, in the caller's transaction. */
export async function applyDispute(ctx: DisputesContext, method: MethodDefinition, state: DisputeState): Promise<void> {
  const found = await lockPaymentOf(ctx, method, state.payment);
  if (!found) return;
  const { order } = found;
  const known = await disputeAt(ctx.em, method.processor, state.id);
  const dispute = known ?? (await open(ctx, method, { ...found, state }));
  for (const movement of state.movements) await bookMovement(ctx, method, dispute, movement);
  // All fees count, also those that were booked when the processor's books were read (billing/payouts).
  dispute.feeMinor = state.movements.reduce((sum, { feeMinor }) => sum + feeMinor, 0);
  dispute.feeCurrency = state.movements.find(({ feeMinor }) => feeMinor !== 0)?.currency ?? null;
  const was = dispute.status;
  const { stage, status, amountMinor } = state;
  Object.assign(dispute, { stage, status, amountMinor, respondBy: state.respondBy ?? null });
  // A dispute that was decided can be appealed.
  dispute.closedAt = isOver(status) ? (dispute.closedAt ?? ctx.clock.now()) : null;
  if (status === 'LOST') await bookLoss(ctx, method, found, dispute);
  else await bookLossBack(ctx, method, found, dispute);
  if (!found.payment.credited) await freezeAsWanted(ctx, order, dispute);
  await ctx.em.flush();
  if (known && was !== status) await announce(ctx, dispute, isOver(status) ? 'dispute.closed' : 'dispute.changed');
}

async function open(
  ctx: DisputesContext,
  { processor }: MethodDefinition,
  { order, payment, state }: PaidOrder & { state: DisputeState },
): Promise<Dispute> {
  const { id: orderId, accountId, subscriptionId } = order;
  const { stage, status, reason, amountMinor, currency } = state;
  // A payment that came too late has bought nothing.
  const subscription = subscriptionId && !payment.credited ? await subscriptionWithId(ctx.em, subscriptionId) : null;
  const dispute = await insertDispute(ctx.em, {
    id: newId('disp', ctx.clock),
    processor,
    processorId: state.id,
    paymentId: payment.id,
    orderId,
    purchaseId: subscription?.orderId ?? orderId,
    accountId,
    stage,
    status,
    reason,
    currency,
    amountMinor,
    withdrawnMinor: 0,
    feeMinor: 0,
    feeCurrency: null,
    respondBy: state.respondBy ?? null,
    openedAt: ctx.clock.now(),
    closedAt: null,
    frozenAt: null,
    warnedAt: null,
    submittedAt: null,
  });
  await announce(ctx, dispute, 'dispute.opened');
  await askForRecords(ctx, order, dispute);
  const { supportEmail, publicUrl } = ctx.providers;
  await postMail(ctx, supportEmail, 'dispute_opened', {
    title: order.title,
    amount: formatMoney({ amountMinor, currency }),
    reason: REASON_WORDS[reason],
    until: state.respondBy ? toDay(state.respondBy) : 'never',
    url: `${publicUrl}/support/disputes`,
  });
  return dispute;
}

const announce = (
  ctx: DisputesContext,
  { id, accountId, orderId, status }: Dispute,
  type: 'dispute.opened' | 'dispute.changed' | 'dispute.closed',
) => record(ctx, { type, accountId, subject: id, data: { order: orderId, status }, actor: 'PLATFORM' });

/** Books money that the processor has moved for a dispute, and its fee, each once, by the processor's id. */
async function bookMovement(
  ctx: DisputesContext,
  { ledger: from }: MethodDefinition,
  dispute: Dispute,
  movement: DisputeMovement,
): Promise<void> {
  const { accountId, currency, id: note } = dispute;
  const { id: reference, feeMinor } = movement;
  // The processor's books may be in another currency than the payment.
  const movedMinor = movement.currency === currency ? movement.amountMinor : Math.sign(movement.amountMinor) * dispute.amountMinor;
  const data = { accountId, amountMinor: Math.abs(movedMinor), from };
  if (await postJournal(ctx, movedMinor < 0 ? 'dispute_withdrawn' : 'dispute_reinstated', { reference, currency, note, data }))
    dispute.withdrawnMinor -= movedMinor;
  const fee = { reference, currency: movement.currency, note, data: { accountId, amountMinor: feeMinor, from } };
  await postJournal(ctx, 'processor_fee', fee);
}
