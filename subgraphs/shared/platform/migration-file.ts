// The numbered files of migrations/, with the properties that their comments declare.
import { readFileSync, readdirSync } from 'node:fs';
import { statementsOf } from './sql-statements.ts';
import { StartFailure } from './start-failure.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

export interface MigrationFile {
  /** For example `0140-schema-needs.sql`; its number gives the order. */
  name: string;
  sql: string;
  /** Taken apart when they are asked for first: each process reads all files at its start, and most often runs none. */
  readonly statements: readonly string[];
  /** False with `-- no transaction`: each statement runs by itself, and all of them can be run again. */
  transactional: boolean;
  /** From `-- needs program: 0139`: programs that do not know that migration cannot work with the schema. */
  needs: string | undefined;
}

export const numberOf = (name: string): string => name.slice(0, 4);

/** Throws a StartFailure for a file without a transaction that could not be run again. */
export function readMigration(name: string, sql: string): MigrationFile {
  const says = (pattern: RegExp) => pattern.exec(sql);
  let statements: readonly string[] | undefined;
  const file: MigrationFile = {
    name,
    sql,
    get statements() {
      return (statements ??= statementsOf(sql));
    },
    transactional: !says(/^-- no transaction$/m),
    needs: says(/^-- needs program: (\d{4})$/m)?.[1],
  };
  const once = file.transactional ? undefined : file.statements.find((statement) => !/\bif (not )?exists\b/i.test(statement));
  if (once !== undefined)
    throw new StartFailure(`The migration ${name} runs without a transaction, and cannot be run again after an interruption: ${once}`);
  return file;
}

/** In the order of their numbers. */
export const migrationFiles = (folder: URL = FOLDER): MigrationFile[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => readMigration(name, readFileSync(new URL(name, folder), 'utf8')));
