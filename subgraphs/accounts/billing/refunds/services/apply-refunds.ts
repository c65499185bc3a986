// Applies the refunds of a payment as the processor has them, made by us or by hand, under the order's lock. Repeated, late and crossing calls change nothing
// more.
import { newId } from '#platform/ids.ts';
import { lockMoneyOf } from '../../../identity/entities/account.ts';
import { existingOrder, lockOrder, orderWithId, type Order } from '../../orders/entities/order.ts';
import { lockSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import { toChargeId } from '../../payments/domain/charge.ts';
import { type Payment, paymentBy } from '../../payments/entities/payment.ts';
import { type Refund, insertRefund, refundAt, refundWithId } from '../entities/refund.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import type { ProcessorPayment } from '../../payments/providers/payer-disputes.ts';
import type { KnownRefund } from '../../payments/providers/payment-processor.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { formatMoney } from '#commerce/money.ts';
import { postedTo } from '../../ledger/entities/journal.ts';
import { issueNote } from '../../invoices/services/issue-invoice.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { undoSubscription } from '../../subscriptions/services/undo-subscription.ts';
import { endAs } from './end-refund.ts';
import { noteLoss } from './note-loss.ts';
import { asPayOutEnds } from './send-refund.ts';
import { coverOf } from './refund-order.ts';

/** A payment with the order that it has paid or came too late for. */
export interface PaidOrder {
  payment: Payment;
  order: Order;
}

const BY_HAND = 'Given back by hand';
/** The reason of a refund that came back without one. */
const SENT_BACK = 'The bank of the payer has sent it back.';

/**
 * Our payment for a payment of the processor, with its order locked. Undefined: it is none of ours. Throws while the order that the processor names is
 * not known to be paid: the webhook of the payment is on its way, and this one is tried again.
 */
export async function lockPaymentOf(
  ctx: SubscriptionsContext,
  { processor }: MethodDefinition,
  { id, orderId }: ProcessorPayment,
): Promise<PaidOrder | undefined> {
  const payment = await paymentBy(ctx.em, { processor, processorId: id });
  if (payment) await lockMoneyOf(ctx.em, (await existingOrder(ctx.em, payment.orderId)).accountId);
  const order = payment && (await lockOrder(ctx.em, payment.orderId));
  if (!payment || !order) {
    if (orderId && (await orderWithId(ctx.em, orderId))?.status === 'PENDING')
      throw new Error(`payment ${id} of order ${orderId} is not known yet`);
    ctx.log.warn({ payment: id, order: orderId }, 'a payment that is none of ours');
    return undefined;
  }
  if (order.subscriptionId) await lockSubscription(ctx.em, order.subscriptionId);
  return { payment, order };
}

export async function applyRefunds(
  ctx: SubscriptionsContext,
  method: MethodDefinition,
  { payment: named, refunds }: { payment: ProcessorPayment; refunds: readonly KnownRefund[] },
): Promise<void> {
  const others: KnownRefund[] = [];
  for (const known of refunds) if (!(await applyToPayOut(ctx, known))) others.push(known);
  if (others.length === 0) return;
  const found = await lockPaymentOf(ctx, method, named);
  if (!found) return;
  for (const known of others) await applyOne(ctx, method, found, known);
}

/** Applies a refund of a charge that credit came from, and that may have paid no order. False: it is no pay-out of ours. */
async function applyToPayOut(ctx: SubscriptionsContext, known: KnownRefund): Promise<boolean> {
  const seen = await ours(ctx, known);
  if (seen?.kind !== 'PAY_OUT' || !seen.accountId || seen.elsewhere) return false;
  await lockMoneyOf(ctx.em, seen.accountId);
  await ctx.em.refresh(seen);
  await applyTo(ctx, seen, known);
  return true;
}

const ours = async ({ em }: SubscriptionsContext, { id, refundId }: KnownRefund) =>
  (await refundAt(em, id)) ?? (refundId ? await refundWithId(em, refundId) : null);

async function applyOne(ctx: SubscriptionsContext, method: MethodDefinition, found: PaidOrder, known: KnownRefund): Promise<void> {
  if (known.status === 'failed') await undoLoss(ctx, method, found, known);
  const refund = await ours(ctx, known);
  if (refund) return applyTo(ctx, refund, known);
  if (known.status !== 'failed') await bookByHand(ctx, method, found, known);
}

/** A refund by hand, beyond what its payment covered, has come back: other refunds that were not owed because of it are owed again. */
async function undoLoss(
  ctx: SubscriptionsContext,
  method: MethodDefinition,
  { order, payment }: PaidOrder,
  { id, currency }: KnownRefund,
): Promise<void> {
  const amountMinor = await postedTo(ctx.em, 'refund_elsewhere', id, 'LOSSES');
  if (amountMinor <= 0) return;
  const data = { accountId: order.accountId, amountMinor, from: method.ledger };
  if (await postJournal(ctx, 'refund_elsewhere_returned', { reference: id, currency, note: SENT_BACK, data }))
    await noteLoss(ctx, method.name, payment, -amountMinor);
}

async function applyTo(ctx: SubscriptionsContext, refund: Refund, { id: processorId, status, words }: KnownRefund): Promise<void> {
  // This is an earlier attempt of a refund that has been tried again since.
  if (refund.processorId && refund.processorId !== processorId) return;
  if (status === 'sent' && refund.status === 'PENDING') await endAs(ctx, refund, { to: 'DONE', processorId });
  if (status === 'failed' && (refund.status === 'PENDING' || refund.status === 'DONE') && !isTriedAgain(refund)) {
    const failed = { to: 'FAILED', failure: words ?? SENT_BACK, sentBack: true, processorId } as const;
    await endAs(ctx, refund, await asPayOutEnds(ctx, refund, failed));
  }
}

/** Whether a new attempt is under way, of which nothing is known yet: then the failure is that of the attempt before. */
const isTriedAgain = ({ attempt, status, processorId }: { attempt: number; status: string; processorId?: string | null }): boolean =>
  attempt > 0 && status === 'PENDING' && !processorId;

/** Books a refund that somebody made in the processor's own dashboard, with a credit note up to what is left of the invoice. */
async function bookByHand(
  ctx: SubscriptionsContext,
  method: MethodDefinition,
  { order, payment }: PaidOrder,
  known: KnownRefund,
): Promise<void> {
  const { id: orderId, accountId, title } = order;
  const { currency } = known;
  const { covered, coveredMinor: refundedMinor, taxMinor, creditMinor, lostMinor } = await coverOf(ctx, payment, accountId, known);
  const posted = await postJournal(ctx, 'refund_elsewhere', {
    reference: known.id,
    currency,
    note: BY_HAND,
    data: { accountId, amountMinor: refundedMinor, taxMinor, creditMinor, lostMinor, from: method.ledger },
  });
  if (!posted) return;
  await noteLoss(ctx, method.name, payment, lostMinor);
  if (creditMinor > 0) await notePayOut(ctx, method, { accountId, payment, creditMinor }, known);
  if (!covered) return;
  const { invoice, part, left } = covered;
  const id = newId('rfnd', ctx.clock);
  const now = ctx.clock.now();
  const note = await issueNote(ctx, { invoice, part, label: `Refund: ${title}`, note: BY_HAND }, [
    { method: method.name, reference: id, amountMinor: refundedMinor },
  ]);
  await insertRefund(ctx.em, {
    id,
    orderId,
    creditNoteId: note.id,
    destination: method.name,
    amountMinor: refundedMinor,
    taxMinor,
    currency,
    reason: BY_HAND,
    status: 'DONE',
    processorId: known.id,
    createdAt: now,
    doneAt: now,
    elsewhere: true,
  });
  if (refundedMinor === left.totalMinor && moveOrder(order, 'refunded')) {
    await announceOrder(ctx, order, 'order.refunded', { refundId: id });
    await undoSubscription(ctx, order, 'REFUNDED');
  }
  const amount = formatMoney({ amountMinor: refundedMinor, currency });
  await record(ctx, { type: 'refund.granted', accountId, subject: id, data: { order: orderId, amount, to: method.name, reason: BY_HAND } });
}

/** Books a refund by hand of a payment that had become credit, as a pay-out of that credit. */
async function notePayOut(
  ctx: SubscriptionsContext,
  { name }: MethodDefinition,
  { accountId, payment, creditMinor: amountMinor }: { accountId: string; payment: Payment; creditMinor: number },
  { id: processorId, currency }: KnownRefund,
): Promise<void> {
  const now = ctx.clock.now();
  await insertRefund(ctx.em, {
    id: newId('pout', ctx.clock),
    kind: 'PAY_OUT',
    orderId: null,
    creditNoteId: null,
    accountId,
    chargeId: toChargeId(payment),
    destination: name,
    amountMinor,
    taxMinor: 0,
    currency,
    reason: BY_HAND,
    status: 'DONE',
    processorId,
    createdAt: now,
    doneAt: now,
    elsewhere: true,
  });
}
