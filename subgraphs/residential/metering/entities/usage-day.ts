// The table residential.usage_day: a plan's use by UTC day.
import { type EntityManager, runPrepared } from '#platform/database.ts';

export interface UsageDay {
  /** YYYY-MM-DD. */
  on: string;
  upBytes: bigint;
  downBytes: bigint;
}

const DAYS = {
  name: 'usage_days',
  text: `select plan_id, to_char(day, 'YYYY-MM-DD') as "on", up_bytes, down_bytes from residential.usage_day where plan_id = any($1) and day between $2 and $3`,
};

/** Returns plan id -> day -> use, for days from `first` to `last`; days without use are absent. */
export async function daysOfPlans(
  em: EntityManager,
  planIds: readonly string[],
  first: string,
  last: string,
): Promise<Map<string, Map<string, UsageDay>>> {
  const rows = await runPrepared<{ plan_id: string; on: string; up_bytes: string; down_bytes: string }>(em, DAYS, [planIds, first, last]);
  const plans = new Map(planIds.map((id) => [id, new Map<string, UsageDay>()]));
  for (const { plan_id, on, up_bytes, down_bytes } of rows)
    plans.get(plan_id)?.set(on, { on, upBytes: BigInt(up_bytes), downBytes: BigInt(down_bytes) });
  return plans;
}

const DAYS_TOGETHER = {
  name: 'usage_days_together',
  text: `select to_char(day, 'YYYY-MM-DD') as "on", sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes
    from residential.usage_day where plan_id = any($1) and day between $2 and $3 group by day`,
};

/** Returns day -> use of these plans together, for days from `first` to `last`; days without use are absent. */
export async function daysTogether(
  em: EntityManager,
  planIds: readonly string[],
  first: string,
  last: string,
): Promise<Map<string, UsageDay>> {
  const rows = await runPrepared<{ on: string; up_bytes: string; down_bytes: string }>(em, DAYS_TOGETHER, [planIds, first, last]);
  return new Map(rows.map(({ on, up_bytes, down_bytes }) => [on, { on, upBytes: BigInt(up_bytes), downBytes: BigInt(down_bytes) }]));
}
