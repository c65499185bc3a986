import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface WaitingOrders {
  status: 'PENDING' | 'PAID';
  method: string;
  orders: number;
  /** When the oldest of them was paid. */
  oldest: Date | null;
}

/** Orders that wait to be paid, and those that are paid and not delivered, by method; not those that are held for a person to look at. */
export async function waitingOrders(em: EntityManager): Promise<WaitingOrders[]> {
  const { rows } = await sql<WaitingOrders>`
    select status, method, count(*)::int as orders, min(paid_at) as oldest from (
      select status, method, paid_at from customer_order where status = 'PENDING'
      union all select status, method, paid_at from customer_order where status = 'PAID'
        and not exists (select from order_review where order_id = id and state = 'WAITING')
    ) as waiting group by status, method`.execute(em.getKysely());
  return rows;
}

/** What a key has ordered since a moment, with tax; what was given up before it was paid does not count. */
export async function orderedByKey(em: EntityManager, apiKeyId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ minor: string }>`
    select coalesce(sum(credit_minor + total_minor), 0) as minor from customer_order
    where api_key_id = ${apiKeyId} and placed_at >= ${since.toISOString()}::timestamptz and status not in ('CANCELLED', 'EXPIRED')`.execute(
    em.getKysely(),
  );
  return Number(rows[0]?.minor ?? 0);
}
