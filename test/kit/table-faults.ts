// Makes tables fail on purpose, and removes constraints from tables.
import type { Query } from './tables.ts';

/** Makes every insert into a table fail with the message `words`. Returns a function that undoes it. */
export async function failInserts(query: Query, table: string, words: string): Promise<() => Promise<void>> {
  const [schema] = table.split('.');
  await query(`create function ${schema}.fail() returns trigger language plpgsql as $$ begin raise exception '${words}'; end $$`);
  await query(`create trigger inserts_fail before insert on ${table} for each statement execute function ${schema}.fail()`);
  return async () => {
    await query(`drop trigger inserts_fail on ${table}`);
    await query(`drop function ${schema}.fail()`);
  };
}

/** Refuses new rows of a table that do not meet `check`, a condition on its columns. Returns a function that undoes it. */
export async function refuseRows(query: Query, table: string, check: string): Promise<() => Promise<void>> {
  await query(`alter table ${table} add constraint refused check (${check}) not valid`);
  return async () => void (await query(`alter table ${table} drop constraint refused`));
}

/** Drops a constraint of a table, as a migration that allows another value does. */
export async function dropCheck(query: Query, table: string, constraint: string): Promise<void> {
  await query(`alter table ${table} drop constraint ${constraint}`);
}

/** Renames a table, so that every query of it fails. Returns a function that undoes it. */
export async function hideTable(query: Query, table: string): Promise<() => Promise<void>> {
  const [, name = ''] = table.split('.');
  await query(`alter table ${table} rename to ${name}_away`);
  return async () => void (await query(`alter table ${table}_away rename to ${name}`));
}
