// A platform over a test database with a clock that the test moves, for tests of one subgraph; `startStack` runs them all.
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

/** The one master secret of all test platforms, several of which may stand on one database; whoever runs a command there has it too. */
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
    // Each looks for work at its start, and at every notice.
    JOB_WORKERS: '1',
    // A machine that runs tests and proofs beside each other is often late.
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

/** What a desk may give away is no matter of tests that need somebody with credit. */
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
