// Turns a backup into an installation again: in an empty database, or in a new embedded one. Everything is read and verified before anything is written.
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createReadStream, existsSync } from 'node:fs';
import { arch } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import type { StorageConfig } from '../config.ts';
import { withClient } from '../database-client.ts';
import { embeddedPlace, openEmbeddedPostgres } from '../embedded-postgres.ts';
import { StartFailure } from '../start-failure.ts';
import { type Manifest, PARTS, type PartName, openManifest } from './backup-manifest.ts';
import { unpackCluster } from './cluster-copy.ts';
import { refuseFilledDatabase, restoreDump } from './database-dump.ts';
import { unpack } from './file-pack.ts';
import { placeOfFile } from './installation-files.ts';
import { type LogArchive, openLogArchive } from './log-archive.ts';
import { type Moment, prepareRecovery, recoverEmbedded } from './recover-to.ts';
import { unsealed } from './sealed-stream.ts';

export interface RestoreOrder {
  folder: string;
  passphrase: string;
  /** The target: its DATABASE_URL, or else the embedded database of its DATA_DIR. */
  config: Pick<StorageConfig, 'DATABASE_URL' | 'DATA_DIR'>;
  /** Recovers it to a moment, with the log that is archived in a folder. */
  to?: { moment: Moment; log: string };
}

export interface Restored extends Manifest {
  /** Where the folder of an external server is; the operator starts a server on it. */
  cluster?: string;
  /** When the last transaction in it was committed, for an embedded server that was recovered by the log. */
  until?: Date;
}

/** Throws a StartFailure for a backup that is incomplete or not from this program, and for a target that is not empty. */
export async function restoreBackup({ folder, passphrase, config, to }: RestoreOrder): Promise<Restored> {
  const { manifest, keys } = await openManifest(folder, passphrase);
  const contentOf = (name: PartName): AsyncIterable<Uint8Array> => {
    const bytes = createReadStream(join(folder, manifest.parts[name].file));
    return unsealed(bytes as AsyncIterable<Uint8Array>, keys.part(name), name);
  };
  for (const name of PARTS) for await (const piece of contentOf(name)) void piece;
  const { DATABASE_URL: url, DATA_DIR: dataDir } = config;
  refuseWrongPlace(manifest, url);
  const log = to && (await logFor(manifest, to.log, passphrase));
  await refuseFilledPlace(dataDir, manifest.kind !== 'cluster' && url === undefined);
  if (url !== undefined) await withClient(url, refuseFilledDatabase);

  const opened = (name: PartName) => expanded(contentOf(name));
  if (manifest.kind === 'files') await restoreFiles(dataDir, opened('database'));
  else if (manifest.kind === 'cluster') await unpackCluster(clusterData(dataDir), opened('database'));
  else if (url !== undefined) await restoreDump(url, () => opened('database'));
  else await restoreIntoEmbedded(dataDir, () => opened('database'));
  await unpack(opened('files'), (path) => placeOfFile(dataDir, path));
  const cluster = manifest.kind === 'cluster' ? { cluster: clusterData(resolve(dataDir)) } : {};
  const until = to && log ? await takeOn(dataDir, manifest, to.moment, log) : undefined;
  return { ...manifest, ...cluster, ...(until && { until }) };
}

/** The folder of an external server; what lies beside it is to be moved with it. */
const clusterData = (dataDir: string): string => join(dataDir, 'cluster', 'data');

function refuseWrongPlace({ kind, architecture }: Manifest, url: string | undefined): void {
  if (kind === 'files' && url !== undefined)
    throw new StartFailure('This backup is of an embedded database, and becomes one again: leave DATABASE_URL out.');
  if (kind === 'cluster' && url !== undefined)
    throw new StartFailure('This backup is the folder of a whole server, and not for one that runs: leave DATABASE_URL out.');
  if (kind !== 'dump' && architecture !== arch())
    throw new StartFailure(`This backup was made on ${architecture}: its files are for that processor alone.`);
}

async function logFor({ kind, logFrom }: Manifest, folder: string, passphrase: string): Promise<LogArchive> {
  if (kind === 'dump' || logFrom === undefined)
    throw new StartFailure('This backup is a dump, and no log takes it on: it is restored as it is, without --to.');
  return openLogArchive(folder, passphrase);
}

/**
 * Recovers to the moment, or removes everything. An embedded server is recovered when this resolves; an external one recovers when a server is started on the
 * folder.
 */
async function takeOn(dataDir: string, { kind, logFrom = '' }: Manifest, moment: Moment, archive: LogArchive): Promise<Date | undefined> {
  const { directory, owner } = embeddedPlace(join(dataDir, 'postgres'));
  const data = kind === 'cluster' ? clusterData(dataDir) : join(directory, 'data');
  const log = join(dirname(data), 'restored-log');
  try {
    await archive.openInto(log, logFrom);
    await prepareRecovery(data, log, moment);
    if (kind === 'cluster') return undefined;
    const { uid, gid } = owner;
    if (uid !== undefined && gid !== undefined) for (const each of [log, data]) await give(each, uid, gid);
    return await recoverEmbedded(join(dataDir, 'postgres'), log, moment);
  } catch (error) {
    for (const left of new Set([directory, dataDir])) await rm(left, { recursive: true, force: true });
    throw error;
  }
}

/** Throws a StartFailure when DATA_DIR has something in it, of a restore before or of a platform that ran. */
async function refuseFilledPlace(dataDir: string, isEmbedded: boolean): Promise<void> {
  const found = (await readdir(dataDir).catch((): string[] => [])).filter((name) => name !== 'compile-cache');
  if (found.length > 0 || (isEmbedded && existsSync(join(embeddedPlace(join(dataDir, 'postgres')).directory, 'data'))))
    throw new StartFailure(`DATA_DIR (${dataDir}) has something in it: restore into one that is new.`);
}

async function* expanded(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const zstd = createZstdDecompress();
  const fed = (async () => {
    for await (const bytes of source) if (!zstd.write(bytes)) await new Promise<void>((resolve) => zstd.once('drain', resolve));
    zstd.end();
  })();
  fed.catch((error: unknown) => zstd.destroy(error as Error));
  yield* zstd as AsyncIterable<Uint8Array>;
  await fed;
}

/** All or nothing: the server's folder has another name until everything is in it. */
async function restoreFiles(dataDir: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const { directory, owner } = embeddedPlace(join(dataDir, 'postgres'));
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  await unpack(content, (path) => join(partial, ...path.split('/').slice(1)));
  const { uid, gid } = owner;
  if (uid !== undefined && gid !== undefined) await give(partial, uid, gid);
  await rm(directory, { recursive: true, force: true });
  await mkdir(dirname(directory), { recursive: true });
  await rename(partial, directory);
}

async function give(folder: string, uid: number, gid: number): Promise<void> {
  await chown(folder, uid, gid);
  for (const found of await readdir(folder, { recursive: true })) await chown(join(folder, found), uid, gid);
}

async function restoreIntoEmbedded(dataDir: string, dump: () => AsyncIterable<Uint8Array>): Promise<void> {
  const server = await openEmbeddedPostgres(join(dataDir, 'postgres'));
  try {
    await restoreDump(server.url, dump);
  } finally {
    await server.stop();
  }
}
