import { join } from 'node:path';
import { Client } from 'pg';
import type { Config } from './config.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';
import { StartFailure, reasonOf } from './start-failure.ts';

/** The database of a configuration, migrated: DATABASE_URL's, or the embedded one of DATA_DIR. `stop` ends an embedded server that this call started. */
export async function openConfiguredDatabase(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const embedded = config.DATABASE_URL ? undefined : await openEmbeddedPostgres(join(config.DATA_DIR, 'postgres'));
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  const stop = async () => void (embedded?.started && (await embedded.stop()));
  try {
    await checkConnection(url);
    await migrate(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
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
