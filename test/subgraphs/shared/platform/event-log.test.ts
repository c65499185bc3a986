import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type EntityManager } from '#platform/database.ts';
import { startDurableReader } from '#platform/event-reader.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { silentLog } from '#platform/log.ts';
import { createTestDatabase } from '../../../kit/database.ts';
import { eventRows } from '../../../kit/event-rows.ts';
import { takeLock } from '../../../kit/locks.ts';
import { startPlatform, type TestPlatform } from '../../../kit/platform.ts';
import { deleteRows, eventsOf, queryOf, rowsOf, setRows } from '../../../kit/tables.ts';

let platform: TestPlatform;
let orm: Awaited<ReturnType<typeof openDatabase>>;
const em = () => orm.em.fork() as EntityManager;
/** Event types without data. */
type Plain = 'session.ended' | 'account.verified' | 'account.closed';
const fact = (subject: string, type: Plain = 'session.ended'): NewEvent<Plain> => ({
  type,
  at: platform.clock.now(),
  accountId: 'acct_1',
  subject,
});

beforeAll(async () => {
  platform = await startPlatform();
  orm = await openDatabase({ url: platform.database.url, schema: 'accounts', entities: [], pool: 6, log: silentLog });
});
afterAll(async () => {
  await orm.close();
  await platform.close();
});

/** Starts a reader that notes the subjects for which `wanted` is true. */
async function startReader(name: string, wanted: (subject: string) => boolean = () => true) {
  const seen: string[] = [];
  const reader = await startDurableReader({
    name,
    em,
    log: silentLog,
    clock: platform.clock,
    reacts: () => true,
    notifications: platform.notifications,
    handle: async (_, event) => void (wanted(event.subject) && seen.push(event.subject)),
  });
  return { seen, drain: reader.drain, close: reader.close };
}

test('a durable reader sees every committed event once: what is committed late comes late, and holds nothing back', async () => {
  const slow = em();
  await slow.begin();
  await appendEvents(slow, fact('slow'));
  await appendEvents(em(), fact('quick'));
  const reader = await startReader('order');
  await reader.drain();
  expect(reader.seen).toEqual(['quick']);
  await slow.commit();
  await reader.drain();
  await appendEvents(em(), fact('last'));
  await reader.drain();
  await reader.close();
  expect(reader.seen).toEqual(['quick', 'slow', 'last']);
});

test('a transaction that is open in another database of the server holds nothing back', async () => {
  const other = await createTestDatabase();
  await other.query('begin');
  await eventRows(other.query).appendAndDie('elsewhere');
  const reader = await startReader('foreign', (subject) => subject === 'beside');
  await appendEvents(em(), fact('beside'));
  await reader.drain();
  expect(reader.seen).toEqual(['beside']);
  await reader.close();
  await other.query('rollback');
  await other.drop();
});

test('many writers at once: nothing is lost, nothing comes twice, what one transaction appends stays in its order, and readers agree', async () => {
  const [one, two] = [await startReader('crowd one'), await startReader('crowd two')];
  const before = one.seen.length;
  const write = (writer: number) =>
    em().transactional(async (outer) => {
      await appendEvents(outer as EntityManager, fact(`${writer} a`));
      await outer.transactional((inner) => appendEvents(inner as EntityManager, fact(`${writer} b`)));
      await appendEvents(outer as EntityManager, fact(`${writer} c`));
    });
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 6 }, (_, index) => write(round * 6 + index)));
  await Promise.all([one.drain(), two.drain()]);
  await Promise.all([one.close(), two.close()]);
  const seen = one.seen.slice(before).filter((subject) => / [abc]$/.test(subject));
  expect(seen).toHaveLength(180);
  for (let writer = 0; writer < 60; writer++)
    expect(seen.filter((subject) => subject.startsWith(`${writer} `))).toEqual(['a', 'b', 'c'].map((part) => `${writer} ${part}`));
  expect(two.seen.filter((subject) => / [abc]$/.test(subject))).toEqual(seen);
});

