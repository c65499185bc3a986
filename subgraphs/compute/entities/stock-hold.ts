// Table compute.stock_hold: machines promised to offers and orders.
import { sql } from 'kysely';
import type { EntityManager } from '#shared/database.ts';

export interface StockHold {
  offerId: string;
  accountId: string;
  planCode: string;
  until: Date;
}

/** One at a time for each plan: the count that is read afterwards stays true until the transaction ends. */
export async function lockStock(em: EntityManager, planCode: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('compute.stock ' || ${planCode}, 0))`.execute(em.getKysely());
}

/** The account's one hold of this plan that no order has, moved to this offer. */
export async function holdStock(em: EntityManager, { offerId, accountId, planCode, until }: StockHold): Promise<void> {
  await sql`insert into stock_hold (offer_id, account_id, plan_code, held_until) values (${offerId}, ${accountId}, ${planCode}, ${until}::timestamptz)
    on conflict (account_id, plan_code) where order_id is null do update set offer_id = excluded.offer_id, held_until = excluded.held_until`.execute(
    em.getKysely(),
  );
}

/** The hold of an order's plan becomes the order's or goes on being so, whichever of the account's offers it was last moved to. */
export async function holdForOrder(
  em: EntityManager,
  { orderId, accountId, planCode, until, offerId }: StockHold & { orderId: string },
): Promise<void> {
  const { rows } = await sql`update stock_hold set order_id = ${orderId}, held_until = ${until}::timestamptz
    where order_id = ${orderId} or account_id = ${accountId} and plan_code = ${planCode} and order_id is null
      and not exists (select from stock_hold where order_id = ${orderId}) returning offer_id`.execute(em.getKysely());
  if (rows.length > 0) return;
  await sql`insert into stock_hold (offer_id, account_id, plan_code, order_id, held_until)
    values (${offerId}, ${accountId}, ${planCode}, ${orderId}, ${until}::timestamptz) on conflict do nothing`.execute(em.getKysely());
}

export async function freeStockOfOrder(em: EntityManager, orderId: string): Promise<void> {
  await sql`delete from stock_hold where order_id = ${orderId}`.execute(em.getKysely());
}

export async function dropStaleHolds(em: EntityManager, at: Date): Promise<void> {
  await sql`delete from stock_hold where held_until <= ${at}::timestamptz`.execute(em.getKysely());
}
