// On which nodes machines are placed, and what happens when a node is full, dies or is emptied: with the nodes of the sandbox's hypervisor.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { reconcileMachines } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { memoryOf } from '../../../../sandbox/hypervisor/state.ts';
import { rowOf, rowsOf, setRows } from '../../../kit/tables.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

const NODES = ['fra1', 'fra2', 'fra3'];
const MEMORY_GB = memoryOf('fra1') / 1_024;
let world: ComputeWorld;
beforeAll(async () => {
  // Five machines of the smallest plan fit on each node.
  world = await startCompute({ last: '127.80.3.200', room: { memoryReserveGb: MEMORY_GB - 80, cpuRatio: 4, diskRatio: 1 } });
});
afterAll(() => world.close());
/** Frees the room that machines of earlier tests take. */
beforeEach(async () => {
  for (const node of NODES) await world.hypervisor.fill(node, false);
  await setRows(world.query, 'compute.server', { status: 'REMOVED' });
  await world.unlock();
  await reconcileMachines(world.context());
  await world.run();
  world.clock.advance(20 * MINUTE);
  expect(world.hypervisor.machines()).toEqual([]);
});

/** The memory that each node has promised, in GB. */
const promised = () =>
  NODES.map((node) =>
    world.hypervisor
      .machines()
      .filter((machine) => machine.node === node)
      .reduce((sum, { config }) => sum + Number(config['memory']) / 1_024, 0),
  );
const statuses = async (orders: readonly string[]) => Promise.all(orders.map(async (orderId) => (await world.server(orderId)).status));

test('a burst of one account is spread over the nodes, and none is promised more than it has', { timeout: 120_000 }, async () => {
  const orders: string[] = [];
  for (let order = 0; order < 12; order++) orders.push(await world.order());
  expect(await world.run()).toBe(0);
  expect(new Set(await statuses(orders))).toEqual(new Set(['ACTIVE']));
  expect(promised()).toEqual([64, 64, 64]);
});

test('as many orders are built as fit, and no node is overbooked', { timeout: 120_000 }, async () => {
  const orders: string[] = [];
  // All offers are made while there is room; the orders compete for it when they are built.
  for (let order = 0; order < 16; order++) orders.push(await world.order({ accountId: `acct_${order}` }));
  expect(await world.run()).toBe(0);
  expect(promised()).toEqual([80, 80, 80]);
  expect((await statuses(orders)).filter((status) => status === 'ACTIVE')).toHaveLength(15);
  expect((await statuses(orders)).filter((status) => status === 'REMOVED')).toHaveLength(1);
  await expect(world.order()).rejects.toThrow('There is not enough of this in stock');
});

test('a node whose storage is full is left for another at its first failure, and its reason is kept for the operator', async () => {
  // The node reports that all its storage is free, until something is copied there.
  await world.hypervisor.fill('fra1', false);
  const orderId = await world.order();
  await world.hypervisor.fill('fra1', true);
  await setRows(world.query, 'compute.node', { in_maintenance: true }, { name: 'fra2' });
  await setRows(world.query, 'compute.node', { in_maintenance: true }, { name: 'fra3' });
  await setRows(world.query, 'compute.node', { disk_used_bytes: 0, seen_at: world.clock.now() });
  await world.run(40);
  for (const name of ['fra2', 'fra3']) await setRows(world.query, 'compute.node', { in_maintenance: false }, { name });
  expect(await world.run(3 * 60)).toBe(0);
  const { id, status } = await world.server(orderId);
  expect(status).toBe('ACTIVE');
  expect(world.hypervisor.machine(id.replace('_', '-')).node).not.toBe('fra1');
  const failed = await rowsOf<{ node: string; trouble: string }>(world.query, 'compute.placement', { server_id: id, node: 'fra1' });
  expect(failed.length).toBeGreaterThan(0);
  expect(failed[0]?.trouble).toContain('no space left');
});

test('a machine that a dead worker left locked does not block the build, and is removed once the operator unlocks it', async () => {
  world.hypervisor.faults.next.push({ fault: 'half', on: 'clone' });
  const { id, orderId } = await world.built();
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE' });
  const name = id.replace('_', '-');
  expect(world.hypervisor.machines().filter((machine) => machine.name === name)).toHaveLength(2);
  await reconcileMachines(world.context());
  expect(world.hypervisor.machines().filter((machine) => machine.name === name)).toHaveLength(2);
  await world.unlock();
  expect(world.hypervisor.machines().filter((machine) => machine.name === name)).toHaveLength(1);
  expect(await world.orphans()).toEqual([]);
});

test('a machine does not get the number of another machine, nor of a stored copy', async () => {
  const { id } = await world.built();
  const { vmid } = world.hypervisor.machine(id.replace('_', '-'));
  await world.hypervisor.dump(id.replace('_', '-'), 'kept by the operator');
  const copy = world.hypervisor.backups().at(-1);
  if (copy) copy.vmid = vmid + 1;
  const next = await world.built();
  expect(world.hypervisor.machine(next.id.replace('_', '-')).vmid).toBe(vmid + 2);
});

describe('a machine that moves to another node', () => {
  test.each([
    ['at the next look of each minute', true],
    ['by the first action on it', false],
  ])('is known there %s, and does what its owner asks', async (_, looked) => {
    const { id, orderId } = await world.built();
    const name = id.replace('_', '-');
    const to = NODES.find((node) => node !== world.hypervisor.machine(name).node) ?? '';
    await world.hypervisor.move(name, to);
    if (looked) await reconcileMachines(world.context());
    await world.must(sessionOf('acct_owner'), `mutation { vpsReboot(id: "${id}") { id } }`);
    expect(await world.run(60)).toBe(0);
    expect(await rowOf(world.query, 'compute.server', { id }, { columns: 'node' })).toEqual({ node: to });
    expect(await rowOf(world.query, 'compute.placement', { server_id: id }, { columns: 'node' })).toEqual({ node: to });
    expect(await world.server(orderId)).toMatchObject({ power_state: 'RUNNING' });
    const last = await rowOf(world.query, 'compute.operation', { server_id: id, command: 'REBOOT' }, { columns: 'status' });
    expect(last).toEqual({ status: 'SUCCESS' });
  });
});

test('a machine whose node does not answer is unknown, and known again with it', async () => {
  const { id, orderId } = await world.built();
  const { node } = world.hypervisor.machine(id.replace('_', '-'));
  await world.hypervisor.down(node);
  await reconcileMachines(world.context());
  expect(await world.server(orderId)).toMatchObject({ power_state: 'UNKNOWN' });
  await world.hypervisor.up(node);
  await reconcileMachines(world.context());
  expect(await world.server(orderId)).toMatchObject({ power_state: 'RUNNING' });
});

test('addresses at which no machine was ever seen are free at once', async () => {
  const few = await startCompute({ last: '127.80.0.10' });
  try {
    const first = await few.order();
    for (const node of NODES) await few.hypervisor.fill(node, true);
    await few.run(30);
    await few.tell('subscription.ended', first, { status: 'CANCELED', reason: 'REFUNDED' });
    expect(await few.run(120)).toBe(0);
    for (const node of NODES) await few.hypervisor.fill(node, false);
    few.clock.advance(4 * MINUTE);
    const { orderId } = await few.built();
    expect(await few.server(orderId)).toMatchObject({ status: 'ACTIVE' });
  } finally {
    await few.close();
  }
});
