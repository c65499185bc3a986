// The archive of the write-ahead log beside the backups: one file per segment, sealed like the parts of a backup. The segment that the server still writes is
// stored as `.partial`, again in each round, so that at most the time between two rounds is lost.
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { StartFailure } from '../start-failure.ts';
import { isLogFile, isSegment, placeOfSegment } from './log-segment.ts';
import { type BackupKeys, backupKeys, sealed, unsealed } from './sealed-stream.ts';

/** The log's folder beside the backups. */
export const LOG_FOLDER = 'log';
const MANIFEST = 'log.json';
const SEALED = '.sealed';
const PARTIAL = '.partial';
const SALT_BYTES = 32;

const manifest = z.strictObject({ format: z.literal(1), system: z.string(), salt: z.string(), mac: z.string() });

export interface LogArchive {
  /** The names of the complete files in the archive. */
  names(): Promise<Set<string>>;
  /** Adds a file. `partial`: the server still writes it. */
  store(name: string, file: string, partial?: boolean): Promise<void>;
  /** Removes the segments before this one. */
  removeBefore(segment: string): Promise<void>;
  /** Decrypts everything from a segment on into a folder. Returns the number of files. */
  openInto(folder: string, from: string): Promise<number>;
}

const macOf = (keys: BackupKeys, system: string) => keys.mac(`log of ${system}`);

/**
 * `system`: the database's system identifier; undefined opens the archive of any database. Throws a StartFailure for the log of another database, and for a
 * wrong passphrase.
 */
export async function openLogArchive(folder: string, passphrase: string, system?: string): Promise<LogArchive> {
  const file = join(folder, MANIFEST);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) {
    if (system === undefined) throw new StartFailure(`There is no log in ${folder}: without one a backup cannot be taken on to a moment.`);
    return archiveIn(folder, await begin(folder, file, passphrase, system));
  }
  const found = manifest.safeParse(parsed(text));
  if (!found.success) throw new StartFailure(`${file} is none that this program has written.`);
  const keys = await backupKeys(passphrase, Buffer.from(found.data.salt, 'hex'));
  if (!keys.isMac(`log of ${found.data.system}`, found.data.mac))
    throw new StartFailure(`BACKUP_PASSPHRASE is not the one that this log was kept with, or ${file} was changed.`);
  if (system !== undefined && found.data.system !== system)
    throw new StartFailure(`${folder} has the log of another database: name a folder of its own for this one's backups.`);
  return archiveIn(folder, keys);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

async function begin(folder: string, file: string, passphrase: string, system: string): Promise<BackupKeys> {
  const salt = randomBytes(32);
  const keys = await backupKeys(passphrase, salt);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(file, 'wx', 0o600);
  await handle.writeFile(`${JSON.stringify({ format: 1, system, salt: salt.toString('hex'), mac: macOf(keys, system) }, null, 2)}\n`);
  await handle.sync();
  await handle.close();
  return keys;
}

function archiveIn(folder: string, keys: BackupKeys): LogArchive {
  const stored = async (ending: string): Promise<string[]> =>
    (await readdir(folder)).flatMap((file) => {
      const name = file.endsWith(ending) ? file.slice(0, -ending.length) : '';
      return isLogFile(name) ? [name] : [];
    });
  /** A partial segment is written again and again: a key for each time means that no nonce is used twice with one key. */
  const keyOf = (name: string, salt: Buffer) => keys.part(`log ${name} ${salt.toString('hex')}`);
  const place = (name: string, partial: boolean) => join(folder, `${name}${partial ? PARTIAL : ''}${SEALED}`);

  async function openOne(name: string, partial: boolean, to: string): Promise<void> {
    const file = place(name, partial);
    const handle = await open(file, 'r');
    const { buffer: salt } = await handle.read(Buffer.alloc(SALT_BYTES), 0, SALT_BYTES, 0).finally(() => handle.close());
    const content = unsealed(createReadStream(file, { start: SALT_BYTES }) as AsyncIterable<Uint8Array>, keyOf(name, salt), name);
    await pipeline(content, createZstdDecompress(), createWriteStream(join(to, name), { mode: 0o600 }));
  }

  return {
    names: async () => new Set(await stored(SEALED)),
    async store(name, file, partial = false) {
      const target = place(name, partial);
      const next = `${target}.next`;
      const salt = randomBytes(SALT_BYTES);
      await pipeline(
        createReadStream(file),
        createZstdCompress(),
        async function* (bytes: AsyncIterable<Uint8Array>) {
          yield salt;
          yield* sealed(bytes, keyOf(name, salt));
        },
        createWriteStream(next, { mode: 0o600, flush: true }),
      );
      await rename(next, target);
      if (!partial) await rm(place(name, true), { force: true });
    },
    async removeBefore(segment) {
      for (const name of await stored(SEALED))
        if (isSegment(name) && placeOfSegment(name) < placeOfSegment(segment)) await rm(place(name, false));
    },
    async openInto(to, from) {
      await mkdir(to, { recursive: true, mode: 0o700 });
      const wanted = (name: string) => !isSegment(name) || placeOfSegment(name) >= placeOfSegment(from);
      const whole = new Set((await stored(SEALED)).filter(wanted));
      const partial = (await stored(`${PARTIAL}${SEALED}`)).filter((name) => wanted(name) && !whole.has(name));
      for (const name of whole) await openOne(name, false, to);
      for (const name of partial) await openOne(name, true, to);
      return whole.size + partial.length;
    },
  };
}
