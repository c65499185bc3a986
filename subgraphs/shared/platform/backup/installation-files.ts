// What an installation has beside its database: the master secret, the files that its variables name, and what it keeps in DATA_DIR.
import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { StorageConfig } from '../config.ts';
import { secretText } from '../secrets.ts';
import { type Packed, fileEntry, folderEntries, textEntry } from './file-pack.ts';

/** Of DATA_DIR: what is in the other part of the backup, what is packed by its own name, and what is made anew. */
const LEFT = /^(postgres|secret|operator|compile-cache|received-log|test)(\/|$)/;
const OPERATOR = 'operator';

/** `named`: variables that name files, and what they say. */
export async function* installationFiles(
  config: StorageConfig,
  named: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<Packed> {
  yield textEntry('secret', secretText(config));
  for (const [name, file] of Object.entries(named)) {
    if (!file || !statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    const entry = await fileEntry(resolve(file), `${OPERATOR}/${name}/${basename(file)}`);
    if (entry) yield entry;
  }
  if (existsSync(config.DATA_DIR)) yield* folderEntries(config.DATA_DIR, 'data', (path) => LEFT.test(path));
}

/** Where each of these files goes when it is restored. The operator's own are put beside, not in the place of what stands on this machine. */
export function placeOfFile(dataDir: string, path: string): string | undefined {
  const [first, ...rest] = path.split('/');
  if (first === 'secret') return join(dataDir, 'secret');
  if (first === OPERATOR) return join(dataDir, OPERATOR, ...rest);
  return first === 'data' ? join(dataDir, ...rest) : undefined;
}
