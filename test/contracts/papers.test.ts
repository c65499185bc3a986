// Rules for all documents: short lines, READMEs of one screen, and links and paths that exist.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const papers = globSync('**/*.md', { cwd: ROOT, exclude: ['**/node_modules/**', '.data/**', 'web/build/**', 'web/.svelte-kit/**'] })
  .toSorted()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
/** READMEs of folders, without the root's. */
const readmes = papers.filter(({ path }) => path.endsWith('/README.md'));

test('there are documents to look at', () => {
  expect(papers.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'subgraphs/accounts/README.md']));
});

test('no line is longer than 160 characters', () => {
  const long = papers.flatMap(({ path, text }) => text.split('\n').flatMap((line, at) => (line.length > 160 ? [`${path}:${at + 1}`] : [])));
  expect(long).toEqual([]);
});

test('the README of a folder is one screen', () => {
  const lines = ({ text }: { text: string }) => text.trimEnd().split('\n').length;
  expect(readmes.filter((readme) => lines(readme) > 80).map(({ path }) => path)).toEqual([]);
});

test('links lead to existing files', () => {
  const dead = papers.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target = '']) => join(dirname(path), target))
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(dead).toEqual([]);
});

/** Whether a path in a README exists: from its folder, the folder above, or the root. A bare name may be anywhere below its folder. */
function isThere(path: string, room: string): boolean {
  const rooms = [room, dirname(room), join(room, 'src/lib'), '.'];
  if (path.startsWith('#')) return existsSync(join(ROOT, 'subgraphs/shared', path.slice(1)));
  if (rooms.some((from) => existsSync(join(ROOT, from, path)))) return true;
  return !path.includes('/') && globSync(`${room}/**/${path}`, { cwd: ROOT, exclude: ['**/node_modules/**'] }).length > 0;
}

test('files that a README names exist', () => {
  const missing = readmes.flatMap(({ path, text }) =>
    [...text.matchAll(/`([#\w./-]+\.(?:ts|graphql|svelte))`/g)]
      .map(([, named = '']) => named)
      .filter((named) => !isThere(named, dirname(path)))
      .map((named) => `${path}: ${named}`),
  );
  expect(missing).toEqual([]);
});
