// The log level of a process can be changed without a restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '../kit/database.ts';
import { runChild } from '../kit/child.ts';

vi.setConfig({ testTimeout: 120_000 });

test('SIGUSR2 takes its log to info, to debug and back', async () => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'egress-log-'));
  const child = runChild('subgraphs/accounts/server.ts', {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET: 'a master secret that this process has',
    PORT: '0',
  });
  await child.said('accounts at ');
  for (const level of ['info', 'debug', 'warn']) {
    child.process.kill('SIGUSR2');
    await child.said(`"logLevel":"${level}"`);
  }
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
