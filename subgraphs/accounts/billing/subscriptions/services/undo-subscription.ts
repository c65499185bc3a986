import { sumOfLines } from '#commerce/offers.ts';
import type { EndReason } from '../domain/subscription.ts';
import { lockSubscription } from '../entities/billing-subscription.ts';
import type { Order } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../context.ts';
import { announceSubscription, endSubscription } from './subscriptions.ts';

/**
 * An order that is refunded whole before it was delivered leaves nothing behind: the subscription that it started ends, the one that it changed
 * recurs as before, if no later change stands on it. Of one that is over nothing changes any more. In the transaction of `ctx.em`, which holds the order's lock.
 */
export async function undoSubscription(ctx: SubscriptionsContext, order: Order, reason: EndReason): Promise<void> {
  if (!order.subscriptionId) return;
  const subscription = await lockSubscription(ctx.em, order.subscriptionId);
  if (!subscription || subscription.endedAt) return;
  if (order.kind === 'PURCHASE') await endSubscription(ctx, subscription, reason);
  const { before, lines } = order.subscription ?? {};
  if (order.kind !== 'CHANGE' || !before || JSON.stringify(subscription.lines) !== JSON.stringify(lines)) return;
  Object.assign(subscription, { lines: before, amountMinor: sumOfLines(before) });
  await announceSubscription(ctx, subscription, 'subscription.changed');
}
