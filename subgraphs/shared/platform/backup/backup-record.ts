// The backups that were taken, as recorded in the database itself.
import type { Client } from 'pg';
import { withClient } from '../database-client.ts';
import type { Manifest } from './backup-manifest.ts';

export interface TakenBackup {
  takenAt: Date;
  /** Everything that was acknowledged before this moment is in the backup. */
  holdsUntil: Date;
}

/** Records a complete backup. Does nothing in a database of an earlier release, which has no table for it. */
export const recordBackup = (url: string, place: string, { takenAt, holdsUntil, parts }: Manifest): Promise<void> =>
  withClient(url, async (client) => {
    if (!(await isKept(client))) return;
    const bytes = Object.values(parts).reduce((sum, part) => sum + part.bytes, 0);
    await client.query('insert into platform.backup (taken_at, holds_until, place, bytes) values ($1, $2, $3, $4) on conflict do nothing', [
      takenAt,
      holdsUntil,
      place,
      bytes,
    ]);
  });

/** Records until when the log is archived. Does nothing in a database of an earlier release, which has no table for it. */
export async function noteLog(client: Pick<Client, 'query'>, holdsUntil: Date): Promise<void> {
  if (!(await isKept(client, 'backup_log'))) return;
  await client.query(
    'insert into platform.backup_log (only_row, holds_until) values (true, $1) on conflict (only_row) do update set holds_until = excluded.holds_until',
    [holdsUntil],
  );
}

/** Undefined: no log was ever archived. */
export async function logKeptUntil(client: Pick<Client, 'query'>): Promise<Date | undefined> {
  if (!(await isKept(client, 'backup_log'))) return undefined;
  return (await client.query<{ at: Date }>('select holds_until as at from platform.backup_log')).rows[0]?.at;
}

/** Undefined: no backup was ever taken. */
export async function lastBackup(client: Pick<Client, 'query'>): Promise<TakenBackup | undefined> {
  if (!(await isKept(client))) return undefined;
  const { rows } = await client.query<TakenBackup>(
    'select taken_at as "takenAt", holds_until as "holdsUntil" from platform.backup order by taken_at desc limit 1',
  );
  return rows[0];
}

async function isKept(client: Pick<Client, 'query'>, table = 'backup'): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [`platform.${table}`]);
  return rows[0]?.found === true;
}
