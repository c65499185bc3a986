// The ledger of bytes and its sums, changed together in set-based statements: a report of thousands of lines takes a few round trips.
import { SECOND, toDay } from '#platform/clock.ts';
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import type { WatchedMarks } from '../../plans/domain/plan.ts';
import type { UsageFacts } from '../../plans/domain/plan-status.ts';
import { type MarksRow, toMarks } from '../../plans/entities/plan.ts';
import { USAGE_CHANNEL } from '../../plans/entities/plan-figures.ts';
import { type ExitUse, writeExits } from '../domain/exit-use.ts';
import type { ReadLine } from '../domain/usage-report.ts';
import { PACED_MS, RECENT_SECONDS } from '../domain/usage-rate.ts';
import { textArray } from './array-text.ts';

/** Plans in one notice. A notice may have 8,000 bytes, and thousands of separate notices would be slow. */
const NOTICE_BATCH_SIZE = 100;

/** The owner of a username: a plan, or one of its proxy users. */
export interface UsernameOwner {
  id: string;
  userId: string | null;
  product: ProductCode;
}

/** Returns username -> plan, for usernames of plans and proxy users. Removed users are included, since use from before their removal is reported late. */
export async function plansOfUsernames(em: EntityManager, usernames: readonly string[]): Promise<Map<string, UsernameOwner>> {
  const rows = await runStatement<UsernameOwner & { username: string }>(
    em,
    `select id, null as "userId", username, product from residential.plan where username = any($1)
     union all
     select p.id, u.id, u.username, p.product from residential.proxy_user u join residential.plan p on p.id = u.plan_id where u.username = any($1)`,
    [usernames],
  );
  return new Map(rows.map(({ username, ...owner }) => [username, owner]));
}

/** A plan that a report has changed, with its figures afterwards. */
export interface CountedPlan extends UsageFacts, WatchedMarks {
  id: string;
  accountId: string;
  announcedStatus: PlanStatus;
  lapsedBytes: bigint | null;
  /** Number of lines that this report added. */
  lines: number;
}

const PACED_SECONDS = (PACED_MS / SECOND).toFixed(1);
/** The weight that bytes of `instant` still have at `$3`, by fading with time. */
const fading = (instant: string) => `exp(-least(greatest(date_part('epoch', $3::timestamptz - ${instant}), 0) / ${PACED_SECONDS}, 100))`;
/** How many whole seconds of the clock `instant` is before `$3`, where a second includes its end; 0 to RECENT_SECONDS, which means too long ago. */
const secondsAgo = (instant: string) =>
  `least(greatest(ceil(date_part('epoch', $3::timestamptz)) - ceil(date_part('epoch', ${instant})), 0), ${RECENT_SECONDS})::int`;
const eachSlot = (expression: (slot: number) => string) => Array.from({ length: RECENT_SECONDS }, (_, slot) => expression(slot)).join(', ');

