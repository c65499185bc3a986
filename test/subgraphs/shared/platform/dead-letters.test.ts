// What a reader does with events whose reaction fails: a bad event is set aside and stops no other event.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { backOff, deadLetters, redrive } from '#platform/dead-letters.ts';
import { type Reader, startDurableReader } from '#platform/event-reader.ts';
import { type LoggedEvent, type NewEvent, appendEvents } from '#platform/events.ts';
import { type Log, silentLog } from '#platform/log.ts';
import { readersAreCurrent } from '#platform/reader-figures.ts';
import { eventRows } from '../../../kit/event-rows.ts';
import { addEmptyJournal } from '../../../kit/ledger-rows.ts';
import { type Notebook, openNotebook } from '../../../kit/notebook.ts';
import { type TestPlatform, startPlatform } from '../../../kit/platform.ts';
import { queryOf } from '../../../kit/tables.ts';

let platform: TestPlatform;
let notebook: Notebook;
let orm: Awaited<ReturnType<typeof openDatabase>>;
const em = () => orm.em.fork() as EntityManager;
beforeAll(async () => {
  platform = await startPlatform();
  orm = await openDatabase({ url: platform.database.url, schema: 'accounts', entities: [], pool: 6, log: silentLog });
  notebook = await openNotebook(platform.database.query);
});
let readers: Reader[] = [];
afterEach(async () => {
  for (const reader of readers) await reader.close();
  readers = [];
});
afterAll(async () => {
  await orm.close();
  await platform.close();
});

/** Appends events. A bare subject stands for an event without data. */
const append = (...facts: (string | NewEvent)[]) =>
  appendEvents(em(), ...facts.map((fact) => (typeof fact === 'string' ? { type: 'session.ended' as const, ...about(fact) } : fact)));
const about = (subject: string) => ({ at: platform.clock.now(), accountId: 'acct_1', subject });

/** Starts a reader that notes each event in the event's transaction, and fails for those that `fails` selects. */
async function start(name: string, fails: (event: LoggedEvent) => boolean | 'at commit' | Promise<never>, log: Log = silentLog) {
  const last = await eventRows(platform.database.query).lastId();
  const handle = async (manager: EntityManager, event: LoggedEvent) => {
    // Skips events of other tests.
    if (BigInt(event.id) <= last) return;
    await notebook.write(manager, name, [event.subject, event.type, event.data['count']].filter((part) => part !== undefined).join(' '));
    const fault = await fails(event);
    if (fault === 'at commit') await addEmptyJournal(queryOf(manager), `jrn_${event.subject}`);
    else if (fault) throw new Error(`cannot handle ${event.subject}`);
  };
  const options = { name, em, clock: platform.clock, log, notifications: platform.notifications, handle };
  const reader = await startDurableReader({ ...options, reacts: (type) => type !== 'account.verified' });
  readers.push(reader);
  return reader;
}
const handled = (reader: string) => notebook.read(reader);
const lettersOf = async (reader: string) => (await deadLetters(em(), 1_000)).filter((letter) => letter.reader === reader);
const figuresOf = async (name: string) => (await platform.readers()).find(({ reader }) => reader === name);

test.each(['40P01', '40001'])('a batch that was rolled back for others (%s) is run again, and nothing of it is set aside', async (code) => {
  let tries = 0;
  const words: string[] = [];
  const log = { ...silentLog, warn: (...said: unknown[]) => void words.push(String(said[1])) } as Log;
  const rolledBack = () => Promise.reject(Object.assign(new Error('rolled back'), { code }));
  const name = `rolled back ${code}`;
  const reader = await start(name, ({ subject }) => (subject === 'crossed' && ++tries < 3 ? rolledBack() : false), log);
  await append('before', 'crossed', 'after');
  await reader.drain();
  expect(await handled(name)).toEqual(['before session.ended', 'crossed session.ended', 'after session.ended']);
  expect([tries, words]).toEqual([3, []]);
});

test('an event that fails is set aside while all others go on, and is driven again when its cause is mended', async () => {
  let isBroken = true;
  const reader = await start('one bad', ({ subject }) => subject === 'bad' && isBroken);
  await append('before', 'bad', 'after');
  await reader.drain();
  await append('later');
  await reader.drain();
  expect(await handled('one bad')).toEqual(['before session.ended', 'after session.ended', 'later session.ended']);
  expect(await lettersOf('one bad')).toMatchObject([{ event: { subject: 'bad' }, attempts: 2, error: 'Error: cannot handle bad' }]);
  expect(await figuresOf('one bad')).toMatchObject({ unread: 0, failed: 1, waiting: 0 });
  isBroken = false;
  platform.clock.advance(SECOND);
  await reader.drain();
  expect((await handled('one bad')).at(-1)).toBe('bad session.ended');
  expect(await figuresOf('one bad')).toMatchObject({ unread: 0, failed: 0, waiting: 0 });
});

