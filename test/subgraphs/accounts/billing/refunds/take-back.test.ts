// Refunds that also take back what was delivered, and subscriptions that support ends.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { actsOf, eventsOf, rowOf, tell } from '../../../../kit/tables.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';
import type { Person } from '../world.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startSubscriptions());
let people = 0;
const someone = (): Promise<Person> => world.account(`taken${++people}@example.com`);

const refund = (orderId: string, service: string, more: object = {}) =>
  world.ask(desk.viewer, 'mutation ($input: SupportOrderRefundInput!) { supportOrderRefund(input: $input) { id status } }', {
    input: { orderId, destination: 'CREDIT', reason: 'It did not work.', service, idempotencyKey: world.newKey(), ...more },
  });
const end = (id: string, atPeriodEnd: boolean, by = desk, reason = 'As you wrote.') =>
  world.ask(
    by.viewer,
    'mutation ($id: ID!, $atPeriodEnd: Boolean!, $reason: String!) { supportSubscriptionEnd(id: $id, atPeriodEnd: $atPeriodEnd, reason: $reason) { status cancelAtPeriodEnd } }',
    { id, atPeriodEnd, reason },
  );
const orderOf = (id: string) => rowOf<{ status: string }>(world.query, 'accounts.customer_order', { id }, { columns: 'status' });
/** Tells, as the seller, that an order was delivered. */
async function deliver(orderId: string, accountId: string): Promise<void> {
  await tell(world.query, 'fulfilment.delivered', accountId, 'thing_1', { orderId });
  await world.subgraph.reader.drain();
}

test('a package that is refunded whole and ended now is taken back: its seller hears of it once, and the order is over', async () => {
  const ada = await someone();
  const { id } = await world.buy(ada);
  await deliver(id, ada.id);
  const key = world.newKey();
  expect(codeOf(await refund(id, 'END_AT_PERIOD_END'))).toBe('action_not_allowed');
  for (let round = 0; round < 2; round++) expect(codeOf(await refund(id, 'END_NOW', { idempotencyKey: key }))).toBeUndefined();
  expect(await orderOf(id)).toEqual({ status: 'REFUNDED' });
  const withdrawn = await eventsOf(world.query, id, 'order.withdrawn');
  expect(withdrawn).toMatchObject([{ data: { seller: 'residential' } }]);
  expect(await world.subjects(ada)).toContain('Taken back: Premium, 5 GB');
  expect(await actsOf(world.query, ada.id)).toContain('SUPPORT order.withdrawn');
});

test('left as it is, or refunded in part, it stays delivered', async () => {
  const bea = await someone();
  const { id } = await world.buy(bea);
  await deliver(id, bea.id);
  expect(codeOf(await refund(id, 'LEAVE', { amountMinor: 100 }))).toBeUndefined();
  expect(codeOf(await refund(id, 'END_NOW', { amountMinor: 100 }))).toBeUndefined();
  expect(await orderOf(id)).toEqual({ status: 'FULFILLED' });
});

