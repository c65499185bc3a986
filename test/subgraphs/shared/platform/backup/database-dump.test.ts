// Restores a backup of an external database to a server that has neither its roles nor its owner. Runs only where TEST_DATABASE_URL names a server.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/migrate.ts';
import { migrationFiles, readMigration } from '#platform/migration-file.ts';
import { databaseUrl } from '../../../../kit/postgres.ts';
import { type Stack, startStack } from '../../../../kit/stack.ts';
import { drillRestore } from '../../../../../restore-drill.ts';
import { type Bought, PASSPHRASE, backUp, configOf, keepBuying, lookInto, restore, scratchFolder } from './backup-world.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const outside = process.env['TEST_DATABASE_URL'];
const name = `egress_test_${randomBytes(6).toString('hex')}`;
const owner = `${name}_owner`;

async function on<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client
    .query<Row>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe.skipIf(!outside)('a backup of an outside database', () => {
  const server = outside ?? 'postgres://none/none';
  const url = new URL(databaseUrl(server, name));
  url.username = owner;
  url.password = 'it stands in no list of processes';
  let scratch: ReturnType<typeof scratchFolder>;
  let stack: Stack;
  let bought: Bought;
  let delivered: string[];

  beforeAll(async () => {
    scratch = scratchFolder();
    await on(server, `create role ${owner} login createrole password '${decodeURIComponent(url.password)}'`);
    for (const role of ['accounts', 'residential', 'static', 'compute']) {
      await on(
        server,
        `do $$ begin create role egress_${role} nologin; exception when duplicate_object or unique_violation then null; end $$`,
      );
      await on(server, `grant egress_${role} to ${owner}`);
    }
    await on(server, `create database ${name} owner ${owner}`);
    stack = await startStack({ databaseUrl: url.href });
    bought = { buyer: await stack.seed.account(), plans: [] };
    const buying = keepBuying(stack, bought);
    await buying.count(2);
    delivered = [...bought.plans];
    await backUp({
      folder: scratch.at('backup'),
      config: configOf({ DATA_DIR: scratch.at('data'), DATABASE_URL: url.href }),
      embedded: undefined,
    });
    await buying.stop();
  });
  afterAll(async () => {
    await stack.close();
    await on(server, `drop database if exists ${name} with (force)`);
    await on(server, `drop owned by ${owner}; drop role ${owner}`);
    scratch.remove();
  });

  test('goes on in a server that is new, without an error about roles or owners', async () => {
    await restore(scratch.at('backup'), { DATA_DIR: scratch.at('new'), DATABASE_URL: undefined });
    const fresh = await openEmbeddedPostgres(join(scratch.at('new'), 'postgres'));
    try {
      const found = await lookInto(fresh.url, bought.buyer);
      expect(found.plans).toEqual(expect.arrayContaining(delivered));
      expect(found).toMatchObject({ uneven: [], status: 'FULFILLED' });

      // New tables have another owner than the restored ones, but the same roles may use them.
      const files = [...migrationFiles(), readMigration('9990-next.sql', 'create table accounts.next (id text);')];
      expect(await migrate(fresh.url, { files })).toEqual(['9990-next.sql']);
      const may = `select has_table_privilege('egress_accounts', 'accounts.next', 'insert') as may, has_table_privilege('egress_static', 'accounts.next', 'select') as other`;
      expect(await on(fresh.url, may)).toEqual([{ may: true, other: false }]);
    } finally {
      await fresh.stop();
    }
  });

  test('is tried out in a scratch place, which is gone afterwards', async () => {
    mkdirSync(scratch.at('tmp'));
    vi.stubEnv('TMPDIR', scratch.at('tmp'));
    const said: string[] = [];
    const { kind } = await drillRestore({ folder: scratch.at('backup'), passphrase: PASSPHRASE, say: (line) => said.push(line) });
    expect(kind).toBe('dump');
    expect(said.join('\n')).toMatch(
      /^Restored\.\nJournals: [1-9].*\nThe books balance to the cent\.\n.*\nEverything agrees to the byte\.\nThe platform starts/,
    );
    expect(readdirSync(scratch.at('tmp'))).toEqual([]);
    vi.unstubAllEnvs();
  });

  test('goes on in an empty database of the same server, and never into one that is in use', async () => {
    await expect(restore(scratch.at('backup'), { DATA_DIR: scratch.at('second'), DATABASE_URL: url.href })).rejects.toThrow(
      'The database has an installation already: restore into an empty one.',
    );
    const second = `${name}_second`;
    await on(server, `create database ${second} owner ${owner}`);
    try {
      const other = new URL(databaseUrl(url.href, second)).href;
      await restore(scratch.at('backup'), { DATA_DIR: scratch.at('second'), DATABASE_URL: other });
      expect(await lookInto(other, bought.buyer)).toMatchObject({ uneven: [], status: 'FULFILLED' });
    } finally {
      await on(server, `drop database ${second} with (force)`);
    }
  });

  test('names the program that is missing', async () => {
    vi.stubEnv('PATH', '/nowhere');
    try {
      const config = configOf({ DATA_DIR: scratch.at('data'), DATABASE_URL: url.href });
      await expect(backUp({ folder: scratch.at('none'), config, embedded: undefined })).rejects.toThrow(
        "pg_dump is not installed: it comes with PostgreSQL's client programs (Debian: postgresql-client), in the version of the server or a later one.",
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
