// Sums of the ledger by country, session, host and so on. Growth of leases is entered like lines of networks, so the sums cover all bytes of a plan.
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { SESSION_NUMBERS, strideInverse } from '../../plans/domain/session-numbers.ts';
import type { ExplainingDimension, Growth } from '../domain/usage-explanation.ts';
import type { UsageSpan } from '../domain/usage-span.ts';

export const DIMENSIONS = ['DAY', 'HOUR', 'COUNTRY', 'SESSION', 'HOST', 'CLIENT', 'BATCH', 'API_KEY', 'USER', 'PLAN', 'PRODUCT'] as const;
export type UsageDimension = (typeof DIMENSIONS)[number];

export interface UsageShare {
  /** Null: unknown, or of no session, batch, key or user. */
  value: string | null;
  upBytes: bigint;
  downBytes: bigint;
}

export interface Breakdown {
  shares: UsageShare[];
  /** All values beyond the limit together: their number and their sum. */
  others: { values: number; upBytes: bigint; downBytes: bigint };
}

/** `table`: with its dot, where another one has columns of these names. */
const sumsOf = (table = ''): string => `sum(${table}up_bytes)::bigint as up_bytes, sum(${table}down_bytes)::bigint as down_bytes`;
const SUMS = sumsOf();
const IN_SPAN = 'from residential.usage_entry where plan_id = any($1) and at >= $2 and at < $3';

const grouped = (value: string) => `used as (select ${value} as value, ${SUMS} ${IN_SPAN} group by 1)`;

/**
 * Finds the batch of a session number: $5, the inverse of each plan's stride, gives the number's position, and the batch that took this position is looked up.
 * Positions are counted from the plan's first; after 10^8 lines of one plan numbers repeat, and then count for the first batch that had them.
 */
const throughBatch = (value: string) => `
  known as (
    select plan_id, inverse, (select coalesce(min(session_start), 0) from residential.proxy_batch b where b.plan_id = p.plan_id) as start
    from unnest($1::text[], $5::bigint[]) as p(plan_id, inverse)
  ),
  by_session as (select plan_id, session, ${SUMS} ${IN_SPAN} group by plan_id, session),
  placed as (
    select plan_id, up_bytes, down_bytes, case when session ~ '^[0-9]{8}$'
      then start + ((session::bigint * inverse - start) % ${SESSION_NUMBERS} + ${SESSION_NUMBERS}) % ${SESSION_NUMBERS} end as position
    from by_session join known using (plan_id)
  ),
  used as (
    select batch.${value} as value, ${SUMS} from placed left join lateral (
      select id, api_key_id, session_start + line_count as session_end from residential.proxy_batch
      where plan_id = placed.plan_id and session_start <= position order by session_start desc limit 1
    ) batch on batch.session_end > position group by 1
  )`;

const byProduct = `
  by_plan as (select plan_id, ${SUMS} ${IN_SPAN} group by plan_id),
  used as (select p.product as value, ${sumsOf('by_plan.')} from by_plan join residential.plan p on p.id = plan_id group by 1)`;

const statement = (name: string, used: string, order: string): PreparedStatement => ({
  name: `usage_by_${name}`,
  text: `with ${used}, ranked as (select *, row_number() over (order by ${order}) as place from used)
    select place <= $4::int as listed, case when place <= $4::int then value end as value, count(*)::int as values, ${SUMS}
    from ranked group by 1, 2 order by min(place)`,
});
const LARGEST = 'up_bytes + down_bytes desc, value nulls last';
const UTC = `at at time zone 'UTC'`;

const STATEMENTS: Record<UsageDimension, PreparedStatement> = {
  DAY: statement('day', grouped(`to_char(${UTC}, 'YYYY-MM-DD')`), 'value'),
  HOUR: statement('hour', grouped(`to_char(${UTC}, 'YYYY-MM-DD"T"HH24:00:00"Z"')`), 'value'),
  COUNTRY: statement('country', grouped('country'), LARGEST),
  SESSION: statement('session', grouped('session'), LARGEST),
  HOST: statement('host', grouped('host'), LARGEST),
  CLIENT: statement('client', grouped('client'), LARGEST),
  BATCH: statement('batch', throughBatch('id'), LARGEST),
  API_KEY: statement('api_key', throughBatch('api_key_id'), LARGEST),
  USER: statement('user', grouped('user_id'), LARGEST),
  PLAN: statement('plan', grouped('plan_id'), LARGEST),
  PRODUCT: statement('product', byProduct, LARGEST),
};

