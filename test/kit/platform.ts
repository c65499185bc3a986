// A platform on a test database, with a clock that the test moves, for tests of one subgraph. `startStack` runs all subgraphs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClock } from '#platform/clock.ts';
import type { Scope, Viewer } from '#platform/identity.ts';
import { silentLog } from '#platform/log.ts';
import { type Platform, openPlatform } from '#platform/platform.ts';
import { readConfig } from '../../configuration.ts';
import { type GivenVendors, NOWHERE, givenVendors } from './nowhere.ts';
import { ALL_PERMISSIONS } from '#platform/staff-permissions.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestPlatform extends Platform {
  clock: TestClock;
  database: TestDatabase;
}

/** Makes a data folder that holds the master secret of all test platforms, so that several platforms and commands can share a database. */
export function newDataDir(prefix: string): string {
  const dataDir = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(dataDir, 'secret'), 'a master secret that all test platforms have');
  return dataDir;
}

/** `environment` overrides configuration variables. */
export async function startPlatform(environment: Record<string, string> = {}, vendors: GivenVendors = NOWHERE): Promise<TestPlatform> {
  const database = await createTestDatabase();
  const dataDir = newDataDir('egress-test-');
  const clock = new TestClock();
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_POOL: '6',
    // Every worker queries the queue when it starts, and again at every notification.
    JOB_WORKERS: '1',
    // A machine that runs tests and proofs at once often answers late.
    DATABASE_WAIT_MS: '15000',
    ...GENEROUS,
    ...environment,
  });
  const platform = await openPlatform(config, database.url, givenVendors(vendors), { clock, log: silentLog });
  return {
    ...platform,
    clock,
    database,
    async close() {
      await platform.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** High limits for the credit that staff may grant, for tests that need an account with credit. */
export const GENEROUS = { STAFF_DAILY_LIMIT: '1000000', STAFF_GRANT_LIMIT: '1000000' };

const origin = { address: '198.51.100.1', userAgent: 'test', requestId: 'req_test' };

export const sessionOf = (accountId: string, staff = false): Viewer => ({
  kind: 'session',
  accountId,
  sessionId: 'sess_test',
  staff,
  ...(staff && { permissions: ALL_PERMISSIONS }),
  ...origin,
});
export const keyOf = (accountId: string, scopes: readonly Scope[] = ['read', 'generate']): Viewer => ({
  kind: 'key',
  accountId,
  keyId: 'key_test',
  scopes,
  ...origin,
});
export const anonymous: Viewer = { kind: 'anonymous', ...origin };
