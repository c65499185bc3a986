// The table compute.stock_hold: machines promised to orders.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { HeldNow, HoldWish } from '#platform/holds.ts';

export interface StockHold {
  orderId: string;
  offerId: string;
  accountId: string;
  planCode: string;
  until: Date;
}

/** Makes holds of a plan run one at a time: the count that is read afterwards stays true until the transaction ends. */
export async function lockStock(em: EntityManager, planCode: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('compute.stock ' || ${planCode}, 0))`.execute(em.getKysely());
}

/** Holds a machine for an order that waits for its payment. */
export async function holdForUnpaid(
  em: EntityManager,
  { orderId, offerId, accountId, planCode, until }: StockHold,
  { known, from, method }: HoldWish,
): Promise<void> {
  await sql`insert into stock_hold (offer_id, account_id, plan_code, order_id, held_until, known, placed_from, method)
    values (${offerId}, ${accountId}, ${planCode}, ${orderId}, ${until}::timestamptz, ${known}, ${from}, ${method}) on conflict do nothing`.execute(
    em.getKysely(),
  );
}

/** Holds a machine for a paid order, or extends the hold that it has. */
export async function holdForPaid(em: EntityManager, { orderId, offerId, accountId, planCode, until }: StockHold): Promise<void> {
  await sql`insert into stock_hold (offer_id, account_id, plan_code, order_id, held_until, paid)
    values (${offerId}, ${accountId}, ${planCode}, ${orderId}, ${until}::timestamptz, true)
    on conflict (order_id) do update set held_until = excluded.held_until, paid = true`.execute(em.getKysely());
}

export const hasHold = async (em: EntityManager, orderId: string): Promise<boolean> =>
  (await sql`select from stock_hold where order_id = ${orderId}`.execute(em.getKysely())).rows.length > 0;

/** How many machines of a plan unpaid orders hold now: in all, and by account, client address and payment method as the bounds need them. */
export async function heldForUnpaid(
  em: EntityManager,
  { planCode, accountId, wish, at }: { planCode: string; accountId: string; wish: HoldWish; at: Date },
): Promise<HeldNow> {
  const { rows } = await sql<HeldNow>`
    select count(*)::int as "all", count(*) filter (where account_id = ${accountId})::int as account,
      count(*) filter (where not known and placed_from = ${wish.from})::int as address,
      count(*) filter (where not known and method = ${wish.method})::int as method
    from stock_hold where plan_code = ${planCode} and not paid and held_until > ${at}::timestamptz`.execute(em.getKysely());
  return rows[0] ?? { all: 0, account: 0, address: 0, method: 0 };
}

export async function freeStockOfOrder(em: EntityManager, orderId: string): Promise<void> {
  await sql`delete from stock_hold where order_id = ${orderId}`.execute(em.getKysely());
}

export async function dropStaleHolds(em: EntityManager, at: Date): Promise<void> {
  await sql`delete from stock_hold where held_until <= ${at}::timestamptz`.execute(em.getKysely());
}
