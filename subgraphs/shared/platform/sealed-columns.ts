// Which columns of a subgraph hold sealed values. The start checks that they can be read, and they are sealed again when the secret changes.
import { sql } from 'kysely';
import type { EntityManager } from './database.ts';
import { type SealingKeys, isSealedByPresent, seal, sealedBy, unseal } from './sealing.ts';
import { StartFailure } from './start-failure.ts';

export interface SealedColumn {
  /** In the subgraph's own schema. */
  table: string;
  /** The primary key. */
  key: string;
  /** Of type `bytea`; null when there is no value. */
  column: string;
  /** The column whose value each sealed value is bound to; by default the key. */
  of?: string;
  /** Makes the binding context from that column's value; by default it is the value itself. */
  place?: (of: string) => string;
  /** The column is a `text[]` of hexadecimal values instead. */
  isList?: true;
}

/** How many rows are read and resealed at once. */
const BATCH_SIZE = 500;
/** A start looks for a sealed value in this many of a table's last rows: in some tables most rows have none. */
const LOOKED_AT = 1_000;

interface SealedRow {
  key: string;
  of: string;
  values: Buffer[];
}

/**
 * Throws a StartFailure when values of a subgraph are sealed with a secret that is not configured. It checks the keys that are recorded as used, and the last
 * value of each column among its table's last rows; the keys of these values are then recorded too.
 */
export async function checkSealing(
  em: EntityManager,
  subgraph: string,
  columns: readonly SealedColumn[],
  keys: SealingKeys,
): Promise<void> {
  const { rows } = await sql<{ key_id: Buffer }>`select key_id from platform.secret_check where subgraph = ${subgraph}`.execute(
    em.getKysely(),
  );
  if (!rows.every(({ key_id }) => keys.some(({ id }) => id.equals(key_id)))) throw new StartFailure(wrongSecret(keys));
  for (const column of columns)
    for (const row of await readRows(em, column, { limit: 1, last: LOOKED_AT }))
      for (const value of row.values) {
        const key = sealedBy(value, keys, placeOf(column, row));
        if (!key) throw new StartFailure(wrongSecret(keys));
        if (!rows.some(({ key_id }) => key.id.equals(key_id)))
          await sql`insert into platform.secret_check values (${subgraph}, ${key.id}) on conflict do nothing`.execute(em.getKysely());
      }
}

const wrongSecret = (keys: SealingKeys): string =>
  keys.length === 1
    ? 'SECRET is not the one that this database was sealed with. Give the right one, or SECRET=new,old while it is being changed (npm run --silent reseal).'
    : 'None of the secrets in SECRET is one that this database was sealed with.';

/**
 * Seals with the present key all values that were sealed with another. A value that changes meanwhile is skipped: its writer seals it. Returns how many values
 * were resealed.
 */
export async function resealColumns(em: EntityManager, columns: readonly SealedColumn[], keys: SealingKeys): Promise<number> {
  let count = 0;
  for (const column of columns) {
    let after = '';
    for (;;) {
      const rows = await readRows(em, column, { limit: BATCH_SIZE, after });
      for (const row of rows) if (await resealRow(em, column, row, keys)) count += row.values.length;
      if (rows.length < BATCH_SIZE) break;
      after = rows.at(-1)?.key ?? '';
    }
  }
  return count;
}

/** Records that only the present secret is needed from now on. */
export async function forgetPrevious(em: EntityManager, subgraph: string, [{ id }]: SealingKeys): Promise<void> {
  await sql`delete from platform.secret_check where subgraph = ${subgraph} and key_id <> ${id}`.execute(em.getKysely());
}

const placeOf = ({ place }: SealedColumn, { of }: SealedRow): string => place?.(of) ?? of;

async function resealRow(em: EntityManager, column: SealedColumn, row: SealedRow, keys: SealingKeys): Promise<boolean> {
  if (row.values.every((value) => isSealedByPresent(value, keys))) return false;
  const fresh = row.values.map((value) => seal(unseal(value, keys, placeOf(column, row)), keys, placeOf(column, row)));
  const stored = (values: readonly Buffer[]) =>
    column.isList ? sql`${values.map((value) => value.toString('hex'))}::text[]` : sql`${values[0]}`;
  const { numAffectedRows = 0n } = await sql`
    update ${sql.id(column.table)} set ${sql.id(column.column)} = ${stored(fresh)}
    where ${sql.id(column.key)} = ${row.key} and ${sql.id(column.column)} = ${stored(row.values)}`.execute(em.getKysely());
  return numAffectedRows > 0n;
}

async function readRows(
  em: EntityManager,
  { table, key, column, of = key, isList }: SealedColumn,
  { limit, after = '', last }: { limit: number; after?: string; last?: number },
): Promise<SealedRow[]> {
  const has = isList ? sql`cardinality(${sql.id(column)}) > 0` : sql`${sql.id(column)} is not null`;
  const source =
    last === undefined ? sql.id(table) : sql`(select * from ${sql.id(table)} order by ${sql.id(key)} desc limit ${last}) as last`;
  const { rows } = await sql<{ key: string; of: string; value: Buffer | string[] }>`
    select ${sql.id(key)} as key, ${sql.id(of)} as of, ${sql.id(column)} as value from ${source}
    where ${has} and ${sql.id(key)} > ${after} order by ${sql.id(key)} ${last === undefined ? sql`asc` : sql`desc`} limit ${limit}`.execute(
    em.getKysely(),
  );
  return rows.map((row) => ({
    key: row.key,
    of: row.of,
    values: Array.isArray(row.value) ? row.value.map((value) => Buffer.from(value, 'hex')) : [Buffer.from(row.value)],
  }));
}
