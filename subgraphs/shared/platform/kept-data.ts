// What a subgraph keeps of people: a row for each of its tables, which the register, an account's own copy of its data and the end of an account go by.
import { sql } from 'kysely';
import type { EntityManager } from './database.ts';

export interface KeptTable {
  /** With its schema. */
  table: string;
  /** What of people is in it, in words; absent: nothing. */
  holds?: string;
  /** How long it is kept, in words. */
  kept: string;
  /** The rows of an account: a condition on the table, in which `:account` stands for its id. Absent: none are of one account. */
  of?: string;
  /** Its primary key. */
  key: readonly string[];
  /** Columns that no copy has: secrets, and what is derived from them. */
  secret?: readonly string[];
  /** What becomes of an account's rows when it is closed: they go, or these columns are set so. Absent: they stay as long as `kept` says. */
  atClosing?: 'DELETE' | Readonly<Record<string, string>>;
}

/** Rows of one table that are asked for at once. */
const PAGE_SIZE = 500;

export interface KeptPage {
  table: string;
  /** Each a JSON object: a row, without its secrets. */
  rows: string[];
  /** For the page after it; null: this was the last. */
  next: string | null;
}

/**
 * What is kept of an account, table by table, in pages. `after`: the page before; undefined: the first. Undefined: `after` is none of ours.
 */
export async function keptPage(
  em: EntityManager,
  tables: readonly KeptTable[],
  { accountId, after }: { accountId: string; after?: string | null },
): Promise<KeptPage | undefined> {
  const own = tables.filter(({ holds, of }) => holds !== undefined && of !== undefined);
  const { table: name, row } = positionOf(after ?? JSON.stringify({ table: own[0]?.table }));
  const index = own.findIndex(({ table }) => table === name);
  const found = own[index];
  if (!found) return undefined;
  const rows = await rowsAfter(em, found, accountId, row);
  const last = rows.at(PAGE_SIZE - 1)?.position;
  const following = own[index + 1]?.table;
  const next = last ? { table: name, row: JSON.parse(last) as unknown } : following ? { table: following } : undefined;
  return { table: found.table, rows: rows.map(({ row: text }) => text), next: next ? JSON.stringify(next) : null };
}

function positionOf(after: string): { table?: unknown; row?: unknown } {
  try {
    const position: unknown = JSON.parse(after);
    return typeof position === 'object' && position !== null ? position : {};
  } catch {
    return {};
  }
}

async function rowsAfter(em: EntityManager, { table, of, key, secret = [] }: KeptTable, accountId: string, row: unknown) {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const later =
    row === undefined
      ? sql`true`
      : sql`(${columns}) > (select ${columns} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb))`;
  const { rows } = await sql<{ row: string; position: string }>`
    select (to_jsonb(kept) - ${[...secret]}::text[])::text as row,
      jsonb_build_object(${sql.join(key.flatMap((column) => [sql.lit(column), sql.ref(column)]))})::text as position
    from ${sql.table(table)} as kept where ${conditionOf(of ?? 'false', accountId)} and ${later} order by ${columns} limit ${PAGE_SIZE}`.execute(
    em.getKysely(),
  );
  return rows;
}

/** `condition` is the code's own. */
function conditionOf(condition: string, accountId: string) {
  const parts = condition.split(':account');
  return sql`(${sql.join(
    parts.flatMap((part, index) => (index === 0 ? [sql.raw(part)] : [sql`${accountId}`, sql.raw(part)])),
    sql``,
  )})`;
}

/** In the transaction in which the end of an account is heard. Safe to repeat. */
export async function eraseKept(em: EntityManager, tables: readonly KeptTable[], accountId: string): Promise<void> {
  for (const { table, of, atClosing } of tables) {
    if (of === undefined || atClosing === undefined) continue;
    const whose = conditionOf(of, accountId);
    if (atClosing === 'DELETE') await sql`delete from ${sql.table(table)} where ${whose}`.execute(em.getKysely());
    else {
      const set = sql.join(Object.entries(atClosing).map(([column, value]) => sql`${sql.ref(column)} = ${sql.raw(value)}`));
      await sql`update ${sql.table(table)} set ${set} where ${whose}`.execute(em.getKysely());
    }
  }
}
