// Two clusters whose nodes, templates and numbers are the same: machines are placed in both, and one of them goes away.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { changeCluster, listClusters, pauseCluster, removeCluster } from '../../../../subgraphs/compute/machines/services/clusters.ts';
import { checks } from '../../../../subgraphs/compute/checks.ts';
import { memoryOf } from '../../../../sandbox/hypervisor/state.ts';
import { reconcileMachines } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { stall } from '../../../../sandbox/stall.ts';
import { rowOf, rowsOf, setRows } from '../../../kit/tables.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type SecondCluster, addVienna, startSecondCluster } from '../second-cluster.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

const MEMORY_GB = memoryOf('fra1') / 1_024;
let world: ComputeWorld;
let vienna: SecondCluster;
beforeAll(async () => {
  // Two machines of the smallest plan fit on each node.
  world = await startCompute({
    timeoutMs: 2_000,
    last: '127.80.0.80',
    room: { memoryReserveGb: MEMORY_GB - 32, cpuRatio: 4, diskRatio: 1 },
  });
  vienna = await startSecondCluster(world);
  await addVienna(world, vienna);
});
afterAll(async () => {
  await world.close();
  await vienna.close();
});
const clusters = () => [world.hypervisor, vienna.hypervisor];
const secrets = () => ({ token: vienna.terms.token, consolePassword: vienna.terms.consolePassword });
const machines = () => clusters().map((hypervisor) => hypervisor.machines().length);
/** Continues all operations; time passes for both. */
const run = (seconds = 2_400) =>
  world.carryOn(seconds, { step: 2, tick: () => Promise.all(clusters().map((hypervisor) => hypervisor.tick())) });
const order = async (count: number) => {
  const orders: string[] = [];
  for (let each = 0; each < count; each++) orders.push(await world.order({ accountId: `acct_${each}` }));
  return orders;
};
const placeOf = (orderId: string) =>
  rowOf<{ id: string; node: string; machine_number: number; status: string }>(
    world.query,
    'compute.server',
    { order_id: orderId },
    { columns: 'id, node, machine_number, status' },
  );
const built = async (where: 'main' | 'vienna') => {
  const other = where === 'main' ? 'vienna' : 'main';
  await pauseCluster(world.context(), other, true);
  const [orderId = ''] = await order(1);
  expect(await run()).toBe(0);
  await pauseCluster(world.context(), other, false);
  return { orderId, ...(await placeOf(orderId)) } as { orderId: string; id: string; node: string; machine_number: number };
};
const look = () => reconcileMachines(world.context()).catch(() => {});
beforeEach(async () => {
  await setRows(world.query, 'compute.server', { status: 'REMOVED' });
  for (let round = 0; round < 4; round++) {
    await reconcileMachines(world.context());
    await run();
    world.clock.advance(5 * MINUTE);
  }
  expect(machines()).toEqual([0, 0]);
});

test('orders go to both clusters, with the addresses of each, and none is promised more than it has', { timeout: 300_000 }, async () => {
  const orders = await order(12);
  expect(await run()).toBe(0);
  expect(machines()).toEqual([6, 6]);
  for (const orderId of orders) {
    const { id, node } = (await placeOf(orderId)) ?? { id: '', node: '' };
    const [address] = await rowsOf<{ ip: string }>(world.query, 'compute.address', { server_id: id }, { columns: 'host(ip) as ip' });
    expect(address?.ip).toMatch(node.startsWith('vienna/') ? /^127\.82\./ : /^127\.80\./);
    const there = node.startsWith('vienna/') ? vienna.hypervisor : world.hypervisor;
    expect(there.machine(id.replace('_', '-')).node).toBe(node.replace('vienna/', ''));
  }
  await expect(world.order()).rejects.toThrow('There is not enough of this in stock');
});

