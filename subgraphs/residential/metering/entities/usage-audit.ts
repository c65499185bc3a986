// Compares the ledger with its projections, as one snapshot of the database shows them, and computes projections again from the ledger.
import { type EntityManager, runStatement } from '#platform/database.ts';

export interface UsageDifference {
  what: 'day' | 'total' | 'lease' | 'user' | 'user_day' | 'lapse';
  planId: string;
  /** The day, the lease, or the proxy user, for days of users followed by the day; empty for totals. */
  of: string;
  /** What is stored, and what it should be: "up down", one sum for a lease; of what lapsed the sum in the plan and that of its rows. */
  stored: string;
  expected: string;
}

/** An audit reads all rows, so it has no timeout. */
const PATIENT = `set local statement_timeout = 0`;

/** `$1`: the first day of which the ledger has every entry. */
const BY_DAY = `select plan_id, (at at time zone 'UTC')::date as day, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes
  from residential.usage_entry where at >= $1::date::timestamp at time zone 'UTC'`;

const DAYS = `
  with entries as (${BY_DAY} group by 1, 2)
  select 'day' as what, plan_id as "planId", to_char(day, 'YYYY-MM-DD') as "of",
    coalesce(d.up_bytes, 0) || ' ' || coalesce(d.down_bytes, 0) as stored, coalesce(e.up_bytes, 0) || ' ' || coalesce(e.down_bytes, 0) as expected
  from (select * from residential.usage_day where day >= $1::date) d full join entries e using (plan_id, day)
  where (coalesce(d.up_bytes, 0), coalesce(d.down_bytes, 0)) is distinct from (coalesce(e.up_bytes, 0), coalesce(e.down_bytes, 0)) order by 2, 3 limit $2`;
const TOTALS = `
  with days as (select plan_id, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes from residential.usage_day group by 1)
  select 'total' as what, p.id as "planId", '' as "of", p.up_bytes || ' ' || p.down_bytes as stored, coalesce(d.up_bytes, 0) || ' ' || coalesce(d.down_bytes, 0) as expected
  from residential.plan p left join days d on d.plan_id = p.id
  where (p.up_bytes, p.down_bytes) is distinct from (coalesce(d.up_bytes, 0), coalesce(d.down_bytes, 0)) order by 2 limit $1`;
const LEASES = `
  with parts as (select lease_id, sum(up_bytes + down_bytes)::bigint as bytes from residential.lease_part group by 1)
  select 'lease' as what, l.plan_id as "planId", l.id::text as "of", l.settled_bytes::text as stored, coalesce(p.bytes, 0)::text as expected
  from residential.lease l left join parts p on p.lease_id = l.id where l.settled_bytes is distinct from coalesce(p.bytes, 0) order by 2, 3 limit $1`;

/** Of a plan that has lapsed: what was sold, less what was taken back, is used and lapsed together. More than that is used at most by an overrun. */
const LAPSES = `
  with noted as (select plan_id, sum(bytes)::bigint as bytes from residential.lapse group by 1)
  select 'lapse' as what, p.id as "planId", '' as "of", coalesce(p.lapsed_bytes, 0) || ' ' || coalesce(n.bytes, 0) as stored, rest || ' ' || rest as expected
  from residential.plan p left join noted n on n.plan_id = p.id
    cross join lateral (select case when p.lapsed_bytes is null then 0 else greatest(p.total_bytes - p.up_bytes - p.down_bytes, 0) end as rest) r
  where (p.lapsed_bytes is not null or n.bytes is not null) and (coalesce(p.lapsed_bytes, 0), coalesce(n.bytes, 0)) is distinct from (rest, rest) order by 2 limit $1`;

const USER_DAYS_OF = `select user_id, (at at time zone 'UTC')::date as day, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes
  from residential.usage_entry where user_id is not null and at >= $1::date::timestamp at time zone 'UTC'`;
const USER_DAYS = `
  with entries as (${USER_DAYS_OF} group by 1, 2)
  select 'user_day' as what, u.plan_id as "planId", u.id || ' ' || to_char(day, 'YYYY-MM-DD') as "of",
    coalesce(d.up_bytes, 0) || ' ' || coalesce(d.down_bytes, 0) as stored, coalesce(e.up_bytes, 0) || ' ' || coalesce(e.down_bytes, 0) as expected
  from (select * from residential.proxy_user_day where day >= $1::date) d full join entries e using (user_id, day) join residential.proxy_user u on u.id = user_id
  where (coalesce(d.up_bytes, 0), coalesce(d.down_bytes, 0)) is distinct from (coalesce(e.up_bytes, 0), coalesce(e.down_bytes, 0)) order by 2, 3 limit $2`;
