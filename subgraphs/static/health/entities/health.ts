// The tables static.health, static.health_day and static.outage: results of the checks of sold addresses.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { HealthProblem, HttpsProblem } from '../domain/health.ts';

/** Starts the checks of addresses that a plan has just got. */
export async function watchAddressesOf(em: EntityManager, planId: string, at: Date): Promise<void> {
  await sql`insert into health (address_id, plan_id, next_check_at)
    select id, plan_id, ${at}::timestamptz from address where plan_id = ${planId}
    on conflict (address_id) do update set plan_id = excluded.plan_id, next_check_at = excluded.next_check_at, checked_at = null,
      latency_ms = null, problem = null, https_problem = null, failures_in_row = 0, failing_since = null where health.plan_id <> excluded.plan_id`.execute(
    em.getKysely(),
  );
}

export interface DueCheck {
  addressId: string;
  planId: string;
  accountId: string;
  ip: string;
  port: number;
  username: string;
  passwordSealed: Buffer;
  failuresInRow: number;
  failingSince: Date | null;
  httpsProblem: HttpsProblem | null;
}

/** Addresses whose check is due, of ACTIVE plans of accounts that are not suspended. They are claimed until `nextAt`, so that no other process checks them too. */
export async function claimDueChecks(
  em: EntityManager,
  { at, nextAt, limit }: { at: Date; nextAt: Date; limit: number },
): Promise<DueCheck[]> {
  const { rows } = await sql<DueCheck>`
    with due as (
      select address_id from health join plan on plan.id = health.plan_id and plan.status = 'ACTIVE' and not plan.account_suspended
      where next_check_at <= ${at}::timestamptz order by next_check_at limit ${limit} for update of health skip locked
    )
    update health set next_check_at = ${nextAt}::timestamptz from due, address, plan
    where health.address_id = due.address_id and address.id = health.address_id and plan.id = health.plan_id
    returning health.address_id as "addressId", health.plan_id as "planId", plan.account_id as "accountId", host(address.ip) as ip, address.port,
      plan.username, plan.password_sealed as "passwordSealed", failures_in_row as "failuresInRow", failing_since as "failingSince", https_problem as "httpsProblem"`.execute(
    em.getKysely(),
  );
  return rows.map((row) => ({ ...row, failingSince: row.failingSince && new Date(row.failingSince) }));
}

export interface CheckRecord {
  addressId: string;
  planId: string;
  latencyMs: number | null;
  problem: HealthProblem | null;
  /** Null as well where the plain port fails: then the other one was not looked at. */
  httpsProblem: HttpsProblem | null;
  nextAt: Date;
}

/** Stores a round of checks, made at `at`. An address that has a new holder meanwhile is left out. */
export async function recordChecks(em: EntityManager, records: readonly CheckRecord[], at: Date): Promise<void> {
  if (records.length === 0) return;
  const db = em.getKysely();
  const column = <Value>(of: (record: CheckRecord) => Value): Value[] => records.map(of);
  await sql`
    with found as (
      select * from unnest(${column(({ addressId }) => addressId)}::text[], ${column(({ planId }) => planId)}::text[],
        ${column(({ latencyMs }) => latencyMs)}::int[], ${column(({ problem }) => problem)}::text[],
        ${column(({ nextAt }) => nextAt.toISOString())}::timestamptz[], ${column(({ httpsProblem }) => httpsProblem)}::text[])
        as found (address_id, plan_id, latency_ms, problem, next_at, https_problem)
    ), stored as (
      update health set checked_at = ${at}::timestamptz, next_check_at = found.next_at, problem = found.problem, https_problem = found.https_problem,
        latency_ms = coalesce(found.latency_ms, health.latency_ms),
        failures_in_row = case when found.problem is null then 0 else failures_in_row + 1 end,
        failing_since = case when found.problem is null then null else coalesce(failing_since, ${at}::timestamptz) end
      from found where health.address_id = found.address_id and health.plan_id = found.plan_id
      returning health.address_id, health.plan_id, found.latency_ms, found.problem
    )
    insert into health_day (address_id, plan_id, day, checks, failures, latency_ms_sum, latency_ms_max)
    select address_id, plan_id, (${at}::timestamptz at time zone 'UTC')::date, 1, case when problem is null then 0 else 1 end,
      coalesce(latency_ms, 0), coalesce(latency_ms, 0) from stored
    on conflict (address_id, plan_id, day) do update set checks = health_day.checks + 1, failures = health_day.failures + excluded.failures,
      latency_ms_sum = health_day.latency_ms_sum + excluded.latency_ms_sum,
      latency_ms_max = greatest(health_day.latency_ms_max, excluded.latency_ms_max)`.execute(db);
}

export interface HealthDay {
  planId: string;
  addressId: string;
  day: string;
  checks: number;
  failures: number;
  /** Mean of the checks that were answered, and the largest; the mean is null when none was. */
  latencyMs: number | null;
  latencyMsMax: number;
}

/** Days of these plans' present addresses from `first` on, ascending. */
export async function healthDaysOf(em: EntityManager, planIds: readonly string[], first: string): Promise<HealthDay[]> {
  const { rows } = await sql<HealthDay>`
    select one.plan_id as "planId", one.address_id as "addressId", to_char(one.day, 'YYYY-MM-DD') as day, checks, failures,
      (latency_ms_sum / nullif(checks - failures, 0))::int as "latencyMs", latency_ms_max as "latencyMsMax"
    from health_day as one join address on address.id = one.address_id and address.plan_id = one.plan_id
    where one.plan_id = any(${[...planIds]}::text[]) and one.day >= ${first}::date order by one.day`.execute(em.getKysely());
  return rows;
}

/** How many addresses work, but not over TLS. */
export async function countHttpsProblems(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from health join address on address.id = health.address_id
    and address.plan_id = health.plan_id where https_problem is not null`.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}

export async function forgetHealthBefore(em: EntityManager, first: string): Promise<void> {
  await sql`delete from health_day where day < ${first}::date`.execute(em.getKysely());
}
