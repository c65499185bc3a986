// Orders over all accounts that a person should look at.
import { MINUTE, after } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { type Order, orderWithId, ordersWithIds } from '../../billing/orders/entities/order.ts';
import { ordersInReview } from '../../billing/risk/entities/order-review.ts';
import { contradicted } from '../../billing/tax/services/order-tax.ts';
import { methodOf, orderMethods } from '../../billing/payments/providers/payment-methods.ts';
import type { Context } from '../../context.ts';
import { ordersPaidBefore, pendingOrders, pendingOrdersWithCoins } from '../entities/support-order.ts';
import { STUCK_AFTER_MINUTES } from '../../../../schema/limits.ts';

export const SUPPORT_ORDER_LISTS = ['STUCK', 'REVIEW', 'TRANSFERS', 'COINS', 'CONTRADICTED'] as const;
export type SupportOrderList = (typeof SUPPORT_ORDER_LISTS)[number];

const MAX_LISTED = 200;

/** One of the lists. CONTRADICTED and REVIEW are newest first, the others oldest first. */
export async function supportOrders(ctx: Context, list: SupportOrderList): Promise<Order[]> {
  const { em, clock } = ctx;
  if (list === 'CONTRADICTED') return contradicted(ctx);
  if (list === 'REVIEW') return ordersWithIds(em, await ordersInReview(em, MAX_LISTED));
  if (list === 'STUCK') return ordersPaidBefore(em, after(clock.now(), -STUCK_AFTER_MINUTES * MINUTE), MAX_LISTED);
  if (list === 'TRANSFERS') {
    const methods = orderMethods().filter((name) => methodOf(name).opens === 'INSTRUCTIONS');
    return pendingOrders(em, methods, MAX_LISTED);
  }
  return pendingOrdersWithCoins(em, MAX_LISTED);
}

/** Errors: order_not_found. */
export async function supportOrder({ em }: Context, id: string): Promise<Order> {
  const order = await orderWithId(em, id);
  if (!order) throw fail('order_not_found');
  return order;
}
