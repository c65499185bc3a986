// The test of a file is found at the path of that file, and is short enough to be read.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What tests have of their own: what they share, and what is about no one place of the product. */
const OWN_FOLDERS = ['kit', 'contracts', 'faults', 'browser', 'process', 'exercises', 'bench', 'prove'];
const MAX_LINES = 400;
/** Longer ones of today. A list that may only shrink. */
const LONG: string[] = [];

const files = globSync('test/**/*.ts', { cwd: ROOT }).sort();
const isOwn = (folder: string) => OWN_FOLDERS.some((own) => folder === own || folder.startsWith(`${own}/`));
/** A folder of the product, or a file that has several tests. */
const isOfTheProduct = (folder: string) => existsSync(`${ROOT}${folder}`) || existsSync(`${ROOT}${folder}.ts`);

test('each folder of tests stands at the same path in the product', () => {
  const folders = new Set(files.map((path) => dirname(path).replace(/^test\//, '')));
  expect(folders).toContain('subgraphs/static/delivery');
  expect([...folders].filter((folder) => !isOwn(folder) && !isOfTheProduct(folder))).toEqual([]);
});

test(`no file of tests has more than ${MAX_LINES} lines, but for those that are known`, () => {
  const lines = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8').trimEnd().split('\n').length;
  expect(files.filter((path) => lines(path) > MAX_LINES)).toEqual(LONG);
});

/** Tables have names in the kit. Some of these are about what the database itself refuses; the others are left over. A number that may only shrink. */
const FILES_WITH_SQL = 31;

test('tests read tables through the kit', () => {
  const sql = /\b(from|update|into|join) (accounts|residential|static|compute|platform)\.[a-z_]+/;
  const found = files.filter((path) => path.endsWith('.test.ts') && sql.test(readFileSync(`${ROOT}${path}`, 'utf8')));
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(FILES_WITH_SQL);
});
