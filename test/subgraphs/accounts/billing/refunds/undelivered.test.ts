// Paid orders that cannot be delivered: what has not been refunded yet is given back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf } from '../../world.ts';
import { type SubscriptionWorld, LINE, startSubscriptions } from '../subscriptions/subscription-world.ts';
import type { Person } from '../world.ts';
import type { EventType } from '#platform/events.ts';
import { tell as tellOf } from '../../../../kit/tables.ts';

let world: SubscriptionWorld;
let desk: Person;
beforeAll(async () => {
  world = await startSubscriptions();
  desk = await world.account('desk@example.com', 'STAFF');
});
afterAll(() => world.close());

const tell = (type: string, { id }: Person, subject: string, data: object) =>
  tellOf(world.query, type as EventType, id, subject, data as never);
const cannotDeliver = (owner: Person, orderId: string) =>
  tell('compute_dedicated.failed', owner, `ded_of_${orderId}`, { orderId, reason: 'no machine' });

test('after a partial refund what is left goes back, and the orders of others are delivered all the while', async () => {
  const ada = await world.account('ada@example.com');
  const ben = await world.account('ben@example.com');
  const { id, order } = await world.subscribe(ada);
  const other = await world.subscribe(ben);
  await world.refund(desk.viewer, { orderId: order.id, destination: 'CARD', amountMinor: 1_000 });
  await cannotDeliver(ada, order.id);
  await tell('compute_dedicated.delivered', ben, 'ded_2', { orderId: other.order.id });
  await world.subgraph.reader.drain();
  await world.rest();
  expect(await world.row(id)).toMatchObject({ status: 'CANCELED', end_reason: 'NOT_DELIVERED' });
  expect(await world.orders(id)).toMatchObject([{ status: 'REFUNDED' }]);
  expect(await world.orders(other.id)).toMatchObject([{ status: 'FULFILLED' }]);
  expect(world.sandbox.card.refunds().map(({ amount }) => amount)).toEqual([1_000, 699]);
  const [, letter] = await world.mailed('ada@example.com');
  expect(letter).toMatchObject({ subject: 'We could not deliver: VPS Plank', text: expect.stringContaining('6.99 USD') });
  expect((await world.platform.readers()).find(({ reader }) => reader === 'accounts')).toMatchObject({ unread: 0, failed: 0 });
});

test.each([
  ['CREDIT', 1_000, [699], 1_000],
  ['CARD', 1_699, [1_699], 0],
] as const)('after a refund to %s of %i the card gets %j and the account has %i', async (destination, amountMinor, toCard, credit) => {
  const cleo = await world.account(`cleo-${destination}@example.com`);
  const { order } = await world.subscribe(cleo);
  const before = world.sandbox.card.refunds().length;
  expect(codeOf(await world.refund(desk.viewer, { orderId: order.id, destination, amountMinor }))).toBeUndefined();
  await cannotDeliver(cleo, order.id);
  await cannotDeliver(cleo, order.id);
  await world.subgraph.reader.drain();
  await world.rest();
  expect(
    world.sandbox.card
      .refunds()
      .slice(before)
      .map(({ amount }) => amount),
  ).toEqual(toCard);
  expect(await world.balance(cleo)).toBe(credit);
});

test('when a change has given back all of it already, the order is over without more money', async () => {
  const dora = await world.account('dora@example.com');
  const { id, order } = await world.subscribe(dora);
  await world.change(dora, id, { lines: [{ ...LINE, amountMinor: 1 }], basedOn: 1 }, { lines: [], creditMinor: 1_699 });
  expect(await world.balance(dora)).toBe(1_699);
  await cannotDeliver(dora, order.id);
  await world.subgraph.reader.drain();
  await world.rest();
  expect((await world.orders(id))[0]).toMatchObject({ status: 'REFUNDED' });
  expect(await world.row(id)).toMatchObject({ status: 'CANCELED', end_reason: 'NOT_DELIVERED' });
  expect(await world.balance(dora)).toBe(1_699);
});
