import { after } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { next } from '#platform/lifecycle.ts';
import { formatMoney } from '#commerce/money.ts';
import { ORDER_LIFECYCLE } from '../../orders/domain/order-lifecycle.ts';
import type { TakenPayment } from '../../payments/domain/payment-method.ts';
import { type BillingSubscription, lockSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import type { Order } from '../../orders/entities/order.ts';
import { insertPayment } from '../../payments/entities/payment.ts';
import { CREDIT, methodOf, methodOfProcessor } from '../../payments/providers/payment-methods.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';
import { changeSubscription, creditInstead, whyNotChange } from '../../subscriptions/services/change-subscription.ts';
import { type Period, invoiceOrder } from '../../invoices/services/issue-invoice.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { announceOrder, moveOrder } from '../../orders/services/orders.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import { canRenew, renewSubscription } from '../../subscriptions/services/renew-subscription.ts';
import { isHeld } from '../../risk/services/judge-order.ts';
import { startSubscription, toPaidSubscription } from '../../subscriptions/services/subscriptions.ts';

/** The data of the event `order.paid`, which the seller reads. */
export const paidData = ({ seller, fulfil, title }: Order, subscription: BillingSubscription | null) => ({
  seller,
  fulfil,
  title,
  ...(subscription && { subscription: toPaidSubscription(subscription) }),
});

/** Whether the money for a change or a renewal has come too late. */
const isTooLate = (order: Order, subscription: BillingSubscription | null): boolean => {
  if (order.kind === 'RENEWAL') return !canRenew(subscription, order);
  return order.kind === 'CHANGE' && !!order.subscription && whyNotChange(subscription, order.subscription) !== undefined;
};

/**
 * Pays an order once, in the transaction of `ctx.em`: writes its status, the payment, its journal, the subscription, the invoice, the event for the seller
 * (unless a rule holds the order for a person to look at) and the mail. Without `payment` the account's credit has paid the whole price. What comes too late
 * for its subscription becomes account credit. The caller holds the order's lock; false: it was paid before, or too late.
 */
export async function payOrder(ctx: SubscriptionsContext, order: Order, payment?: TakenPayment): Promise<boolean> {
  const { kind, subscriptionId } = order;
  if (order.totalMinor > 0 && !payment) throw new Error(`order ${order.id} is not paid`);
  if (!next(ORDER_LIFECYCLE, order.status, 'paid')) return false;
  const held = kind !== 'PURCHASE' && subscriptionId ? await lockSubscription(ctx.em, subscriptionId) : null;
  if (isTooLate(order, held)) {
    await creditInstead(ctx, order, payment);
    return false;
  }
  moveOrder(order, 'paid');
  order.paidAt = ctx.clock.now();
  const settlement = await takePayment(ctx, order, payment);
  const subscription = held ?? (order.subscription ? await startSubscription(ctx, order, order.subscription, payment?.meansId) : null);
  const isFree = order.totalMinor + order.creditMinor === 0;
  const invoice = isFree ? null : await invoiceOrder(ctx, order, settlement, periodOf(order, subscription, ctx.clock.now()));
  if (held && kind === 'CHANGE') await changeSubscription(ctx, order, held);
  if (held && kind === 'RENEWAL') await renewSubscription(ctx, order, held);
  else if (await isHeld(ctx, order, payment?.meansCountry))
    await announceOrder(ctx, order, 'order.held', { holdUntil: after(ctx.clock.now(), ctx.providers.reviewHoldMs).toISOString() });
  else await announceOrder(ctx, order, 'order.paid', paidData(order, subscription));
  if (invoice) await notifyPaid(ctx, order, invoice.id);
  return true;
}

/** Writes the payment and its journal; returns what settles the invoice. */
async function takePayment(ctx: SubscriptionsContext, order: Order, payment: TakenPayment | undefined) {
  const { id, accountId, currency, subtotalMinor, taxMinor, creditMinor, totalMinor, title } = order;
  const paymentId = newId('pay', ctx.clock);
  const shortMinor = payment?.shortMinor ?? 0;
  const { ledger, name } = payment ? methodOfProcessor(payment.processor) : methodOf(CREDIT);
  if (payment && totalMinor > 0) {
    const { processor, processorId } = payment;
    await insertPayment(ctx.em, {
      id: paymentId,
      orderId: id,
      processor,
      processorId,
      amountMinor: totalMinor - shortMinor,
      currency,
      paidAt: ctx.clock.now(),
    });
  }
  await postJournal(ctx, 'order_paid', {
    reference: id,
    currency,
    note: title,
    data: { accountId, subtotalMinor, taxMinor, creditMinor, shortMinor, into: ledger },
  });
  return [
    { method: CREDIT, reference: id, amountMinor: creditMinor },
    { method: name, reference: paymentId, amountMinor: totalMinor, shortMinor },
  ];
}

/** The period that the invoice names: the first one, the next one, or the rest of the present one. */
function periodOf({ kind, periodStart, periodEnd }: Order, subscription: BillingSubscription | null, now: Date): Period | null {
  if (kind === 'RENEWAL') return periodStart && periodEnd ? { periodStart, periodEnd } : null;
  if (!subscription) return null;
  return { periodStart: kind === 'CHANGE' ? now : subscription.currentPeriodStart, periodEnd: subscription.currentPeriodEnd };
}

/** Sends the receipt with the invoice. */
async function notifyPaid(
  ctx: SubscriptionsContext,
  { id, accountId, title, currency, totalMinor, creditMinor }: Order,
  invoiceId: string,
): Promise<void> {
  await postToOwner(ctx, accountId, 'order_paid', {
    title,
    total: formatMoney({ amountMinor: totalMinor + creditMinor, currency }),
    invoiceId,
    url: `${ctx.providers.publicUrl}/orders/${id}`,
  });
}
