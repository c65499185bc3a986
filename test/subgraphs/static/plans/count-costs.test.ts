// What sold addresses have cost: to the second that plans held them, told once a day, and again for the days before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR } from '#platform/clock.ts';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { eventsOf, setRows } from '../../../kit/tables.ts';
import { type StaticWorld, startStatic } from '../world.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic();
  await world.stock('datacenter', 10, '10.7');
});
afterAll(() => world.close());

const told = async () =>
  (await eventsOf<{ day: string; products: object[] }>(world.query, 'static', 'costs.counted')).map(({ data: { day, products } }) => ({
    day,
    products,
  }));

test('an address costs its part of the month for the time that it was sold', async () => {
  await world.must(
    sessionOf('acct_desk', true),
    'mutation { supportStaticCatalogueSet(item: "static.datacenter", field: "cost", value: "0.31", reason: "our bill") { value } }',
  );
  await setRows(world.query, 'static.cost_day', { day: '2027-01-09' });
  world.clock.set('2027-01-10T12:00:00Z');
  const id = await world.plan('acct_1', 'datacenter', 2);
  await deliverPlan(world.context(), id);
  world.clock.set('2027-01-11T00:41:00Z');
  await world.platform.queue.runNow('static.costs-count', {});
  // Half a day of two addresses; 31 cents in a month of 31 days are a cent a day.
  expect((await told()).at(-1)).toEqual({
    day: '2027-01-10',
    products: [{ product: 'datacenter', unit: 'ADDRESS_SECONDS', units: '86400', costMicros: '1000000' }],
  });
  await setRows(world.query, 'static.tenure', { ended_at: new Date('2027-01-11T06:00:00Z') }, { plan_id: id });
  world.clock.set('2027-01-12T00:41:00Z');
  await world.platform.queue.runNow('static.costs-count', {});
  const days = (await told()).slice(-3);
  expect(days.map(({ day }) => day)).toEqual(['2027-01-09', '2027-01-10', '2027-01-11']);
  expect(days[2]?.products).toEqual([
    { product: 'datacenter', unit: 'ADDRESS_SECONDS', units: String((2 * 6 * HOUR) / 1_000), costMicros: '500000' },
  ]);
  expect(days[0]?.products).toEqual([]);
});
