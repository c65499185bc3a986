// Migrations first add, and remove later, when no running program uses the old schema. One that removes declares it, so that an older program is refused.
import { expect, test } from 'vitest';
import { type MigrationFile, migrationFiles, numberOf, readMigration } from '#platform/migration-file.ts';

/** Statements that remove something that an older program needs. */
const TAKES_AWAY =
  /\b(drop\s+(table|column|view|function|schema|type)|rename\s+(to|column)|alter\s+column\s+\w+\s+(type|set\s+not\s+null)|alter\s+table\s[^;]*\bset\s+schema)\b/i;
/** No program of another version has run with earlier migrations. */
const FIRST = '0140';

/** Ignores comments and the bodies of functions. */
const takesAway = ({ statements }: MigrationFile) =>
  statements.some((statement) => TAKES_AWAY.test(statement.replaceAll(/--[^\n]*/g, '').replaceAll(/(\$\w*\$)[\s\S]*?\1/g, '')));
const undeclared = (files: readonly MigrationFile[]) =>
  files.filter((file) => numberOf(file.name) >= FIRST && file.needs === undefined && takesAway(file)).map(({ name }) => name);

test('a migration that removes something names the first program that does not need it', () => {
  expect(undeclared(migrationFiles())).toEqual([]);
});

test.each([
  'alter table accounts.account drop column nickname;',
  'drop table accounts.old;',
  'alter table accounts.account rename column a to b;',
  'alter table accounts.account alter column a set not null;',
])('one that does not declare it is found: %s', (sql) => {
  expect(undeclared([readMigration('9999-x.sql', sql)])).toEqual(['9999-x.sql']);
  expect(undeclared([readMigration('9999-x.sql', `-- needs program: 0140\n${sql}`)])).toEqual([]);
});

test.each(['alter table accounts.account add column a text;', 'drop index accounts.old;', 'do $$ begin drop table x; end $$;'])(
  'one that only adds need not declare anything: %s',
  (sql) => expect(undeclared([readMigration('9999-x.sql', sql)])).toEqual([]),
);

test('a migration without a transaction can be run again', () => {
  expect(() => readMigration('9999-x.sql', '-- no transaction\ncreate index concurrently i on accounts.account (id);')).toThrow(
    'cannot be run again after an interruption: ',
  );
});
