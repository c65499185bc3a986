// Which events the log accepts, and what a reaction gets.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { type NewEvent, appendEvents, readEvent } from '#platform/events.ts';
import { silentLog } from '#platform/log.ts';
import { react } from '#platform/reactions.ts';
import { logged } from '../../../kit/events.ts';
import { type TestPlatform, startPlatform } from '../../../kit/platform.ts';
import { rowsOf } from '../../../kit/tables.ts';

let platform: TestPlatform;
let orm: Awaited<ReturnType<typeof openDatabase>>;
const em = () => orm.em.fork() as EntityManager;
beforeAll(async () => {
  platform = await startPlatform();
  orm = await openDatabase({ url: platform.database.url, schema: 'accounts', entities: [], pool: 4, log: silentLog });
});
afterAll(async () => {
  await orm.close();
  await platform.close();
});

const about = (subject: string) => ({ at: platform.clock.now(), accountId: 'acct_1', subject });
const subjects = async () =>
  (await rowsOf<{ subject: string }>(platform.database.query, 'platform.event', {}, { columns: 'subject' })).map((row) => row.subject);
const UNTIL = '2026-11-22T10:00:00.000Z';
const held = (data: object) => ({ type: 'static_stock.held', ...about('ord_1'), data }) as unknown as NewEvent;

test.each<[string, () => NewEvent, RegExp]>([
  ['lacks a field', () => held({ orderId: 'ord_1' }), /static_stock\.held is not as its contract says.*until/s],
  ['has a field of another type', () => held({ orderId: 'ord_1', until: 7 }), /until/],
  ['has a date where an instant is text', () => held({ orderId: 'ord_1', until: new Date(UNTIL) }), /until/],
  ['says more than the contract knows', () => held({ orderId: 'ord_1', until: UNTIL, secret: 'x' }), /secret/],
  ['is of no known type', () => ({ ...held({}), type: 'static_stock.eaten' }) as unknown as NewEvent, /no event static_stock\.eaten/],
])('an event that %s is refused, with what its transaction did', async (_, event, message) => {
  const undone = em().transactional(async (tx) => {
    await appendEvents(tx as EntityManager, { type: 'account.closed', ...about('undone') });
    await appendEvents(tx as EntityManager, event());
  });
  await expect(undone).rejects.toThrow(message);
  expect(await subjects()).not.toContain('undone');
});

test('a reaction is given what the contract reads: instants as dates, and nothing that a later release may have added', () => {
  const event = {
    ...logged({ type: 'static_stock.held', ...about('ord_1'), data: { orderId: 'ord_1', until: UNTIL } }),
    type: 'static_stock.held' as const,
  };
  event.data['added'] = 'later';
  expect(readEvent(event).data).toEqual({ orderId: 'ord_1', until: new Date(UNTIL) });
  expect(() => readEvent({ ...event, data: { orderId: 'ord_1' } })).toThrow('static_stock.held is not as its contract says');
});

test('of several reactions to one event each has its turn, and one without any is nothing to do', async () => {
  const turns: string[] = [];
  const turn =
    (name: string) =>
    async (_: object, { subject }: { subject: string }) =>
      void turns.push(`${name} ${subject}`);
  const reactions = { 'account.closed': [turn('first'), turn('second')], 'session.ended': turn('alone') };
  for (const type of ['account.closed', 'session.ended', 'account.verified'] as const)
    await react(reactions, {}, logged({ type, ...about(type) }));
  expect(turns).toEqual(['first account.closed', 'second account.closed', 'alone session.ended']);
});
