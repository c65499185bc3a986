// Recovers a copy of a server's folder by replaying the log that was archived after it, to a moment or to its end.
// https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-PITR-RECOVERY
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { SECOND } from '../clock.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../embedded-postgres.ts';
import { StartFailure } from '../start-failure.ts';

/** `latest`: to the end of the log. */
export type Moment = Date | 'latest';

/** Throws a StartFailure for text that is no moment. */
export function momentOf(text: string): Moment {
  if (text === 'latest') return text;
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(at.getTime()))
    throw new StartFailure(`${text} is no moment: write it as 2026-11-23T20:45:00Z, or latest.`);
  return at;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** The setting does not accept a T between date and time. */
const postgresTime = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '+00');
const SETTINGS = ['restore_command', 'recovery_target_time', 'recovery_target_action', 'recovery_target_timeline'];

/** Makes a server that is started on `data` first replay the log in `log`. The two folders may be moved together: the path between them is relative. */
export async function prepareRecovery(data: string, log: string, to: Moment): Promise<void> {
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    [
      '',
      `restore_command = ${quoted(`cp "${relative(data, log)}/%f" "%p"`)}`,
      ...(to === 'latest' ? [] : [`recovery_target_time = ${quoted(postgresTime(to))}`, `recovery_target_action = 'promote'`]),
      `recovery_target_timeline = 'latest'`,
      '',
    ].join('\n'),
  );
  await writeFile(join(data, 'recovery.signal'), '', { mode: 0o600 });
}

const LOOK_MS = 200;

/** Starts the embedded server, waits until it has recovered, and stops it. Returns when the last transaction in it was committed. */
export async function recoverEmbedded(wanted: string, log: string, to: Moment): Promise<Date | undefined> {
  const refused = async (directory: string) => {
    const said = await readFile(join(directory, 'log'), 'utf8').catch(() => '');
    if (said.includes('recovery ended before configured recovery target was reached'))
      return new StartFailure(
        `The log that was kept ends before ${(to as Date).toISOString()}: restore to an earlier moment, or to latest.`,
      );
    return new StartFailure(`The log could not be read to its end:\n${said.slice(-2_000)}`);
  };
  let server: EmbeddedPostgres;
  try {
    server = await openEmbeddedPostgres(wanted);
  } catch (error) {
    throw (error as Error).message.includes('recovery ended before') ? await refused(wanted) : error;
  }
  try {
    const at = await promoted(server.url).catch(async () => Promise.reject(await refused(server.directory)));
    await rm(log, { recursive: true });
    return at;
  } finally {
    await server.stop();
  }
}

async function promoted(url: string): Promise<Date | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10 * SECOND });
  client.on('error', () => {});
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ reads: boolean; at: Date | null }>(
        'select pg_is_in_recovery() as reads, pg_last_xact_replay_timestamp() as at',
      );
      if (rows[0]?.reads === false) {
        for (const name of SETTINGS) await client.query(`alter system reset ${name}`);
        return rows[0].at ?? undefined;
      }
      await pause(LOOK_MS);
    }
  } finally {
    await client.end().catch(() => {});
  }
}