/** Enters lines, adds them to days, totals and rates, and notifies subscribers. The plans must be locked. */
const ENTER = `
  with entered as (
    insert into residential.usage_entry (source, report_id, line, plan_id, at, received_at, up_bytes, down_bytes, country, session, host, client, exits, user_id)
    select $1, report_id, line, plan_id, at, $3::timestamptz, up_bytes, down_bytes, country, session, host, client, exits::jsonb, user_id
    from unnest($2::text[], $5::int[], $6::text[], $7::bigint[], $8::bigint[], $9::timestamptz[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
      as r(report_id, line, plan_id, up_bytes, down_bytes, at, country, session, host, client, exits, user_id)
    returning plan_id, user_id, at, up_bytes, down_bytes, ${secondsAgo('at')} as seconds_ago
  ), by_day as (
    select plan_id, (at at time zone 'UTC')::date as day, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes, count(*) as lines,
      sum((up_bytes + down_bytes) * ${fading('at')}) as paced, ${eachSlot((slot) => `sum(up_bytes + down_bytes) filter (where seconds_ago = ${slot}) as second_${slot}`)}
    from entered group by 1, 2
  ), days as (
    insert into residential.usage_day as d (plan_id, day, up_bytes, down_bytes) select plan_id, day, up_bytes, down_bytes from by_day order by plan_id, day
    on conflict (plan_id, day) do update set up_bytes = d.up_bytes + excluded.up_bytes, down_bytes = d.down_bytes + excluded.down_bytes
    returning d.plan_id, d.day, d.up_bytes + d.down_bytes as used
  ), by_user_day as (
    select user_id, (at at time zone 'UTC')::date as day, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes
    from entered where user_id is not null group by 1, 2
  ), user_days as (
    insert into residential.proxy_user_day as d (user_id, day, up_bytes, down_bytes) select user_id, day, up_bytes, down_bytes from by_user_day order by user_id, day
    on conflict (user_id, day) do update set up_bytes = d.up_bytes + excluded.up_bytes, down_bytes = d.down_bytes + excluded.down_bytes
  ), users as (
    update residential.proxy_user u set up_bytes = u.up_bytes + b.up_bytes, down_bytes = u.down_bytes + b.down_bytes, used_at = $3::timestamptz
    from (select user_id, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes from by_user_day group by 1) b where u.id = b.user_id
  ), by_plan as (
    select plan_id, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes, sum(lines)::int as lines, sum(paced) as paced,
      ${eachSlot((slot) => `coalesce(sum(second_${slot}), 0)::bigint as second_${slot}`)}
    from by_day group by plan_id
  ), plans as (
    update residential.plan p set up_bytes = p.up_bytes + b.up_bytes, down_bytes = p.down_bytes + b.down_bytes,
      bytes_by_second = array[${eachSlot((slot) => `b.second_${slot} + coalesce(p.bytes_by_second[${slot + 1} - ${secondsAgo('p.rated_at')}], 0)`)}],
      paced_bytes = p.paced_bytes * ${fading('coalesce(p.rated_at, $3::timestamptz)')} + b.paced,
      used_since = coalesce(p.used_since, case when p.rated_at is null then $3::timestamptz else p.created_at end),
      rated_at = greatest(p.rated_at, $3::timestamptz)
    from by_plan b where p.id = b.plan_id
    returning p.id, p.account_id, p.total_bytes, p.up_bytes, p.down_bytes, p.daily_limit_bytes, p.announced_status, p.told_percent, p.alert_percents, p.alert_left_bytes, p.told_left_bytes,
      p.top_up_left_bytes, p.withdrawn, p.valid_until, p.lapsed_bytes, b.lines
  ), notified as (
    select pg_notify('${USAGE_CHANNEL}', string_agg(account_id || ' ' || id, E'\\n'))
    from (select account_id, id, row_number() over () / ${NOTICE_BATCH_SIZE} as part from plans) parts group by part
  )
  select plans.*,
    coalesce(changed.used, (select known.up_bytes + known.down_bytes from residential.usage_day known where known.plan_id = plans.id and known.day = $4), 0) as used_today
  from plans left join days changed on changed.plan_id = plans.id and changed.day = $4 cross join (select count(*) from notified) all_notified order by plans.id`;

interface CountedRow extends MarksRow {
  id: string;
  account_id: string;
  total_bytes: string;
  up_bytes: string;
  down_bytes: string;
  daily_limit_bytes: string | null;
  announced_status: PlanStatus;
  withdrawn: boolean;
  valid_until: string | Date | null;
  lapsed_bytes: string | null;
  lines: number;
  used_today: string;
}

export interface LedgerLine extends ReadLine {
  planId: string;
  /** The proxy user whose bytes these are. Absent or null: the plan itself. */
  userId?: string | null | undefined;
  reportId: string;
  /** The exits by which the bytes left. Absent: unknown. */
  exits?: readonly ExitUse[] | undefined;
}

/**
 * Enters lines and returns the plans that they changed. Every line counts: repeated ones must be left out before (`lockReports`); growth of leases has none.
 */
export async function enterLines(em: EntityManager, source: string, lines: readonly LedgerLine[], now: Date): Promise<CountedPlan[]> {
  const words = (name: 'reportId' | 'planId' | 'country' | 'session' | 'host' | 'client') => textArray(lines, (line) => line[name]);
  const numbers = (name: 'line' | 'upBytes' | 'downBytes') => `{${lines.map((line) => line[name]).join(',')}}`;
  const rows = await runStatement<CountedRow>(em, ENTER, [
    source,
    words('reportId'),
    now.toISOString(),
    toDay(now),
    numbers('line'),
    words('planId'),
    numbers('upBytes'),
    numbers('downBytes'),
    `{${lines.map(({ at }) => at.toISOString()).join(',')}}`,
    words('country'),
    words('session'),
    words('host'),
    words('client'),
    textArray(lines, ({ exits }) => (exits && exits.length > 0 ? writeExits(exits) : null)),
    textArray(lines, ({ userId }) => userId ?? null),
  ]);
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    totalBytes: BigInt(row.total_bytes),
    upBytes: BigInt(row.up_bytes),
    downBytes: BigInt(row.down_bytes),
    dailyLimitBytes: row.daily_limit_bytes === null ? null : BigInt(row.daily_limit_bytes),
    usedTodayBytes: BigInt(row.used_today),
    announcedStatus: row.announced_status,
    ...toMarks(row),
    withdrawn: row.withdrawn,
    validUntil: row.valid_until === null ? null : new Date(row.valid_until),
    lapsedBytes: row.lapsed_bytes === null ? null : BigInt(row.lapsed_bytes),
    asOf: now,
    lines: row.lines,
  }));
}
