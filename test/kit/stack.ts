// The whole platform in one process on free ports, with its own database, the sandbox, and a clock that the test moves.
import { rmSync } from 'node:fs';
import { TestClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';
import { readConfig } from '../../configuration.ts';
import { type Egress, startEgress } from '../../egress.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { type TestDatabase, createTestDatabase } from './database.ts';
import { GENEROUS, newDataDir } from './platform.ts';
import { PLATFORM_PORTS, freePorts } from './ports.ts';
import { type Seed, createSeed } from './seed.ts';

export interface Stack extends Egress {
  clock: TestClock;
  database: TestDatabase;
  sandbox: Sandbox;
  seed: Seed;
  /** Resolves when no job, event or webhook delivery is left to handle. */
  settle(): Promise<void>;
}

/**
 * `environment` overrides configuration variables. `at`: the clock's first time; by default the present, as browsers judge a cookie's expiry by it.
 * `databaseUrl`: a database to use instead of the clone that the stack makes.
 */
export async function startStack(
  options: { environment?: Record<string, string>; at?: string | Date; databaseUrl?: string } = {},
): Promise<Stack> {
  const database = await createTestDatabase();
  const dataDir = newDataDir('egress-stack-');
  const port = await freePorts(PLATFORM_PORTS);
  const clock = new TestClock(options.at ?? new Date());
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    DATABASE_POOL: '6',
    DEMO: 'false',
    ...GENEROUS,
    ...options.environment,
  });
  if (options.databaseUrl) await migrate(options.databaseUrl);
  const egress = await startEgress(config, { clock, log: silentLog, databaseUrl: options.databaseUrl ?? database.url });
  const { sandbox, platform, subgraphs } = egress;
  if (!sandbox) throw new Error('a test stack has a sandbox');
  return {
    ...egress,
    sandbox,
    clock,
    database,
    seed: createSeed(egress),
    async settle() {
      // Each of these may cause work for the others. Two rounds cover the longest chain: webhook, job, event, event handler, mail.
      for (let round = 0; round < 2; round++) {
        await sandbox.card.idle();
        await sandbox.crypto.idle();
        await sandbox.paypal.idle();
        await platform.queue.drain();
        for (const { reader } of Object.values(subgraphs)) await reader.drain();
        await platform.queue.drain();
      }
      await platform.feed.drain();
    },
    async close() {
      await egress.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
