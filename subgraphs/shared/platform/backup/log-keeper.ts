// Archives the write-ahead log of a database beside its backups, round after round, so that a backup can be recovered to any later moment.
import { join } from 'node:path';
import { Client } from 'pg';
import type { EmbeddedPostgres } from '../embedded-postgres.ts';
import { StartFailure } from '../start-failure.ts';
import { noteLog } from './backup-record.ts';
import { LOG_FOLDER, openLogArchive } from './log-archive.ts';
import { type LogSource, embeddedLog, receivedLog, systemOf } from './log-source.ts';

export interface LogOrder {
  /** The folder of all backups. */
  directory: string;
  passphrase: string;
  url: string;
  /** The running embedded server. Undefined: the log is received from `url`, first into a folder of `dataDir`. */
  embedded: Pick<EmbeddedPostgres, 'directory'> | undefined;
  dataDir: string;
}

export interface LogKeeper {
  /** Archives what was written until now. Returns the moment before which everything acknowledged is archived. */
  round(): Promise<Date>;
  /** Segments before this one are needed by no backup any more. */
  removeBefore(segment: string): Promise<void>;
  close(): Promise<void>;
}

/** Throws a StartFailure when the log cannot be read, and a LogGap when only a new base backup can continue it; after a LogGap it can be opened again. */
export async function openLogKeeper({ directory, passphrase, url, embedded, dataDir }: LogOrder): Promise<LogKeeper> {
  await using opened = new AsyncDisposableStack();
  const client = new Client({ connectionString: url, application_name: 'egress-log' });
  client.on('error', () => {});
  await client.connect();
  opened.defer(() => client.end());
  const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(hashtext('egress log')) as mine`);
  if (rows[0]?.mine !== true) throw new StartFailure('Another process keeps the log of this database already.');
  const archive = await openLogArchive(join(directory, LOG_FOLDER), passphrase, await systemOf(client));
  const source: LogSource = embedded
    ? await embeddedLog(client, embedded.directory)
    : await receivedLog(client, url, join(dataDir, 'received-log'), (await archive.names()).size > 0);
  opened.defer(source.close);
  const closing = opened.move();
  return {
    async round() {
      const { files, holdsUntil, release } = await source.read(await archive.names());
      for (const { name, file, partial } of files) await archive.store(name, file, partial);
      await release();
      await noteLog(client, holdsUntil);
      return holdsUntil;
    },
    removeBefore: archive.removeBefore,
    close: () => closing.disposeAsync(),
  };
}
