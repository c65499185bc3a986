// What a seller announces of the price of running subscriptions: their owners are told, and later periods cost it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import type { OfferLine } from '#commerce/offers.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { eventsOf } from '../../../../kit/tables.ts';
import { dataOf } from '../../world.ts';
import type { Person } from '../world.ts';
import { LINE, type SubscriptionWorld, startSubscriptions } from './subscription-world.ts';

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions({ TAX_RATES: 'DE=19' });
});
afterAll(() => world.close());

let people = 0;
async function someone(country = 'US'): Promise<Person> {
  const person = await world.account(`repriced${++people}@example.com`);
  await world.moveTo(person, country);
  return person;
}

const at = (amountMinor: number, quantity = 1): OfferLine[] => [{ ...LINE, quantity, amountMinor }];
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * DAY);

/** The seller announces a price of a whole period, from a day on. */
async function announce(
  person: Person,
  id: string,
  {
    lines,
    from = inDays(30),
    linesBefore = [LINE],
    repricingId = 'rep_1',
  }: { lines: OfferLine[]; from?: Date; linesBefore?: OfferLine[]; repricingId?: string },
): Promise<void> {
  const data = { repricingId, appliesFrom: from.toISOString(), linesBefore, lines };
  await appendEvents(world.context().em, { type: 'repricing.announced', at: world.clock.now(), accountId: person.id, subject: id, data });
  await world.subgraph.reader.drain();
  await world.rest();
}

const mails = async ({ email }: Person) => (await world.mailed(email)).filter(({ subject }) => /price/i.test(subject));
const nextOf = async (person: Person, id: string) => {
  const { subscriptions } = dataOf<{
    subscriptions: { id: string; nextPrice: object | null; upcomingRenewal: { total: { amountMinor: number } } }[];
  }>(
    await world.ask(
      person.viewer,
      '{ me { subscriptions { id nextPrice { from amount { amountMinor } } upcomingRenewal { total { amountMinor } } } } }',
    ),
    'me',
  );
  return subscriptions.find((one) => one.id === id);
};
const repricingsTold = async (id: string) =>
  (await eventsOf<{ repricingId?: string }>(world.query, id, 'subscription.renewed')).map(({ data }) => data.repricingId ?? null);

test('the owner is told at once with tax, and the first period from the day on costs it, as the seller is told', async () => {
  const ada = await someone('DE');
  const { id } = await world.subscribe(ada, { taxBasisPoints: 1_900 });
  const { current_period_end: end } = await world.row(id);
  await announce(ada, id, { lines: at(2_000), from: new Date(end.getTime() + DAY) });
  const [mail, ...others] = await mails(ada);
  expect(others).toEqual([]);
  const second = '2026-03-15';
  expect(mail?.subject).toBe(`New price from ${second}: VPS Plank`);
  expect(mail?.text).toContain('cost 23.80 USD instead of 20.22 USD');
  expect(await nextOf(ada, id)).toMatchObject({
    nextPrice: { from: `${second}T12:00:00.000Z`, amount: { amountMinor: 2_000 } },
    upcomingRenewal: { total: { amountMinor: 2_022 } },
  });
  await world.toPeriodEnd(id);
  expect(await nextOf(ada, id)).toMatchObject({ upcomingRenewal: { total: { amountMinor: 2_380 } } });
  await world.toPeriodEnd(id);
  expect((await world.orders(id)).map((order) => Number(order.total_minor))).toEqual([2_022, 2_022, 2_380]);
  expect(world.sandbox.card.charges().at(-1)).toMatchObject({ amount: 2_380, paid: true });
  expect(await world.row(id)).toMatchObject({ lines: at(2_000), status: 'ACTIVE' });
  expect(await repricingsTold(id)).toEqual([null, 'rep_1']);
  expect(await nextOf(ada, id)).toMatchObject({ nextPrice: null, upcomingRenewal: { total: { amountMinor: 2_380 } } });
  await world.toPeriodEnd(id);
  expect((await world.orders(id)).map((order) => Number(order.total_minor)).at(-1)).toBe(2_380);
});

test('repeated and equal announcements mail once; a later one replaces it', async () => {
  const ben = await someone();
  const { id } = await world.subscribe(ben);
  for (const _ of [1, 2]) await announce(ben, id, { lines: at(2_000) });
  expect(await mails(ben)).toHaveLength(1);
  await announce(ben, id, { lines: at(2_100), repricingId: 'rep_2' });
  expect(await mails(ben)).toHaveLength(2);
  await world.pass(40 * DAY, 5 * DAY);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ lines: at(2_100) });
  expect((await repricingsTold(id)).filter(Boolean)).toEqual(['rep_2']);
});

