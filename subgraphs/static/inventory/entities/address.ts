// The tables static.address and static.tenure: the inventory, and which plan held which address when. Both are changed together, and only here. Plain SQL:
// thousands of addresses are taken and given back in one statement.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { InventoryLine } from '../domain/inventory-csv.ts';

/** Condition for an address that is free at this instant: not sold, retired, reserved, held or at rest. A hold counts until its time, whether it is cleared away or not. */
export const freeAt = (at: Date) => sql`plan_id is null and retired_at is null and reserved_at is null
  and rests_until <= ${at}::timestamptz and (held_until is null or held_until <= ${at}::timestamptz)`;

export interface AddressClaim {
  productId: string;
  planId: string;
  quantity: number;
  at: Date;
  /** False skips addresses that another transaction has locked; true waits for it. */
  wait: boolean;
  /** Addresses held under this id are taken first. */
  holdId?: string | null;
}

/**
 * Gives addresses to a plan: the held ones first, then those that have rested longest. Returns how many; when there are fewer than asked for, the caller must
 * roll back.
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
  /** Absent: all addresses of the plan. */
  addressIds?: readonly string[];
  /** A note for support; with it the addresses are reserved, and not sold again before support has looked at them. */
  reserveWith?: string;
}

/** Takes addresses back from a plan; they are sold again after their rest. Returns how many. */
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
    ), let_in as (
      delete from client_network using released where client_network.address_id = released.id
    ), over as (
      update outage set ended_at = greatest(started_at, ${at}::timestamptz) from released
      where outage.address_id = released.id and outage.ended_at is null
    )
    update tenure set ended_at = ${at}::timestamptz from released
    where tenure.address_id = released.id and tenure.ended_at is null returning tenure.address_id`.execute(em.getKysely());
  return rows.length;
}

/** Returns plan id -> "IP:PORT" of each of its addresses, ordered by address. */
export async function socketsOfPlans(em: EntityManager, planIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ planId: string; sockets: string[] }>`
    select plan_id as "planId", array_agg(host(ip) || ':' || port order by ip) as sockets
    from address where plan_id = any(${planIds}::text[]) group by plan_id`.execute(em.getKysely());
  return new Map(rows.map(({ planId, sockets }) => [planId, sockets]));
}

/** Adds addresses, which are free at once. Returns those that the inventory has already; they are unchanged, and the caller must roll back. */
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
