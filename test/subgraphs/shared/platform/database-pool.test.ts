// A connection pool whose server goes away in the middle of transactions.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { defineEntity } from '@mikro-orm/core';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { toFailure } from '#platform/errors.ts';
import { silentLog } from '#platform/log.ts';
import { type TestDatabase, createTestDatabase } from '../../../kit/database.ts';
import { type Relay, startRelay } from '../../../kit/relay.ts';

let relay: Relay;
let database: TestDatabase;
beforeAll(async () => {
  relay = await startRelay(inject('postgresUrl').replace(/^postgres(ql)?:/, 'http:'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await relay.close();
  await database.drop();
});

test('a transaction that loses its connection takes no place of the pool with it', async () => {
  const orm = await openDatabase({ url: relay.through(database.url), entities: [], pool: 1, log: silentLog });
  const em = () => orm.em.fork() as EntityManager;
  for (let round = 0; round < 3; round++) {
    await expect(
      em().transactional(async (tx) => {
        relay.cut();
        await tx.execute('select 1');
      }),
    ).rejects.toThrow();
    relay.mend();
    // The pool has one place: no query gets through until the lost connection has given it back.
    let answered = false;
    while (!answered)
      answered = await em()
        .execute('select 1')
        .then(
          () => true,
          () => false,
        );
  }
  await orm.close();
});

test('while the server hangs, what the ORM does not even ask is answered `overloaded`, with when to ask again', async () => {
  const Thing = defineEntity({ name: 'Thing', properties: (p) => ({ id: p.string().primary() }) });
  const orm = await openDatabase({ url: relay.through(database.url), entities: [Thing], pool: 1, log: silentLog });
  relay.hang();
  const remove = () =>
    orm.em
      .fork()
      .nativeDelete(Thing, { id: 'nothing' })
      .then(
        () => undefined,
        (error: unknown) => error as Error,
      );
  let error: Error | undefined;
  do error = await remove();
  while (!/no connection is asked for/.test(error?.message ?? ''));
  expect(toFailure(error)).toMatchObject({ code: 'overloaded', meta: { retry_after_seconds: 1 } });
  relay.mend();
  await orm.close();
});
