import { join } from 'node:path';
import type { Config } from './config.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';

/** The database of a configuration, migrated: DATABASE_URL's, or the embedded one of DATA_DIR. `stop` ends an embedded server that this call started. */
export async function openConfiguredDatabase(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const embedded = config.DATABASE_URL ? undefined : await openEmbeddedPostgres(join(config.DATA_DIR, 'postgres'));
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  const stop = async () => void (embedded?.started && (await embedded.stop()));
  try {
    await migrate(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
