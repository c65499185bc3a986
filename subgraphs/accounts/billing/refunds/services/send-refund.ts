import { inTransaction } from '#platform/database.ts';
import { lockMoneyOf, openAccount } from '../../../identity/entities/account.ts';
import { lockOrder } from '../../orders/entities/order.ts';
import { toCharge } from '../../payments/domain/charge.ts';
import { existingPayment } from '../../payments/entities/payment.ts';
import { isPosted } from '../../ledger/entities/journal.ts';
import { type Refund, pendingRefund, pendingRefunds, refundAt } from '../entities/refund.ts';
import { methodOf, processorOf } from '../../payments/providers/payment-methods.ts';
import type { RefundState, RefusalOfRefund } from '../../payments/providers/payment-processor.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { type Ending, endAgainstLoss, endAs, ownerOf } from './end-refund.ts';

/** Why the pay-out of a closed account waits for a person. */
const NEVER_TAKEN = 'The processor never takes it back, and the account is closed.';

/** The processor's refusal -> how the refund ends. */
const REFUSED: Record<RefusalOfRefund, Ending> = {
  not_refundable: { to: 'CREDITED' },
  already_refunded: { to: 'FAILED', failure: 'It was given back at the processor before.' },
  disputed: { to: 'FAILED', failure: "The payer's bank has the money, or decides about it." },
};

/**
 * Asks the processor to make a promised refund; safe to repeat. What the processor can never return becomes account credit;
 * any other refusal waits for a person.
 */
export async function sendRefund(ctx: SubscriptionsContext, id: string): Promise<void> {
  const refund = await pendingRefund(ctx.em.fork(), id);
  if (!refund) return;
  const { orderId, amountMinor, destination, attempt } = refund;
  const paymentId = await paymentOf(ctx, refund);
  const asked = { refundId: id, paymentId, amountMinor, attempt };
  const state = await processorOf(ctx.providers, destination).refund(asked);
  // Some banks take days: the processor notifies, and the sweep looks again.
  if (state.status === 'pending') return;
  const accountId = await ownerOf({ ...ctx, em: ctx.em.fork() }, refund);
  const ending = await endingOf(ctx, refund, paymentId, state);
  await inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    await lockMoneyOf(tx.em, accountId);
    if (orderId) await lockOrder(tx.em, orderId);
    // The payer gets no credit for what they have got back already.
    if (ending.to === 'CREDITED' && (await endAgainstLoss(tx, refund))) return;
    // A refund by hand may have been booked by its webhook in the meantime.
    const isBooked = ending.to === 'DONE' && ending.processorId && (await isPosted(tx.em, 'refund_elsewhere', ending.processorId));
    await endAs(tx, refund, isBooked ? REFUSED.already_refunded : await asPayOutEnds(tx, refund, ending));
  });
}

/** The processor's id of the payment to refund. */
async function paymentOf({ em }: SubscriptionsContext, { orderId, chargeId, destination }: Refund): Promise<string> {
  if (chargeId) return toCharge(chargeId).processorId;
  if (!orderId) throw new Error('a refund of nothing');
  return (await existingPayment(em.fork(), orderId, methodOf(destination).processor)).processorId;
}

/**
 * A pay-out that has certainly not arrived becomes credit again; about a refund a person decides. Credit of a closed account is of no use to anybody, so
 * there a person decides too.
 */
export async function asPayOutEnds({ em }: SubscriptionsContext, { kind, accountId }: Refund, ending: Ending): Promise<Ending> {
  if (kind !== 'PAY_OUT' || !accountId || (ending.to !== 'CREDITED' && ending.to !== 'FAILED')) return ending;
  const isOpen = (await openAccount(em, accountId)) !== null;
  if (ending.to === 'CREDITED') return isOpen ? ending : { ...ending, to: 'FAILED', failure: NEVER_TAKEN };
  return ending.sentBack && isOpen ? { to: 'CREDITED', ...(ending.processorId && { processorId: ending.processorId }) } : ending;
}

async function endingOf(ctx: SubscriptionsContext, refund: Refund, paymentId: string, state: RefundState): Promise<Ending> {
  if (state.status === 'sent' || state.status === 'pending') return { to: 'DONE', ...(state.id && { processorId: state.id }) };
  if (state.status === 'failed' || state.status === 'unclear')
    return { to: 'FAILED', failure: state.words, sentBack: state.status === 'failed', ...(state.id && { processorId: state.id }) };
  if (state.why !== 'already_refunded') return REFUSED[state.why];
  const made = await madeByHand(ctx, refund, paymentId);
  return made ? { to: 'DONE', processorId: made } : REFUSED.already_refunded;
}

/** A refund of the same amount that somebody has made at the processor and that is not in our books yet: it counts as the promised one. */
async function madeByHand(ctx: SubscriptionsContext, { amountMinor, destination }: Refund, paymentId: string): Promise<string | undefined> {
  const known = (await processorOf(ctx.providers, destination).refundsOf?.(paymentId)) ?? [];
  for (const { id, status, refundId, amountMinor: madeMinor } of known)
    if (status === 'sent' && !refundId && madeMinor === amountMinor && !(await refundAt(ctx.em.fork(), id))) return id;
  return undefined;
}

/** Repeats refunds whose job was lost, and those that a bank has not decided on. */
export async function resumeRefunds(ctx: SubscriptionsContext, olderThan: Date): Promise<void> {
  for await (const { id } of pendingRefunds(ctx.em, olderThan)) await ctx.jobs.enqueue(ctx.em, 'accounts.refund-send', { id }, { key: id });
}
