// The ledger of bytes and its sums, changed together in set-based statements: a report of hundreds of lines is two round trips.
import { CompiledQuery } from 'kysely';
import { toDay } from '#shared/clock.ts';
import type { EntityManager } from '#shared/database.ts';
import type { PlanStatus } from '../domain/plan.ts';
import type { UsageFacts } from '../domain/plan-status.ts';
import type { ReadLine } from '../domain/usage-report.ts';

/** Committed changes of figures are told here, as "<account id> <plan id>". */
export const USAGE_CHANNEL = 'egress_residential_usage';

/**
 * Locks the plans of these usernames, always in the order of their ids, so that two reports never wait for each other in a circle.
 * Returns username -> plan id. What is read after it in the transaction includes everything that other reports have done to these plans.
 */
export async function lockPlansOf(em: EntityManager, usernames: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await em
    .getKysely()
    .executeQuery<{ id: string; username: string }>(
      CompiledQuery.raw('select id, username from residential.plan where username = any($1) order by id for no key update', [usernames]),
    );
  return new Map(rows.map(({ id, username }) => [username, id]));
}

/** A plan that a report has changed, as it is now. */
export interface CountedPlan extends UsageFacts {
  id: string;
  accountId: string;
  announcedStatus: PlanStatus;
  toldPercent: number;
  /** Lines counted now. */
  lines: number;
}

/** Enters lines that were not entered before, adds them to days and totals, and tells the subscribers; the locks of `lockPlansOf` must be held. */
const ENTER = `
  with reported as (
    select * from unnest($5::int[], $6::text[], $7::bigint[], $8::bigint[], $9::timestamptz[], $10::text[], $11::text[], $12::text[], $13::text[])
      as r(line, plan_id, up_bytes, down_bytes, at, country, session, host, client)
  ), entered as (
    insert into residential.usage_entry (source, report_id, line, plan_id, day, at, received_at, up_bytes, down_bytes, country, session, host, client)
    select $1, $2, line, plan_id, (at at time zone 'UTC')::date, at, $3::timestamptz, up_bytes, down_bytes, country, session, host, client from reported order by line
    on conflict do nothing
    returning plan_id, day, up_bytes, down_bytes
  ), by_day as (
    select plan_id, day, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes, count(*) as lines from entered group by plan_id, day
  ), days as (
    insert into residential.usage_day as d (plan_id, day, up_bytes, down_bytes) select plan_id, day, up_bytes, down_bytes from by_day order by plan_id, day
    on conflict (plan_id, day) do update set up_bytes = d.up_bytes + excluded.up_bytes, down_bytes = d.down_bytes + excluded.down_bytes
    returning d.plan_id, d.day, d.up_bytes + d.down_bytes as used
  ), by_plan as (
    select plan_id, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes, sum(lines)::int as lines from by_day group by plan_id
  ), plans as (
    update residential.plan p set up_bytes = p.up_bytes + b.up_bytes, down_bytes = p.down_bytes + b.down_bytes from by_plan b where p.id = b.plan_id
    returning p.id, p.account_id, p.total_bytes, p.up_bytes, p.down_bytes, p.daily_limit_bytes, p.announced_status, p.told_percent, b.lines
  )
  select plans.*, pg_notify('${USAGE_CHANNEL}', plans.account_id || ' ' || plans.id),
    coalesce(changed.used, (select known.up_bytes + known.down_bytes from residential.usage_day known where known.plan_id = plans.id and known.day = $4), 0) as used_today
  from plans left join days changed on changed.plan_id = plans.id and changed.day = $4 order by plans.id`;

interface CountedRow {
  id: string;
  account_id: string;
  total_bytes: string;
  up_bytes: string;
  down_bytes: string;
  daily_limit_bytes: string | null;
  announced_status: PlanStatus;
  told_percent: number;
  lines: number;
  used_today: string;
}

/** Returns the plans that the new lines have changed. A line that was entered before, or stands twice in the report, is not counted again. */
export async function enterLines(
  em: EntityManager,
  report: { source: string; reportId: string; lines: readonly (ReadLine & { planId: string })[] },
  now: Date,
): Promise<CountedPlan[]> {
  const { source, reportId, lines } = report;
  const column = (name: keyof ReadLine | 'planId') => lines.map((line) => line[name]);
  const { rows } = await em
    .getKysely()
    .executeQuery<CountedRow>(
      CompiledQuery.raw(ENTER, [
        source,
        reportId,
        now.toISOString(),
        toDay(now),
        column('line'),
        column('planId'),
        column('upBytes').map(String),
        column('downBytes').map(String),
        lines.map(({ at }) => at.toISOString()),
        column('country'),
        column('session'),
        column('host'),
        column('client'),
      ]),
    );
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    totalBytes: BigInt(row.total_bytes),
    upBytes: BigInt(row.up_bytes),
    downBytes: BigInt(row.down_bytes),
    dailyLimitBytes: row.daily_limit_bytes === null ? null : BigInt(row.daily_limit_bytes),
    usedTodayBytes: BigInt(row.used_today),
    announcedStatus: row.announced_status,
    toldPercent: row.told_percent,
    lines: row.lines,
  }));
}

/** Tells subscribers, at commit, that the figures of a plan have changed by something else than a report. */
export async function tellFiguresChanged(em: EntityManager, plan: { id: string; accountId: string }): Promise<void> {
  await em.getKysely().executeQuery(CompiledQuery.raw('select pg_notify($1, $2)', [USAGE_CHANNEL, `${plan.accountId} ${plan.id}`]));
}
