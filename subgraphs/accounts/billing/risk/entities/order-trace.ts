// Which network an order came from, by a keyed hash of its address: for the rule that counts orders, and forgotten after a week.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export async function insertTrace(em: EntityManager, trace: { orderId: string; placedFrom: string; placedAt: Date }): Promise<void> {
  await sql`insert into order_trace (order_id, placed_from, placed_at)
    values (${trace.orderId}, ${trace.placedFrom}, ${trace.placedAt.toISOString()}::timestamptz) on conflict do nothing`.execute(
    em.getKysely(),
  );
}

/** When orders of an account, or of a network, were placed since then; of whichever has more. */
export async function placedSince(
  em: EntityManager,
  { accountId, placedFrom }: { accountId: string; placedFrom: string },
  since: Date,
): Promise<Date[]> {
  const { rows } = await sql<{ at: Date; own: boolean }>`
    select placed_at as at, true as own from customer_order where account_id = ${accountId} and kind = 'PURCHASE' and placed_at > ${since.toISOString()}::timestamptz
    union all
    select placed_at, false from order_trace where placed_from = ${placedFrom} and placed_at > ${since.toISOString()}::timestamptz`.execute(
    em.getKysely(),
  );
  const [own, network] = [true, false].map((of) => rows.filter((row) => row.own === of).map(({ at }) => new Date(at)));
  return (own?.length ?? 0) > (network?.length ?? 0) ? (own ?? []) : (network ?? []);
}

export async function forgetTraces(em: EntityManager, before: Date): Promise<void> {
  await sql`delete from order_trace where placed_at < ${before.toISOString()}::timestamptz`.execute(em.getKysely());
}