test('a subscription that is refunded ends now, with its period, or not at all, and is not charged again', async () => {
  const [now, later, left] = [await someone(), await someone(), await someone()];
  const bought = [];
  for (const person of [now, later, left]) {
    const { id, order } = await world.subscribe(person);
    await deliver(order.id, person.id);
    bought.push({ id, orderId: order.id });
  }
  const [a, b, c] = bought as [(typeof bought)[0] & object, (typeof bought)[0] & object, (typeof bought)[0] & object];
  expect(codeOf(await refund(a.orderId, 'END_NOW'))).toBeUndefined();
  expect(codeOf(await refund(b.orderId, 'END_AT_PERIOD_END'))).toBeUndefined();
  expect(codeOf(await refund(c.orderId, 'LEAVE'))).toBeUndefined();
  expect(await world.row(a.id)).toMatchObject({ status: 'CANCELED', end_reason: 'REFUNDED' });
  expect(await world.row(b.id)).toMatchObject({ status: 'ACTIVE', cancel_at_period_end: true });
  expect(await world.row(c.id)).toMatchObject({ status: 'ACTIVE', cancel_at_period_end: false });
  expect([await orderOf(a.orderId), await orderOf(b.orderId)]).toEqual([{ status: 'REFUNDED' }, { status: 'FULFILLED' }]);
  expect((await world.subjects(later)).at(-1)).toMatch(/^Ends on \d{4}-\d\d-\d\d: VPS Plank$/);
  const paid = () => world.sandbox.card.charges().filter((charge) => charge.paid).length;
  const before = paid();
  await world.toPeriodEnd(b.id);
  await world.pass(DAY);
  // The other subscription renews from the credit that the refund gave.
  expect([(await world.row(b.id)).status, paid() - before, (await world.orders(c.id)).length]).toEqual(['CANCELED', 0, 2]);
});

test('an order that is not delivered is taken back whole or not at all', async () => {
  const cleo = await someone();
  const { id } = await world.buy(cleo);
  expect(codeOf(await refund(id, 'END_NOW', { amountMinor: 100 }))).toBe('action_not_allowed');
  expect(codeOf(await refund(id, 'END_NOW'))).toBeUndefined();
  expect(await orderOf(id)).toEqual({ status: 'REFUNDED' });
  expect(await eventsOf(world.query, id, 'order.withdrawn')).toEqual([]);
});

test('support ends a subscription at once or with its period, with a renewal that waits, once, and never its own', async () => {
  const dora = await someone();
  const { id } = await world.subscribe(dora);
  expect(dataOf(await end(id, true), 'supportSubscriptionEnd')).toEqual({ status: 'ACTIVE', cancelAtPeriodEnd: true });
  expect(codeOf(await end(id, true))).toBe('action_not_allowed');
  const outcomes = await Promise.all([end(id, false), end(id, false)]);
  expect(outcomes.map(codeOf).sort()).toEqual(['action_not_allowed', undefined]);
  expect((await world.facts(id)).filter((fact) => fact === 'ended')).toHaveLength(1);
  expect(await actsOf(world.query, dora.id)).toContain('SUPPORT subscription.ended_by_support');
  expect((await world.subjects(dora)).filter((subject) => subject === 'Ended: VPS Plank')).toHaveLength(1);

  const owed = await someone();
  const { id: owing } = await world.subscribe(owed);
  const { card_id: card } = await world.row(owing);
  world.sandbox.card.behave(card ?? '', '4000000000000341');
  await world.toPeriodEnd(owing);
  expect(codeOf(await end(owing, false))).toBeUndefined();
  await world.rest();
  const [, renewal] = await world.orders(owing);
  expect([(await world.row(owing)).status, renewal?.status]).toEqual(['CANCELED', 'CANCELLED']);

  expect(codeOf(await end('sub_none', false))).toBe('subscription_not_found');
  expect(codeOf(await end(owing, false, desk, ' '))).toBe('parameter_invalid');
  const own = await world.subscribe({ ...desk, viewer: { ...desk.viewer, staff: false } as typeof desk.viewer });
  expect(codeOf(await end(own.id, false))).toBe('own_account_refused');
});

test('the desk reads how many days of a period are used', async () => {
  const eva = await someone();
  const { order } = await world.subscribe(eva);
  world.clock.advance(2.5 * DAY);
  const query = 'query ($id: ID!) { supportOrder(id: $id) { subscription { daysUsed daysInPeriod } } }';
  const { subscription } = dataOf<{ subscription: { daysUsed: number; daysInPeriod: number } }>(
    await world.ask(desk.viewer, query, { id: order.id }),
    'supportOrder',
  );
  expect(subscription.daysUsed).toBe(3);
  expect(subscription.daysInPeriod).toBeGreaterThanOrEqual(28);
});
