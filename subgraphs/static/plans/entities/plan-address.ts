// The addresses of a plan as its owner sees them.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { HttpsProblem } from '../../health/domain/health.ts';

export interface PlanAddress {
  planId: string;
  addressId: string;
  ip: string;
  port: number;
  location: string;
  label: string | null;
  /** The time of the last check. Null: not checked yet. */
  checkedAt: Date | null;
  latencyMs: number | null;
  problem: string | null;
  /** Of the port where customers speak TLS to the proxy. */
  httpsProblem: HttpsProblem | null;
  failingSince: Date | null;
}

const toDate = (value: Date | null): Date | null => value && new Date(value);

/** Every address of these plans with its health, in the order of the addresses. */
export async function addressesOfPlans(em: EntityManager, planIds: readonly string[]): Promise<PlanAddress[]> {
  const { rows } = await sql<PlanAddress>`
    select address.plan_id as "planId", address.id as "addressId", host(ip) as ip, port, location, label,
      checked_at as "checkedAt", latency_ms as "latencyMs", problem, https_problem as "httpsProblem", failing_since as "failingSince"
    from address left join health on health.address_id = address.id
    where address.plan_id = any(${[...planIds]}::text[]) order by address.plan_id, address.ip`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, checkedAt: toDate(row.checkedAt), failingSince: toDate(row.failingSince) }));
}

/** The places of these plans' addresses. Plans without addresses are absent. */
export async function locationsOfPlans(em: EntityManager, planIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ planId: string; locations: string[] }>`
    select plan_id as "planId", array_agg(distinct location order by location) as locations from address
    where plan_id = any(${[...planIds]}::text[]) group by plan_id`.execute(em.getKysely());
  return new Map(rows.map(({ planId, locations }) => [planId, locations]));
}

/** An address of a plan in use in each place, in the order of the places. */
export async function addressesOfPlaces(em: EntityManager, limit: number): Promise<string[]> {
  const { rows } = await sql<{ ip: string }>`
    select distinct on (location) location, host(ip) as ip from address join plan on plan.id = address.plan_id
    where plan.status = 'ACTIVE' and not plan.account_suspended order by location, address.ip limit ${limit}`.execute(em.getKysely());
  return rows.map(({ ip }) => ip);
}

/** How many addresses of these plans fail now. Plans without failing ones are absent. */
export async function failingOfPlans(em: EntityManager, planIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ planId: string; failing: number }>`
    select plan_id as "planId", count(*)::int as failing from health
    where plan_id = any(${[...planIds]}::text[]) and problem is not null group by plan_id`.execute(em.getKysely());
  return new Map(rows.map(({ planId, failing }) => [planId, failing]));
}

/** Ids of the plan's addresses among these IP addresses. */
export async function addressIdsOf(em: EntityManager, planId: string, ips: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from address where plan_id = ${planId} and host(ip) = any(${[...ips]}::text[]) order by address.ip`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** Chooses as many of the plan's addresses as there are ids: those of them that it still holds, and for the rest its last other ones. */
export async function addressIdsToGive(em: EntityManager, planId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from address where plan_id = ${planId} order by (id = any(${[...ids]}::text[])) desc, ip desc limit ${ids.length}`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}

/** Labels an address of the plan; null removes the label. Returns false when the plan does not hold the address. */
export async function labelAddress(em: EntityManager, planId: string, ip: string, label: string | null): Promise<boolean> {
  const { rows } = await sql`update address set label = ${label} where plan_id = ${planId} and host(ip) = ${ip} returning id`.execute(
    em.getKysely(),
  );
  return rows.length > 0;
}