test('readers are woken after the commit, once for all that it appended, and by nothing that was rolled back', async () => {
  const reader = await startReader('woken', (subject) => subject.startsWith('woken'));
  await reader.drain();
  await reader.close();
  let notices = 0;
  const stop = await platform.notifications.listen('egress_event', () => notices++);
  const undone = em();
  await undone.begin();
  await appendEvents(undone, fact('woken never'));
  await undone.rollback();
  await em().transactional(async (outer) => {
    for (let index = 0; index < 50; index++)
      await outer.transactional((inner) => appendEvents(inner as EntityManager, fact(`woken ${index}`)));
  });
  while ((await eventRows(platform.database.query).unnumbered()).length > 0) await new Promise((done) => setTimeout(done, 2));
  // PostgreSQL delivers notifications in order, so ours comes after all those sent before it.
  const last = new Promise<void>(
    (done) => void platform.notifications.listen('test_fence', () => done()).then(() => platform.database.query(`notify test_fence`)),
  );
  await last;
  stop();
  expect(notices).toBe(1);
});

test('events whose process died before they had a number get it at the next look of any reader', async () => {
  await eventRows(platform.database.query).appendAndDie('orphan');
  const reader = await startReader('orphans', (subject) => subject === 'orphan');
  await reader.drain();
  await reader.close();
  expect(reader.seen).toEqual(['orphan']);
});

test('events of transactions that waited for each other come in the order in which they were appended', async () => {
  const first = em();
  const second = em();
  // The second transaction has the lower transaction id, as it got one before it waited.
  await second.begin();
  await appendEvents(second, fact('before', 'account.verified'));
  await first.begin();
  await takeLock(first);
  const waiting = takeLock(second).then(() => appendEvents(second, fact('later')));
  await appendEvents(first, fact('sooner'));
  await first.commit();
  await waiting;
  await second.commit();
  const reader = await startReader('waited', (subject) => ['sooner', 'later'].includes(subject));
  await reader.drain();
  await reader.close();
  expect(reader.seen).toEqual(['sooner', 'later']);
});

test('what a reader did and its cursor are one: a handler that fails leaves both as they were', async () => {
  let failures = 2;
  const seen: string[] = [];
  await appendEvents(em(), fact('delicate'));
  const reader = await startDurableReader({
    name: 'delicate',
    em,
    log: silentLog,
    clock: platform.clock,
    reacts: () => true,
    notifications: platform.notifications,
    async handle(manager, event) {
      if (event.subject !== 'delicate') return;
      await appendEvents(manager, fact('effect', 'account.verified'));
      if (failures-- > 0) throw new Error('not yet');
      seen.push(event.subject);
    },
  });
  await reader.drain();
  await reader.close();
  expect(seen).toEqual(['delicate']);
  expect(await eventsOf(platform.database.query, 'effect')).toHaveLength(1);
});

test('the live feed delivers what is committed, cut by type and account, and nothing that was rolled back', async () => {
  const seen: string[] = [];
  // Lets the feed pass the events that were appended before.
  await platform.feed.drain();
  const stop = platform.feed.subscribe({ types: ['session.ended'], accountId: 'acct_1' }, (event) => seen.push(event.subject));
  const undone = em();
  await undone.begin();
  await appendEvents(undone, fact('undone'));
  await undone.rollback();
  await appendEvents(em(), fact('mine'), { ...fact('other'), accountId: 'acct_2' }, fact('otherwise', 'account.closed'));
  await platform.feed.drain();
  stop();
  expect(seen).toEqual(['mine']);
});

test('the log refuses to be changed', async () => {
  await expect(setRows(platform.database.query, 'platform.event', { type: 'x.y' })).rejects.toThrow('append-only');
  await expect(deleteRows(platform.database.query, 'platform.event')).rejects.toThrow('append-only');
});

test('a subgraph cannot read the tables of another', async () => {
  expect(await rowsOf(platform.database.query, 'residential.plan')).toEqual([]);
  await expect(rowsOf(queryOf(em()), 'residential.plan')).rejects.toThrow('permission denied');
});
