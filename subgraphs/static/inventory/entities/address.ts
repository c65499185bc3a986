// Tables static.address and static.tenure: the inventory, and who held what when. Both change together, here only.
// Plain SQL: addresses are taken and given back by the thousand, in one statement each.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { InventoryLine } from '../domain/inventory-csv.ts';

/** Nobody's at this instant: neither held, nor reserved, nor at rest. The hold counts by its time, cleared away or not. */
export const freeAt = (at: Date) => sql`plan_id is null and retired_at is null and reserved_at is null
  and rests_until <= ${at}::timestamptz and (held_until is null or held_until <= ${at}::timestamptz)`;

export interface AddressClaim {
  productId: string;
  planId: string;
  quantity: number;
  at: Date;
  /** False leaves out addresses that another transaction is taking; true waits for it to end. */
  wait: boolean;
  /** What is held under this id is taken first. */
  holdId?: string | null;
}

/**
 * Gives addresses to a plan, the held ones first, then the longest rested. Returns how many: fewer than asked when there are no more, and then the
 * caller rolls back.
 */
export async function takeAddresses(em: EntityManager, { holdId, ...claim }: AddressClaim): Promise<number> {
  const { at, quantity, productId, wait } = claim;
  const held = holdId
    ? await give(
        em,
        claim,
        sql`select id from address where hold_id = ${holdId} and plan_id is null order by rests_until, id limit ${quantity} for update`,
      )
    : 0;
  if (held === quantity) return held;
  const free = sql`
    select id from address where product_id = ${productId} and ${freeAt(at)}
    order by rests_until, id limit ${quantity - held} for update ${wait ? sql`` : sql`skip locked`}`;
  return held + (await give(em, claim, free));
}

async function give(
  em: EntityManager,
  { planId, at }: Pick<AddressClaim, 'planId' | 'at'>,
  chosen: ReturnType<typeof sql>,
): Promise<number> {
  const { rows } = await sql`
    with free as (${chosen}), taken as (
      update address set plan_id = ${planId}, hold_id = null, held_until = null from free where address.id = free.id returning address.id
    )
    insert into tenure (address_id, plan_id, started_at) select id, ${planId}, ${at}::timestamptz from taken returning address_id`.execute(
    em.getKysely(),
  );
  return rows.length;
}

export interface Release {
  planId: string;
  at: Date;
  restsUntil: Date;
  /** Absent: all of the plan's. */
  addressIds?: readonly string[];
  /** Why support is to look at them before they are sold again. */
  reserveWith?: string;
}

/** Takes addresses back from a plan and lets them rest. Returns how many. */
export async function releaseAddresses(em: EntityManager, { planId, at, restsUntil, addressIds, reserveWith }: Release): Promise<number> {
  const which = addressIds ? sql`and id = any(${[...addressIds]}::text[])` : sql``;
  const reserved = reserveWith === undefined ? sql`` : sql`, reserved_at = ${at}::timestamptz, note = ${reserveWith}`;
  const { rows } = await sql`
    with going as (
      select id from address where plan_id = ${planId} ${which} order by rests_until, id for update
    ), released as (
      update address set plan_id = null, label = null, rests_until = ${restsUntil}::timestamptz ${reserved}
      from going where address.id = going.id returning address.id
    ), unwatched as (
      delete from health using released where health.address_id = released.id
    ), over as (
      update outage set ended_at = greatest(started_at, ${at}::timestamptz) from released
      where outage.address_id = released.id and outage.ended_at is null
    )
    update tenure set ended_at = ${at}::timestamptz from released
    where tenure.address_id = released.id and tenure.ended_at is null returning tenure.address_id`.execute(em.getKysely());
  return rows.length;
}

/** "IP:PORT" of every address of these plans, in the order of the addresses, by plan. */
export async function socketsOfPlans(em: EntityManager, planIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ planId: string; sockets: string[] }>`
    select plan_id as "planId", array_agg(host(ip) || ':' || port order by ip) as sockets
    from address where plan_id = any(${planIds}::text[]) group by plan_id`.execute(em.getKysely());
  return new Map(rows.map(({ planId, sockets }) => [planId, sockets]));
}

/** Adds addresses, free at once. Returns those that were there already; they are left as they are, and then the caller rolls back. */
export async function addAddresses(em: EntityManager, lines: readonly (InventoryLine & { id: string })[], at: Date): Promise<string[]> {
  const column = <Value>(of: (line: InventoryLine & { id: string }) => Value): Value[] => lines.map(of);
  const { rows } = await sql<{ ip: string }>`
    insert into address (id, ip, port, product_id, location, rests_until, loaded_at)
    select id, ip::inet, port, product_id, location, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${column(({ id }) => id)}::text[], ${column(({ ip }) => ip)}::text[], ${column(({ port }) => port)}::int[],
      ${column(({ productId }) => productId)}::text[], ${column(({ location }) => location)}::text[]) as line (id, ip, port, product_id, location)
    on conflict (ip) do nothing returning host(ip) as ip`.execute(em.getKysely());
  const added = new Set(rows.map(({ ip }) => ip));
  return lines.map(({ ip }) => ip).filter((ip) => !added.has(ip));
}
