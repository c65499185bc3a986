// An installation of an earlier release is upgraded, sells, is backed up meanwhile, restored elsewhere and sells on, several times; the books always agree.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { takeBackup } from '#platform/backup/take-backup.ts';
import { restoreBackup } from '#platform/backup/restore-backup.ts';
import { readStorageConfig } from '#platform/config.ts';
import { withClient } from '#platform/database-client.ts';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { makeRoles } from '#platform/schema-roles.ts';
import { SETTINGS, cookieOf, readRelease } from '../../external/previous-release.ts';
import { runChild } from '../../kit/child.ts';
import { askAs } from '../../kit/dashboard.ts';
import { orderAndPay } from '../../kit/purchase.ts';
import { startStack } from '../../kit/stack.ts';
import { say, scaled } from '../scale.ts';

const RELEASE = '0055';
const PASSPHRASE = 'correct horse battery';
const root = mkdtempSync(join(tmpdir(), 'egress-upgrades-'));
chmodSync(root, 0o711);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Serves the database, lets its customer buy, and runs `meanwhile` during a second purchase. */
async function sellOn(databaseUrl: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { release } = readRelease(RELEASE);
  const stack = await startStack({ databaseUrl, at: release.at, environment: SETTINGS });
  try {
    const ask = askAs(stack.url, await cookieOf(stack.url, release.customer));
    const buy = async () => {
      const { residentialOffer } = await ask<{ residentialOffer: { token: string } }>(
        '{ residentialOffer(product: PREMIUM, gigabytes: 5) { token } }',
      );
      expect(await orderAndPay(stack, ask, residentialOffer.token)).toMatchObject({ status: 'FULFILLED' });
    };
    await buy();
    await Promise.all([buy(), meanwhile()]);
  } finally {
    await stack.close();
  }
}

async function booksAgree(databaseUrl: string): Promise<void> {
  const environment = { DATABASE_URL: databaseUrl, SECRET: SETTINGS.SECRET };
  for (const command of ['subgraphs/accounts/commands/verify-books.ts', 'subgraphs/residential/commands/verify-usage.ts']) {
    const books = runChild(command, environment);
    expect(await books.ended, books.text()).toBe(0);
  }
}

test('upgrades and restores follow each other, with purchases in between', async () => {
  const times = scaled(20);
  const { sql } = readRelease(RELEASE);
  for (let time = 1; time <= times; time++) {
    const at = (name: string) => join(root, `${time}-${name}`);
    const first = await openEmbeddedPostgres(join(at('data'), 'postgres'));
    try {
      await withClient(first.url, async (client) => {
        await makeRoles(client);
        await client.query(sql);
      });
      const migration = runChild('migrate.ts', { DATABASE_URL: first.url, SECRET: SETTINGS.SECRET });
      expect(await migration.ended, migration.text()).toBe(0);
      const config = readStorageConfig({ NODE_ENV: 'test', SECRET: SETTINGS.SECRET, DATA_DIR: at('data') });
      await sellOn(first.url, () =>
        takeBackup({ folder: at('backup'), passphrase: PASSPHRASE, config, operatorFiles: {}, version: '0.0.0', embedded: first }),
      );
      await booksAgree(first.url);
    } finally {
      await first.stop();
    }
    await restoreBackup({ folder: at('backup'), passphrase: PASSPHRASE, config: { DATA_DIR: at('again'), DATABASE_URL: undefined } });
    const again = await openEmbeddedPostgres(join(at('again'), 'postgres'));
    try {
      await sellOn(again.url, async () => {});
      await booksAgree(again.url);
    } finally {
      await again.stop();
    }
    for (const name of ['data', 'backup', 'again']) rmSync(at(name), { recursive: true, force: true });
    say(`${time}: upgraded, backed up while it sold, restored; the books agree`);
  }
});
