import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { type EntityManager, inTransaction, openDatabase } from '#platform/database.ts';
import { silentLog } from '#platform/log.ts';
import { existingAccount, insertAccount, lockAccount, setPasswordHash } from '../../../../subgraphs/accounts/identity/entities/account.ts';
import { accounts } from '../../../../subgraphs/accounts/subgraph.ts';
import { type TestDatabase, createTestDatabase } from '../../../kit/database.ts';

let database: TestDatabase;
let orm: MikroORM;
beforeAll(async () => {
  database = await createTestDatabase();
  orm = await openDatabase({ url: database.url, schema: 'accounts', entities: accounts.entities, pool: 4, log: silentLog });
});
afterAll(async () => {
  await orm.close();
  await database.drop();
});

let count = 0;
let ids: [string, string];
beforeEach(async () => {
  count++;
  ids = [`acct_one_${count}`, `acct_two_${count}`];
  for (const id of ids)
    await insertAccount(manager(), {
      id,
      email: `${id}@example.com`,
      passwordHash: 'before',
      emailVerifiedAt: null,
      role: 'CUSTOMER',
      language: 'en',
      createdAt: new Date(0),
    });
});

const manager = () => orm.em.fork() as EntityManager;
const hashes = () => Promise.all(ids.map(async (id) => (await existingAccount(manager(), id)).passwordHash));
/** An error as PostgreSQL's client throws it. */
const rolledBack = (code: string) => Object.assign(new Error('rolled back'), { code });

test('two that lock crosswise both come to their end', async () => {
  let tries = 0;
  const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const cross = (own: 0 | 1) =>
    inTransaction({ em: manager() }, async ({ em }) => {
      tries++;
      const first = await lockAccount(em, ids[own]);
      met[own].resolve();
      await met[1 - own]?.promise;
      const second = await lockAccount(em, ids[1 - own] ?? '');
      first.passwordHash += ` ${own}`;
      second.passwordHash += ` ${own}`;
    });
  await Promise.all([cross(0), cross(1)]);
  expect(tries).toBe(3);
  expect((await hashes()).map((hash) => hash?.split(' ').toSorted())).toEqual([
    ['0', '1', 'before'],
    ['0', '1', 'before'],
  ]);
});

test.each(['40P01', '40001'])(
  'what was rolled back for others (%s) is run again, with nothing of what it had read and changed',
  async (code) => {
    const seen: unknown[] = [];
    const context = { em: manager() };
    const left = await inTransaction(context, async ({ em }) => {
      const account = await lockAccount(em, ids[0]);
      seen.push(account.passwordHash);
      account.passwordHash = `try ${seen.length}`;
      await em.flush();
      if (seen.length < 3) throw rolledBack(code);
      return account;
    });
    expect(seen).toEqual(['before', 'before', 'before']);
    expect(await hashes()).toEqual(['try 3', 'before']);
    // The caller's entity manager has the entity that the last try has left.
    expect(await existingAccount(context.em, ids[0])).toBe(left);
  },
);

test('its tries have an end, and any other failure has one', async () => {
  for (const [code, expected] of [
    ['40P01', 5],
    ['23505', 1],
  ] as const) {
    let tries = 0;
    const work = inTransaction({ em: manager() }, async ({ em }) => {
      tries++;
      await setPasswordHash(em, ids[0], 'lost');
      throw rolledBack(code);
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(tries).toBe(expected);
  }
  expect(await hashes()).toEqual(['before', 'before']);
});

test('inside another transaction nothing is run again by itself: the whole is', async () => {
  const tries = { outer: 0, inner: 0 };
  await inTransaction({ em: manager() }, async (outer) => {
    tries.outer++;
    await inTransaction(outer, async ({ em }) => {
      await setPasswordHash(em, ids[0], `inner ${++tries.inner}`);
      if (tries.inner < 3) throw rolledBack('40P01');
    });
  });
  expect(tries).toEqual({ outer: 3, inner: 3 });
  expect(await hashes()).toEqual(['inner 3', 'before']);
});
