// The event log of the previous release is migrated to this release's order of events.
import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { startDurableReader } from '#platform/event-reader.ts';
import { silentLog } from '#platform/log.ts';
import { openNotifications } from '#platform/notifications.ts';
import { TestClock } from '#platform/clock.ts';
import { type TestDatabase, createTestDatabase } from '../kit/database.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const ORDER = '0120-event-order.sql';
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort();
const sqlOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const schema of ['accounts', 'residential', 'static', 'compute', 'platform']) await database.query(`drop schema ${schema} cascade`);
  for (const name of files.slice(0, files.indexOf(ORDER))) await database.query(sqlOf(name));
});
afterAll(() => database.drop());

/** Appends an event as the previous release does, without a position. */
const append = (subject: string) =>
  database.query(`insert into platform.event (type, at, subject) values ('session.ended', now(), $1)`, [subject]);
/** Moves a reader's cursor as the previous release does. */
const moveOld = (reader: string, subject: string) =>
  database.query(
    `insert into platform.cursor (reader, tx, id) select $1, tx, id from platform.event where subject = $2
     on conflict (reader) do update set tx = excluded.tx, id = excluded.id`,
    [reader, subject],
  );

test('each reader continues after what it had read, and readers of the previous release do not move its cursor afterwards', async () => {
  for (const subject of ['one', 'two', 'three']) await append(subject);
  await database.query(`insert into platform.cursor (reader, tx, id) values ('begins', '0', 0)`);
  await moveOld('halfway', 'two');
  await moveOld('done', 'three');

  await database.query(sqlOf(ORDER));
  await append('of an old process');
  await expect(moveOld('done', 'of an old process')).rejects.toThrow('events are read by processes of the next release');

  const orm = await openDatabase({ url: database.url, entities: [], pool: 2, log: silentLog });
  const notifications = await openNotifications(database.url, silentLog);
  const read = async (name: string) => {
    const seen: string[] = [];
    const reader = await startDurableReader({
      name,
      em: () => orm.em.fork() as EntityManager,
      clock: new TestClock(),
      notifications,
      log: silentLog,
      reacts: () => true,
      handle: async (_, { subject }) => void seen.push(subject),
    });
    await reader.drain();
    await reader.close();
    return seen;
  };
  expect(await read('begins')).toEqual(['one', 'two', 'three', 'of an old process']);
  expect(await read('halfway')).toEqual(['three', 'of an old process']);
  expect(await read('done')).toEqual(['of an old process']);
  expect(await read('done')).toEqual([]);
  await notifications.close();
  await orm.close();
});
