// Dedicated servers: every call of a controller with every fault, and storms of power actions, compared with the real state of the sandbox's machines.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#platform/clock.ts';
import { runOperation } from '../../../subgraphs/compute/provisioning/services/continue-operation.ts';
import { reconcileMetal } from '../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { type MetalWorld, startMetal } from '../../subgraphs/compute/metal-world.ts';
import { sessionOf } from '../../kit/platform.ts';
import { createRandom } from '../../../sandbox/random.ts';
import { REDFISH_CALLS, REDFISH_FAULTS } from '../../../sandbox/redfish/faults.ts';
import { SCALE, SEED, say, scaled } from '../scale.ts';

const random = createRandom(SEED);

let world: MetalWorld;
beforeAll(async () => {
  world = await startMetal({ seed: SEED });
  say(`seed ${SEED}`);
});
afterAll(() => world.close());

async function order(): Promise<{ orderId: string; id: string }> {
  const orderId = await world.order();
  return { orderId, id: (await world.server(orderId)).id };
}

/** Ends a server and checks that its machine is wiped, back in stock, and keeps nothing of the server. */
async function end(id: string): Promise<void> {
  await world.subscription(id, 'ended', { reason: 'CANCELLED', status: 'CANCELED' });
  expect(await world.run()).toBe(0);
  expect(await world.query('select from compute.bare_metal where server_id is not null')).toEqual([]);
  expect(await world.query('select from compute.address where server_id is not null')).toEqual([]);
  expect(world.controllers.machines().filter(({ disk, media }) => disk !== null || media.cd !== null || media.usb !== null)).toEqual([]);
  world.clock.advance(49 * HOUR);
}

const isQuick = SCALE < 0.1;
const CALLS = REDFISH_CALLS.filter((call) => (isQuick ? call === 'reset' || call === 'insert' : call !== 'readings'));
const FAULTS = REDFISH_FAULTS.filter((fault) => !isQuick || fault === 'error' || fault === 'wrong_state');

test(`${CALLS.length} calls x ${FAULTS.length} faults: every order is delivered once, on one machine, and wiped without a trace`, async () => {
  const rounds = scaled(10);
  let orders = 0;
  for (let round = 0; round < rounds; round++)
    for (const on of CALLS)
      for (const fault of FAULTS) {
        world.controllers.faults.next.length = 0;
        const { orderId, id } = await order();
        // At a random moment of the build.
        await world.run(10 * random.below(6));
        world.controllers.faults.next.push({ fault, on });
        expect(await world.run()).toBe(0);
        world.controllers.faults.next.length = 0;
        expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE', power_state: 'RUNNING' });
        expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_dedicated.delivered']);
        expect(world.controllers.machines().filter(({ disk }) => disk !== null)).toHaveLength(1);
        await end(id);
        orders++;
      }
  say(`${orders} orders: ${orders} delivered and wiped, 0 left over`);
}, 3_600_000);

test('a storm of actions from several sessions, with faults, leaves product and machine in agreement', async () => {
  const actions = scaled(1_000);
  const { id } = await order();
  expect(await world.run()).toBe(0);
  const [row] = await world.query<{ name: string }>('select name from compute.bare_metal where server_id = $1', [id]);
  const machine = () => world.controllers.machine(row?.name ?? '');
  const mutations = ['Start', 'Reboot', 'Stop', 'ForceStop', 'ForceStop', 'Start'].map((name) => `dedicatedServer${name}`);
  world.controllers.faults.ratios = { error: 0.02, wrong_state: 0.02, refused: 0.02 };
  const count = { taken: 0, refused: 0 };
  const press = async () => {
    const mutation = mutations[random.below(mutations.length)] ?? '';
    const { errors } = await world.ask(sessionOf('acct_owner'), `mutation ($id: ID!) { ${mutation}(id: $id) { id } }`, { id });
    if (errors) expect(errors[0]?.extensions['code']).toBe('action_not_allowed');
    count[errors ? 'refused' : 'taken']++;
  };
  for (let pressed = 0; pressed < actions; pressed += 4) {
    await Promise.all([press(), press(), press(), press()]);
    for (let step = 0; step < 1 + random.below(4); step++) {
      const running = await world.query<{ id: string }>(`select id from compute.operation where status = 'RUNNING'`);
      for (const { id: operationId } of running) await runOperation(world.context(), operationId);
      world.clock.advance((2 + random.below(20)) * SECOND);
      await world.controllers.tick();
    }
  }
  world.controllers.faults.ratios = {};
  expect(await world.run()).toBe(0);
  world.clock.advance(MINUTE);
  await world.controllers.tick();
  await reconcileMetal(world.context());
  const [server] = await world.query<{ power_state: string; status: string }>(
    'select power_state, status from compute.server where id = $1',
    [id],
  );
  expect(server).toEqual({ status: 'ACTIVE', power_state: machine().power === 'On' ? 'RUNNING' : 'STOPPED' });
  say(`${count.taken + count.refused} actions: ${count.taken} begun, ${count.refused} refused with a reason; both agree`);
  await end(id);
}, 3_600_000);
