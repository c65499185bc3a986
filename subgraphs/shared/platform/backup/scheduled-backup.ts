// A backup that is taken when it is due, in a folder of its own below one, and the oldest ones go. However many ask at once, one takes it.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { HOUR } from '../clock.ts';
import { withClient } from '../database-client.ts';
import { StartFailure } from '../start-failure.ts';
import { type Manifest, readManifest } from './backup-manifest.ts';
import { lastBackup } from './backup-record.ts';
import { type BackupOrder, takeBackup } from './take-backup.ts';

export interface ScheduledOrder extends Omit<BackupOrder, 'folder'> {
  /** Of all backups. */
  directory: string;
  /** Due when the last one is so old; undefined: now. */
  everyHours: number | undefined;
  /** How many stay, this one included. */
  keep: number;
  now: Date;
  /** Is told, after it, where the log begins that the oldest one that stays needs. */
  oldest?(logFrom: string): Promise<void>;
}

/** 2026-11-23T20-45-00Z: sorted by name they are sorted by time, and whatever else is in the folder is left alone. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
/** What was left by a run that was killed. */
const PARTIAL = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.partial-[0-9a-f]{8}$/;

const nameOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export const isDue = (last: Date | undefined, everyHours: number, now: Date): boolean =>
  last === undefined || now.getTime() - last.getTime() >= everyHours * HOUR;

/** Undefined: it is not due, or another process takes it. Throws a StartFailure when it cannot be taken; then nothing goes. */
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
    // It goes with the connection.
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
