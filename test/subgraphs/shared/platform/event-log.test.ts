import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type EntityManager } from '#platform/database.ts';
import { startDurableReader } from '#platform/event-reader.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { silentLog } from '#platform/log.ts';
import { startPlatform, type TestPlatform } from '../../../kit/platform.ts';

let platform: TestPlatform;
let orm: Awaited<ReturnType<typeof openDatabase>>;
const em = () => orm.em.fork() as EntityManager;
/** Types that carry nothing else. */
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

test('a durable reader sees every committed event once, in an order that open transactions cannot disturb', async () => {
  const seen: string[] = [];
  const slow = em();
  await slow.begin();
  await appendEvents(slow, fact('slow'));
  await appendEvents(em(), fact('quick'));
  const reader = await startDurableReader({
    name: 'order',
    em,
    log: silentLog,
    clock: platform.clock,
    reacts: () => true,
    notifications: platform.notifications,
    handle: async (_, event) => void seen.push(event.subject),
  });
  await slow.commit();
  await reader.drain();
  await appendEvents(em(), fact('last'));
  await reader.drain();
  await reader.close();
  expect(seen).toEqual(['slow', 'quick', 'last']);
});

test('events of transactions that waited for each other come in the order in which they were appended', async () => {
  const seen: string[] = [];
  await platform.database.query('create table accounts.locked_thing (id int primary key)');
  await platform.database.query('insert into accounts.locked_thing values (1)');
  const lock = (manager: EntityManager) =>
    manager.getConnection().execute('select from accounts.locked_thing for update', [], 'run', manager.getTransactionContext());
  const first = em();
  const second = em();
  // The second has the earlier number: it was given one before it waited.
  await second.begin();
  await appendEvents(second, fact('before', 'account.verified'));
  await first.begin();
  await lock(first);
  const waiting = lock(second).then(() => appendEvents(second, fact('later')));
  await appendEvents(first, fact('sooner'));
  await first.commit();
  await waiting;
  await second.commit();
  const reader = await startDurableReader({
    name: 'waited',
    em,
    log: silentLog,
    clock: platform.clock,
    reacts: () => true,
    notifications: platform.notifications,
    handle: async (_, event) => void (['sooner', 'later'].includes(event.subject) && seen.push(event.subject)),
  });
  await reader.drain();
  await reader.close();
  expect(seen).toEqual(['sooner', 'later']);
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
  expect(await platform.database.query(`select from platform.event where subject = 'effect'`)).toHaveLength(1);
});

test('the live feed delivers what is committed, cut by type and account, and nothing that was rolled back', async () => {
  const seen: string[] = [];
  // What was appended before is behind the feed.
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
  await expect(platform.database.query(`update platform.event set type = 'x.y'`)).rejects.toThrow('append-only');
  await expect(platform.database.query('delete from platform.event')).rejects.toThrow('append-only');
});

test('a subgraph cannot read the tables of another', async () => {
  await platform.database.query('create table residential.private_thing (id int)');
  await expect(em().getConnection().execute('select * from residential.private_thing')).rejects.toThrow('permission denied');
});
