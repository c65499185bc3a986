// A copy of the folder of an embedded PostgreSQL that runs, made between pg_backup_start and pg_backup_stop, with the log that was written meanwhile. The
// packages of the embedded server have no pg_basebackup. https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { EmbeddedPostgres } from '../embedded-postgres.ts';
import { type Packed, fileEntry, folderEntries, textEntry } from './file-pack.ts';

/** Files that the server creates again, or must not find: "Backing Up The Data Directory" of the page above. */
const LEFT =
  /^(postmaster\.(pid|opts)|pg_(wal|dynshmem|notify|replslot|serial|snapshots|stat_tmp|subtrans)\/.+|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*)|backup_label|tablespace_map)$/;
/** Copied last: a folder that has it is recognised as a complete copy. */
const CONTROL = 'global/pg_control';
const SEGMENT = /^[0-9A-F]{24}$/;

/** The folder `server`: the password and `data`. Everything that is committed before `ending` is called is in it; of what is committed after, perhaps nothing. */
export async function* embeddedCopy(
  { url, directory }: Pick<EmbeddedPostgres, 'url' | 'directory'>,
  ending: () => void,
): AsyncGenerator<Packed> {
  const data = join(directory, 'data');
  const client = new Client({ connectionString: url, application_name: 'egress-backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    // The slot keeps the log that is needed from being recycled; it is dropped with the connection.
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [`egress_backup_${randomBytes(6).toString('hex')}`]);
    const { rows: begun } = await client.query<{ segment: string }>(`select pg_walfile_name(pg_backup_start('egress', true)) as segment`);
    const password = await fileEntry(join(directory, 'password'), 'server/password');
    if (password) yield password;
    yield { path: 'server/data', mode: 0o700 };
    yield* folderEntries(data, 'server/data', (path) => LEFT.test(path) || path === CONTROL);
    const control = await fileEntry(join(data, CONTROL), `server/data/${CONTROL}`);
    if (control) yield control;
    ending();
    const { rows: ended } = await client.query<{ segment: string; label: string; tablespaces: string }>(
      'select pg_walfile_name(lsn) as segment, labelfile as label, spcmapfile as tablespaces from pg_backup_stop(false)',
    );
    const [from = '', to = ''] = [begun[0]?.segment, ended[0]?.segment];
    yield textEntry('server/data/backup_label', ended[0]?.label ?? '');
    for (const name of (await readdir(join(data, 'pg_wal'))).sort()) {
      if (!SEGMENT.test(name) || name < from || name > to) continue;
      const segment = await fileEntry(join(data, 'pg_wal', name), `server/data/pg_wal/${name}`);
      if (segment) yield segment;
    }
  } finally {
    await client.end();
  }
}
