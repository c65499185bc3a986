// The table static.hold, and the addresses of each hold: stock that nobody else can take until an instant.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { HeldNow, HoldWish } from '#platform/holds.ts';
import { freeAt } from './address.ts';

export interface NewHold {
  id: string;
  accountId: string;
  productId: string;
  quantity: number;
  at: Date;
  until: Date;
  wait: boolean;
  /** Addresses at these places are taken first. */
  locations?: readonly string[];
  /** The order that the hold is for; absent for an exchange. */
  orderId?: string;
  wish?: HoldWish;
}

/** Holds free addresses, those that have rested longest first. Returns how many; when there are fewer than asked for, the caller must drop the hold or roll back. */
export async function holdAddresses(em: EntityManager, { locations = [], quantity, ...hold }: NewHold): Promise<number> {
  const { id, accountId, productId, until, orderId, wish } = hold;
  // A second call for the same hold adds to it.
  await sql`
    insert into hold (id, account_id, product_id, expires_at, order_id, known, placed_from, method)
    values (${id}, ${accountId}, ${productId}, ${until}::timestamptz, ${orderId ?? null}, ${wish?.known ?? null}, ${wish?.from ?? null}, ${wish?.method ?? null})
    on conflict (id) do nothing`.execute(em.getKysely());
  let held = 0;
  for (const location of locations) if (held < quantity) held += await holdSome(em, hold, quantity - held, sql`and location = ${location}`);
  return held < quantity ? held + (await holdSome(em, hold, quantity - held, sql``)) : held;
}

async function holdSome(
  em: EntityManager,
  { id, productId, at, until, wait }: Omit<NewHold, 'quantity' | 'locations'>,
  quantity: number,
  where: ReturnType<typeof sql>,
): Promise<number> {
  const { rows } = await sql`
    with free as (
      select id from address where product_id = ${productId} and ${freeAt(at)} ${where}
      order by rests_until, id limit ${quantity} for update ${wait ? sql`` : sql`skip locked`}
    )
    update address set hold_id = ${id}, held_until = ${until}::timestamptz from free where address.id = free.id returning address.id`.execute(
    em.getKysely(),
  );
  return rows.length;
}

/** The addresses of a hold. */
export async function heldAddresses(em: EntityManager, id: string): Promise<{ id: string; ip: string; location: string }[]> {
  const { rows } = await sql<{ id: string; ip: string; location: string }>`
    select id, host(ip) as ip, location from address where hold_id = ${id} and plan_id is null order by address.ip`.execute(em.getKysely());
  return rows;
}

/** Locks the addresses of a hold until the transaction ends. Returns how many: after the hold's time others may have taken some. */
export async function lockHeldAddresses(em: EntityManager, id: string): Promise<number> {
  const { rows } = await sql`
    select id from address where hold_id = ${id} and plan_id is null order by rests_until, id for update`.execute(em.getKysely());
  return rows.length;
}

/** How many addresses of a product unpaid orders hold now: in all, and by account, client address and payment method as the bounds need them. */
export async function heldForUnpaid(
  em: EntityManager,
  { productId, accountId, wish, at }: { productId: string; accountId: string; wish: HoldWish; at: Date },
): Promise<HeldNow> {
  const { rows } = await sql<HeldNow>`
    select count(*)::int as "all", count(*) filter (where hold.account_id = ${accountId})::int as account,
      count(*) filter (where not known and placed_from = ${wish.from})::int as address,
      count(*) filter (where not known and method = ${wish.method})::int as method
    from hold join address on address.hold_id = hold.id
    where hold.product_id = ${productId} and order_id is not null and not paid and plan_id is null and held_until > ${at}::timestamptz`.execute(
    em.getKysely(),
  );
  return rows[0] ?? { all: 0, account: 0, address: 0, method: 0 };
}

/** Drops holds; their addresses are free again. */
export async function dropHolds(em: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const db = em.getKysely();
  await sql`update address set hold_id = null, held_until = null where id in
    (select id from address where hold_id = any(${[...ids]}::text[]) order by rests_until, id for update)`.execute(db);
  await sql`delete from hold where id = any(${[...ids]}::text[])`.execute(db);
}

/**
 * Marks the hold of an order as paid and extends it until an instant, with the addresses that it still has: after its time others may have taken some. Returns
 * its id; null when there is none.
 */
export async function extendPaidHold(em: EntityManager, orderId: string, until: Date): Promise<string | null> {
  const id = await holdOfOrder(em, orderId);
  if (id === null) return null;
  const db = em.getKysely();
  await sql`update hold set paid = true, expires_at = ${until}::timestamptz where id = ${id}`.execute(db);
  await sql`update address set held_until = ${until}::timestamptz where id in
    (select id from address where hold_id = ${id} and plan_id is null order by rests_until, id for update)`.execute(db);
  return id;
}

/** The id of an order's hold; null when it has none. */
export async function holdOfOrder(em: EntityManager, orderId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select id from hold where order_id = ${orderId}`.execute(em.getKysely());
  return rows[0]?.id ?? null;
}

/** Ids of holds whose time is over, at most `limit`. */
export async function expiredHolds(em: EntityManager, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from hold where expires_at <= ${at}::timestamptz order by expires_at limit ${limit} for update skip locked`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}

/** How many addresses of each product are free now, counted only up to `max`, so that the query stays cheap however large the inventory is. */
export async function freeStock(em: EntityManager, productIds: readonly string[], at: Date, max: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ productId: string; free: number }>`
    select product.id as "productId", counted.free from unnest(${[...productIds]}::text[]) as product (id)
    cross join lateral (
      select count(*)::int as free from (select from address where product_id = product.id and ${freeAt(at)} limit ${max}) as counted
    ) counted`.execute(em.getKysely());
  return new Map(rows.map(({ productId, free }) => [productId, free]));
}
