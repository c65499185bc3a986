// The files of an installation beside its database: the master secret, the files that its variables name, and its files in DATA_DIR.
import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { StorageConfig } from '../config.ts';
import { secretText } from '../secrets.ts';
import { type Packed, fileEntry, folderEntries, textEntry } from './file-pack.ts';

/** Left out of DATA_DIR: the database (the other part of the backup), what is packed under its own name, and what is created again. */
const LEFT = /^(postgres|secret|operator|compile-cache|received-log|test)(\/|$)/;
const OPERATOR = 'operator';

/** `named`: variables that name files -> their values. */
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

/** Where each of these files is restored. The operator's own files go to a folder in DATA_DIR: they never replace files on this machine. Undefined: nowhere. */
export function placeOfFile(dataDir: string, path: string): string | undefined {
  const [first, ...rest] = path.split('/');
  if (first === 'secret') return join(dataDir, 'secret');
  if (first === OPERATOR) return join(dataDir, OPERATOR, ...rest);
  return first === 'data' ? join(dataDir, ...rest) : undefined;
}
