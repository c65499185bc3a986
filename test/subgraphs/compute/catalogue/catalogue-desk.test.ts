// The catalogue of servers at the desk: changes hold for new servers, and a running server keeps the prices at which it was sold.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionOf } from '../../../kit/platform.ts';
import { rowOf } from '../../../kit/tables.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

let world: ComputeWorld;
beforeAll(async () => {
  world = await startCompute();
});
afterAll(() => world.close());

const set = async (item: string, field: string, value: string) => {
  const { data, errors } = await world.ask(
    sessionOf('acct_desk', true),
    'mutation ($item: String!, $field: String!, $value: String!) { supportComputeCatalogueSet(item: $item, field: $field, value: $value, reason: "a test") { value } }',
    { item, field, value },
  );
  return (data as any)?.supportComputeCatalogueSet.value ?? errors?.[0]?.extensions['reasonCode'];
};
const offer = async (plan = 'PLANK', os = 'DEBIAN_12') => {
  const { data, errors } = await world.ask(
    sessionOf('acct_new'),
    `{ vpsOffer(plan: ${plan}, months: 1, os: ${os}, extraIpv4: 1, backups: true) { subtotal { amountMinor } } }`,
  );
  return (data as any)?.vpsOffer.subtotal.amountMinor ?? errors?.[0]?.extensions['code'];
};

test('plans and extras have their own prices; a running server keeps its purchase’s prices, also for later additions', async () => {
  const { id, orderId } = await world.built();
  expect((await rowOf<{ priced_at: Date | null }>(world.query, 'compute.server', { order_id: orderId }))?.priced_at).toBeInstanceOf(Date);
  expect(await offer()).toBe(3_200 + 145 + 500);
  expect(await set('vps.PLANK', 'prices', '1: 40.00, 3: 39.00, 6: 38.00')).toBe('1: 40.00, 3: 39.00, 6: 38.00');
  expect(await set('vps.extraIpv4', 'price', '2.00')).toBe('2.00');
  expect(await set('vps.backups', 'price', '6.00')).toBe('6.00');
  expect(await offer()).toBe(4_000 + 200 + 600);
  const { subscription } = await world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 1`);
  expect(subscription?.lines.map(({ amountMinor }) => amountMinor)).toEqual([3_200, 145]);
});

test('only the periods on sale are offered', async () => {
  expect(await set('vps.PLANK', 'prices', '1: 40.00, 3: 39.00')).toBe('catalogue_steps_fixed');
  expect(await set('dedicated.CURIE', 'prices', '1: 40.00, 3: 39.00, 6: 38.00, 12: 30.00')).toBe('catalogue_steps_fixed');
  expect(await set('dedicated.CURIE', 'cores', '24')).toBe('24');
});

test('plans and systems no longer sold cannot be bought, nor can a plan be upgraded to one', async () => {
  const { id } = await world.built();
  await set('vps.EINSTEIN', 'sold', 'false');
  await set('systems.DEBIAN_12', 'sold', 'false');
  expect(await offer('EINSTEIN', 'DEBIAN_13')).toBe('not_sold');
  expect(await offer('PLANK', 'DEBIAN_12')).toBe('not_sold');
  expect(await offer('PLANK', 'DEBIAN_13')).toBe(4_800);
  await expect(world.change('vpsUpgradeOffer', `id: "${id}", plan: EINSTEIN`)).rejects.toThrow('not sold');
  const { data } = await world.ask(sessionOf('acct_new'), '{ vpsPlans { code } dedicatedPlans { code cores } }');
  expect(data).toMatchObject({
    vpsPlans: [{ code: 'PLANK' }, { code: 'BROGLIE' }],
    dedicatedPlans: [{}, {}, { code: 'CURIE', cores: 24 }],
  });
});