test('a price that is the same is not mailed of, and is told to the seller all the same', async () => {
  const cleo = await someone();
  const { id } = await world.subscribe(cleo);
  await announce(cleo, id, { lines: [{ ...LINE, label: 'Renamed' }], from: inDays(1) });
  await world.toPeriodEnd(id);
  expect([await mails(cleo), await repricingsTold(id)]).toEqual([[], ['rep_1']]);
});

test('a change of the subscription makes it outdated until the seller announces it again', async () => {
  const dora = await someone();
  const { id } = await world.subscribe(dora);
  await announce(dora, id, { lines: at(2_000), from: inDays(1) });
  const order = await world.change(dora, id, { basedOn: 1, lines: at(3_398, 2) });
  await world.pay(order.id);
  await world.rest();
  expect(await nextOf(dora, id)).toMatchObject({ nextPrice: null, upcomingRenewal: { total: { amountMinor: 3_398 } } });
  // What was computed before the seller had heard of the change says nothing of it.
  await announce(dora, id, { lines: at(2_000), from: inDays(1) });
  expect(await nextOf(dora, id)).toMatchObject({ nextPrice: null });
  await world.adjusted();
  await announce(dora, id, { lines: at(4_000, 2), linesBefore: at(3_398, 2), from: inDays(1) });
  expect(await nextOf(dora, id)).toMatchObject({ upcomingRenewal: { total: { amountMinor: 4_000 } } });
  expect((await mails(dora)).map(({ text }) => /cost (\S+) USD/.exec(text)?.[1])).toEqual(['20.00', '40.00']);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ lines: at(4_000, 2) });
});

test('a renewal that was placed before costs what it said', async () => {
  const emil = await someone();
  const id = world.newSubscription();
  const order = dataOf<{ id: string }>(
    await world.ask(emil.viewer, placeOrder('id', 'CRYPTO'), { offer: world.offer(emil.id, world.termsOf({ id })), key: world.newKey() }),
    'orderPlace',
  );
  const checkout = await world.checkoutOf(order.id);
  world.sandbox.crypto.pay(checkout);
  world.sandbox.crypto.confirm(checkout);
  await world.rest();
  await world.pass(26 * DAY, 13 * DAY);
  const asked = (await world.row(id)).renewal_order_id;
  expect(asked).not.toBeNull();
  await announce(emil, id, { lines: at(9_900), from: world.clock.now() });
  const desk = await world.account('desk-repriced@example.com', 'STAFF');
  await world.grant(emil.id, 5_000, desk.viewer);
  await world.rest();
  const orders = await world.orders(id);
  expect(orders.find((order) => order.id === asked)).toMatchObject({ status: 'FULFILLED', credit_minor: '1699' });
  expect([await world.row(id), await repricingsTold(id)]).toMatchObject([{ lines: [LINE] }, [null]]);
});

test('withdrawn, it goes on costing what it did, and the owner is told so', async () => {
  const fay = await someone();
  const { id } = await world.subscribe(fay);
  await announce(fay, id, { lines: at(2_000) });
  const withdraw = async (repricingId: string) => {
    const about = { at: world.clock.now(), accountId: fay.id, subject: id, data: { repricingId } };
    await appendEvents(world.context().em, { type: 'repricing.withdrawn', ...about });
    await world.subgraph.reader.drain();
    await world.rest();
  };
  await withdraw('rep_of_somebody_else');
  expect(await nextOf(fay, id)).toMatchObject({ nextPrice: { amount: { amountMinor: 2_000 } } });
  await withdraw('rep_1');
  await withdraw('rep_1');
  expect((await mails(fay)).map(({ subject }) => subject.split(':')[0])).toEqual([
    expect.stringMatching(/^New price from/),
    'The price stays',
  ]);
  expect(await nextOf(fay, id)).toMatchObject({ nextPrice: null, upcomingRenewal: { total: { amountMinor: 1_699 } } });
});

test('what has ended is told of nothing', async () => {
  const gil = await someone();
  const { id } = await world.subscribe(gil);
  await world.ask(gil.viewer, `mutation { subscriptionCancel(id: "${id}") { id } }`);
  await world.toPeriodEnd(id);
  await announce(gil, id, { lines: at(2_000) });
  expect(await mails(gil)).toEqual([]);
});
