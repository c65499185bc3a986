// The database of an earlier release, restored from its dump, is migrated while others read and write; then its customer's data is compared.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { askAs } from '../kit/dashboard.ts';
import { runChild } from '../kit/child.ts';
import { type TestDatabase, createTestDatabase } from '../kit/database.ts';
import { orderAndPay } from '../kit/purchase.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { rowOf, rowsOf, setRows } from '../kit/tables.ts';
import { SETTINGS, answersOf, cookieOf, readRelease } from './previous-release.ts';

/** The released versions that have a dump, the newest last. */
const RELEASES = ['0055'];
/** A migration waits at most three seconds for a lock, so no other statement waits longer for it. */
const PATIENCE_MS = 5_000;

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

describe.each(RELEASES)('from release %s', (name) => {
  const { sql, release } = readRelease(name);
  let database: TestDatabase;
  let stack: Stack;
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
    await execute(database.url, sql);
  });
  afterAll(async () => {
    await stack?.close();
    await database.drop();
  });

  test(`is migrated by the command, while readers and writers go on`, async () => {
    const account = await rowOf<{ id: string }>(database.query, 'accounts.account', { email: release.customer.email });
    const id = account?.id ?? null;
    const ending = new AbortController();
    const others = [
      keepAt(database.url, ending.signal, (query) => setRows(query, 'accounts.account', { api_allowed: true }, { id })),
      keepAt(database.url, ending.signal, (query) => rowsOf(query, 'residential.plan', { account_id: id })),
      keepAt(database.url, ending.signal, (query) => rowsOf(query, 'accounts.invoice', { account_id: id })),
    ];
    const migration = runChild('migrate.ts', { DATABASE_URL: database.url, SECRET: SETTINGS.SECRET });
    expect(await migration.ended, migration.text()).toBe(0);
    ending.abort();
    for (const times of await Promise.all(others)) expect(times).toBeGreaterThan(3);
    const again = runChild('migrate.ts', { DATABASE_URL: database.url, SECRET: SETTINGS.SECRET });
    expect(await again.ended).toBe(0);
    expect(again.text()).toContain('Nothing was pending.');
  });

  test(`still has its customer’s data: plans with their passwords, lines, usage, orders and invoices`, async () => {
    stack = await startStack({ databaseUrl: database.url, at: release.at, environment: SETTINGS });
    await stack.settle();
    expect(await answersOf(stack.url, release.customer)).toEqual(release.answers);
  });

  test(`lets its customer buy again, and the books agree`, async () => {
    const ask = askAs(stack.url, await cookieOf(stack.url, release.customer));
    const { residentialOffer } = await ask<{ residentialOffer: { token: string } }>(
      '{ residentialOffer(product: PREMIUM, gigabytes: 5) { token } }',
    );
    expect(await orderAndPay(stack, ask, residentialOffer.token)).toMatchObject({ status: 'FULFILLED' });
    const books = runChild('subgraphs/accounts/commands/verify-books.ts', { DATABASE_URL: database.url, SECRET: SETTINGS.SECRET });
    expect(await books.ended, books.text()).toBe(0);
  });
});

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Repeats `work` on its own connection until `signal` aborts; returns how often. Fails when a statement takes too long. */
async function keepAt(url: string, signal: AbortSignal, work: (query: TestDatabase['query']) => Promise<unknown>): Promise<number> {
  const client = new Client({ connectionString: url, statement_timeout: PATIENCE_MS });
  await client.connect();
  const query = async <Row extends object>(text: string, values: unknown[] = []) => (await client.query<Row>(text, values)).rows;
  let times = 0;
  try {
    for (; !signal.aborted; times++) await work(query);
  } finally {
    await client.end();
  }
  return times;
}
