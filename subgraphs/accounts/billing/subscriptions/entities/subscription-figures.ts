import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** Of those that are not over. */
export async function livingSubscriptions(em: EntityManager): Promise<{ seller: string; status: string; subscriptions: number }[]> {
  const { rows } = await sql<{ seller: string; status: string; subscriptions: number }>`
    select seller, status, count(*)::int as subscriptions from billing_subscription where status <> 'CANCELED' group by seller, status`.execute(
    em.getKysely(),
  );
  return rows;
}
