// Schemas grow first, and are cleared when no program uses the old shape: a migration that clears says so, so that an older program is refused.
import { expect, test } from 'vitest';
import { type MigrationFile, migrationFiles, numberOf, readMigration } from '#platform/migration-file.ts';

/** What a program that runs, or runs again, would miss. */
const TAKES_AWAY =
  /\b(drop\s+(table|column|view|function|schema|type)|rename\s+(to|column)|alter\s+column\s+\w+\s+(type|set\s+not\s+null)|alter\s+table\s[^;]*\bset\s+schema)\b/i;
/** Those before it were not read by any program of another version. */
const FIRST = '0140';

/** A function that is put in the place of another, and what a function of PostgreSQL does by itself, takes nothing away. */
const takesAway = ({ statements }: MigrationFile) =>
  statements.some((statement) => TAKES_AWAY.test(statement.replaceAll(/--[^\n]*/g, '').replaceAll(/(\$\w*\$)[\s\S]*?\1/g, '')));
const undeclared = (files: readonly MigrationFile[]) =>
  files.filter((file) => numberOf(file.name) >= FIRST && file.needs === undefined && takesAway(file)).map(({ name }) => name);

test('a migration that takes something away names the program that does without', () => {
  expect(undeclared(migrationFiles())).toEqual([]);
});

test.each([
  'alter table accounts.account drop column nickname;',
  'drop table accounts.old;',
  'alter table accounts.account rename column a to b;',
  'alter table accounts.account alter column a set not null;',
])('one that says nothing is seen: %s', (sql) => {
  expect(undeclared([readMigration('9999-x.sql', sql)])).toEqual(['9999-x.sql']);
  expect(undeclared([readMigration('9999-x.sql', `-- needs program: 0140\n${sql}`)])).toEqual([]);
});

test.each(['alter table accounts.account add column a text;', 'drop index accounts.old;', 'do $$ begin drop table x; end $$;'])(
  'one that only adds may stay silent: %s',
  (sql) => expect(undeclared([readMigration('9999-x.sql', sql)])).toEqual([]),
);

test('one without a transaction can be run again', () => {
  expect(() => readMigration('9999-x.sql', '-- no transaction\ncreate index concurrently i on accounts.account (id);')).toThrow(
    'cannot be run again after an interruption: ',
  );
});
