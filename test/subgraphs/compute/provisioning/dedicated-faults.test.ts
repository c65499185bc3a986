// A call to a controller fails, at every step: the server is still delivered, once, and nothing is left over.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, SECOND } from '#platform/clock.ts';
import { claimOperation } from '../../../../subgraphs/compute/operations/entities/operation.ts';
import { runOperation } from '../../../../subgraphs/compute/provisioning/services/continue-operation.ts';
import { REDFISH_CALLS, REDFISH_FAULTS } from '../../../../sandbox/redfish/faults.ts';
import { type MetalWorld, startMetal } from '../metal-world.ts';
import { rowOf, rowsOf } from '../../../kit/tables.ts';
import { faultPairs } from '../../../kit/fault-pairs.ts';
import { planFaults, setFaults } from '../../../kit/faults.ts';

let world: MetalWorld;
beforeAll(async () => {
  world = await startMetal();
});
afterAll(() => world.close());

/** Ends a server as accounts does, so that its machine is free for the next test. */
async function clearAway(serverId: string): Promise<void> {
  await world.subscription(serverId, 'ended', { reason: 'CANCELLED', status: 'CANCELED' });
  await world.run();
  world.clock.advance(49 * HOUR);
  expect(await world.tables.machinesInUse()).toEqual([]);
  expect(await world.tables.addressesInUse()).toEqual([]);
}

const calls = REDFISH_CALLS.filter((call) => call !== 'readings');

test.each(faultPairs(calls, REDFISH_FAULTS))(
  'a provisioning whose call of %s goes wrong by %s ends with one delivered server',
  async (call, fault) => {
    const orderId = await world.order();
    const { id } = await world.server(orderId);
    planFaults(world.controllers.faults.next, { fault, on: call });
    await world.run();
    expect(world.controllers.faults.next).toEqual([]);
    expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE', power_state: 'RUNNING' });
    expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_dedicated.delivered']);
    const used = world.controllers.machines().filter(({ disk }) => disk !== null);
    expect(used).toHaveLength(1);
    expect(used[0]).toMatchObject({ power: 'On', running: 'disk', media: { cd: null, usb: null } });
    await clearAway(id);
    expect(world.controllers.machines().every(({ disk }) => disk === null)).toBe(true);
  },
);

test('with random faults in a tenth of all calls five servers are delivered and wiped again', async () => {
  const undo = setFaults(world.controllers.faults, { ratios: { error: 0.04, refused: 0.03, wrong_state: 0.03 } });
  const plans = ['FARADAY', 'FARADAY', 'FARADAY', 'NOETHER', 'NOETHER'];
  const servers: string[] = [];
  for (const [index, plan] of plans.entries())
    servers.push((await world.server(await world.order({ plan, accountId: `acct_${index}` }))).id);
  expect(await world.run()).toBe(0);
  const machines = world.controllers.machines().filter(({ disk }) => disk !== null);
  expect(new Set(machines.map(({ disk }) => disk?.ip)).size).toBe(plans.length);
  for (const id of servers) await world.subscription(id, 'ended', { reason: 'CANCELLED', status: 'CANCELED' });
  expect(await world.run()).toBe(0);
  undo();
  expect(world.controllers.machines().filter(({ disk }) => disk !== null)).toEqual([]);
  world.clock.advance(49 * HOUR);
});

test('workers that die with an operation in hand, at every step: the sweeper goes on after their lease', async () => {
  const orderId = await world.order();
  const { id } = await world.server(orderId);
  const operation = await rowOf<{ id: string }>(world.query, 'compute.operation', { server_id: id });
  const operationId = operation?.id ?? '';
  for (let round = 0; round < 400 && (await world.server(orderId)).status !== 'ACTIVE'; round++) {
    // A worker claims the operation and dies; then several workers find it at once.
    await claimOperation(world.context().em, operationId, world.clock.now());
    expect(await runOperation(world.context(), operationId)).toBe('not_due');
    world.clock.advance(61 * SECOND);
    await world.controllers.tick();
    await Promise.all(Array.from({ length: 3 }, () => runOperation(world.context(), operationId)));
  }
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE' });
  expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_dedicated.delivered']);
  await clearAway(id);
});

test('an order that is announced ten times at once has one server and one machine', async () => {
  const token = await world.offer();
  const orderId = await world.place(token);
  await Promise.all(Array.from({ length: 10 }, () => world.pay(token, orderId)));
  await world.run();
  expect(await rowsOf(world.query, 'compute.server', { order_id: orderId })).toHaveLength(1);
  expect(await world.tables.machinesInUse()).toHaveLength(1);
});
