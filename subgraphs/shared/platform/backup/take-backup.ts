// A backup is a folder with a manifest and two sealed parts: the database, and the files of the installation. It appears complete or not at all.
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { arch } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { systemClock } from '../clock.ts';
import type { StorageConfig } from '../config.ts';
import { withClient } from '../database-client.ts';
import type { EmbeddedPostgres } from '../embedded-postgres.ts';
import { schemaState, versionOf } from '../migrate.ts';
import { StartFailure } from '../start-failure.ts';
import { MANIFEST, type Manifest, PARTS, type PartName, writtenManifest } from './backup-manifest.ts';
import { recordBackup } from './backup-record.ts';
import { clusterCopy } from './cluster-copy.ts';
import { databaseDump } from './database-dump.ts';
import { embeddedCopy } from './embedded-copy.ts';
import { pack } from './file-pack.ts';
import { installationFiles } from './installation-files.ts';
import { backupKeys, sealed } from './sealed-stream.ts';

export interface BackupOrder {
  folder: string;
  passphrase: string;
  config: StorageConfig;
  /** Variables that name files of the operator -> their values. */
  operatorFiles: Readonly<Record<string, string | undefined>>;
  /** The version of the program. */
  version: string;
  /** The running embedded server; undefined: the database of DATABASE_URL is dumped. */
  embedded: Pick<EmbeddedPostgres, 'url' | 'directory'> | undefined;
  /** Copy an external server's folder instead of dumping it, so that the log can recover it to a moment. */
  cluster?: boolean;
}

/** Throws a StartFailure for a folder that is not empty, and when the database cannot be copied. */
export async function takeBackup(order: BackupOrder): Promise<Manifest> {
  const folder = resolve(order.folder);
  if ((await readdir(folder).catch(() => [])).length > 0)
    throw new StartFailure(`${folder} has something in it: name a folder that is new.`);
  const partial = `${folder}.partial-${randomBytes(4).toString('hex')}`;
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    const manifest = await writeBackup(partial, order);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
    await recordBackup(order.embedded?.url ?? order.config.DATABASE_URL ?? '', folder, manifest);
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function writeBackup(folder: string, order: BackupOrder): Promise<Manifest> {
  const { passphrase, config, operatorFiles, version, embedded } = order;
  const cluster = embedded === undefined && order.cluster === true;
  const salt = randomBytes(32);
  const keys = await backupKeys(passphrase, salt);
  const url = embedded?.url ?? config.DATABASE_URL ?? '';
  const begun = systemClock.now();
  const logFrom = embedded || cluster ? await currentSegment(url) : undefined;
  let holdsUntil = begun;
  const ending = () => (holdsUntil = systemClock.now());
  const sources: Record<PartName, () => AsyncIterable<Uint8Array>> = {
    database: () => (embedded ? pack(embeddedCopy(embedded, ending)) : cluster ? clusterCopy(url) : databaseDump(url)),
    files: () => pack(installationFiles(config, operatorFiles)),
  };
  const parts: Partial<Manifest['parts']> = {};
  for (const name of PARTS) parts[name] = await writePart(join(folder, `${name}.sealed`), sources[name](), keys.part(name));
  const manifest: Manifest = {
    format: 1,
    kind: embedded ? 'files' : cluster ? 'cluster' : 'dump',
    takenAt: begun.toISOString(),
    holdsUntil: holdsUntil.toISOString(),
    program: version,
    schema: versionOf(await schemaState(url)),
    postgres: await serverVersion(url),
    architecture: logFrom === undefined ? 'any' : arch(),
    salt: salt.toString('hex'),
    parts: parts as Manifest['parts'],
    ...(logFrom !== undefined && { logFrom }),
  };
  const file = await open(join(folder, MANIFEST), 'wx', 0o600);
  await file.writeFile(writtenManifest(manifest, keys));
  await file.sync();
  await file.close();
  return manifest;
}

async function writePart(file: string, source: AsyncIterable<Uint8Array>, key: Buffer): Promise<Manifest['parts']['database']> {
  const hash = createHash('sha256');
  await pipeline(
    source,
    createZstdCompress(),
    (bytes: AsyncIterable<Uint8Array>) => sealed(bytes, key),
    async function* (bytes: AsyncIterable<Buffer>) {
      for await (const piece of bytes) {
        hash.update(piece);
        yield piece;
      }
    },
    createWriteStream(file, { mode: 0o600, flush: true }),
  );
  return { file: file.split('/').at(-1) ?? '', bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}

const serverVersion = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    return rows[0]?.version ?? '';
  });

const currentSegment = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ segment: string }>('select pg_walfile_name(pg_current_wal_lsn()) as segment');
    return rows[0]?.segment ?? '';
  });
