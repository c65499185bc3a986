// Where the write-ahead log of a running database is read. A slot makes the server keep what was not read yet.
// https://www.postgresql.org/docs/18/warm-standby.html#STREAMING-REPLICATION-SLOTS
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { SECOND } from '../clock.ts';
import { StartFailure } from '../start-failure.ts';
import { isLogFile, isSegment, placeOfSegment } from './log-segment.ts';
import { startPostgresProgram } from './postgres-program.ts';

export interface LogFile {
  name: string;
  file: string;
  /** Still written. */
  partial: boolean;
}

export interface LogRead {
  files: LogFile[];
  /** Whatever was acknowledged before this moment is in them, and in those that were read before. */
  holdsUntil: Date;
  /** They are kept elsewhere: the server, and the folder, need them no longer. */
  release(): Promise<void>;
}

export interface LogSource {
  /** `known`: files that are kept already, and are left out. Throws a StartFailure when the log cannot be read. */
  read(known: ReadonlySet<string>): Promise<LogRead>;
  close(): Promise<void>;
}

const SLOT = 'egress_log';

/** The server gave up to keep what was not read in time: a base backup begins a new log. */
export class LogGap extends StartFailure {}

/** `begun`: something of it is kept already. Throws a LogGap, once, when there is a gap: what is read afterwards begins anew. */
async function ensureSlot(client: Client, begun: boolean): Promise<void> {
  const { rows } = await client.query<{ status: string | null }>(
    'select wal_status as status from pg_replication_slots where slot_name = $1',
    [SLOT],
  );
  const lost = rows.length > 0 && rows[0]?.status === 'lost';
  if (lost) await client.query('select pg_drop_replication_slot($1)', [SLOT]);
  if (rows.length === 0 || lost) await client.query('select pg_create_physical_replication_slot($1, true)', [SLOT]);
  if (lost || (rows.length === 0 && begun))
    throw new LogGap(
      'The server no longer has its log from where it was read last: between then and the next backup there is no way back to a moment.',
    );
}

/** Who does not read any more lets the server remove what it needs no longer. */
export const dropLogSlot = (client: Pick<Client, 'query'>): Promise<unknown> =>
  client.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active', [SLOT]);

/** The identifier of a database, which its copies have too. */
export async function systemOf(client: Pick<Client, 'query'>): Promise<string> {
  const { rows } = await client.query<{ system: string }>('select system_identifier::text as system from pg_control_system()');
  return rows[0]?.system ?? '';
}

interface Position {
  at: Date;
  lsn: string;
  segment: string;
}

async function position(client: Client): Promise<Position> {
  const { rows } = await client.query<Position>(
    'select now() as at, lsn::text, pg_walfile_name(lsn) as segment from pg_current_wal_flush_lsn() as lsn',
  );
  return rows[0] as Position;
}

/** Of the server in `directory` on this machine, read from its own folder. */
export async function embeddedLog(client: Client, directory: string): Promise<LogSource> {
  const folder = join(directory, 'data', 'pg_wal');
  return {
    async read(known) {
      await ensureSlot(client, known.size > 0);
      const { at, lsn, segment } = await position(client);
      const current = placeOfSegment(segment);
      const files = (await readdir(folder))
        .filter((name) => isLogFile(name) && !known.has(name) && (!isSegment(name) || placeOfSegment(name) <= current))
        .map((name) => ({ name, file: join(folder, name), partial: name === segment }));
      return {
        files,
        holdsUntil: at,
        release: async () => void (await client.query('select pg_replication_slot_advance($1, $2)', [SLOT, lsn])),
      };
    },
    close: async () => {},
  };
}

const RECEIVED_MS = 10 * SECOND;
const LOOK_MS = 50;
const PARTIAL = '.partial';

/** Of an outside server, by pg_receivewal, into a folder of this machine. Its user needs REPLICATION, and pg_hba.conf a line `replication` for it. */
export async function receivedLog(client: Client, url: string, folder: string, begun: boolean): Promise<LogSource> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await ensureSlot(client, begun);
  } catch (error) {
    // From what is there it would ask for what the server has no longer.
    if (error instanceof LogGap) for (const left of await readdir(folder)) await rm(join(folder, left));
    throw error;
  }
  const words = ['--directory', folder, '--slot', SLOT, '--synchronous', '--status-interval=1', '--no-loop', '--no-password'];
  const { program, ended } = startPostgresProgram('pg_receivewal', words, url);
  program.stdout.resume();
  let failed: unknown;
  ended.then(
    () => (failed = new StartFailure('pg_receivewal has ended.')),
    (error: unknown) => (failed = error),
  );

  async function received(lsn: string): Promise<void> {
    for (let waited = 0; waited < RECEIVED_MS; waited += LOOK_MS) {
      if (failed) throw failed;
      const { rows } = await client.query<{ there: boolean }>(
        'select restart_lsn >= $2::pg_lsn as there from pg_replication_slots where slot_name = $1',
        [SLOT, lsn],
      );
      if (rows[0]?.there) return;
      await pause(LOOK_MS);
    }
    throw new StartFailure(`pg_receivewal has not received what was written ${RECEIVED_MS / SECOND} seconds ago.`);
  }

  return {
    async read(known) {
      const { at, lsn } = await position(client);
      await received(lsn);
      const files: LogFile[] = [];
      for (const found of await readdir(folder)) {
        const partial = found.endsWith(PARTIAL);
        const name = partial ? found.slice(0, -PARTIAL.length) : found;
        if (isLogFile(name) && !known.has(name)) files.push({ name, file: join(folder, found), partial });
      }
      return {
        files,
        holdsUntil: at,
        async release() {
          for (const { file, partial } of files) if (!partial) await rm(file, { force: true });
        },
      };
    },
    async close() {
      program.kill('SIGINT');
      await ended.catch(() => {});
    },
  };
}
