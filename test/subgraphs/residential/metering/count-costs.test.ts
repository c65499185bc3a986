// What residential traffic has cost: by a seller's gateway at its price, by all else at what the catalogue says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { addRow, deleteRows, eventsOf } from '../../../kit/tables.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world.close());

test('each GB costs what its exit costs, and what is told of a day is every byte of it', async () => {
  await world.must(
    sessionOf('acct_desk', true),
    'mutation { supportResidentialCatalogueSet(item: "residential.PREMIUM", field: "cost", value: "0.40", reason: "our lines") { value } }',
  );
  await addRow(world.query, 'residential.gateway', {
    id: 'dear',
    settings: '{}',
    credentials_sealed: Buffer.from('sealed'),
    enabled: true,
    cost_per_gb_minor: 310,
    created_at: world.clock.now(),
    changed_at: world.clock.now(),
  });
  world.clock.advance(24 * 3_600_000);
  const day = world.clock.now().toISOString().slice(0, 10);
  const plan = await world.plan('acct_1', 'PREMIUM', 50n * GB);
  await world.use(plan, 3n * GB);
  // Of these two GB left by the gateway: nodes tell it with their leases.
  await addRow(world.query, 'residential.usage_entry', {
    source: 'edge-1',
    report_id: 'lease-1',
    line: 0,
    plan_id: plan.id,
    at: world.clock.now(),
    received_at: world.clock.now(),
    up_bytes: 0,
    down_bytes: 2e9,
    exits: JSON.stringify([
      ['dear', '203.0.113.9', 500_000_000, 1_500_000_000],
      ['own-1', null, 0, 7],
    ]),
  });
  await world.use(plan, GB + 1n);
  await world.use(await world.plan('acct_2', 'MOBILE', 5n * GB), GB);
  world.clock.set(new Date(Date.parse(`${day}T00:41:00Z`) + 24 * 3_600_000));
  await world.platform.queue.runNow('residential.costs-count', {});
  const { data } = (await eventsOf<{ day: string; products: object[] }>(world.query, 'residential', 'costs.counted')).at(-1) ?? {};
  expect(data?.day).toBe(day);
  expect(data?.products.toSorted((a: any, b: any) => (a.product < b.product ? -1 : 1))).toEqual([
    { product: 'MOBILE', unit: 'BYTES', units: '1000000000', costMicros: '0' },
    // 2 GB at 3.10, 2 GB and a byte at 0.40.
    { product: 'PREMIUM', unit: 'BYTES', units: '4000000001', costMicros: '700000000' },
  ]);
});

test('a missed night is caught up with, and each day is counted on two more nights for what comes late', async () => {
  const told = async () => (await eventsOf<{ day: string }>(world.query, 'residential', 'costs.counted')).map(({ data: { day } }) => day);
  const night = async (at: string) => {
    const before = (await told()).length;
    world.clock.set(at);
    await world.platform.queue.runNow('residential.costs-count', {});
    return (await told()).slice(before);
  };
  await deleteRows(world.query, 'residential.cost_day');
  await addRow(world.query, 'residential.cost_day', { day: '2028-03-01' });
  expect(await night('2028-03-02T00:41:00Z')).toEqual(['2028-03-01']);
  // Two nights are missed.
  expect(await night('2028-03-05T07:00:00Z')).toEqual(['2028-03-01', '2028-03-02', '2028-03-03', '2028-03-04']);
  expect(await night('2028-03-05T07:10:00Z')).toEqual([]);
  expect(await night('2028-03-06T00:41:00Z')).toEqual(['2028-03-01', '2028-03-02', '2028-03-03', '2028-03-04', '2028-03-05']);
  expect(await night('2028-03-07T00:41:00Z')).toEqual(['2028-03-02', '2028-03-03', '2028-03-04', '2028-03-05', '2028-03-06']);
  expect(await night('2028-03-08T00:41:00Z')).toEqual(['2028-03-05', '2028-03-06', '2028-03-07']);
});
