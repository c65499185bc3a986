// Orders that need a look, over all accounts.
import { MINUTE, after } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { type Order, orderWithId } from '../../billing/orders/entities/order.ts';
import { methodOf, orderMethods } from '../../billing/payments/providers/payment-methods.ts';
import type { Context } from '../../providers.ts';
import { ordersPaidBefore, pendingOrders, pendingOrdersWithCoins } from '../entities/support-order.ts';

export type SupportOrderList = 'STUCK' | 'TRANSFERS' | 'COINS';

const AT_ONCE = 200;
/** Spec is silent: most things are delivered within two minutes. */
const STUCK_MS = 10 * MINUTE;

/** Oldest first. */
export async function supportOrders({ em, clock }: Context, list: SupportOrderList): Promise<Order[]> {
  if (list === 'STUCK') return ordersPaidBefore(em, after(clock.now(), -STUCK_MS), AT_ONCE);
  if (list === 'TRANSFERS') {
    const methods = orderMethods().filter((name) => methodOf(name).opens === 'INSTRUCTIONS');
    return pendingOrders(em, methods, AT_ONCE);
  }
  return pendingOrdersWithCoins(em, AT_ONCE);
}

/** Errors: order_not_found. */
export async function supportOrder({ em }: Context, id: string): Promise<Order> {
  const order = await orderWithId(em, id);
  if (!order) throw fail('order_not_found');
  return order;
}
