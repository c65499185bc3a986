import { join } from 'node:path';
import { Client } from 'pg';
import type { Config } from './config.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import { watchEmbeddedPostgres } from './embedded-watch.ts';
import type { Log } from './log.ts';
import { migrate } from './migrate.ts';
import { StartFailure, reasonOf } from './start-failure.ts';

export interface ConfiguredDatabase {
  /** The owner's connection. */
  url: string;
  /** Ends an embedded server that this process started. */
  stop(): Promise<void>;
}

/** The database of a configuration, migrated: DATABASE_URL's, or the embedded one of DATA_DIR. `watch`: an embedded one that dies is started again, and that is logged. */
export async function openConfiguredDatabase(config: Config, watch?: Log): Promise<ConfiguredDatabase> {
  await using opened = new AsyncDisposableStack();
  const embedded = config.DATABASE_URL ? undefined : await openEmbeddedPostgres(join(config.DATA_DIR, 'postgres'));
  if (embedded) opened.defer(async () => void (embedded.started && (await embedded.stop())));
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  await checkConnection(url);
  await migrate(url);
  if (embedded && watch) opened.defer(watchEmbeddedPostgres(embedded, watch).stop);
  const closing = opened.move();
  return { url, stop: () => closing.disposeAsync() };
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