const USERS = `
  with days as (select user_id, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes from residential.proxy_user_day group by 1)
  select 'user' as what, u.plan_id as "planId", u.id as "of", u.up_bytes || ' ' || u.down_bytes as stored, coalesce(d.up_bytes, 0) || ' ' || coalesce(d.down_bytes, 0) as expected
  from residential.proxy_user u left join days d on d.user_id = u.id
  where (u.up_bytes, u.down_bytes) is distinct from (coalesce(d.up_bytes, 0), coalesce(d.down_bytes, 0)) order by 2, 3 limit $1`;

/** At most `limit` differences of each kind. Days before `first` are older than the ledger: only totals are checked against them. */
export async function differences(em: EntityManager, first: string, limit: number): Promise<UsageDifference[]> {
  await runStatement(em, PATIENT);
  return [
    ...(await runStatement<UsageDifference>(em, DAYS, [first, limit])),
    ...(await runStatement<UsageDifference>(em, TOTALS, [limit])),
    ...(await runStatement<UsageDifference>(em, LEASES, [limit])),
    ...(await runStatement<UsageDifference>(em, USER_DAYS, [first, limit])),
    ...(await runStatement<UsageDifference>(em, USERS, [limit])),
    ...(await runStatement<UsageDifference>(em, LAPSES, [limit])),
  ];
}

/** The number of rows that were compared, for the report of an audit. */
export async function countAudited(em: EntityManager): Promise<{ plans: bigint; days: bigint; entries: bigint }> {
  const [row] = await runStatement<{ plans: string; days: string; entries: string }>(
    em,
    'select (select count(*) from residential.plan) as plans, (select count(*) from residential.usage_day) as days, (select count(*) from residential.usage_entry) as entries',
  );
  return { plans: BigInt(row?.plans ?? 0), days: BigInt(row?.days ?? 0), entries: BigInt(row?.entries ?? 0) };
}

/** Writes the days of one plan from `first` on, and its totals, again from the ledger. The plan must be locked. */
export async function rebuildPlan(em: EntityManager, planId: string, first: string): Promise<void> {
  await runStatement(em, PATIENT);
  await runStatement(em, `delete from residential.usage_day where plan_id = $2 and day >= $1::date`, [first, planId]);
  await runStatement(
    em,
    `insert into residential.usage_day (plan_id, day, up_bytes, down_bytes) ${BY_DAY} and plan_id = $2 group by 1, 2`,
    [first, planId],
  );
  await runStatement(
    em,
    `update residential.plan p set up_bytes = d.up_bytes, down_bytes = d.down_bytes
     from (select coalesce(sum(up_bytes), 0)::bigint as up_bytes, coalesce(sum(down_bytes), 0)::bigint as down_bytes from residential.usage_day where plan_id = $1) d
     where p.id = $1`,
    [planId],
  );
  await rebuildUsers(em, planId, first);
}

/** Does the same for the plan's proxy users. */
async function rebuildUsers(em: EntityManager, planId: string, first: string): Promise<void> {
  const OF_PLAN = 'user_id in (select id from residential.proxy_user where plan_id = $2)';
  await runStatement(em, `delete from residential.proxy_user_day where ${OF_PLAN} and day >= $1::date`, [first, planId]);
  await runStatement(
    em,
    `insert into residential.proxy_user_day (user_id, day, up_bytes, down_bytes) ${USER_DAYS_OF} and plan_id = $2 group by 1, 2`,
    [first, planId],
  );
  await runStatement(
    em,
    `update residential.proxy_user u set up_bytes = d.up_bytes, down_bytes = d.down_bytes
     from (select id, coalesce(sum(d.up_bytes), 0)::bigint as up_bytes, coalesce(sum(d.down_bytes), 0)::bigint as down_bytes
       from residential.proxy_user left join residential.proxy_user_day d on d.user_id = id where plan_id = $1 group by id) d
     where u.id = d.id`,
    [planId],
  );
}