describe('a machine of the same number in the other cluster', () => {
  test('is another machine: it is neither followed, nor stopped, nor removed', { timeout: 180_000 }, async () => {
    const ours = await built('main');
    const name = ours.id.replace('_', '-');
    const twin = await built('vienna');
    const twinName = twin.id.replace('_', '-');
    const { vmid } = world.hypervisor.machine(name);
    // Somebody else's machine, with the number and even the name of ours.
    await vienna.hypervisor.change(twinName, (machine) => void Object.assign(machine, { name, vmid, running: false }));
    await reconcileMachines(world.context());
    expect(await world.server(ours.orderId)).toMatchObject({ power_state: 'RUNNING' });
    expect((await placeOf(ours.orderId))?.node).toBe(ours.node);
    await world.must(sessionOf('acct_0'), `mutation { vpsStop(id: "${ours.id}") { id } }`);
    expect(await run()).toBe(0);
    expect(world.hypervisor.machine(name).running).toBe(false);
    await setRows(world.query, 'compute.server', { status: 'REMOVED' }, { id: ours.id });
    await reconcileMachines(world.context());
    await run();
    expect(machines()).toEqual([0, 1]);
    await vienna.hypervisor.change(name, (machine) => void Object.assign(machine, { name: twinName, vmid: twin.machine_number }));
  });
});

describe('a cluster that does not answer', () => {
  test('in the middle of a burst gets nothing more, and what was begun there is built in the other', { timeout: 300_000 }, async () => {
    const orders = await order(6);
    await run(6);
    stall(vienna.hypervisor.url, 'silent');
    try {
      for (let minute = 0; minute < 4; minute++) {
        await look();
        await run(MINUTE / SECOND);
      }
      expect(await run()).toBe(0);
      for (const orderId of orders)
        expect(await placeOf(orderId)).toMatchObject({ status: 'ACTIVE', node: expect.stringMatching(/^fra\d$/) });
    } finally {
      stall(vienna.hypervisor.url, undefined);
    }
    for (let round = 0; round < 6; round++) {
      world.clock.advance(MINUTE);
      await look();
      await vienna.hypervisor.tick();
    }
    // What was left there is gone.
    expect(machines()).toEqual([6, 0]);
  });

  test('has machines of which nobody knows whether they run; those of the other are known', { timeout: 180_000 }, async () => {
    const [here, there] = [await built('main'), await built('vienna')];
    stall(vienna.hypervisor.url, 'silent');
    await look();
    expect(await world.server(there.orderId)).toMatchObject({ power_state: 'RUNNING' });
    world.clock.advance(2 * MINUTE);
    await look();
    expect(await world.server(there.orderId)).toMatchObject({ power_state: 'UNKNOWN' });
    expect(await world.server(here.orderId)).toMatchObject({ power_state: 'RUNNING' });
    expect((await listClusters(world.context())).map(({ name, silentSince }) => [name, silentSince !== null])).toEqual([
      ['main', false],
      ['vienna', true],
    ]);
    expect((await checks(world.context(), 'check')).filter(({ ok }) => !ok).map(({ vendor }) => vendor)).toEqual(['hypervisor/vienna']);
    stall(vienna.hypervisor.url, undefined);
    world.clock.advance(MINUTE);
    await look();
    expect(await world.server(there.orderId)).toMatchObject({ power_state: 'RUNNING' });
    expect((await listClusters(world.context())).map(({ silentSince }) => silentSince)).toEqual([null, null]);
  });
});

test('a machine moves only within its cluster', { timeout: 180_000 }, async () => {
  const { id, node } = await built('vienna');
  const staff = sessionOf('acct_desk', true);
  const move = (to?: string) =>
    world.ask(staff, `mutation ($to: String) { supportServerMove(id: "${id}", node: $to, reason: "A test.") { id } }`, { to });
  expect(await move('fra1')).toMatchObject({ errors: [{ message: expect.stringContaining('is in another one') }] });
  await world.must(staff, `mutation { supportNodeDrain(name: "${node}", reason: "A test.") }`);
  expect(await run()).toBe(0);
  const moved = await rowOf<{ node: string }>(world.query, 'compute.server', { id }, { columns: 'node' });
  expect(moved?.node).toMatch(/^vienna\/fra\d$/);
  expect(moved?.node).not.toBe(node);
  await world.must(staff, `mutation { supportNodeSetMaintenance(name: "${node}", inMaintenance: false) }`);
});

