// Rooms that know each other both ways. In every folder of the code its files and folders are rooms, and who imports whom is an arrow between them: an
// arrow that runs back up is one that closes a circle.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './source-files.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
type Imports = ReadonlyMap<string, readonly string[]>;

/** Files of the server, and of the dashboard: path -> what it imports. */
export const importsOfAll = (server: readonly SourceFile[]): Imports =>
  new Map([
    ...server.map(({ path, imports }): [string, string[]] => [path, imports.map(({ target }) => target)]),
    ...globSync('web/src/**/*.{ts,svelte}', { cwd: ROOT })
      .filter((path) => !path.endsWith('.d.ts'))
      .map((path): [string, string[]] => [path, importsOfPage(path, readFileSync(`${ROOT}${path}`, 'utf8'))]),
  ]);

/** A page is no TypeScript: what it imports is read as text. */
const importsOfPage = (path: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier.replace(/^#lib\//, 'web/src/lib/'),
  );

/** `FOLDER: ROOM, ROOM`: the rooms of a folder that reach each other, by name; the root is `.`. */
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

/** Rooms that reach each other, each set once. */
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
