// Tables static.address and static.tenure: the inventory, and who held what when. Both change together, here only.
// Plain SQL: addresses are taken and given back by the thousand, in one statement each.
import { sql } from 'kysely';
import type { EntityManager } from '#shared/database.ts';
import type { InventoryLine } from '../domain/inventory-csv.ts';

export interface AddressClaim {
  productId: string;
  planId: string;
  quantity: number;
  at: Date;
  /** False leaves out addresses that another transaction is taking; true waits for it to end. */
  wait: boolean;
}

/** Gives free addresses to a plan, the longest rested first. Returns how many: fewer than asked when there are no more, and then the caller rolls back. */
export async function takeFreeAddresses(em: EntityManager, { productId, planId, quantity, at, wait }: AddressClaim): Promise<number> {
  const { rows } = await sql`
    with free as (
      select id from address
      where product_id = ${productId} and plan_id is null and retired_at is null and rests_until <= ${at}::timestamptz
      order by rests_until, id limit ${quantity} for update ${wait ? sql`` : sql`skip locked`}
    ), taken as (
      update address set plan_id = ${planId} from free where address.id = free.id returning address.id
    )
    insert into tenure (address_id, plan_id, started_at) select id, ${planId}, ${at}::timestamptz from taken returning address_id`.execute(
    em.getKysely(),
  );
  return rows.length;
}

/** Takes every address back from a plan and lets it rest. Returns how many. */
export async function releaseAddresses(
  em: EntityManager,
  { planId, at, restsUntil }: { planId: string; at: Date; restsUntil: Date },
): Promise<number> {
  const { rows } = await sql`
    with released as (
      update address set plan_id = null, rests_until = ${restsUntil}::timestamptz where plan_id = ${planId} returning id
    )
    update tenure set ended_at = ${at}::timestamptz from released
    where tenure.address_id = released.id and tenure.ended_at is null returning address_id`.execute(em.getKysely());
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
