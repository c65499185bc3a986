// Which personal data a subgraph stores: one entry per table. The register, an account's copy of its data and the erasure of a closed account use it.
import { sql } from 'kysely';
import type { EntityManager } from './database.ts';

export interface KeptTable {
  /** The name with its schema. */
  table: string;
  /** Which personal data the table holds, in words; absent: none. */
  holds?: string;
  /** How long the data is kept, in words; a term that an operator may set by `daysOf`. */
  kept: string;
  /** Selects the rows of an account: a condition on the table, with `:account` for the account's id. Absent: no row belongs to one account. */
  of?: string;
  /** The columns of the primary key. */
  key: readonly string[];
  /** Columns that are left out of every copy: secrets, and values derived from them. */
  secret?: readonly string[];
  /**
   * What happens to an account's rows when it is closed: they are deleted, or these columns are set to these SQL expressions. Absent: they stay as long as
   * `kept` says.
   */
  atClosing?: 'DELETE' | Readonly<Record<string, string>>;
}

/** How many rows of one table are read at once. */
const PAGE_SIZE = 500;

export interface KeptPage {
  table: string;
  /** Each a JSON object: a row without its secret columns. */
  rows: string[];
  /** The cursor of the next page; null: this was the last one. */
  next: string | null;
}

/**
 * The data that is stored of an account, table by table, in pages. `after`: the cursor; absent: the first page. Returns undefined when `after` is not a cursor
 * of these tables.
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

/** `condition` must come from the code, never from input. */
function conditionOf(condition: string, accountId: string) {
  const parts = condition.split(':account');
  return sql`(${sql.join(
    parts.flatMap((part, index) => (index === 0 ? [sql.raw(part)] : [sql`${accountId}`, sql.raw(part)])),
    sql``,
  )})`;
}

/** Erases or overwrites an account's rows as `atClosing` says, in the transaction that handles the account's closing. Idempotent. */
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
