// A pool of connections to a server that goes away in the middle of things.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type EntityManager, openDatabase } from '#platform/database.ts';
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
    // Of one place: until it is given back, nobody is let in.
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
