// Finds import cycles between the entries of a folder. In every folder of the code its files and subfolders ("rooms") are the nodes of a graph, and
// imports are its edges.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './source-files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
type Imports = ReadonlyMap<string, readonly string[]>;

/** The imports of each file of the server and of the dashboard, by path. */
export const importsOfAll = (server: readonly SourceFile[]): Imports =>
  new Map([
    ...server.map(({ path, imports }): [string, string[]] => [path, imports.map(({ target }) => target)]),
    ...globSync('web/src/**/*.{ts,svelte}', { cwd: ROOT })
      .filter((path) => !path.endsWith('.d.ts'))
      .map((path): [string, string[]] => [path, importsOfPage(path, readFileSync(`${ROOT}${path}`, 'utf8'))]),
  ]);

/** The imports of a dashboard file, read as text, as a Svelte file is not TypeScript. */
const importsOfPage = (path: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier.replace(/^#lib\//, 'web/src/lib/'),
  );

/** Cycles as `FOLDER: ROOM, ROOM`: entries of a folder that reach each other; the root is `.`. */
export function circlesIn(imports: Imports): string[] {
  const foldersOf = (path: string) => path.split('/').map((_, index, parts) => parts.slice(0, index).join('/'));
  return [...new Set([...imports.keys()].flatMap(foldersOf))]
    .sort()
    .flatMap((folder) => circles(arrowsIn(folder, imports)).map((rooms) => `${folder || '.'}: ${rooms.join(', ')}`));
}

function arrowsIn(folder: string, imports: Imports): Map<string, Set<string>> {
  const roomOf = (path: string) =>
    folder === '' || path.startsWith(`${folder}/`) ? path.slice(folder === '' ? 0 : folder.length + 1).split('/')[0] : undefined;
  const arrows = new Map<string, Set<string>>();
  for (const [path, targets] of imports) {
    const from = roomOf(path);
    if (from === undefined) continue;
    const known = arrows.get(from) ?? new Set();
    arrows.set(from, known);
    for (const target of targets) {
      const to = imports.has(target) ? roomOf(target) : undefined;
      if (to !== undefined && to !== from) known.add(to);
    }
  }
  return arrows;
}

/** The sets of rooms that reach each other, each once. */
function circles(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = new Map([...arrows.keys()].map((room) => [room, reachedFrom(room, arrows)]));
  const sets = [...arrows.keys()].map((room) =>
    [...arrows.keys()].filter((other) => reach.get(room)?.has(other) && reach.get(other)?.has(room)).sort(),
  );
  return [...new Map(sets.filter((rooms) => rooms.length > 1).map((rooms) => [rooms.join(), rooms])).values()];
}

function reachedFrom(room: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const open = [room];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const other of arrows.get(next) ?? [])
      if (!reached.has(other)) {
        reached.add(other);
        open.push(other);
      }
  return reached;
}
