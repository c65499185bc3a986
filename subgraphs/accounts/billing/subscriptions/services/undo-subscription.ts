import { sumOfLines } from '#commerce/offers.ts';
import type { EndReason } from '../domain/subscription.ts';
import { lockSubscription } from '../entities/billing-subscription.ts';
import type { Order } from '../../orders/entities/order.ts';
import type { SubscriptionsContext } from '../context.ts';
import { announceSubscription, endSubscription } from './subscriptions.ts';

/**
 * Undoes the effect of an order that is refunded completely before its delivery: the subscription that it started ends, and one that it changed recurs as
 * before, unless a later change builds on it. A subscription that has ended stays as it is. In the transaction of `ctx.em`, which holds the order's lock.
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
