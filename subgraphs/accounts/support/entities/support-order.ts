// Support's lists of orders that need a look, over all accounts, oldest first.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import { Order } from '../../billing/orders/entities/order.ts';

/** Orders that were paid before that moment and are neither delivered nor under review. */
export async function ordersPaidBefore(em: EntityManager, before: Date, limit: number): Promise<Order[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customer_order where status = 'PAID' and paid_at < ${before.toISOString()}::timestamptz
      and not exists (select from order_review where order_id = id and state = 'WAITING')
    order by paid_at limit ${limit}`.execute(em.getKysely());
  return em.find(Order, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { paidAt: 'asc' } });
}

/** Unpaid orders by one of these methods. */
export const pendingOrders = (em: EntityManager, methods: Order['method'][], limit: number): Promise<Order[]> =>
  em.find(Order, { status: 'PENDING', method: { $in: methods } }, { orderBy: { placedAt: 'asc' }, limit });

/** Unpaid orders for which coins have been seen. */
export async function pendingOrdersWithCoins(em: EntityManager, limit: number): Promise<Order[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customer_order as waiting where status = 'PENDING' and exists (
      select from crypto_checkout where order_id = waiting.id and closed_at is null and seen_minor > 0)
    order by placed_at limit ${limit}`.execute(em.getKysely());
  return em.find(Order, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { placedAt: 'asc' } });
}
