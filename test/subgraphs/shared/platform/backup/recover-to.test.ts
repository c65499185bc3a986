// Restores a platform on the embedded database to a moment between two backups, from the kept log, with the operator's own commands.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { momentOf } from '#platform/backup/recover-to.ts';
import { restoreBackup } from '#platform/backup/restore-backup.ts';
import { withClient } from '#platform/database-client.ts';
import { type Child, runChild } from '../../../../kit/child.ts';
import { buyPackage } from '../../../../kit/purchase.ts';
import { type Stack, startStack } from '../../../../kit/stack.ts';
import {
  type Bought,
  PASSPHRASE,
  SECRET,
  endKeeper,
  keeperSettings,
  lookInto,
  plansIn,
  scratchFolder,
  serverNow,
  startKeeper,
} from './backup-world.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let scratch: ReturnType<typeof scratchFolder>;
let postgres: EmbeddedPostgres;
let stack: Stack;
let keeper: Child;
const bought: Bought = { buyer: undefined as never, plans: [] };
/** The moment after the second purchase, to which the tests restore. */
let moment: Date;
let base: string;

const buy = async () => void bought.plans.push((await buyPackage(stack, bought.buyer)).planId);
beforeAll(async () => {
  scratch = scratchFolder();
  postgres = await openEmbeddedPostgres(join(scratch.at('data'), 'postgres'));
  stack = await startStack({ databaseUrl: postgres.url });
  bought.buyer = await stack.seed.account();
  await buy();
  keeper = await startKeeper(keeperSettings(scratch));
  await buy();
  moment = await serverNow(postgres.url);
  await buy();
  // The log must also be followed into its next segment.
  await withClient(postgres.url, (client) => client.query('select pg_switch_wal()'));
  await buy();
  base = await endKeeper(keeper, scratch);
});
afterAll(async () => {
  keeper?.process.kill('SIGKILL');
  await stack?.close();
  await postgres?.stop();
  scratch.remove();
});

async function lookAt(place: string) {
  const server = await openEmbeddedPostgres(join(scratch.at(place), 'postgres'));
  try {
    return await lookInto(server.url, bought.buyer);
  } finally {
    await server.stop();
  }
}

const restoreTo = (place: string, to: Date | 'latest', more: { passphrase?: string; log?: string } = {}) =>
  restoreBackup({
    folder: base,
    passphrase: more.passphrase ?? PASSPHRASE,
    config: { DATA_DIR: scratch.at(place), DATABASE_URL: undefined },
    to: { moment: to, log: more.log ?? join(scratch.at('backups'), 'log') },
  });

test('as it was between the second purchase and the third: those two are there, and it sells on', async () => {
  const restored = runChild('restore.ts', { ...keeperSettings(scratch), DATA_DIR: scratch.at('then') }, [
    base,
    '--to',
    moment.toISOString(),
  ]);
  expect(await restored.ended, restored.text()).toBe(0);
  expect(restored.text()).toMatch(/^Restored what was committed up to \d{4}-.*Z, with schema \d{4}\.\n/);
  const found = await lookAt('then');
  expect(found.plans.toSorted()).toEqual(bought.plans.slice(0, 2).toSorted());
  expect(found).toMatchObject({ uneven: [], status: 'FULFILLED' });
});

test('and as far as the log goes: everything that was acknowledged is there', async () => {
  await restoreTo('end', 'latest');
  const server = await openEmbeddedPostgres(join(scratch.at('end'), 'postgres'));
  try {
    expect(await plansIn(server.url)).toEqual(bought.plans.toSorted());
  } finally {
    await server.stop();
  }
});

test('nothing of the log can be read without the passphrase', () => {
  const log = join(scratch.at('backups'), 'log');
  for (const name of readdirSync(log)) {
    const bytes = readFileSync(join(log, name));
    for (const secret of [bought.buyer.email, PASSPHRASE, SECRET]) expect(bytes.includes(secret), name).toBe(false);
  }
});

test('a moment that the log does not reach is refused, and leaves nothing behind', async () => {
  await expect(restoreTo('future', new Date(Date.now() + 3_600_000))).rejects.toThrow('The log that was kept ends before');
  expect(() => readdirSync(scratch.at('future'))).toThrow('ENOENT');
});

test('the log of nobody, a passphrase of another, and words that are no moment are refused with a sentence', async () => {
  await expect(restoreTo('none', 'latest', { log: scratch.at('nowhere') })).rejects.toThrow('There is no log in');
  await expect(restoreTo('none', 'latest', { passphrase: 'correct horse batterx' })).rejects.toThrow('BACKUP_PASSPHRASE is not the one');
  for (const words of ['yesterday', '2026-11-23', '2026-11-23T20:45:00', '2026-13-23T20:45:00Z'])
    expect(() => momentOf(words)).toThrow('is no moment');
});

test('another database does not go on with the log of this one', async () => {
  rmSync(scratch.at('other'), { recursive: true, force: true });
  const other = runChild('backup.ts', { ...keeperSettings(scratch), DATA_DIR: scratch.at('other') }, ['--follow']);
  expect(await other.ended).toBe(1);
  expect(other.text()).toContain('has the log of another database');
});
