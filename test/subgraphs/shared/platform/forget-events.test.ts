import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, after } from '#platform/clock.ts';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { startDurableReader } from '#platform/event-reader.ts';
import { appendEvents, forgetEvents } from '#platform/events.ts';
import { silentLog } from '#platform/log.ts';
import { eventRows } from '../../../kit/event-rows.ts';
import { type TestPlatform, startPlatform } from '../../../kit/platform.ts';
import { deleteRows, rowsOf, setRows } from '../../../kit/tables.ts';

let platform: TestPlatform;
let orm: Awaited<ReturnType<typeof openDatabase>>;
const em = () => orm.em.fork() as EntityManager;
beforeAll(async () => {
  platform = await startPlatform();
  orm = await openDatabase({ url: platform.database.url, schema: 'accounts', entities: [], pool: 6, log: silentLog });
});
afterAll(async () => {
  await orm?.close();
  await platform?.close();
});

const append = (subject: string, at = platform.clock.now()) =>
  appendEvents(em(), { type: 'session.ended', at, accountId: 'acct_1', subject });

/** Reads everything that is there, and notes the subjects. With `fails` it sets that one aside. */
async function readAll(name: string, fails?: string): Promise<string[]> {
  // A batch that fails is rolled back, and its events come again.
  const seen = new Set<string>();
  const reader = await startDurableReader({
    name,
    em,
    log: silentLog,
    clock: platform.clock,
    reacts: () => true,
    notifications: platform.notifications,
    async handle(_, { subject }) {
      if (subject === fails) throw new Error('not yet');
      seen.add(subject);
    },
  });
  await reader.drain();
  await reader.close();
  return [...seen];
}

const kept = async () =>
  (await rowsOf<{ subject: string }>(platform.database.query, 'platform.event', {}, { orderBy: 'id' })).map(({ subject }) => subject);
const numbered = async () => (await rowsOf(platform.database.query, 'platform.event_order')).length;
/** Forgets what is older than ten days. */
const forget = () => forgetEvents(em(), after(platform.clock.now(), -10 * DAY));

test('old events that every reader has read leave the log, and readers go on where they were', async () => {
  await append('old 1');
  await append('old 2');
  expect([await readAll('quick', 'old 2'), await readAll('slow')]).toEqual([['old 1'], ['old 1', 'old 2']]);
  platform.clock.advance(11 * DAY);
  // Appended late by a transaction that had begun long before: its moment is old, and only one reader has read it.
  await append('unread', after(platform.clock.now(), -10.5 * DAY));
  await append('young');
  expect(await readAll('slow')).toEqual(['unread', 'young']);
  // Committed by a process that died before the event had a number.
  await eventRows(platform.database.query).appendAndDie('without number', platform.clock.now());
  expect(await forget()).toBe(2);
  expect(await kept()).toEqual(['unread', 'young', 'without number']);

  // The one that was set aside is a copy, so it is handled although the log has forgotten it.
  expect((await readAll('quick')).toSorted()).toEqual(['old 2', 'unread', 'without number', 'young']);
  expect(await readAll('slow')).toEqual(['without number']);
  expect(await forget()).toBe(1);
  expect(await kept()).toEqual(['young', 'without number']);
  expect(await numbered()).toBe(2);

  platform.clock.advance(11 * DAY);
  expect(await forget()).toBe(2);
  expect([await kept(), await numbered()]).toEqual([[], 0]);
  await append('next');
  expect([await readAll('quick'), await readAll('slow')]).toEqual([['next'], ['next']]);
});

test('a log that nobody reads is kept, and thousands go in pieces', async () => {
  for (let hundred = 0; hundred < 60; hundred++)
    await appendEvents(
      em(),
      ...Array.from({ length: 100 }, (_, index) => ({
        type: 'session.ended' as const,
        at: platform.clock.now(),
        accountId: null,
        subject: `${hundred} ${index}`,
      })),
    );
  platform.clock.advance(11 * DAY);
  await deleteRows(platform.database.query, 'platform.cursor');
  expect(await forget()).toBe(0);
  expect(await readAll('late')).toHaveLength(6_001);
  expect(await forget()).toBe(6_001);
});

test('nobody else deletes or changes an event, not in the connection that has forgotten some either', async () => {
  await append('stays');
  await expect(deleteRows(platform.database.query, 'platform.event')).rejects.toThrow('append-only');
  await expect(setRows(platform.database.query, 'platform.event', { subject: 'x' })).rejects.toThrow('append-only');
  await platform.database.query('begin');
  await platform.database.query('select platform.forget_events(now(), 10)');
  await expect(deleteRows(platform.database.query, 'platform.event')).rejects.toThrow('append-only');
  await platform.database.query('rollback');
  const asResidential = await openDatabase({ url: platform.database.url, schema: 'residential', entities: [], pool: 1, log: silentLog });
  const asOther = asResidential.em.fork() as EntityManager;
  await expect(forgetEvents(asOther, platform.clock.now())).rejects.toThrow('permission denied');
  await asResidential.close();
  expect(await kept()).toEqual(['stays']);
});
