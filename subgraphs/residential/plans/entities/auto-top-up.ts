// The table residential.auto_top_up. Read and written under the lock of the plan's row.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { AutoTopUp, AutoTopUpEnd } from '../domain/auto-top-up.ts';

interface AutoTopUpRow {
  plan_id: string;
  enabled: boolean;
  left_bytes: string;
  gigabytes: number;
  ceiling_minor: string;
  pause_minutes: number;
  off: AutoTopUpEnd | null;
  request_id: string | null;
  request_minor: string | null;
  next_at: string | Date | null;
  spent_minor: string;
  spent_on: string;
}

const toAutoTopUp = (row: AutoTopUpRow): AutoTopUp => ({
  planId: row.plan_id,
  enabled: row.enabled,
  leftBytes: BigInt(row.left_bytes),
  gigabytes: row.gigabytes,
  ceilingMinor: Number(row.ceiling_minor),
  pauseMinutes: row.pause_minutes,
  off: row.off,
  request: row.request_id === null ? null : { id: row.request_id, totalMinor: Number(row.request_minor) },
  nextAt: row.next_at === null ? null : new Date(row.next_at),
  spentMinor: Number(row.spent_minor),
  spentOn: row.spent_on,
});

export async function autoTopUpOf(em: EntityManager, planId: string): Promise<AutoTopUp | undefined> {
  const [row] = await runStatement<AutoTopUpRow>(
    em,
    `select plan_id, enabled, left_bytes, gigabytes, ceiling_minor, pause_minutes, off, request_id, request_minor, next_at, spent_minor,
       to_char(spent_on, 'YYYY-MM-DD') as spent_on from residential.auto_top_up where plan_id = $1`,
    [planId],
  );
  return row && toAutoTopUp(row);
}

/** Stores the settings, and in the plan's row the rest below which a report has to look at them: none while they are off, or wait for an order or a time. */
export async function saveAutoTopUp(em: EntityManager, rule: AutoTopUp): Promise<void> {
  await runStatement(
    em,
    `insert into residential.auto_top_up
       (plan_id, enabled, left_bytes, gigabytes, ceiling_minor, pause_minutes, off, request_id, request_minor, next_at, spent_minor, spent_on)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (plan_id) do update set (enabled, left_bytes, gigabytes, ceiling_minor, pause_minutes, off, request_id, request_minor, next_at, spent_minor, spent_on)
       = row (excluded.enabled, excluded.left_bytes, excluded.gigabytes, excluded.ceiling_minor, excluded.pause_minutes, excluded.off, excluded.request_id,
         excluded.request_minor, excluded.next_at, excluded.spent_minor, excluded.spent_on)`,
    [
      rule.planId,
      rule.enabled,
      rule.leftBytes.toString(),
      rule.gigabytes,
      rule.ceilingMinor,
      rule.pauseMinutes,
      rule.off,
      rule.request?.id ?? null,
      rule.request?.totalMinor ?? null,
      rule.nextAt?.toISOString() ?? null,
      rule.spentMinor,
      rule.spentOn,
    ],
  );
  const leftBytes = rule.enabled && !rule.request && rule.nextAt === null ? rule.leftBytes.toString() : null;
  await runStatement(em, 'update residential.plan set top_up_left_bytes = $2 where id = $1 and top_up_left_bytes is distinct from $2', [
    rule.planId,
    leftBytes,
  ]);
}

/** Ids of plans whose automatic top-up waited until a time that has come. */
export async function plansDueForTopUp(em: EntityManager, now: Date, limit: number): Promise<string[]> {
  const rows = await runStatement<{ plan_id: string }>(
    em,
    'select plan_id from residential.auto_top_up where enabled and request_id is null and next_at <= $1 order by next_at limit $2',
    [now.toISOString(), limit],
  );
  return rows.map(({ plan_id }) => plan_id);
}
