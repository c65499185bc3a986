// Products made by hand are delivered hours or days after the payment: nobody pays for that time.
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { dataOf } from '../../world.ts';
import { eventsOf } from '../../../../kit/tables.ts';
import { expectInvariants } from '../invariants.ts';
import type { Person } from '../world.ts';
import { openRenewing, someone, world } from '../renewals/renewing.ts';

openRenewing();

const deliver = async ({ id: accountId }: Person, orderId: string) => {
  const event = { type: 'fulfilment.delivered' as const, at: world.clock.now(), accountId, subject: `vps_${orderId}`, data: { orderId } };
  await appendEvents(world.context().em, event);
  await world.subgraph.reader.drain();
  await world.rest();
};
const lengthOf = ({ current_period_start: start, current_period_end: end }: { current_period_start: Date; current_period_end: Date }) =>
  end.getTime() - start.getTime();

test('a server that is delivered two days after its payment is paid from then on, and renews that much later', async () => {
  const ada = await someone();
  const { id, order } = await world.subscribe(ada);
  const before = await world.row(id);
  await world.pass(2 * DAY, 6 * HOUR);
  await deliver(ada, order.id);
  const row = await world.row(id);
  expect(row.current_period_start).toEqual(new Date(Math.floor(world.clock.now().getTime() / 1_000) * 1_000));
  expect(row.current_period_start.getTime() - before.current_period_start.getTime()).toBeGreaterThanOrEqual(2 * DAY);
  expect(lengthOf(row)).toBeGreaterThanOrEqual(28 * DAY);
  const [begun] = await eventsOf(world.query, id, 'subscription.begun');
  expect(begun).toBeDefined();
  const shown = dataOf<object>(
    await world.ask(ada.viewer, 'query ($id: ID!) { order(id: $id) { periodStart periodEnd } }', { id: order.id }),
    'order',
  );
  expect(shown).toEqual({ periodStart: row.current_period_start.toISOString(), periodEnd: row.current_period_end.toISOString() });
  const live = world.sandbox.card
    .subscriptions()
    .filter(({ metadata, status }) => metadata['subscription_id'] === id && status === 'active');
  expect(live.map(({ items }) => items.data[0]?.current_period_end)).toEqual([row.current_period_end.getTime() / 1_000]);
  await deliver(ada, order.id);
  expect(await world.row(id)).toMatchObject({ current_period_end: row.current_period_end });
  world.clock.set(new Date(before.current_period_end.getTime() + HOUR));
  await world.rest();
  expect(await world.orders(id)).toHaveLength(1);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', current_period_start: row.current_period_end });
  await expectInvariants(world, 'delivered late');
});

test('what is delivered within minutes is paid from its payment on', async () => {
  const ben = await someone();
  const { id, order } = await world.subscribe(ben);
  const before = await world.row(id);
  world.clock.advance(3 * MINUTE);
  await deliver(ben, order.id);
  expect(await world.row(id)).toEqual(before);
});

test('what a change gives back in the days after the period of the invoice comes from that invoice', async () => {
  const cleo = await someone();
  const { id, order } = await world.subscribe(cleo);
  const { current_period_end: printed } = await world.row(id);
  await world.pass(2 * DAY, 6 * HOUR);
  await deliver(cleo, order.id);
  world.clock.set(new Date(printed.getTime() + DAY));
  const row = await world.row(id);
  await world.change(
    cleo,
    id,
    { lines: [{ label: 'Less', quantity: 1, amountMinor: 1_000 }], basedOn: row.version },
    { lines: [], creditMinor: 20 },
  );
  await world.rest();
  expect(await world.balance(cleo)).toBe(20);
});
