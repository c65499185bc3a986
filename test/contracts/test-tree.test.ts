// Tests have the path of the file that they test, and are not too long.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Folders that exist only in `test/`: shared code, and tests that belong to no single folder of the product. */
const OWN_FOLDERS = ['kit', 'contracts', 'faults', 'browser', 'process', 'external', 'exercises', 'mcp', 'bench', 'prove'];
const MAX_LINES = 400;
/** Known longer files. The list may only shrink. */
const LONG: string[] = [];

const files = globSync('test/**/*.ts', { cwd: ROOT }).sort();
const isOwn = (folder: string) => OWN_FOLDERS.some((own) => folder === own || folder.startsWith(`${own}/`));
/** Whether the product has this folder, or a file of this name with several tests. */
const isOfTheProduct = (folder: string) => existsSync(`${ROOT}${folder}`) || existsSync(`${ROOT}${folder}.ts`);

test('each folder of tests has the same path in the product', () => {
  const folders = new Set(files.map((path) => dirname(path).replace(/^test\//, '')));
  expect(folders).toContain('subgraphs/static/delivery');
  expect([...folders].filter((folder) => !isOwn(folder) && !isOfTheProduct(folder))).toEqual([]);
});

test(`no file of tests has more than ${MAX_LINES} lines, but for those that are known`, () => {
  const lines = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8').trimEnd().split('\n').length;
  expect(files.filter((path) => lines(path) > MAX_LINES)).toEqual(LONG);
});

/** SQL statements on tables, which are written in lower case here. */
const SQL =
  /\bselect\b[^'`;]*?\sfrom\s|\binsert into\s|\bdelete from\s|\bupdate [\w.${}]+ set\b|\b(alter|create|lock) table\b|\btruncate [\w$]/;
/** Files that may contain SQL: the kit, and each world's `tables.ts`. */
const NAMES_TABLES = /^test\/kit\/|\/tables\.ts$/;
/** Tests of the SQL statements themselves, with the reason. The list may only shrink. */
const ABOUT_STATEMENTS: Readonly<Record<string, string>> = {
  'test/migrations/': 'migrations are judged by the tables that they leave',
  'test/exercises/': 'write the migrations that changes need',
  'test/process/embedded-postgres.test.ts': 'the database by itself, without our tables',
  'test/subgraphs/shared/platform/backup/database-dump.test.ts': 'what a dump holds, table by table, and who may read it afterwards',
  'test/subgraphs/shared/platform/point-read.test.ts': 'how statements of many requests become one',
  'test/subgraphs/shared/platform/sealed-columns.test.ts': 'columns of a table of its own, in every form that may be sealed',
  'test/bench/': 'fills tables with millions of rows, and measures statements',
  'test/prove/': 'judges a running platform from outside, by its database',
};

test('tests read and set tables through the kit', () => {
  for (const statement of ['select id\n from a', 'update accounts.a set b = 1', 'delete from a', 'insert into a'])
    expect(statement).toMatch(SQL);
  const withSql = files.filter((path) => !NAMES_TABLES.test(path) && SQL.test(readFileSync(`${ROOT}${path}`, 'utf8')));
  const known = Object.keys(ABOUT_STATEMENTS);
  expect(withSql.filter((path) => path !== 'test/contracts/test-tree.test.ts' && !known.some((place) => path.startsWith(place)))).toEqual(
    [],
  );
  expect(known.filter((place) => !withSql.some((path) => path.startsWith(place)))).toEqual([]);
});

/** A worker imports a module once for all of its test files (`vitest.config.ts`), so a hook at the import runs only for the first file. */
const HOOK_AT_IMPORT = /^(beforeAll|beforeEach|afterEach|afterAll)\(/m;

test('shared fixtures are opened by a call in each test file, never by an import', () => {
  expect('beforeAll(async () => {').toMatch(HOOK_AT_IMPORT);
  const shared = files.filter((path) => !/\.(test|prove)\.ts$/.test(path));
  expect(shared.filter((path) => HOOK_AT_IMPORT.test(readFileSync(`${ROOT}${path}`, 'utf8')))).toEqual([]);
});