test('use, console, password and backup of a machine are those of its cluster', { timeout: 180_000 }, async () => {
  const { id, node, machine_number: number } = await built('vienna');
  const datacenter = world.context().providers.datacenter;
  const line = await datacenter?.hypervisor.openConsole({ node, number }, 'TEXT');
  expect(line?.url).toContain(
    `${vienna.hypervisor.url.replace('http', 'ws')}/api2/json/nodes/${node.replace('vienna/', '')}/qemu/${number}/`,
  );
  expect((await datacenter?.hypervisor.use())?.map(({ name }) => name)).toContain(id.replace('_', '-'));
  await world.must(sessionOf('acct_0'), `mutation { vpsResetPassword(id: "${id}") { id } }`);
  expect(await run()).toBe(0);
  const reset = await rowOf(world.query, 'compute.operation', { server_id: id, command: 'RESET_PASSWORD' }, { columns: 'status' });
  expect(reset).toEqual({ status: 'SUCCESS' });
});

describe('an operator', () => {
  test('pauses a cluster, and removes it when it is empty', { timeout: 180_000 }, async () => {
    const { id } = await built('vienna');
    await pauseCluster(world.context(), 'vienna', true);
    const orders = await order(3);
    expect(await run()).toBe(0);
    for (const orderId of orders) expect((await placeOf(orderId))?.node).not.toContain('vienna/');
    await expect(removeCluster(world.context(), 'vienna')).rejects.toThrow('has 1 machines of ours');
    await setRows(world.query, 'compute.server', { status: 'REMOVED' }, { id });
    await reconcileMachines(world.context());
    expect(await run()).toBe(0);
    await removeCluster(world.context(), 'vienna');
    expect((await listClusters(world.context())).map(({ name }) => name)).toEqual(['main']);
    await reconcileMachines(world.context());
    expect(await rowsOf(world.query, 'compute.node', { cluster: 'vienna' })).toEqual([]);
    await addVienna(world, vienna);
    await expect(removeCluster(world.context(), 'main')).rejects.toThrow('PROXMOX_URL');
  });

  test.each([
    ['the token of the other cluster', () => ({ token: 'test@pve!egress=secret' }), '401'],
    ['the address of the other cluster', () => ({ ...secrets(), url: world.hypervisor.url }), 'it is the address of the cluster main'],
    ['another address without its token', () => ({ url: 'http://127.0.0.1:9' }), 'needs its token again'],
    ['an address where nothing is', () => ({ ...secrets(), url: 'http://127.0.0.1:9' }), 'ECONNREFUSED'],
    ['addresses of the other cluster', () => ({ addresses: '127.80.0.70-127.80.0.99/16' }), 'are those of the cluster main'],
    ['a token that is none', () => ({ token: 'secret' }), 'USER@REALM!NAME=SECRET'],
  ])('who gives a cluster %s is refused', async (_, wish, words) => {
    const { token } = vienna.terms;
    await expect(changeCluster(world.context(), 'vienna', wish())).rejects.toThrow(words);
    const [, { terms }] = (await listClusters(world.context())) as [unknown, { terms: { token: string } }];
    expect(terms.token).toBe(token);
  });

  test(
    'who gives a cluster the address of another one by another name is refused while machines are there',
    { timeout: 60_000 },
    async () => {
      await built('main');
      await built('vienna');
      const swapped = { ...secrets(), url: world.hypervisor.url.replace('127.0.0.1', 'localhost'), token: 'test@pve!egress=secret' };
      await expect(changeCluster(world.context(), 'vienna', swapped)).rejects.toThrow('it is the cluster main');
    },
  );

  test('finds no secret of a cluster in the clear', async () => {
    const row = await rowOf(world.query, 'compute.cluster', { name: 'vienna' });
    expect(JSON.stringify(row)).not.toMatch(/its.own/);
  });
});
