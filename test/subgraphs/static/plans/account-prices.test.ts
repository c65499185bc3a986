// Prices of one account for addresses: what it orders, what it adds, and what renews.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { eventsOf, rowOf } from '../../../kit/tables.ts';
import { type StaticWorld, startStatic } from '../world.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic({ STAFF_DISCOUNT_LIMIT: '100' });
  await world.stock('datacenter', 80, '10.9');
});
afterAll(() => world.close());

const finance = sessionOf('acct_desk', true);
const ask = async (query: string, variables: Record<string, unknown> = {}, viewer = finance) => {
  const { data, errors } = await world.ask(viewer, query, variables);
  return { data: data as any, code: errors?.[0]?.extensions['code'], message: errors?.[0]?.message };
};
const set = async (accountId: string, value: string, more: { running?: boolean; from?: string } = {}) => {
  const { data, message } = await ask(
    `mutation ($accountId: ID!, $value: String!, $running: Boolean! = false, $from: DateTime) {
      set: supportStaticAccountPriceSet(accountId: $accountId, item: "static.datacenter", value: $value, reason: "volume", running: $running, from: $from) { id } }`,
    { accountId, value, ...more },
  );
  await world.platform.queue.drain();
  if (!data) throw new Error(message);
  return data.set.id as string;
};
const end = async (id: string) => {
  const { code } = await ask('mutation ($id: ID!) { supportStaticAccountPriceEnd(id: $id) { id } }', { id });
  await world.platform.queue.drain();
  return code;
};
const catalogue = (value: string) =>
  ask(
    'mutation ($value: String!) { supportStaticCatalogueSet(item: "static.datacenter", field: "price", value: $value, reason: "moved") { value } }',
    { value },
  );

let orders = 0;
async function buy(accountId: string, quantity = 2) {
  const { data } = await ask(
    'mutation ($quantity: Int!) { staticOfferMake(productId: "datacenter", quantity: $quantity) { token subtotal { amountMinor } renewal { total { amountMinor } } } }',
    { quantity },
    sessionOf(accountId),
  );
  const { token, subtotal, renewal } = data.staticOfferMake;
  const orderId = `ord_priced_${++orders}`;
  const { subscriptionId } = await world.order('order.paid', token, accountId, orderId);
  const row = await rowOf<{ id: string }>(world.query, 'static.plan', { order_id: orderId });
  await deliverPlan(world.context(), row?.id ?? '');
  world.clock.advance(1_000);
  return { id: row?.id ?? '', subscriptionId, accountId, paid: subtotal.amountMinor, renews: renewal.total.amountMinor };
}
type Bought = Awaited<ReturnType<typeof buy>>;
const more = async ({ id, accountId }: Bought) => {
  const { data } = await ask(
    'mutation ($id: ID!) { staticPlanOfferMore(id: $id, quantity: 1) { token subtotal { amountMinor } renewal { total { amountMinor } } } }',
    { id },
    sessionOf(accountId),
  );
  return data.staticPlanOfferMore;
};
const announced = async ({ subscriptionId }: Bought) =>
  (await eventsOf<any>(world.query, subscriptionId, 'repricing.%')).map(({ type, data }) => [
    type.slice('repricing.'.length),
    data.linesBefore?.[0]?.amountMinor,
    data.lines?.[0]?.amountMinor,
  ]);
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * DAY);
const renewed = ({ subscriptionId, accountId }: Bought, version: number, repricingId?: string) =>
  world.subscription('renewed', subscriptionId, accountId, {
    version,
    currentPeriodStart: inDays(0),
    currentPeriodEnd: inDays(30),
    ...(repricingId !== undefined && { repricingId }),
  });
const repricingIdOf = async ({ subscriptionId }: Bought) =>
  (await eventsOf<any>(world.query, subscriptionId, 'repricing.announced')).at(-1)?.data.repricingId as string;
const unitOf = async ({ id }: Bought) => (await rowOf<{ unit_minor: number }>(world.query, 'static.plan', { id }))?.unit_minor;

