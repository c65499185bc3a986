// Orders that need a look, over all accounts.
import { sql } from 'kysely';
import { MINUTE, after } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { Order } from '../../billing/orders/entities/order.ts';
import { methodOf, orderMethods } from '../../billing/payments/providers/payment-methods.ts';
import type { Context } from '../../providers.ts';

export type SupportOrderList = 'STUCK' | 'TRANSFERS' | 'COINS';

const AT_ONCE = 200;
/** Spec is silent: most things are delivered within two minutes. */
const STUCK_MS = 10 * MINUTE;

/** Oldest first. */
export async function supportOrders({ em, clock }: Context, list: SupportOrderList): Promise<Order[]> {
  if (list === 'STUCK')
    return em.find(
      Order,
      { status: 'PAID', paidAt: { $lt: after(clock.now(), -STUCK_MS) } },
      { orderBy: { paidAt: 'asc' }, limit: AT_ONCE },
    );
  if (list === 'TRANSFERS')
    return em.find(
      Order,
      { status: 'PENDING', method: { $in: orderMethods().filter((name) => methodOf(name).opens === 'INSTRUCTIONS') } },
      { orderBy: { placedAt: 'asc' }, limit: AT_ONCE },
    );
  const { rows } = await sql<{ id: string }>`
    select id from customer_order as waiting where status = 'PENDING' and exists (
      select from crypto_checkout where order_id = waiting.id and closed_at is null and seen_minor > 0)
    order by placed_at limit ${AT_ONCE}`.execute(em.getKysely());
  return em.find(Order, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { placedAt: 'asc' } });
}

/** Errors: order_not_found. */
export async function supportOrder({ em }: Context, id: string): Promise<Order> {
  const order = await em.findOne(Order, { id });
  if (!order) throw fail('order_not_found');
  return order;
}
