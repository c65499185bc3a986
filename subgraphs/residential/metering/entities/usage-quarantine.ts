// The table residential.usage_quarantine: lines of networks that no plan can have carried, until support decides on them.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { HoldReason } from '../domain/usage-plausibility.ts';
import { textArray } from './array-text.ts';
import type { LedgerLine } from './usage-ledger.ts';

/** A line that waits for a decision, or that was decided on. */
export interface HeldLine {
  id: string;
  source: string;
  reportId: string;
  line: number;
  planId: string;
  userId: string | null;
  reason: HoldReason;
  at: Date;
  receivedAt: Date;
  upBytes: bigint;
  downBytes: bigint;
  country: string | null;
  session: string | null;
  host: string | null;
  client: string | null;
}

interface Row {
  id: string;
  source: string;
  report_id: string;
  line: number;
  plan_id: string;
  user_id: string | null;
  reason: HoldReason;
  at: string | Date;
  received_at: string | Date;
  up_bytes: string;
  down_bytes: string;
  country: string | null;
  session: string | null;
  host: string | null;
  client: string | null;
}

const toLine = (row: Row): HeldLine => ({
  id: row.id,
  source: row.source,
  reportId: row.report_id,
  line: row.line,
  planId: row.plan_id,
  userId: row.user_id,
  reason: row.reason,
  at: new Date(row.at),
  receivedAt: new Date(row.received_at),
  upBytes: BigInt(row.up_bytes),
  downBytes: BigInt(row.down_bytes),
  country: row.country,
  session: row.session,
  host: row.host,
  client: row.client,
});

export async function holdLines(
  em: EntityManager,
  source: string,
  lines: readonly (LedgerLine & { id: string; reason: HoldReason })[],
  now: Date,
): Promise<void> {
  const words = (name: 'id' | 'reportId' | 'planId' | 'reason' | 'country' | 'session' | 'host' | 'client') =>
    textArray(lines, (line) => line[name]);
  const numbers = (name: 'line' | 'upBytes' | 'downBytes') => `{${lines.map((line) => line[name]).join(',')}}`;
  await runStatement(
    em,
    `insert into residential.usage_quarantine (id, source, report_id, line, plan_id, reason, at, received_at, up_bytes, down_bytes, country, session, host, client, user_id)
     select id, $1, report_id, line, plan_id, reason, at, $2::timestamptz, up_bytes, down_bytes, country, session, host, client, user_id
     from unnest($3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::timestamptz[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
       as r(id, report_id, line, plan_id, reason, at, up_bytes, down_bytes, country, session, host, client, user_id)`,
    [
      source,
      now.toISOString(),
      words('id'),
      words('reportId'),
      numbers('line'),
      words('planId'),
      words('reason'),
      `{${lines.map(({ at }) => at.toISOString()).join(',')}}`,
      numbers('upBytes'),
      numbers('downBytes'),
      words('country'),
      words('session'),
      words('host'),
      words('client'),
      textArray(lines, ({ userId }) => userId ?? null),
    ],
  );
}

/** Counts the waiting lines of this source, up to `limit`. */
export async function countWaiting(em: EntityManager, source: string, limit: number): Promise<number> {
  const [row] = await runStatement<{ waiting: string }>(
    em,
    'select count(*) as waiting from (select from residential.usage_quarantine where source = $1 and decision is null limit $2) held',
    [source, limit],
  );
  return Number(row?.waiting ?? 0);
}

/** Waiting lines of one source or of all, ordered by id, the earliest first, beginning after the id `after`. */
export const waitingLines = async (em: EntityManager, source: string | null, after: string | null, first: number): Promise<HeldLine[]> =>
  (
    await runStatement<Row>(
      em,
      `select * from residential.usage_quarantine where decision is null and ($1::text is null or source = $1) and ($2::text is null or id > $2)
       order by id limit $3`,
      [source, after, first],
    )
  ).map(toLine);

/** Decides on those of these lines that still wait, and returns them. When two people decide at the same time, only one decision is stored. */
export const decideLines = async (
  em: EntityManager,
  ids: readonly string[],
  decision: 'ACCEPTED' | 'DISCARDED',
  by: string,
  now: Date,
): Promise<HeldLine[]> =>
  (
    await runStatement<Row>(
      em,
      `update residential.usage_quarantine set decision = $2, decided_by = $3, decided_at = $4 where id = any($1) and decision is null returning *`,
      [ids, decision, by, now.toISOString()],
    )
  ).map(toLine);

/** Deletes decided lines that were received before `moment`. */
export const forgetHeldLines = async (em: EntityManager, moment: Date): Promise<void> =>
  void (await runStatement(em, 'delete from residential.usage_quarantine where decision is not null and received_at < $1', [
    moment.toISOString(),
  ]));

/** Counts waiting lines by source. */
export const countHeldLines = (em: EntityManager): Promise<{ source: string; lines: number }[]> =>
  runStatement(em, 'select source, count(*)::int as lines from residential.usage_quarantine where decision is null group by source', []);
