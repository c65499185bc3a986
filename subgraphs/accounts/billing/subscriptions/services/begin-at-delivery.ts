// Nobody pays for the time that a delivery takes: what is made by hand is delivered hours or days after its payment.
import { MINUTE } from '#platform/clock.ts';
import { addMonths } from '#commerce/proration.ts';
import { lockSubscription } from '../entities/billing-subscription.ts';
import type { Order } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../context.ts';
import { announceSubscription } from './subscriptions.ts';

/** Spec is silent: after a faster delivery the period still begins with the payment, as with everything that is delivered automatically. */
const WAIT_MS = 10 * MINUTE;

/**
 * Lets the first period begin now, to the second, when the delivery took long; later periods count from now, and sellers and the processor are told. The
 * invoice stays as it was issued; the order says which period it pays for. In the transaction of the delivery, which holds the order's lock.
 */
export async function beginAtDelivery(ctx: SubscriptionsContext, order: Order): Promise<void> {
  if (order.kind !== 'PURCHASE' || !order.subscriptionId) return;
  const subscription = await lockSubscription(ctx.em, order.subscriptionId);
  if (!subscription || subscription.status !== 'ACTIVE' || subscription.renewalOrderId) return;
  const now = ctx.clock.now().getTime();
  // A subscription that was renewed before its delivery keeps its paid periods.
  const isFirst = subscription.currentPeriodStart.getTime() === subscription.startedAt.getTime();
  if (!isFirst || now - subscription.startedAt.getTime() < WAIT_MS) return;
  const start = new Date(Math.floor(now / 1_000) * 1_000);
  const end = addMonths(start, subscription.intervalCount);
  Object.assign(subscription, { currentPeriodStart: start, currentPeriodEnd: end, anchorAt: start });
  Object.assign(order, { periodStart: start, periodEnd: end });
  await announceSubscription(ctx, subscription, 'subscription.begun');
}
