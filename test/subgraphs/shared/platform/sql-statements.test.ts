import { expect, test } from 'vitest';
import { migrationFiles } from '#platform/migration-file.ts';
import { statementsOf } from '#platform/sql-statements.ts';

test.each<[name: string, sql: string, statements: string[]]>([
  ['two statements', 'select 1;\nselect 2;', ['select 1', 'select 2']],
  ['the last without a semicolon', 'select 1; select 2', ['select 1', 'select 2']],
  ['a semicolon in quotes', `select ';', ";", 'it''s;'; select 2`, [`select ';', ";", 'it''s;'`, 'select 2']],
  ['a backslash before a quote', `select E'\\';'; select 2`, [`select E'\\';'`, 'select 2']],
  ['a body in dollars', 'do $$ begin; end $$; do $a$ $$;$$ $a$;', ['do $$ begin; end $$', 'do $a$ $$;$$ $a$']],
  ['comments', '-- one; \n/* two; /* three; */ ; */ select 1; -- four;', ['-- one; \n/* two; /* three; */ ; */ select 1']],
  ['nothing', ' ;; -- nothing\n', []],
])('%s', (_, sql, statements) => {
  expect(statementsOf(sql)).toEqual(statements);
});

test('every migration has as many statements as PostgreSQL sees: none is empty, and together they are the file', () => {
  for (const { name, sql, statements } of migrationFiles()) {
    expect(statements.length, name).toBeGreaterThan(0);
    const bare = (text: string) => text.replaceAll(/--[^\n]*|[\s;]/g, '');
    expect(bare(statements.join(';')), name).toBe(bare(sql));
  }
});
