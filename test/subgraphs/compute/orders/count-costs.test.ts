// What servers have cost: to the second that each was there, with its extras, told once a day.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobs } from '../../../../subgraphs/compute/jobs.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { eventsOf } from '../../../kit/tables.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

let world: ComputeWorld;
beforeAll(async () => {
  world = await startCompute();
  // What a month of 31 days costs: a cent a day for each part.
  for (const item of ['vps.PLANK', 'vps.extraIpv4', 'vps.backups'])
    await world.must(
      sessionOf('acct_desk', true),
      `mutation { supportComputeCatalogueSet(item: "${item}", field: "cost", value: "0.31", reason: "our bill") { value } }`,
    );
});
afterAll(() => world.close());

/** Counts what is due in a night, and tells every day that was ever counted. */
async function toldAt(instant: string) {
  world.clock.set(instant);
  await jobs.find(({ name }) => name === 'compute.costs-count')?.run(world.context(), {}, async () => {});
  const events = await eventsOf<{ day: string; products: object[] }>(world.query, 'compute', 'costs.counted');
  return events.map(({ data: { day, products } }) => ({ day, products }));
}
const countedAt = async (instant: string) => (await toldAt(instant)).at(-1);
const plank = (seconds: number, costMicros: number) => ({
  product: 'PLANK',
  unit: 'SERVER_SECONDS',
  units: String(seconds),
  costMicros: String(costMicros),
});

test('a server costs its part of the month with its extras, from its order to its end', async () => {
  world.clock.set('2027-01-10T12:00:00Z');
  const plain = await world.order();
  await world.order({ extraIpv4: 2, backups: true });
  // Half a day of two servers, of two addresses and of the backups of one.
  expect(await countedAt('2027-01-11T00:41:00Z')).toEqual({
    day: '2027-01-10',
    products: [plank(86_400, 1_000_000 + 1_000_000 + 500_000)],
  });
  world.clock.set('2027-01-11T06:00:00Z');
  await world.tell('subscription.ended', plain);
  // One of them ended a quarter into the day.
  expect(await countedAt('2027-01-12T00:41:00Z')).toEqual({
    day: '2027-01-11',
    products: [plank(86_400 + 21_600, 1_250_000 + 2_000_000 + 1_000_000)],
  });
  expect(await countedAt('2027-01-13T00:41:00Z')).toEqual({
    day: '2027-01-12',
    products: [plank(86_400, 1_000_000 + 2_000_000 + 1_000_000)],
  });
});

test('nights on which the platform was down are caught up with, each day once', async () => {
  const before = (await toldAt('2027-01-13T09:00:00Z')).length;
  world.clock.set('2027-01-14T18:00:00Z');
  await world.order();
  // Three nights are missed, and the fourth until the morning. On its first day the third server was there for a quarter.
  const day = (date: string, seconds: number, costMicros: number) => ({ day: date, products: [plank(seconds, costMicros)] });
  const caughtUp = [
    day('2027-01-13', 86_400, 4_000_000),
    day('2027-01-14', 86_400 + 21_600, 4_000_000 + 250_000),
    day('2027-01-15', 2 * 86_400, 4_000_000 + 1_000_000),
    day('2027-01-16', 2 * 86_400, 4_000_000 + 1_000_000),
  ];
  expect((await toldAt('2027-01-17T08:00:00Z')).slice(before)).toEqual(caughtUp);
  expect((await toldAt('2027-01-17T09:00:00Z')).slice(before)).toEqual(caughtUp);
  expect((await toldAt('2027-01-18T00:41:00Z')).slice(before)).toEqual([...caughtUp, { ...caughtUp[3], day: '2027-01-17' }]);
});

test('no more than ninety days are caught up with', async () => {
  const before = (await toldAt('2027-01-18T00:41:00Z')).length;
  const days = (await toldAt('2027-12-01T00:41:00Z')).slice(before).map(({ day }) => day);
  expect([days.length, days[0], days.at(-1)]).toEqual([90, '2027-09-02', '2027-11-30']);
});
