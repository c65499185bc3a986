// A dump is restored in another database server than its own: what was paid there is delivered here.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { startDurableReader } from '#platform/event-reader.ts';
import { appendEvents } from '#platform/events.ts';
import { silentLog } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';
import { createTestDatabase } from '../../../kit/database.ts';
import { createSession } from '../../../../subgraphs/accounts/identity/services/log-in.ts';
import { eventRows } from '../../../kit/event-rows.ts';
import { anonymous, startPlatform } from '../../../kit/platform.ts';
import { databaseUrl } from '../../../kit/postgres.ts';
import { buyPackage } from '../../../kit/purchase.ts';
import type { SeededAccount } from '../../../kit/seed.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';
import { rowsOf } from '../../../kit/tables.ts';

test('a reader goes on where it stood: nothing is lost, nothing comes twice, and what is new comes last', async () => {
  const platform = await startPlatform();
  const orm = await openDatabase({ url: platform.database.url, schema: 'accounts', entities: [], pool: 4, log: silentLog });
  const em = () => orm.em.fork() as EntityManager;
  const seen: string[] = [];
  const append = (subject: string) => appendEvents(em(), { type: 'session.ended', at: platform.clock.now(), accountId: null, subject });
  const read = async () => {
    const reader = await startDurableReader({
      name: 'moved',
      em,
      log: silentLog,
      clock: platform.clock,
      notifications: platform.notifications,
      reacts: () => true,
      handle: async (_, event) => void seen.push(event.subject),
    });
    await reader.drain();
    await reader.close();
  };
  await append('read there');
  await read();
  await append('waiting there');
  for (const round of ['first', 'second']) {
    await eventRows(platform.database.query).age();
    expect(await migrate(platform.database.url)).toEqual([]);
    await append(`new after the ${round} move`);
    await read();
  }
  expect(seen).toEqual(['read there', 'waiting there', 'new after the first move', 'new after the second move']);
  await orm.close();
  await platform.close();
});

test('what is bought on a moved database is delivered, and pages that are open hear of it', async () => {
  const database = await createTestDatabase();
  const before = await startStack({ databaseUrl: database.url });
  const buyer = await before.seed.account();
  expect((await buyPackage(before, buyer)).status).toBe('FULFILLED');
  await before.close();
  await eventRows(database.query).age();

  const after = await startStack({ databaseUrl: database.url });
  const heard: string[] = [];
  after.platform.feed.subscribe({ types: ['order.fulfilled'], accountId: buyer.id }, ({ type }) => heard.push(type));
  expect((await buyPackage(after, { ...buyer, cookie: () => cookieOf(after, buyer) })).status).toBe('FULFILLED');
  expect(heard).toEqual(['order.fulfilled']);
  expect(await rowsOf(database.query, 'residential.plan', { account_id: buyer.id })).toHaveLength(2);
  await after.close();
  await database.drop();
});

/** Logs in to an account that another stack has made. Returns the value of a Cookie header. */
const cookieOf = async (stack: Stack, { email, password }: SeededAccount) => {
  const { token } = await createSession(stack.subgraphs.accounts.context(anonymous), { email, password });
  return `egress_session=${token}`;
};

const outside = process.env['TEST_DATABASE_URL'];

describe.skipIf(!outside)('a dump of an outside PostgreSQL, restored into a server that is new', () => {
  const name = `egress_test_${randomBytes(6).toString('hex')}`;
  const source = databaseUrl(outside ?? 'postgres://none', name);
  let directory: string;
  let target: Awaited<ReturnType<typeof openEmbeddedPostgres>>;
  const on = async (url: string, sql: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'egress-restored-'));
    await on(outside ?? '', `create database ${name}`);
    target = await openEmbeddedPostgres(join(directory, 'server'));
  });
  afterAll(async () => {
    await target.stop();
    await on(outside ?? '', `drop database if exists ${name} with (force)`);
    rmSync(directory, { recursive: true });
  });

  test('refuses to start without its roles, and delivers with them', async () => {
    const stack = await startStack({ databaseUrl: source });
    const buyer = await stack.seed.account();
    expect((await buyPackage(stack, buyer)).status).toBe('FULFILLED');
    await stack.close();
    const dump = join(directory, 'dump');
    execFileSync('pg_dump', ['-Fc', '-f', dump, source]);
    // pg_dumpall prints plain SQL, which our own connection runs below: this machine's psql may be too old for the new server.
    const roles = execFileSync('pg_dumpall', ['--roles-only', '--no-role-passwords', '-d', source], { encoding: 'utf8' });
    const restore = async (database: string) => {
      await on(target.url, `create database ${database}`);
      const url = databaseUrl(target.url, database);
      try {
        execFileSync('pg_restore', ['--no-owner', '-d', url, dump], { stdio: 'ignore' });
      } catch {
        // pg_restore fails with a count of what it could not do; the platform names the cause when it starts.
      }
      return url;
    };

    await expect(migrate(await restore('without_roles'))).rejects.toThrow(
      'The database was restored without its roles (egress_accounts, egress_residential, egress_static, egress_compute)',
    );
    await on(
      target.url,
      roles
        .split('\n')
        .filter((line) => /egress_/.test(line))
        .join('\n')
        .replaceAll(/ GRANTED BY \S+?;/g, ';'),
    );
    const restored = await startStack({ databaseUrl: await restore('with_roles') });
    expect((await buyPackage(restored, { ...buyer, cookie: () => cookieOf(restored, buyer) })).status).toBe('FULFILLED');
    await restored.close();
  }, 120_000);
});
