// Nobody pays for the time that a delivery takes: what is made by hand is delivered hours or days after its payment.
import { MINUTE } from '#platform/clock.ts';
import { addMonths } from '#commerce/proration.ts';
import { lockSubscription } from '../entities/billing-subscription.ts';
import type { Order } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../context.ts';
import { announceSubscription } from './subscriptions.ts';

/** Spec is silent: what is delivered by machine comes sooner, and its period begins with the payment. */
const WAIT_MS = 10 * MINUTE;

/**
 * The first period of what was waited for begins now, to the second, and later ones are counted from it: sellers and the processor are told. The invoice
 * stays as it was issued; the order says which period it came to be. In the transaction of the delivery, which holds the order's lock.
 */
export async function beginAtDelivery(ctx: SubscriptionsContext, order: Order): Promise<void> {
  if (order.kind !== 'PURCHASE' || !order.subscriptionId) return;
  const subscription = await lockSubscription(ctx.em, order.subscriptionId);
  if (!subscription || subscription.status !== 'ACTIVE' || subscription.renewalOrderId) return;
  const now = ctx.clock.now().getTime();
  // One that was renewed before it was delivered keeps what is paid.
  const isFirst = subscription.currentPeriodStart.getTime() === subscription.startedAt.getTime();
  if (!isFirst || now - subscription.startedAt.getTime() < WAIT_MS) return;
  const start = new Date(Math.floor(now / 1_000) * 1_000);
  const end = addMonths(start, subscription.intervalCount);
  Object.assign(subscription, { currentPeriodStart: start, currentPeriodEnd: end, anchorAt: start });
  Object.assign(order, { periodStart: start, periodEnd: end });
  await announceSubscription(ctx, subscription, 'subscription.begun');
}
