// Copies the folder of backups to a store elsewhere. A file that is removed here is removed there too, if the store lets these keys remove it. Files that were
// in the store before, from a machine that was lost, are never touched.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartFailure } from '../start-failure.ts';
import { MANIFEST } from './backup-manifest.ts';
import type { ObjectStore } from './object-store.ts';

export interface Mirror {
  /** Returns how many files were uploaded, how many were removed, and how many the store did not let go. */
  copy(): Promise<{ put: number; removed: number; held: number }>;
}

/** Files of unfinished runs. */
const UNFINISHED = /\.partial-|\.next$/;
/** The partial segment of the log: each round writes it again. */
const GROWS = /\.partial\.sealed$/;

const lastIsManifest = (a: string, b: string) => Number(a.endsWith(MANIFEST)) - Number(b.endsWith(MANIFEST));

/** Open it before any backup is taken or removed: it knows what was removed by comparing with what it has seen. */
export async function openMirror(directory: string, store: ObjectStore): Promise<Mirror> {
  const folder = resolve(directory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const states = new Map<string, string>();
  let known = [...(await filesOf(folder)).keys()];
  return {
    async copy() {
      const here = await filesOf(folder);
      const there = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]));
      let put = 0;
      // The manifest makes a folder a backup, so it is uploaded last.
      for (const name of [...here.keys()].toSorted(lastIsManifest)) {
        const { size, state } = here.get(name) ?? { size: 0, state: '' };
        if (there.get(name) === size && !(GROWS.test(name) && states.get(name) !== state)) continue;
        await store.put(name, join(folder, name));
        states.set(name, state);
        put++;
      }
      // And removed first.
      const gone = known.filter((name) => !here.has(name) && there.has(name)).toSorted((a, b) => lastIsManifest(b, a));
      let held = 0;
      for (const name of gone) if (!(await store.remove(name))) held++;
      known = [...here.keys()];
      return { put, removed: gone.length - held, held };
    },
  };
}

/** Downloads everything into a new folder; returns the number of files. */
export async function fetchBackups(store: ObjectStore, folder: string): Promise<number> {
  if ((await readdir(folder).catch(() => [])).length > 0)
    throw new StartFailure(`${folder} has something in it: name a folder that is new.`);
  const found = await store.list();
  if (found.length === 0) throw new StartFailure('The store has no backups.');
  for (const { name } of found) {
    if (name.split('/').some((part) => ['', '.', '..'].includes(part)))
      throw new StartFailure(`The store has a file that leads elsewhere: ${name}`);
    await store.get(name, join(folder, name));
  }
  return found.length;
}

async function filesOf(folder: string): Promise<Map<string, { size: number; state: string }>> {
  const found = new Map<string, { size: number; state: string }>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const name = file.slice(folder.length + 1);
    if (!entry.isFile() || UNFINISHED.test(name)) continue;
    // A file that is gone by now is left to the next round.
    const facts = await stat(file).catch(() => undefined);
    if (facts) found.set(name, { size: facts.size, state: `${facts.size} ${facts.mtimeMs}` });
  }
  return found;
}
