import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#platform/clock.ts';
import { react } from '#platform/reactions.ts';
import { claimOperation } from '../../../../subgraphs/compute/operations/entities/operation.ts';
import { runOperation } from '../../../../subgraphs/compute/provisioning/services/continue-operation.ts';
import { reconcileMachines } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { compute } from '../../../../subgraphs/compute/subgraph.ts';
import { logged } from '../../../kit/events.ts';
import { sessionOf } from '../../../kit/platform.ts';
import type { EndpointName } from '../../../../sandbox/hypervisor/endpoints.ts';
import { HYPERVISOR_FAULTS } from '../../../../sandbox/hypervisor/faults.ts';
import { addressOf } from '../../../../sandbox/hypervisor/life.ts';
import { type ComputeWorld, startCompute } from '../world.ts';
import { rowOf, rowsOf, setRows } from '../../../kit/tables.ts';
import { faultPairs } from '../../../kit/fault-pairs.ts';
import { planFaults } from '../../../kit/faults.ts';

let world: ComputeWorld;
beforeAll(async () => {
  world = await startCompute();
});
afterAll(() => world.close());

/** Checks that no two machines share an address, and that only living servers have machines. */
afterEach(async () => {
  const addresses = world.hypervisor
    .machines()
    .map(addressOf)
    .filter((address) => address !== undefined);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('a paid order becomes a running server in under two minutes, with its plan, its addresses and its owner’s way in', async () => {
  const orderId = await world.order({ extraIpv4: 2 });
  const { id } = await world.server(orderId);
  expect(await world.server(orderId)).toMatchObject({ status: 'BUILDING', login_name: 'ubuntu' });
  expect(await world.run(2 * 60)).toBe(0);
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE', power_state: 'RUNNING' });
  const machine = world.hypervisor.machine(id.replace('_', '-'));
  expect(machine).toMatchObject({ running: true, disk: { gigabytes: 100, contents: { '/etc/os-release': 'ubuntu-24-04' } } });
  expect(machine.config).toMatchObject({ cores: '8', memory: '16384', ciuser: 'ubuntu' });
  const { data } = await world.ask(sessionOf('acct_owner'), `mutation { vpsRevealPassword(id: "${id}") }`);
  expect(machine.users).toEqual({ ubuntu: data?.['vpsRevealPassword'] });
  const shown = await world.ask(
    sessionOf('acct_owner'),
    `{ server(id: "${id}") { ipv4 ... on Vps { os loginName operations { command status progress error { code } } } } }`,
  );
  const { ipv4, ...rest } = (shown.data as Record<string, unknown>)['server'] as { ipv4: string[] };
  expect(ipv4).toHaveLength(3);
  expect(ipv4.map((_, index) => /ip=([\d.]+)/.exec(String(machine.config[`ipconfig${index}`]))?.[1])).toEqual(ipv4);
  expect(rest).toEqual({
    os: 'UBUNTU_24_04',
    loginName: 'ubuntu',
    operations: [{ command: 'BUILD', status: 'SUCCESS', progress: 100, error: null }],
  });
  expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_vps.created']);
});

test('an order announced ten times at once has one server', async () => {
  const fulfil = {
    plan: 'PLANK',
    months: 1,
    os: 'DEBIAN_12',
    hostname: 'same',
    extraIpv4: 0,
    sshKeys: [],
    backups: false,
    userDataSealed: null,
    subscriptionId: 'sub_same',
  };
  await Promise.all(Array.from({ length: 10 }, () => world.pay(fulfil, { orderId: 'ord_same' })));
  expect(await world.run()).toBe(0);
  expect(await rowsOf(world.query, 'compute.server', { order_id: 'ord_same' })).toHaveLength(1);
  expect(await world.orphans()).toEqual([]);
});

test('orders of other sellers are ignored', async () => {
  const before = await rowsOf(world.query, 'compute.server');
  const event = {
    type: 'order.paid' as const,
    at: world.clock.now(),
    accountId: 'acct_1',
    subject: 'ord_other',
    data: { seller: 'residential', fulfil: {}, title: 'A plan' },
  };
  await react(compute.reactions, world.context(), logged(event));
  expect(await rowsOf(world.query, 'compute.server')).toHaveLength(before.length);
});

test('many workers on one build make one machine, and a dead worker’s lease expires', async () => {
  const orderId = await world.order();
  const { id } = await world.server(orderId);
  const operation = await rowOf<{ id: string }>(world.query, 'compute.operation', { server_id: id });
  const operationId = operation?.id ?? '';
  // A worker claims the operation and dies.
  expect(await claimOperation(world.context().em, operationId, world.clock.now())).toBeDefined();
  expect(await runOperation(world.context(), operationId)).toBe('not_due');
  world.clock.advance(61 * SECOND);
  for (let round = 0; round < 60; round++) {
    await Promise.all(Array.from({ length: 4 }, () => runOperation(world.context(), operationId)));
    world.clock.advance(2 * SECOND);
    await world.hypervisor.tick();
  }
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE' });
  expect(world.hypervisor.machines().filter(({ name }) => name === id.replace('_', '-'))).toHaveLength(1);
});

/** The calls to the hypervisor that a build makes. */
const CALLS: EndpointName[] = ['nodes', 'resources', 'clone', 'current', 'readConfig', 'config', 'resize', 'start', 'task'];

test.each(faultPairs(CALLS, HYPERVISOR_FAULTS))(
  'a build whose call of %s goes wrong by %s ends Active, or failed and released, with nothing left over',
  async (endpoint, fault) => {
    const orderId = await world.order();
    const { id } = await world.server(orderId);
    planFaults(world.hypervisor.faults.next, { fault, on: endpoint });
    await world.run();
    expect(world.hypervisor.faults.next).toEqual([]);
    // A node that is down comes back later, with the machines that were left on it.
    for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
    expect(await world.run(600)).toBe(0);
    // A machine that a dead worker has left stays locked until the operator unlocks it.
    await world.unlock();
    const { status } = await world.server(orderId);
    expect(await world.facts(id)).toEqual(
      status === 'ACTIVE' ? ['fulfilment.delivered', 'compute_vps.created'] : ['fulfilment.failed', 'compute_vps.failed'],
    );
    if (status === 'ACTIVE')
      expect(world.hypervisor.machine(id.replace('_', '-'))).toMatchObject({ running: true, disk: { gigabytes: 100 }, lock: null });
    else expect(status).toBe('REMOVED');
    expect(await world.orphans()).toEqual([]);
    await clearAway(id);
  },
);

/** Makes room for the next build: the world has three nodes and 51 addresses. */
async function clearAway(id: string): Promise<void> {
  await setRows(world.query, 'compute.server', { status: 'REMOVED' }, { id });
  await reconcileMachines(world.context());
  await world.run();
  await setRows(world.query, 'compute.address', { rests_until: world.clock.now() }, { server_id: null });
}

test('if the hypervisor cannot clone, the order fails within half an hour, and its addresses are released to rest', async () => {
  const orderId = await world.order();
  const { id } = await world.server(orderId);
  planFaults(world.hypervisor.faults.next, ...Array.from({ length: 400 }, () => ({ fault: 'half', on: 'clone' }) as const));
  const began = world.clock.now().getTime();
  expect(await world.run()).toBe(0);
  expect(world.clock.now().getTime() - began).toBeLessThan(35 * MINUTE);
  expect(await world.server(orderId)).toMatchObject({ status: 'REMOVED' });
  expect(await world.facts(id)).toEqual(['fulfilment.failed', 'compute_vps.failed']);
  world.hypervisor.faults.next.length = 0;
  await world.unlock();
  expect(await world.orphans()).toEqual([]);
  const failed = await rowOf<{ data: object }>(world.query, 'platform.event', { subject: id, type: 'compute_vps.failed' });
  expect(failed?.data).toEqual({ orderId, reason: 'The server could not be built.' });
});

test('a clone that appears after the build was given up is removed by the next reconciliation', async () => {
  const { id } = await world.built();
  // Makes the machine one that the database does not know.
  await setRows(world.query, 'compute.server', { status: 'REMOVED', node: null, machine_number: null }, { id });
  expect(await world.orphans()).not.toEqual([]);
  await reconcileMachines(world.context());
  expect(await world.run()).toBe(0);
  expect(await world.orphans()).toEqual([]);
});

test('addresses rest before their next server, and a build without free addresses fails and is refunded', async () => {
  const small = await startCompute({ last: '127.80.0.11' });
  try {
    const first = await small.order({ extraIpv4: 1 });
    const second = await small.order();
    await small.run();
    expect(await small.server(first)).toMatchObject({ status: 'ACTIVE' });
    expect(await small.server(second)).toMatchObject({ status: 'REMOVED' });
    await setRows(small.query, 'compute.server', { status: 'REMOVED' }, { order_id: first });
    await reconcileMachines(small.context());
    await small.run();
    expect(await small.orphans()).toEqual([]);
    await expect(small.order()).rejects.toThrow('There is not enough of this in stock');
    small.clock.advance(48 * HOUR);
    const fourth = await small.order();
    await small.run();
    expect(await small.server(fourth)).toMatchObject({ status: 'ACTIVE' });
  } finally {
    await small.close();
  }
});
