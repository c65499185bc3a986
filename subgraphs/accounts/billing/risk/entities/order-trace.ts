// Which network an order came from, by a keyed hash of its address. It is used by the limit on unpaid orders and by the rule that counts orders, and deleted
// after `RETAIN_TRACES_DAYS`.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';

interface OrderTrace {
  orderId: string;
  placedFrom: string;
  /** The account had paid for something before. */
  known: boolean;
  placedAt: Date;
  /** Of the address, ISO 3166. */
  country?: string | undefined;
}

export async function insertTrace(em: EntityManager, { orderId, placedFrom, known, placedAt, country }: OrderTrace): Promise<void> {
  await sql`insert into order_trace (order_id, placed_from, known, placed_at, country)
    values (${orderId}, ${placedFrom}, ${known}, ${placedAt.toISOString()}::timestamptz, ${country ?? null}) on conflict do nothing`.execute(
    em.getKysely(),
  );
}

/** The country of the address that an order came from; undefined: not known. */
export async function countryOfTrace(em: EntityManager, orderId: string): Promise<string | undefined> {
  const { rows } = await sql<{ country: string | null }>`select country from order_trace where order_id = ${orderId}`.execute(
    em.getKysely(),
  );
  return rows[0]?.country ?? undefined;
}

/** Counts unpaid orders by one method from one network, of accounts that had never paid. Locks the network's count until the end of the transaction. */
export async function countWaitingFrom(em: EntityManager, placedFrom: string, method: PaymentMethod): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`unpaid orders ${placedFrom}`}, 0))`.execute(em.getKysely());
  const { rows } = await sql<{
    waiting: number;
  }>`select count(*)::int as waiting from order_trace as trace join customer_order on id = order_id
    where trace.placed_from = ${placedFrom} and not known and status = 'PENDING' and method = ${method}`.execute(em.getKysely());
  return rows[0]?.waiting ?? 0;
}

/** When orders of the account, or of the network, were placed since then; of whichever has more. */
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

/** Deletes old traces, except those of unpaid orders, which are still counted. */
export async function forgetTraces(em: EntityManager, before: Date): Promise<void> {
  await sql`delete from order_trace where placed_at < ${before.toISOString()}::timestamptz
    and not exists (select from customer_order where id = order_id and status = 'PENDING')`.execute(em.getKysely());
}
