// The whole content of a database as text, in which tests look for what must not be there or must not have changed.
import type { Query } from './tables.ts';

/** The tables of a database as `schema.table`: all of them, or only those of `schemas`, or only those with a column named `column`. */
async function tablesOf(query: Query, { schemas, column }: { schemas?: readonly string[]; column?: string } = {}): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables t
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') and ($1::text[] is null or table_schema = any($1))
       and ($2::text is null or exists (select from information_schema.columns c
         where c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = $2)) order by 1`,
    [schemas ?? null, column ?? null],
  );
  return rows.map(({ name }) => name);
}

/** Table -> its rows as JSON, for all tables (those of the queue and the event log too) or for those of `schemas`. Bytes are in hexadecimal. */
export async function dump(query: Query, ...schemas: string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const table of await tablesOf(query, schemas.length > 0 ? { schemas } : {}))
    found.set(
      table,
      (await query<{ row: string }>(`select row_to_json(each)::text as row from ${table} as each`)).map(({ row }) => row),
    );
  return found;
}

/** Table -> the rows of one account, for every table of `schemas` that has a column `account_id`. */
export async function rowsOfAccount(query: Query, accountId: string, schemas: readonly string[]): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of await tablesOf(query, { schemas, column: 'account_id' }))
    found[table] = await query(`select * from ${table} where account_id = $1 order by 1`, [accountId]);
  return found;
}
