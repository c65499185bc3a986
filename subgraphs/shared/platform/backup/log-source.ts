// Reads the write-ahead log of a running database. A replication slot makes the server keep what was not read yet.
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
  /** The server still writes it. */
  partial: boolean;
}

export interface LogRead {
  files: LogFile[];
  /** Everything acknowledged before this moment is in these files and in those that were read before. */
  holdsUntil: Date;
  /** Call it once the files are archived: the server and the folder need them no longer. */
  release(): Promise<void>;
}

export interface LogSource {
  /** `known`: files that are archived already, and are left out. Throws a StartFailure when the log cannot be read. */
  read(known: ReadonlySet<string>): Promise<LogRead>;
  close(): Promise<void>;
}

const SLOT = 'egress_log';

/** The server has removed log that was not read in time: only a new base backup can begin a new log. */
export class LogGap extends StartFailure {}

/** `begun`: part of the log is archived already. Throws a LogGap, once, when log is missing in between; after that, reading begins anew. */
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

/** Drops the slot: without a reader the server would keep its log forever. */
export const dropLogSlot = (client: Pick<Client, 'query'>): Promise<unknown> =>
  client.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active', [SLOT]);

/** The identifier of a database cluster; its copies have the same one. */
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

/** The log of the embedded server in `directory`, read from its own folder. */
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

/**
 * The log of an external server, received by pg_receivewal into a folder on this machine. The user needs REPLICATION, and pg_hba.conf a line `replication` for
 * it.
 */
export async function receivedLog(client: Client, url: string, folder: string, begun: boolean): Promise<LogSource> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await ensureSlot(client, begun);
  } catch (error) {
    // pg_receivewal would continue from the files in the folder and ask for log that the server no longer has.
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
