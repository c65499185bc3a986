// The table static.stock_wish: which accounts want to be notified when there is enough of a product again.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface StockWish {
  accountId: string;
  productId: string;
  quantity: number;
}

/** Stores a wish; an account has one for each product, and a new one replaces it. */
export async function putWish(em: EntityManager, { accountId, productId, quantity }: StockWish, at: Date): Promise<void> {
  await sql`insert into stock_wish (account_id, product_id, quantity, created_at) values (${accountId}, ${productId}, ${quantity}, ${at}::timestamptz)
    on conflict (account_id, product_id) do update set quantity = excluded.quantity`.execute(em.getKysely());
}

export async function dropWish(em: EntityManager, accountId: string, productId: string): Promise<void> {
  await sql`delete from stock_wish where account_id = ${accountId} and product_id = ${productId}`.execute(em.getKysely());
}

/** Returns product -> quantity that the account waits for. */
export async function wishesOf(em: EntityManager, accountId: string): Promise<Map<string, number>> {
  const { rows } = await sql<StockWish>`select product_id as "productId", quantity from stock_wish where account_id = ${accountId}`.execute(
    em.getKysely(),
  );
  return new Map(rows.map(({ productId, quantity }) => [productId, quantity]));
}

/** Products that some account waits for. */
export async function wishedProducts(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ productId: string }>`select distinct product_id as "productId" from stock_wish`.execute(em.getKysely());
  return rows.map(({ productId }) => productId);
}

/** Deletes and returns all wishes of a product for at most this many addresses. */
export async function takeWishes(em: EntityManager, productId: string, free: number): Promise<StockWish[]> {
  const { rows } = await sql<StockWish>`
    delete from stock_wish where product_id = ${productId} and quantity <= ${free}
    returning account_id as "accountId", product_id as "productId", quantity`.execute(em.getKysely());
  return rows;
}
