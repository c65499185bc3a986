// Two clusters at two locations: customers choose where their VPS is.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { openOffer } from '#commerce/offers.ts';
import { memoryOf } from '../../../../sandbox/hypervisor/state.ts';
import { stall } from '../../../../sandbox/stall.ts';
import { changeCluster, pauseCluster, removeCluster } from '../../../../subgraphs/compute/machines/services/clusters.ts';
import { reconcileMachines } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { rowOf, setRows } from '../../../kit/tables.ts';
import { type SecondCluster, addVienna, startSecondCluster } from '../second-cluster.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

const owner = sessionOf('acct_owner');
let world: ComputeWorld;
let vienna: SecondCluster;
beforeAll(async () => {
  // Two machines of the smallest plan, or one of the largest, fit on each node.
  const room = { memoryReserveGb: memoryOf('fra1') / 1_024 - 32, cpuRatio: 4, diskRatio: 1 };
  world = await startCompute({ timeoutMs: 800, last: '127.80.0.80', room });
  vienna = await startSecondCluster(world);
  await addVienna(world, vienna);
});
afterAll(async () => {
  await world.close();
  await vienna.close();
});
const clusters = () => [world.hypervisor, vienna.hypervisor];
const run = (seconds = 2_400) =>
  world.carryOn(seconds, { step: 2, tick: () => Promise.all(clusters().map((hypervisor) => hypervisor.tick())) });
const rowOfOrder = (orderId: string) =>
  rowOf<{ id: string; node: string | null; status: string; location: string | null }>(
    world.query,
    'compute.server',
    { order_id: orderId },
    { columns: 'id, node, status, location' },
  );
const shown = async (orderId: string) => {
  const { server } = await world.must<{ server: { location: string | null } }>(
    owner,
    `{ server(id: "${(await rowOfOrder(orderId))?.id}") { ... on Vps { location } } }`,
  );
  return server.location;
};
const locations = async (args = '') =>
  (await world.must<{ vpsLocations: { name: string; plans: string[] }[] }>(owner, `{ vpsLocations${args} { name plans } }`)).vpsLocations;
const asked = (args: string) => world.ask(owner, `{ vpsOffer(plan: PLANK, months: 1, os: DEBIAN_12${args}) { token title } }`);
const ALL = ['PLANK', 'BROGLIE', 'EINSTEIN'];

beforeEach(async () => {
  await setRows(world.query, 'compute.server', { status: 'REMOVED' });
  for (let round = 0; round < 4; round++) {
    await reconcileMachines(world.context());
    await run();
    world.clock.advance(5 * MINUTE);
  }
  expect(clusters().map((hypervisor) => hypervisor.machines().length)).toEqual([0, 0]);
});

