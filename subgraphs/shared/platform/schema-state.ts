// Which migrations a database has and a program knows, and whether the two fit. Schemas grow first; old columns are removed when no program uses them any more.
import type { Client } from 'pg';
import { type MigrationFile, numberOf } from './migration-file.ts';
import { StartFailure } from './start-failure.ts';

export interface SchemaState {
  /** The names of the migrations that the database has, in their order. */
  applied: string[];
  /** The migrations that this program has and the database has not. */
  pending: MigrationFile[];
  /** The migrations that the database has and this program does not know. */
  unknown: string[];
  /** The number of the migration that a program must know to work with the schema; undefined: every program can. */
  needs: string | undefined;
  /** The number of the last migration that this program knows. */
  knows: string;
}

/** Only reads. */
export async function readSchemaState(client: Client, files: readonly MigrationFile[]): Promise<SchemaState> {
  const has = async (table: string) =>
    (await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])).rows[0]?.there ?? false;
  const applied = (await has('public.egress_migration'))
    ? (await client.query<{ name: string }>('select name from public.egress_migration order by name')).rows.map(({ name }) => name)
    : [];
  const needs = (await has('platform.schema_need'))
    ? (await client.query<{ program: string | null }>('select max(program) as program from platform.schema_need')).rows[0]?.program
    : undefined;
  const known = new Set(files.map(({ name }) => name));
  return {
    applied,
    pending: files.filter(({ name }) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.has(name)),
    needs: needs ?? undefined,
    knows: numberOf(files.at(-1)?.name ?? '0000'),
  };
}

/** Throws a StartFailure when the schema is too new for this program. */
export function refuseNewerSchema({ needs, knows, unknown }: SchemaState): void {
  if (needs === undefined || needs <= knows) return;
  throw new StartFailure(
    `The database is newer than this program, which knows migrations up to ${knows}: since ${unknown.at(-1) ?? 'a later one'} it needs a program that knows ${needs}. Start that one, or restore a backup from before it.`,
  );
}

/** Throws a StartFailure when migrations are pending: for processes that do not migrate on their own. */
export function refuseOlderSchema({ pending }: SchemaState): void {
  if (pending.length === 0) return;
  throw new StartFailure(
    `The database is older than this program, and MIGRATE=off: ${pending.length === 1 ? 'one migration is' : `${pending.length} migrations are`} pending, from ${pending[0]?.name}. Run: npm run --silent migrate`,
  );
}