interface ShareRow {
  listed: boolean;
  value: string | null;
  values: number;
  up_bytes: string;
  down_bytes: string;
}

/** The `limit` largest shares, or the first ones for days and hours. `shares` and `others` together sum to the plans' bytes in the span. */
export async function breakdownOf(
  em: EntityManager,
  plans: readonly Pick<Plan, 'id' | 'sessionStride'>[],
  by: UsageDimension,
  { from, to }: UsageSpan,
  limit: number,
): Promise<Breakdown> {
  const values: unknown[] = [plans.map(({ id }) => id), from.toISOString(), to.toISOString(), limit];
  if (by === 'BATCH' || by === 'API_KEY') values.push(plans.map(({ sessionStride }) => strideInverse(sessionStride)));
  const rows = await runPrepared<ShareRow>(em, STATEMENTS[by], values);
  const shares = rows
    .filter(({ listed }) => listed)
    .map(({ value, up_bytes, down_bytes }) => ({ value, upBytes: BigInt(up_bytes), downBytes: BigInt(down_bytes) }));
  const rest = rows.find(({ listed }) => !listed);
  return {
    shares,
    others: { values: rest?.values ?? 0, upBytes: BigInt(rest?.up_bytes ?? 0), downBytes: BigInt(rest?.down_bytes ?? 0) },
  };
}

const GROWTH = `coalesce(sum(up_bytes + down_bytes) filter (where at >= $4), 0)::bigint as bytes,
  coalesce(sum(up_bytes + down_bytes) filter (where at < $4), 0)::bigint as bytes_before`;
const GREATEST = `order by coalesce(sum(up_bytes + down_bytes) filter (where at >= $4), 0) - coalesce(sum(up_bytes + down_bytes) filter (where at < $4), 0) desc, 1 limit $5`;
const growing = (column: string): PreparedStatement => ({
  name: `usage_growth_by_${column}`,
  text: `select ${column} as value, ${GROWTH} ${IN_SPAN} and ${column} is not null group by 1 ${GREATEST}`,
});
/** Bytes of failed requests: in one of the two spans a session and client sent to a host at least so many times and received nothing. */
const unanswered = (value: 'host' | 'session', times: number): PreparedStatement => ({
  name: `usage_growth_unanswered_${value}`,
  text: `select value, ${GROWTH} from (
      select ${value} as value, min(at) as at, sum(up_bytes) as up_bytes, 0 as down_bytes ${IN_SPAN} and host is not null and ${value} is not null
      group by host, session, client, country, at >= $4 having sum(down_bytes) = 0 and count(*) >= ${times}
    ) failed group by 1 ${GREATEST}`,
});
const GROWTHS: Record<ExplainingDimension, PreparedStatement> = {
  UNANSWERED: unanswered('host', 1),
  RETRIED: unanswered('session', 2),
  CLIENT: growing('client'),
  HOST: growing('host'),
  SESSION: growing('session'),
  COUNTRY: growing('country'),
};

/** The `limit` values of one kind that grew most from the span `before` to `span`. */
export async function growthsOf(
  em: EntityManager,
  planId: string,
  by: ExplainingDimension,
  before: UsageSpan,
  span: UsageSpan,
  limit: number,
): Promise<Growth[]> {
  const values = [[planId], before.from.toISOString(), span.to.toISOString(), span.from.toISOString(), limit];
  const rows = await runPrepared<{ value: string; bytes: string; bytes_before: string }>(em, GROWTHS[by], values);
  return rows.map(({ value, bytes, bytes_before }) => ({ by, value, bytes: BigInt(bytes), bytesBefore: BigInt(bytes_before) }));
}
