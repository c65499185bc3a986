// Refunds an order. One transaction decides and writes the credit note and the journal; the processor is asked after the commit.
import { type EntityManager, inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { type Money, formatMoney, sumOfAmounts } from '#commerce/money.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { partOfTotal } from '../../invoices/domain/invoice.ts';
import type { EndReason } from '../../subscriptions/domain/subscription.ts';
import { lockSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import { invoiceOfOrder, lockLeftOfInvoices } from '../../invoices/entities/invoice.ts';
import { existingOrder, lockOrder } from '../../orders/entities/order.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';
import { toChargeId } from '../../payments/domain/charge.ts';
import { type Payment, paymentsOfOrder } from '../../payments/entities/payment.ts';
import { type Refund, insertRefund, payOutsTo, refundsTo, refundWithId } from '../entities/refund.ts';
import { lockCreditOfAccount } from '../../ledger/entities/credit-balance.ts';
import { methodOf, methodOfProcessor } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { record } from '../../../identity/services/activity.ts';
import { once } from '../../idempotency/services/idempotency.ts';
import { issueNote } from '../../invoices/services/issue-invoice.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import { countGift } from '../../ledger/services/staff-gifts.ts';
import { type RefundedService, takeBack } from './take-back.ts';
import { undoSubscription } from '../../subscriptions/services/undo-subscription.ts';

export interface RefundOrderInput {
  orderId: string;
  destination: MethodName;
  /** With tax, in minor units; absent: all that is left. */
  amountMinor?: number | null;
  /** The customer reads it on the credit note. */
  reason: string;
  /** What happens to what the order bought; absent: it is left as it is. */
  service?: RefundedService | null;
  idempotencyKey: string;
}

/**
 * Errors: order_not_found, own_account_refused, staff_limit_reached, action_not_allowed (nothing was paid, or cannot be taken back), parameter_invalid,
 * idempotency_conflict, idempotency_in_flight.
 */
export function refundOrder(ctx: SubscriptionsContext, { idempotencyKey, ...input }: RefundOrderInput): Promise<Refund> {
  const reason = checkReason(input.reason);
  return once(ctx, { operation: 'supportOrderRefund', key: idempotencyKey, request: input }, (effect) =>
    inTransaction(ctx, async (tx) => {
      // This precedes the lock of the invoice, in the same order as when a subscription is ended.
      await takeBack(tx, { ...input, reason });
      const refund = await refundNow(tx, `rfnd_${effect}`, { ...input, reason });
      if (input.service === 'END_NOW') await closeRefunded(tx, input.orderId);
      const { accountId } = await existingOrder(tx.em, input.orderId);
      await countGift(tx, { accountId, amountMinor: refund.amountMinor, currency: refund.currency });
      return refund;
    }),
  );
}

/** Closes an order that was taken back and completely refunded. */
async function closeRefunded(ctx: SubscriptionsContext, orderId: string): Promise<void> {
  const order = await lockOrder(ctx.em, orderId);
  if (order && (await leftOfOrder(ctx, orderId))?.left.totalMinor === 0) moveOrder(order, 'withdrawn');
}

/** In the transaction of `ctx.em`; the same `id` refunds once. An order that is refunded whole before its delivery takes its subscription with it. */
export async function refundNow(
  ctx: SubscriptionsContext,
  id: string,
  input: Omit<RefundOrderInput, 'idempotencyKey'>,
  why: EndReason = 'REFUNDED',
): Promise<Refund> {
  const { orderId, destination, reason } = input;
  const order = await lockOrder(ctx.em, orderId);
  if (!order) throw fail('order_not_found');
  const repeated = await refundWithId(ctx.em, id);
  if (repeated) return repeated;
  // The subscription is locked before the invoice, as a change does it: the opposite order would deadlock.
  if (order.subscriptionId) await lockSubscription(ctx.em, order.subscriptionId);
  const open = await leftOfOrder(ctx, orderId);
  if (!open) throw fail('action_not_allowed', { reason: because('nothing_paid') });
  const { invoice, left } = open;
  const { currency } = invoice;
  const { refunds } = methodOf(destination);
  const maxMinor = refunds === 'BOOKED' ? left.totalMinor : open.back?.method.name === destination ? open.back.minor : 0;
  const amountMinor = input.amountMinor ?? maxMinor;
  if (amountMinor < 1 || amountMinor > maxMinor)
    throw fail('parameter_invalid', {
      field: 'amountMinor',
      reason: because('refund_limited', { max: formatMoney({ amountMinor: maxMinor, currency }) }),
    });
  const part = partOfTotal(invoice, left, amountMinor);
  const { taxMinor } = part;
  const now = ctx.clock.now();
  await postJournal(ctx, 'refund_granted', {
    reference: id,
    currency,
    note: reason,
    data: { accountId: order.accountId, amountMinor, taxMinor, sentLater: refunds === 'SENT' },
  });
  const note = await issueNote(
    ctx,
    { invoice, part, label: `Refund: ${order.title}`, note: reason },
    refunds === 'BOOKED' ? [{ method: destination, reference: id, amountMinor }] : [],
  );
  const refund = await insertRefund(ctx.em, {
    id,
    orderId,
    creditNoteId: note.id,
    destination,
    amountMinor,
    taxMinor,
    currency,
    reason,
    status: refunds === 'SENT' ? 'PENDING' : 'DONE',
    processorId: null,
    createdAt: now,
    doneAt: refunds === 'SENT' ? null : now,
  });
  if (refunds === 'SENT') await ctx.jobs.enqueue(ctx.em, 'accounts.refund-send', { id });
  if (amountMinor === left.totalMinor && moveOrder(order, 'refunded')) {
    await announceOrder(ctx, order, 'order.refunded', { refundId: id });
    await undoSubscription(ctx, order, why);
  }
  await record(ctx, {
    type: 'refund.granted',
    accountId: order.accountId,
    subject: id,
    data: { order: orderId, amount: formatMoney({ amountMinor, currency }), to: destination, reason },
  });
  return refund;
}

/**
 * What is left of an order's invoice after all earlier refunds, and how much of it can be returned by the method that paid. Nobody else
 * can refund any of it until this transaction ends. Undefined when nothing was paid.
 */
export async function leftOfOrder(ctx: SubscriptionsContext, orderId: string) {
  const invoice = await invoiceOfOrder(ctx.em, orderId);
  const [locked] = invoice ? await lockLeftOfInvoices(ctx.em, [invoice]) : [];
  if (!locked) return undefined;
  return { ...locked, back: await backTheWayItCame(ctx, orderId, locked.left.totalMinor) };
}

/**
 * What of a payment's money that has gone already is covered: by its order's invoice, `part` of what is left of `invoice`, of it `taxMinor`; of one that had
 * become account credit, by what is left of that, `creditMinor`. `lostMinor` is beyond it. The caller holds the order's lock.
 */
export async function coverOf(ctx: SubscriptionsContext, payment: Payment, accountId: string, { amountMinor, currency }: Money) {
  if (payment.credited) {
    const balanceMinor = await lockCreditOfAccount(ctx.em, accountId, currency);
    const creditMinor = Math.max(0, Math.min(amountMinor, balanceMinor, await leftOfCredited(ctx.em, payment)));
    return { covered: undefined, coveredMinor: 0, taxMinor: 0, creditMinor, lostMinor: amountMinor - creditMinor };
  }
  const open = await leftOfOrder(ctx, payment.orderId);
  const coveredMinor = open?.invoice.currency === currency ? Math.min(amountMinor, open.left.totalMinor) : 0;
  const covered =
    open && coveredMinor > 0
      ? { invoice: open.invoice, left: open.left, part: partOfTotal(open.invoice, open.left, coveredMinor) }
      : undefined;
  return { covered, coveredMinor, taxMinor: covered?.part.taxMinor ?? 0, creditMinor: 0, lostMinor: amountMinor - coveredMinor };
}

/** The part of a payment that became credit and is neither paid out nor lost. Other credit of its payer does not count. */
async function leftOfCredited(em: EntityManager, payment: Payment): Promise<number> {
  const out = (await payOutsTo(em, toChargeId(payment))).filter(({ status, againstLoss }) => status !== 'CREDITED' && !againstLoss);
  return payment.amountMinor - payment.lostMinor - sumOfAmounts(out);
}

/** The amount that can be returned by the method that paid; undefined: its processor makes no refunds, or nothing was paid by it. */
async function backTheWayItCame(ctx: SubscriptionsContext, orderId: string, leftMinor: number) {
  const [payment] = await paymentsOfOrder(ctx.em, orderId);
  const method = payment && methodOfProcessor(payment.processor);
  if (!payment || method?.refunds !== 'SENT') return undefined;
  const sent = await refundsTo(ctx.em, orderId, method.name);
  return { method, minor: Math.min(payment.amountMinor - sumOfAmounts(sent), leftMinor) };
}
