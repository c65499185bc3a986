// Tables that do not do their work for a while, with how each is mended, and such as hold less closely to their rules.
import type { Query } from './tables.ts';

/** Whatever would be added to a table is refused with these words. */
export async function failInserts(query: Query, table: string, words: string): Promise<() => Promise<void>> {
  const [schema] = table.split('.');
  await query(`create function ${schema}.fail() returns trigger language plpgsql as $$ begin raise exception '${words}'; end $$`);
  await query(`create trigger inserts_fail before insert on ${table} for each statement execute function ${schema}.fail()`);
  return async () => {
    await query(`drop trigger inserts_fail on ${table}`);
    await query(`drop function ${schema}.fail()`);
  };
}

/** New rows of a table are refused that do not hold to `check`, a condition on its columns. */
export async function refuseRows(query: Query, table: string, check: string): Promise<() => Promise<void>> {
  await query(`alter table ${table} add constraint refused check (${check}) not valid`);
  return async () => void (await query(`alter table ${table} drop constraint refused`));
}

/** A table takes what a rule of its refuses: what a migration would do that brings a value more. */
export async function dropCheck(query: Query, table: string, constraint: string): Promise<void> {
  await query(`alter table ${table} drop constraint ${constraint}`);
}

/** A table is away: who asks for it gets an error. */
export async function hideTable(query: Query, table: string): Promise<() => Promise<void>> {
  const [, name = ''] = table.split('.');
  await query(`alter table ${table} rename to ${name}_away`);
  return async () => void (await query(`alter table ${table}_away rename to ${name}`));
}
