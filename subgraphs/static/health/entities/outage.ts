// The table static.outage: the times when an address did not work for the plan that holds it.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { HealthProblem } from '../domain/health.ts';

export interface Outage {
  id: string;
  addressId: string;
  planId: string;
  ip: string;
  problem: HealthProblem;
  startedAt: Date;
  endedAt: Date | null;
}

export type NewOutage = Pick<Outage, 'id' | 'addressId' | 'planId' | 'problem' | 'startedAt'>;

/** Opens outages; an address that has an open one keeps it. */
export async function openOutages(em: EntityManager, outages: readonly NewOutage[]): Promise<void> {
  for (const { id, addressId, planId, problem, startedAt } of outages)
    await sql`insert into outage (id, address_id, plan_id, started_at, problem)
      values (${id}, ${addressId}, ${planId}, ${startedAt}::timestamptz, ${problem})
      on conflict (address_id) where ended_at is null do nothing`.execute(em.getKysely());
}

/** Ends the open outages of these addresses, or of the whole plan. */
export async function endOutages(
  em: EntityManager,
  which: { addressIds: readonly string[] } | { planId: string },
  at: Date,
): Promise<void> {
  const whose = 'planId' in which ? sql`plan_id = ${which.planId}` : sql`address_id = any(${[...which.addressIds]}::text[])`;
  await sql`update outage set ended_at = greatest(started_at, ${at}::timestamptz) where ended_at is null and ${whose}`.execute(
    em.getKysely(),
  );
}

const MAX_SHOWN = 100;
const toOutage = (row: Outage): Outage => ({
  ...row,
  startedAt: new Date(row.startedAt),
  endedAt: row.endedAt && new Date(row.endedAt),
});

const COLUMNS = sql`one.id, one.address_id as "addressId", one.plan_id as "planId", host(address.ip) as ip, problem,
  one.started_at as "startedAt", one.ended_at as "endedAt"`;

/** Outages of these plans, newest first, the last hundred of each plan. */
export async function outagesOf(em: EntityManager, planIds: readonly string[]): Promise<Outage[]> {
  const { rows } = await sql<Outage>`select ${COLUMNS}
    from unnest(${[...planIds]}::text[]) as wanted (plan_id) cross join lateral (
      select * from outage where outage.plan_id = wanted.plan_id order by started_at desc limit ${MAX_SHOWN}
    ) one join address on address.id = one.address_id order by one.started_at desc`.execute(em.getKysely());
  return rows.map(toOutage);
}

/** Outages that are open since `since` or before, of ACTIVE plans whose owners want failing addresses replaced automatically, oldest first. */
export async function outagesToReplace(em: EntityManager, since: Date, limit: number): Promise<Outage[]> {
  const { rows } = await sql<Outage>`select ${COLUMNS}
    from outage one join address on address.id = one.address_id join plan on plan.id = one.plan_id
    where one.ended_at is null and one.started_at <= ${since}::timestamptz and plan.auto_replace and plan.status = 'ACTIVE' and not plan.account_suspended
    order by one.started_at limit ${limit}`.execute(em.getKysely());
  return rows.map(toOutage);
}

/** Plans with ended outages that were not counted yet. */
export async function plansWithUncountedOutages(em: EntityManager): Promise<string[]> {
  const { rows } = await sql<{ planId: string }>`
    select distinct plan_id as "planId" from outage where ended_at is not null and credited_at is null`.execute(em.getKysely());
  return rows.map(({ planId }) => planId);
}

/** A plan's ended outages that began at `since` or later or were not counted yet, and whether each was counted. */
export async function endedOutages(
  em: EntityManager,
  planId: string,
  since: Date,
): Promise<(Omit<Outage, 'endedAt'> & { endedAt: Date; counted: boolean })[]> {
  const { rows } = await sql<Outage & { endedAt: Date; counted: boolean }>`
    select ${COLUMNS}, credited_at is not null as counted from outage one join address on address.id = one.address_id
    where one.plan_id = ${planId} and one.ended_at is not null and (one.started_at >= ${since}::timestamptz or credited_at is null)
    order by one.started_at`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, startedAt: new Date(row.startedAt), endedAt: new Date(row.endedAt) }));
}

export async function markCounted(em: EntityManager, ids: readonly string[], at: Date): Promise<void> {
  await sql`update outage set credited_at = ${at}::timestamptz where id = any(${[...ids]}::text[])`.execute(em.getKysely());
}

/** How many addresses fail their checks now. */
export async function countOutages(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from outage where ended_at is null`.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}