test('a VPS is built at the location that is named, and says so before and after', { timeout: 180_000 }, async () => {
  expect(await locations()).toEqual([
    { name: 'Frankfurt', plans: ALL },
    { name: 'Vienna', plans: ALL },
  ]);
  const there = [await world.order({ location: 'vienna' }), await world.order({ location: ' Vienna ' })];
  const here = [await world.order({ location: 'Frankfurt' }), await world.order({ location: 'FRANKFURT' })];
  const [first = ''] = there;
  expect([await shown(first), (await rowOfOrder(first))?.node]).toEqual(['Vienna', null]);
  expect(await run()).toBe(0);
  for (const orderId of there) {
    expect(await rowOfOrder(orderId)).toMatchObject({ status: 'ACTIVE', node: expect.stringMatching(/^vienna\//) });
    expect(await shown(orderId)).toBe('Vienna');
  }
  for (const orderId of here) {
    expect(await rowOfOrder(orderId)).toMatchObject({ status: 'ACTIVE', node: expect.stringMatching(/^fra\d$/) });
    expect(await shown(orderId)).toBe('Frankfurt');
  }
});

test('who names none gets one that has room, also by an offer of an earlier release', { timeout: 180_000 }, async () => {
  const { data } = await asked('');
  const { token, title } = (data as { vpsOffer: { token: string; title: string } }).vpsOffer;
  expect(title).toBe('VPS Plank, Debian 12, 1 month');
  const { location: _, ...fulfil } = openOffer(token, 'acct_owner', world.platform.secrets.offers, world.clock).fulfil;
  const orders = [await world.pay(fulfil), await world.order()];
  expect(await shown(orders[0] ?? '')).toBeNull();
  expect(await run()).toBe(0);
  for (const orderId of orders) {
    expect(await rowOfOrder(orderId)).toMatchObject({ status: 'ACTIVE', location: null });
    expect(['Frankfurt', 'Vienna']).toContain(await shown(orderId));
  }
});

test('a cluster that was just added is sold at once', async () => {
  await removeCluster(world.context(), 'vienna');
  expect(await locations()).toEqual([{ name: 'Frankfurt', plans: ALL }]);
  await addVienna(world, vienna);
  expect((await locations()).at(-1)).toEqual({ name: 'Vienna', plans: ALL });
});

test('an offer names its location; an unknown or paused one is refused with those that there are', async () => {
  expect(await asked(', location: "vienna"')).toMatchObject({ data: { vpsOffer: { title: 'VPS Plank, Debian 12, Vienna, 1 month' } } });
  const refused = async (location: string) => (await asked(`, location: "${location}"`)).errors?.[0]?.extensions;
  expect(await refused('Paris')).toMatchObject({ code: 'parameter_invalid', field: 'location', allowed: ['Frankfurt', 'Vienna'] });
  await pauseCluster(world.context(), 'vienna', true);
  expect(await refused('Vienna')).toMatchObject({ code: 'parameter_invalid', field: 'location', allowed: ['Frankfurt'] });
  expect(await locations()).toEqual([{ name: 'Frankfurt', plans: ALL }]);
  await pauseCluster(world.context(), 'vienna', false);
});

test(
  'what does not fit at one location is refused before it is paid, and goes on being sold at the other',
  { timeout: 180_000 },
  async () => {
    for (let each = 0; each < 3; each++) await world.order({ location: 'Vienna' });
    expect(await run()).toBe(0);
    expect(await locations()).toEqual([
      { name: 'Frankfurt', plans: ALL },
      { name: 'Vienna', plans: ['PLANK'] },
    ]);
    for (let each = 0; each < 3; each++) await world.order({ location: 'Vienna' });
    expect(await run()).toBe(0);
    expect((await locations('(os: DEBIAN_12, extraIpv4: 1)'))[1]).toEqual({ name: 'Vienna', plans: [] });
    const full = await asked(', location: "Vienna"');
    expect(full.errors?.[0]?.extensions).toMatchObject({ code: 'out_of_stock', field: 'location' });
    expect((await asked(', location: "Frankfurt"')).errors).toBeUndefined();
    expect(vienna.hypervisor.machines()).toHaveLength(6);
  },
);

test('a location without addresses for the order has no room for it', async () => {
  await changeCluster(world.context(), 'vienna', { addresses: '127.82.0.10-127.82.0.11/16', gateway: '127.82.0.1' });
  expect((await locations('(extraIpv4: 2)')).map(({ name, plans }) => [name, plans.length])).toEqual([
    ['Frankfurt', 3],
    ['Vienna', 0],
  ]);
  expect((await asked(', extraIpv4: 2, location: "Vienna"')).errors?.[0]?.extensions).toMatchObject({
    code: 'out_of_stock',
    field: 'location',
  });
  await changeCluster(world.context(), 'vienna', { addresses: '127.82.0.10-127.82.0.60/16', gateway: '127.82.0.1' });
});

test('user data is taken where the chosen location has snippets', async () => {
  const userData = ', userData: "#cloud-config"';
  expect((await asked(`${userData}, location: "Frankfurt"`)).errors).toBeUndefined();
  const book = world.context().providers.datacenter?.clusters;
  const [, there] = (await book?.all()) ?? [];
  delete there?.terms.snippets;
  expect((await asked(`${userData}, location: "Frankfurt"`)).errors).toBeUndefined();
  for (const location of [', location: "Vienna"', ''])
    expect((await asked(userData + location)).errors?.[0]?.extensions).toMatchObject({ code: 'parameter_invalid', field: 'userData' });
  await changeCluster(world.context(), 'vienna', { snippets: vienna.terms.snippets });
});

describe('a location that does not answer', () => {
  test('is waited for: the server of one who has chosen it is built nowhere else', { timeout: 300_000 }, async () => {
    const orderId = await world.order({ location: 'Vienna' });
    const free = await world.order();
    await run(6);
    stall(vienna.hypervisor.url, 'silent');
    try {
      for (let minute = 0; minute < 5; minute++) {
        await reconcileMachines(world.context()).catch(() => {});
        await run(MINUTE / SECOND);
      }
      expect(await rowOfOrder(orderId)).toMatchObject({ status: 'BUILDING' });
      expect(await rowOfOrder(free)).toMatchObject({ status: 'ACTIVE', node: expect.stringMatching(/^fra\d$/) });
    } finally {
      stall(vienna.hypervisor.url, undefined);
    }
    expect(await run()).toBe(0);
    expect(await rowOfOrder(orderId)).toMatchObject({ status: 'ACTIVE', node: expect.stringMatching(/^vienna\//) });
  });
});

test('a location that gets another name takes those along who wait for it', { timeout: 180_000 }, async () => {
  const orderId = await world.order({ location: 'Vienna' });
  await changeCluster(world.context(), 'vienna', { location: 'Wien' });
  expect(await shown(orderId)).toBe('Wien');
  expect(await run()).toBe(0);
  expect(await rowOfOrder(orderId)).toMatchObject({ status: 'ACTIVE', node: expect.stringMatching(/^vienna\//) });
  await changeCluster(world.context(), 'vienna', { location: 'Vienna' });
  expect(await shown(orderId)).toBe('Vienna');
});
