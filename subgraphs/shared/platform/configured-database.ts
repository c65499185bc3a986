import { join } from 'node:path';
import { Client } from 'pg';
import { dropLogSlot } from './backup/log-source.ts';
import type { StorageConfig } from './config.ts';
import { withClient } from './database-client.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import { watchEmbeddedPostgres } from './embedded-watch.ts';
import { type Log, createLog } from './log.ts';
import { migrate, schemaState } from './migrate.ts';
import { refuseNewerSchema, refuseOlderSchema } from './schema-state.ts';
import { StartFailure, reasonOf } from './start-failure.ts';

export interface ConfiguredDatabase {
  /** Connects as the owner of the database. */
  url: string;
  /** Stops an embedded server if this process started it. */
  stop(): Promise<void>;
}

/** The configured database as it is: that of DATABASE_URL, or the embedded one in DATA_DIR. `watch`: restarts an embedded server that dies, and logs it. */
export async function openDatabaseServer(config: StorageConfig, watch?: Log): Promise<ConfiguredDatabase> {
  await using opened = new AsyncDisposableStack();
  const embedded = config.DATABASE_URL ? undefined : await openEmbeddedPostgres(join(config.DATA_DIR, 'postgres'));
  if (embedded) opened.defer(async () => void (embedded.started && (await embedded.stop())));
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  await checkConnection(url);
  if (embedded && watch) opened.defer(watchEmbeddedPostgres(embedded, watch).stop);
  const closing = opened.move();
  return { url, stop: () => closing.disposeAsync() };
}

/** The same, with the schema that this program needs: migrated, or only checked with MIGRATE=off. Throws a StartFailure when schema and program do not fit. */
export async function openConfiguredDatabase(config: StorageConfig, watch?: Log): Promise<ConfiguredDatabase> {
  await using opened = new AsyncDisposableStack();
  const server = await openDatabaseServer(config, watch);
  opened.defer(server.stop);
  if (config.MIGRATE === 'on') await migrate(server.url);
  // Nobody archives the log of this embedded database any more.
  if (!config.DATABASE_URL && config.BACKUP_LOG_SECONDS === undefined) await withClient(server.url, dropLogSlot);
  const state = await schemaState(server.url);
  refuseNewerSchema(state);
  refuseOlderSchema(state);
  if (state.unknown.length > 0)
    createLog(config.LOG_LEVEL).warn(
      { unknown: state.unknown, knows: state.knows },
      'the database is newer than this program, which can work with it',
    );
  const closing = opened.move();
  return { url: server.url, stop: () => closing.disposeAsync() };
}

const CONNECT_MS = 5_000;

async function checkConnection(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new StartFailure(
      `The database at ${client.host}:${client.port} cannot be used: ${reasonOf(error)}. Start it, or correct DATABASE_URL.`,
      { cause: error },
    );
  } finally {
    void client.end().catch(() => {});
  }
}