test('an order, its renewal and more addresses cost the account its own price, also when that is over', async () => {
  const price = await set('acct_own', '12.5%');
  const plan = await buy('acct_own');
  // 1.20 less 12.5 % is 1.05.
  expect(plan).toMatchObject({ paid: 210, renews: 210 });
  expect((await buy('acct_plain')).paid).toBe(240);
  await end(price);
  expect(await buy('acct_own')).toMatchObject({ paid: 240, renews: 240 });
  expect(await more(plan)).toMatchObject({ subtotal: { amountMinor: 105 }, renewal: { total: { amountMinor: 315 } } });
  expect(await unitOf(plan)).toBe(105);
});

test('what runs renews at its own price, unless staff brings it along: without notice, as it gets cheaper', async () => {
  const [plan, other] = [await buy('acct_running'), await buy('acct_bystander')];
  await set('acct_running', '1.10');
  expect(await announced(plan)).toEqual([]);
  await set('acct_running', '1.00', { running: true });
  expect(await announced(plan)).toEqual([['announced', 240, 200]]);
  expect(await announced(other)).toEqual([]);
  expect(await unitOf(plan)).toBe(120);
  await renewed(plan, 2, await repricingIdOf(plan));
  expect(await unitOf(plan)).toBe(100);
  expect((await more(plan)).renewal.total.amountMinor).toBe(300);
});

test('nothing gets dearer by it', async () => {
  const plan = await buy('acct_dearer');
  await set('acct_dearer', '3.00', { running: true });
  expect(await announced(plan)).toEqual([]);
  expect((await buy('acct_dearer')).paid).toBe(600);
});

test('one that begins later is told now, with the day from which it holds', async () => {
  const plan = await buy('acct_ahead');
  const from = inDays(10);
  await set('acct_ahead', '0.90', { running: true, from: from.toISOString() });
  const [event] = await eventsOf<any>(world.query, plan.subscriptionId, 'repricing.announced');
  expect(event?.data).toMatchObject({ appliesFrom: from.toISOString(), lines: [{ amountMinor: 180 }] });
  world.clock.advance(11 * DAY);
  await renewed(plan, 2, event?.data.repricingId);
  expect(await unitOf(plan)).toBe(90);
});

test('ended before the renewal, the plan goes on at what it costs; ended after it, it keeps the price', async () => {
  const [waits, has] = [await buy('acct_waits'), await buy('acct_has')];
  const [first, second] = [await set('acct_waits', '50%', { running: true }), await set('acct_has', '50%', { running: true })];
  await renewed(has, 2, await repricingIdOf(has));
  world.clock.advance(1_000);
  for (const id of [first, second]) expect(await end(id)).toBeUndefined();
  expect((await announced(waits)).map(([what]) => what)).toEqual(['announced', 'withdrawn']);
  expect((await announced(has)).map(([what]) => what)).toEqual(['announced']);
  expect([await unitOf(waits), await unitOf(has)]).toEqual([120, 60]);
  expect((await ask('{ supportStaticRepricings { accountId withdrawnAt } }')).data.supportStaticRepricings.slice(0, 2)).toMatchObject([
    { withdrawnAt: expect.any(String) },
    { withdrawnAt: expect.any(String) },
  ]);
});

test('a price that everybody is told of leaves an account at its own, as long as that holds', async () => {
  await set('acct_keeps', '1.00');
  const [keeps, everybody] = [await buy('acct_keeps'), await buy('acct_everybody')];
  await catalogue('1.50');
  await ask('mutation ($from: DateTime!) { supportStaticReprice(item: "static.datacenter", from: $from, reason: "Energy") { id } }', {
    from: inDays(31).toISOString(),
  });
  await world.platform.queue.drain();
  expect((await announced(everybody)).at(-1)).toEqual(['announced', 240, 300]);
  expect((await announced(keeps)).at(-1)).toEqual(['announced', 200, 200]);
  await catalogue('1.20');
});

test('the customer reads it as their own', async () => {
  await set('acct_reads', '0.99');
  const { data } = await ask('{ staticProducts { id perAddress { amountMinor } ownPrice { until } } }', {}, sessionOf('acct_reads'));
  expect(data.staticProducts.at(-1)).toEqual({ id: 'datacenter', perAddress: { amountMinor: 99 }, ownPrice: { until: null } });
  expect(data.staticProducts[0].ownPrice).toBeNull();
});
