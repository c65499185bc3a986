// Running plans get other prices: announced with notice, computed for each plan, taken over when the first such period is paid.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { eventsOf, rowOf } from '../../../kit/tables.ts';
import { type StaticWorld, startStatic } from '../world.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic();
  await world.stock('isp-northline', 60, '10.8');
});
afterAll(() => world.close());

const desk = sessionOf('acct_desk', true);
const ask = async (query: string, variables: Record<string, unknown> = {}, viewer = desk) => {
  const { data, errors } = await world.ask(viewer, query, variables);
  return { data: data as any, code: errors?.[0]?.extensions['code'], message: errors?.[0]?.message };
};
const price = (value: string) =>
  ask(
    'mutation ($value: String!) { supportStaticCatalogueSet(item: "static.isp-northline", field: "price", value: $value, reason: "dearer") { value } }',
    { value },
  );
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * DAY);
const reprice = (from: Date, item = 'static.isp-northline') =>
  ask(
    'mutation ($item: String!, $from: DateTime!) { supportStaticReprice(item: $item, from: $from, reason: "Carrier") { id item waiting announcedBy } }',
    { item, from: from.toISOString() },
  );
const latest = async () => (await ask('{ supportStaticRepricings { id waiting withdrawnAt } }')).data.supportStaticRepricings;
const announced = async (subscriptionId: string) =>
  (await eventsOf<any>(world.query, subscriptionId, 'repricing.%')).map(({ type, data }) => [
    type.slice('repricing.'.length),
    data.linesBefore?.[0]?.amountMinor,
    data.lines?.[0]?.amountMinor,
  ]);

let orders = 0;
/** Buys a plan with two addresses at the catalogue's price, or at sales' price per address. */
async function buy(accountId: string, perAddressMinor?: number) {
  const offer =
    perAddressMinor === undefined
      ? (await ask('mutation { staticOfferMake(productId: "isp-northline", quantity: 2) { token } }', {}, sessionOf(accountId))).data
          .staticOfferMake
      : (
          await ask(
            'mutation ($accountId: ID!, $minor: Int!) { supportStaticOffer(accountId: $accountId, productId: "isp-northline", quantity: 2, perAddressMinor: $minor, validDays: 3) { token } }',
            { accountId, minor: perAddressMinor },
          )
        ).data.supportStaticOffer;
  const orderId = `ord_repriced_${++orders}`;
  const { subscriptionId } = await world.order('order.paid', offer.token, accountId, orderId);
  const row = await rowOf<{ id: string }>(world.query, 'static.plan', { order_id: orderId });
  await deliverPlan(world.context(), row?.id ?? '');
  world.clock.advance(1_000);
  return { id: row?.id ?? '', subscriptionId, accountId };
}
const unitOf = async (id: string) => (await rowOf<{ unit_minor: number }>(world.query, 'static.plan', { id }))?.unit_minor;
const renewed = ({ subscriptionId, accountId }: { subscriptionId: string; accountId: string }, version: number, repricingId?: string) =>
  world.subscription('renewed', subscriptionId, accountId, {
    version,
    currentPeriodStart: inDays(0),
    currentPeriodEnd: inDays(30),
    ...(repricingId !== undefined && { repricingId }),
  });

test('notice is kept, and only items of running subscriptions have a price to announce', async () => {
  expect(await reprice(inDays(29))).toMatchObject({ code: 'parameter_invalid', message: expect.stringContaining('30 days') });
  expect(await reprice(inDays(31), 'static.nothing')).toMatchObject({ code: 'parameter_invalid' });
  expect(await ask('{ supportStaticRepricings { id } }', {}, sessionOf('acct_any'))).toMatchObject({ code: 'forbidden' });
});

test('every plan at the catalogue price is told once; one of sales and one that was bought later are not', async () => {
  const [one, two, agreed] = [await buy('acct_1'), await buy('acct_2'), await buy('acct_3', 100)];
  await price('3.00');
  const { data } = await reprice(inDays(31));
  expect(data.supportStaticReprice).toMatchObject({ item: 'static.isp-northline', waiting: 2, announcedBy: 'acct_desk' });
  world.clock.advance(1_000);
  const later = await buy('acct_4');
  await world.platform.queue.drain();
  await world.platform.queue.runNow('static.reprice', { id: data.supportStaticReprice.id });
  for (const { subscriptionId } of [one, two]) expect(await announced(subscriptionId)).toEqual([['announced', 480, 600]]);
  for (const { subscriptionId } of [agreed, later]) expect(await announced(subscriptionId)).toEqual([]);
  expect(await latest()).toMatchObject([{ waiting: 2, withdrawnAt: null }]);

  // More addresses are bought at the present price, and the announced one is computed anew.
  const more = await ask(
    'mutation ($id: ID!) { staticPlanOfferMore(id: $id, quantity: 1) { token subtotal { amountMinor } } }',
    { id: one.id },
    sessionOf('acct_1'),
  );
  expect(more.data.staticPlanOfferMore.subtotal.amountMinor).toBe(240);
  await world.order('order.paid', more.data.staticPlanOfferMore.token, 'acct_1', 'ord_more_repriced', {
    version: 2,
    currentPeriodStart: inDays(0),
    currentPeriodEnd: inDays(30),
  });
  expect((await announced(one.subscriptionId)).at(-1)).toEqual(['announced', 720, 900]);

  await renewed(two, 2);
  expect(await unitOf(two.id)).toBe(240);
  await renewed(two, 3, data.supportStaticReprice.id);
  expect(await unitOf(two.id)).toBe(300);
  expect(await latest()).toMatchObject([{ waiting: 1 }]);
  await world.subscription('ended', one.subscriptionId, 'acct_1', {
    version: 3,
    currentPeriodStart: inDays(0),
    currentPeriodEnd: inDays(30),
    reason: 'CANCELLED',
  });
  expect(await latest()).toMatchObject([{ waiting: 0 }]);
});

test('a later price replaces it; withdrawn, nobody waits, and what applies is not withdrawn', async () => {
  const plan = await buy('acct_5');
  const first = (await reprice(inDays(31))).data.supportStaticReprice;
  await world.platform.queue.drain();
  world.clock.advance(1_000);
  await price('3.30');
  const second = (await reprice(inDays(40))).data.supportStaticReprice;
  await world.platform.queue.drain();
  expect((await announced(plan.subscriptionId)).map(([, , minor]) => minor)).toEqual([600, 660]);
  const withdraw = (id: string) => ask('mutation ($id: ID!) { supportStaticRepricingWithdraw(id: $id) { waiting } }', { id });
  expect((await withdraw(second.id)).code).toBeUndefined();
  await world.platform.queue.drain();
  expect((await announced(plan.subscriptionId)).at(-1)?.[0]).toBe('withdrawn');
  expect(await withdraw(second.id)).toMatchObject({ code: 'action_not_allowed' });
  expect(await withdraw('rep_none')).toMatchObject({ code: 'parameter_invalid' });
  world.clock.advance(32 * DAY);
  expect(await withdraw(first.id)).toMatchObject({ code: 'action_not_allowed' });
});