test('what is about the same thing, order or subscription waits behind it in its order, and nothing else of the account does', async () => {
  let isBroken = true;
  const reader = await start('behind', ({ type }) => type === 'order.paid' && isBroken);
  const period = { currentPeriodStart: platform.clock.now().toISOString(), currentPeriodEnd: platform.clock.now().toISOString() };
  const subscription = { id: 'sub_1', version: 1, months: 1, ...period };
  await append({ type: 'order.paid', ...about('ord_1'), data: { title: 'Bad', subscription } }, 'ord_2');
  await reader.drain();
  await append(
    { type: 'static_plan.created', ...about('plan_1'), data: { orderId: 'ord_1' } },
    { type: 'account.closed', ...about('sub_1') },
    // This event waits behind an earlier one of its subject that waits.
    { type: 'static_plan.expired', ...about('plan_1') },
    { type: 'account.verified', ...about('plan_1') },
    { type: 'static_plan.created', ...about('plan_2'), data: { orderId: 'ord_2' } },
  );
  await reader.drain();
  expect(await handled('behind')).toEqual(['ord_2 session.ended', 'plan_2 static_plan.created']);
  expect(await figuresOf('behind')).toMatchObject({ failed: 1, waiting: 3 });
  platform.clock.advance(MINUTE);
  await reader.drain();
  expect(await handled('behind')).toHaveLength(2);
  isBroken = false;
  platform.clock.advance(MINUTE);
  await reader.drain();
  expect((await handled('behind')).slice(2)).toEqual([
    'ord_1 order.paid',
    'plan_1 static_plan.created',
    'sub_1 account.closed',
    'plan_1 static_plan.expired',
  ]);
  expect(await lettersOf('behind')).toEqual([]);
});

test('one that fails at its commit is found and set aside like any other', async () => {
  const reader = await start('commit', ({ subject }) => subject === 'unbalanced' && 'at commit');
  await append('good', 'unbalanced', 'fine');
  await reader.drain();
  expect(await handled('commit')).toEqual(['good session.ended', 'fine session.ended']);
  expect(await lettersOf('commit')).toMatchObject([{ event: { subject: 'unbalanced' }, error: expect.stringContaining('has no entries') }]);
});

test('it is tried again later and later, at most a quarter of an hour apart, and when somebody asks for it', async () => {
  let tries = 0;
  const reader = await start('again', ({ subject }) => subject === 'never' && ++tries > 0);
  await append('never');
  await reader.drain();
  // Tried in its batch, then alone, then once more at once, by when a deadlock would be over.
  expect(tries).toBe(3);
  await reader.drain();
  expect(tries).toBe(3);
  for (const [wait, expected] of [
    [999, 3],
    [1, 4],
    [SECOND, 4],
    [SECOND, 5],
    [4 * SECOND, 6],
  ] as const) {
    platform.clock.advance(wait);
    await reader.drain();
    expect(tries).toBe(expected);
  }
  expect([backOff(10), backOff(12), backOff(1_000)]).toEqual([256 * SECOND, 15 * MINUTE, 15 * MINUTE]);
  const [letter] = await lettersOf('again');
  expect(await redrive(em(), letter?.position ?? null, platform.clock.now())).toMatchObject([{ event: { subject: 'never' } }]);
  await reader.drain();
  expect(tries).toBe(7);
});

test('when all fail, all are kept in their order and come again', async () => {
  let isBroken = true;
  const reader = await start('all', ({ subject }) => subject.startsWith('all') && isBroken);
  const facts = Array.from({ length: 450 }, (_, index) => ({ subject: `all ${index % 50}`, count: index }));
  await append(...facts.map(({ subject, count }) => ({ type: 'session.all_ended' as const, ...about(subject), data: { count } })));
  await reader.drain();
  expect(await figuresOf('all')).toMatchObject({ unread: 0, failed: 50, waiting: 400 });
  isBroken = false;
  await redrive(em(), null, platform.clock.now());
  await reader.drain();
  const seen = (await handled('all')).filter((what) => what.startsWith('all'));
  expect(seen.toSorted()).toEqual(facts.map(({ subject, count }) => `${subject} session.all_ended ${count}`).toSorted());
  const ofOne = (all: string[]) => all.filter((what) => what.startsWith('all 7 '));
  expect(ofOne(seen)).toEqual(ofOne(facts.map(({ subject, count }) => `${subject} session.all_ended ${count}`)));
});

test('figures tell how far a reader is behind, and readiness follows them', async () => {
  const gate = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  const reader = await start('slow', ({ subject }) => {
    if (subject !== 'heavy') return false;
    begun.resolve();
    return gate.promise;
  });
  await append('heavy');
  platform.clock.advance(59 * SECOND);
  await append('light');
  await begun.promise;
  expect(await figuresOf('slow')).toMatchObject({ unread: expect.any(Number), lagMs: 59 * SECOND });
  const slow = async () => readersAreCurrent((await platform.readers()).filter((each) => each.reader === 'slow'));
  expect(await slow()).toBe(true);
  platform.clock.advance(SECOND);
  expect(await slow()).toBe(false);
  expect(await platform.metrics.registry.metrics()).toContain('egress_reader_lag_seconds{reader="slow"} 60');
  gate.reject(new Error('at last'));
  await reader.drain();
  expect(await slow()).toBe(true);
  expect(await platform.metrics.registry.metrics()).toMatch(/egress_reader_dead_letters\{reader="slow"\} 1\n/);
});

test('a live listener that fails takes no events from the others', async () => {
  const seen: string[] = [];
  await platform.feed.drain();
  const stops = [
    platform.feed.subscribe({ types: ['account.closed'] }, () => {
      throw new Error('a broken page');
    }),
    platform.feed.subscribe({ types: ['account.closed'] }, ({ subject }) => seen.push(subject)),
  ];
  await append({ type: 'account.closed', ...about('one') }, { type: 'account.closed', ...about('two') });
  await platform.feed.drain();
  for (const stop of stops) stop();
  expect(seen).toEqual(['one', 'two']);
});
