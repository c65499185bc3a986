// The table residential.usage_report: which lines of a network's report are entered. Locking its row makes sure that each line counts once.
import { sql } from 'kysely';
import { type EntityManager, runStatement } from '#platform/database.ts';
import { type LineSpan, readSpans, writeSpans } from '../domain/line-numbers.ts';
import { textArray } from './array-text.ts';

export interface ReportKey {
  source: string;
  reportId: string;
}

const LOCK = `
  insert into residential.usage_report (source, report_id, received_at)
  select source, report_id, $3::timestamptz from unnest($1::text[], $2::text[]) as r(source, report_id) order by source, report_id
  on conflict (source, report_id) do update set received_at = excluded.received_at returning source, report_id, lines::text`;

const MARK = `
  update residential.usage_report r set lines = r.lines + t.lines
  from unnest($1::text[], $2::text[], $3::text[]) as x(source, report_id, spans), lateral (select x.spans::int4multirange as lines) t
  where r.source = x.source and r.report_id = x.report_id`;

const keyOf = ({ source, reportId }: ReportKey) => `${source}\n${reportId}`;

const names = (reports: readonly ReportKey[]) => [
  textArray(reports, ({ source }) => source),
  textArray(reports, ({ reportId }) => reportId),
];

/**
 * Locks the reports in the order of their names; each (source, report id) may occur once. It must be called before plans are locked, to avoid deadlocks.
 * Returns for each report, in the order given, which lines are entered already.
 */
export async function lockReports(em: EntityManager, reports: readonly ReportKey[], now: Date): Promise<LineSpan[][]> {
  const values = [...names(reports), now.toISOString()];
  const rows = await runStatement<{ source: string; report_id: string; lines: string }>(em, LOCK, values);
  const known = new Map(rows.map((row) => [keyOf({ source: row.source, reportId: row.report_id }), readSpans(row.lines)]));
  return reports.map((report) => known.get(keyOf(report)) ?? []);
}

/** Stores which lines are entered. The reports must be locked. */
export async function markEntered(em: EntityManager, reports: readonly (ReportKey & { spans: readonly LineSpan[] })[]): Promise<void> {
  const spans = textArray(reports, (report) => writeSpans(report.spans));
  await runStatement(em, MARK, [...names(reports), spans]);
}

/** Deletes reports that came last before `moment`, at most `limit`. Returns how many. */
export async function forgetReports(em: EntityManager, moment: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from residential.usage_report where (source, report_id) in
      (select source, report_id from residential.usage_report where received_at < ${moment.toISOString()} limit ${limit})`.execute(
    em.getKysely(),
  );
  return Number(numAffectedRows ?? 0);
}
