// Takes a backup when it is due, in a new folder below the one of all backups, and removes the oldest ones. When several processes ask at once, one takes it.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { HOUR } from '../clock.ts';
import { withClient } from '../database-client.ts';
import { StartFailure } from '../start-failure.ts';
import { type Manifest, readManifest } from './backup-manifest.ts';
import { lastBackup } from './backup-record.ts';
import { type BackupOrder, takeBackup } from './take-backup.ts';

export interface ScheduledOrder extends Omit<BackupOrder, 'folder'> {
  /** The folder of all backups. */
  directory: string;
  /** A backup is due when the last one is this old; undefined: now. */
  everyHours: number | undefined;
  /** How many backups to keep, this one included. */
  keep: number;
  now: Date;
  /** Called after the backup with the first log segment that the oldest remaining backup needs. */
  oldest?(logFrom: string): Promise<void>;
}

/** Such as 2026-11-23T20-45-00Z: sorted by name, backups are sorted by time. Anything else in the folder is left alone. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
/** Left by a run that was killed. */
const PARTIAL = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.partial-[0-9a-f]{8}$/;

const nameOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export const isDue = (last: Date | undefined, everyHours: number, now: Date): boolean =>
  last === undefined || now.getTime() - last.getTime() >= everyHours * HOUR;

/** Undefined: no backup is due, or another process is taking it. Throws a StartFailure when it cannot be taken; then no old one is removed. */
export async function takeScheduledBackup({
  directory,
  everyHours,
  keep,
  now,
  oldest,
  ...order
}: ScheduledOrder): Promise<{ folder: string; manifest: Manifest } | undefined> {
  const place = resolve(directory);
  const inData = relative(resolve(order.config.DATA_DIR), place);
  if (!inData.startsWith('..'))
    throw new StartFailure(`BACKUP_DIR (${place}) must not be in DATA_DIR: a backup would hold those before it.`);
  return withClient(order.embedded?.url ?? order.config.DATABASE_URL ?? '', async (client) => {
    // The lock is released with the connection.
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(hashtext('egress backup')) as mine`);
    if (rows[0]?.mine !== true) return undefined;
    if (everyHours !== undefined && !isDue((await lastBackup(client))?.takenAt, everyHours, now)) return undefined;
    await mkdir(place, { recursive: true, mode: 0o700 });
    for (const left of (await readdir(place)).filter((name) => PARTIAL.test(name))) await rm(join(place, left), { recursive: true });
    const folder = join(place, nameOf(now));
    const manifest = await takeBackup({ ...order, folder });
    const all = (await readdir(place)).filter((name) => NAME.test(name)).toSorted();
    for (const old of all.slice(0, -keep)) await rm(join(place, old), { recursive: true });
    const [first] = all.slice(-keep);
    const from = first === undefined ? undefined : (await readManifest(join(place, first))).logFrom;
    if (from !== undefined) await oldest?.(from);
    return { folder, manifest };
  });
}
