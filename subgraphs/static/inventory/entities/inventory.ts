// The inventory as support sees it: counts, subnets, single addresses, and their holders.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { InventoryAction, InventoryState } from '../domain/inventory-state.ts';

const stateAt = (at: Date) => sql`case
  when retired_at is not null then 'RETIRED' when address.plan_id is not null then 'SOLD' when reserved_at is not null then 'RESERVED'
  when held_until > ${at}::timestamptz then 'HELD' when rests_until > ${at}::timestamptz then 'RESTING' else 'FREE' end`;

export type InventoryCounts = Record<Lowercase<InventoryState>, number> & { total: number; heldUnpaid: number };

const COUNTS = sql`count(*)::int as total, count(*) filter (where state = 'FREE')::int as free, count(*) filter (where state = 'HELD')::int as held,
  count(*) filter (where state = 'HELD' and unpaid)::int as "heldUnpaid",
  count(*) filter (where state = 'SOLD')::int as sold, count(*) filter (where state = 'RESTING')::int as resting,
  count(*) filter (where state = 'RESERVED')::int as reserved, count(*) filter (where state = 'RETIRED')::int as retired`;

/** Whether an address is held for an order that is not paid. */
const UNPAID = sql`exists (select from hold where hold.id = address.hold_id and order_id is not null and not paid) as unpaid`;

/** Counts by state for every product that has addresses. */
export async function countsByProduct(em: EntityManager, at: Date): Promise<(InventoryCounts & { productId: string })[]> {
  const { rows } = await sql<InventoryCounts & { productId: string }>`
    select product_id as "productId", ${COUNTS} from (select product_id, ${stateAt(at)} as state, ${UNPAID} from address) as address
    group by product_id`.execute(em.getKysely());
  return rows;
}

export type Subnet = InventoryCounts & { network: string; locations: string[] };

const MAX_SUBNETS = 2_000;

/** A product's networks of 256 addresses, ascending. */
export async function subnetsOf(em: EntityManager, productId: string, at: Date): Promise<Subnet[]> {
  const { rows } = await sql<Subnet>`
    select host(subnet) || '/24' as network, array_agg(distinct location) as locations, ${COUNTS}
    from (select network(set_masklen(ip, 24)) as subnet, location, ${stateAt(at)} as state, ${UNPAID} from address where product_id = ${productId}) as address
    group by subnet order by subnet limit ${MAX_SUBNETS}`.execute(em.getKysely());
  return rows;
}

export interface InventoryAddress {
  id: string;
  ip: string;
  port: number;
  productId: string;
  location: string;
  state: InventoryState;
  note: string | null;
  planId: string | null;
  accountId: string | null;
  restsUntil: Date;
  problem: string | null;
}

const toAddress = (row: InventoryAddress): InventoryAddress => ({ ...row, restsUntil: new Date(row.restsUntil) });

export interface InventorySearch {
  /** A network such as 203.0.113.0/24, or a text: the beginning of an address, or the id of a plan or an account; null: all. */
  search: { network: string } | { text: string } | null;
  productId: string | null;
  state: InventoryState | null;
  at: Date;
  offset: number;
  limit: number;
}

export async function findAddresses(
  em: EntityManager,
  { search, productId, state, at, offset, limit }: InventorySearch,
): Promise<{ rows: InventoryAddress[]; total: number }> {
  const text = search && 'text' in search ? search.text : null;
  const { rows } = await sql<InventoryAddress & { total: number }>`
    select *, (count(*) over ())::int as total from (
      select address.id, host(ip) as ip, ip as sorted, port, address.product_id as "productId", location, ${stateAt(at)} as state, note,
        address.plan_id as "planId", plan.account_id as "accountId", rests_until as "restsUntil", health.problem
      from address left join plan on plan.id = address.plan_id left join health on health.address_id = address.id
      where true ${productId === null ? sql`` : sql`and address.product_id = ${productId}`}
        ${search && 'network' in search ? sql`and ip <<= ${search.network}::inet` : sql``}
        ${text === null ? sql`` : sql`and (starts_with(host(ip), ${text}) or address.plan_id = ${text} or plan.account_id = ${text})`}
    ) as address where ${state === null ? sql`true` : sql`state = ${state}`}
    order by sorted limit ${limit} offset ${offset}`.execute(em.getKysely());
  return { rows: rows.map(({ total: _, ...row }) => toAddress(row)), total: rows[0]?.total ?? 0 };
}

/** Locks the addresses of these networks and returns them with their states. They are locked in the order in which they are sold, as everywhere, to avoid deadlocks. */
export async function lockAddressesIn(
  em: EntityManager,
  networks: readonly string[],
  at: Date,
): Promise<Pick<InventoryAddress, 'id' | 'ip' | 'state' | 'planId'>[]> {
  const { rows } = await sql<Pick<InventoryAddress, 'id' | 'ip' | 'state' | 'planId'>>`
    select id, host(ip) as ip, ${stateAt(at)} as state, plan_id as "planId" from address
    where ip <<= any(${[...networks]}::inet[]) order by rests_until, id for update`.execute(em.getKysely());
  return rows;
}

const CHANGES: Record<InventoryAction, (at: Date, note: string | null) => ReturnType<typeof sql>> = {
  RESERVE: (at, note) => sql`reserved_at = ${at}::timestamptz, note = ${note}`,
  RETIRE: (at, note) => sql`retired_at = ${at}::timestamptz, note = ${note}, hold_id = null, held_until = null`,
  RETURN: () => sql`reserved_at = null, retired_at = null, note = null`,
};

export async function changeAddresses(
  em: EntityManager,
  ids: readonly string[],
  { action, note, at }: { action: InventoryAction; note: string | null; at: Date },
): Promise<void> {
  await sql`update address set ${CHANGES[action](at, note)} where id = any(${[...ids]}::text[])`.execute(em.getKysely());
}

export interface Tenure {
  planId: string;
  accountId: string;
  startedAt: Date;
  endedAt: Date | null;
}

/** Who held an address, at a time or ever, the latest first. Complaints about a past day need this. */
export async function holdersOf(em: EntityManager, ip: string, at: Date | null): Promise<Tenure[]> {
  const { rows } = await sql<Tenure>`
    select plan.id as "planId", plan.account_id as "accountId", tenure.started_at as "startedAt", tenure.ended_at as "endedAt"
    from address join tenure on tenure.address_id = address.id join plan on plan.id = tenure.plan_id
    where address.ip = ${ip}::inet and (${at?.toISOString() ?? null}::timestamptz is null or
      tenure.started_at <= ${at?.toISOString() ?? null}::timestamptz and (tenure.ended_at is null or tenure.ended_at > ${at?.toISOString() ?? null}::timestamptz))
    order by tenure.started_at desc limit 200`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, startedAt: new Date(row.startedAt), endedAt: row.endedAt && new Date(row.endedAt) }));
}
