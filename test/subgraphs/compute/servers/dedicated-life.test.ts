// The life of a dedicated server after its delivery: what happens to it, and what its owner can do.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { reconcileMetal } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { sampleMetalUse } from '../../../../subgraphs/compute/metrics/services/metal-use.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type MetalWorld, startMetal } from '../metal-world.ts';
import { rowOf, rowsOf, setRows } from '../../../kit/tables.ts';

let world: MetalWorld;
let id: string;
let orderId: string;
let name: string;
const owner = sessionOf('acct_owner');
const machine = () => world.controllers.machine(name);

beforeAll(async () => {
  world = await startMetal();
  ({ orderId, id, name } = await delivered());
});
afterAll(() => world.close());

async function delivered(plan = 'FARADAY') {
  const server = await world.built({ plan });
  const row = await rowOf<{ name: string }>(world.query, 'compute.bare_metal', { server_id: server.id }, { columns: 'name' });
  return { ...server, name: row?.name ?? '' };
}

interface Refused {
  code: unknown;
  message: string | undefined;
}
async function act(mutation: string, args = '', viewer = owner, server = id): Promise<Record<string, unknown> | Refused> {
  const { data, errors } = await world.ask(viewer, `mutation ($id: ID!) { done: ${mutation}(id: $id${args}) { command status } }`, {
    id: server,
  });
  if (errors) return { code: errors[0]?.extensions['code'], message: errors[0]?.message };
  return (data as { done: Record<string, unknown> }).done;
}
const reveal = async (mutation = 'dedicatedServerRevealPassword') =>
  (await world.must<{ password: string }>(owner, `mutation ($id: ID!) { password: ${mutation}(id: $id) }`, { id })).password;
interface Shown {
  status: string;
  powerState: string;
  os: string;
  loginName: string;
  inRescue: boolean;
  availableActions: { action: string; allowed: boolean; reason: string | null }[];
  operations: { command: string; status: string; error: { message: string } | null }[];
}
const shown = async (server = id) =>
  (
    await world.must<{ server: Shown }>(
      owner,
      `query ($id: ID!) { server(id: $id) { powerState inRescue os loginName availableActions { action allowed reason }
        operations(limit: 1) { command status error { message } } ... on DedicatedServer { status } } }`,
      { id: server },
    )
  ).server;

describe('power', () => {
  test('stop, start, reboot and force stop end as they say, and the machine agrees', async () => {
    expect(await act('dedicatedServerStop')).toEqual({ command: 'STOP', status: 'RUNNING' });
    expect((await shown()).powerState).toBe('STOPPING');
    await world.run();
    expect([(await shown()).powerState, machine().power]).toEqual(['STOPPED', 'Off']);
    expect(await act('dedicatedServerReboot')).toMatchObject({
      code: 'action_not_allowed',
      message: 'The server must be running; it is stopped.',
    });
    await act('dedicatedServerStart');
    await world.run();
    expect([(await shown()).powerState, machine().power]).toEqual(['RUNNING', 'On']);
    const before = machine().lastResetAt;
    await act('dedicatedServerReboot');
    await world.run();
    expect(machine().lastResetAt).toBeGreaterThan(before);
    expect([(await shown()).powerState, machine().power]).toEqual(['RUNNING', 'On']);
    await act('dedicatedServerForceStop');
    await world.run();
    expect([(await shown()).powerState, machine().power]).toEqual(['STOPPED', 'Off']);
    await act('dedicatedServerStart');
    await world.run();
  });

  test('a system that does not react is left running, and the operation says so', async () => {
    await world.controllers.change(name, (one) => (one.deaf = true));
    await act('dedicatedServerStop');
    await world.run();
    expect(await shown()).toMatchObject({
      powerState: 'RUNNING',
      operations: [{ command: 'STOP', status: 'ERROR', error: { message: 'The operating system did not react.' } }],
    });
    await world.controllers.change(name, (one) => (one.deaf = false));
  });

  test('what is done at the machine itself is noticed', async () => {
    await world.controllers.change(name, (one) => Object.assign(one, { power: 'Off', running: null, readyAt: null }));
    await reconcileMetal(world.context());
    expect((await shown()).powerState).toBe('STOPPED');
    await act('dedicatedServerStart');
    await world.run();
  });

  test('nobody else finds the server', async () => {
    expect(await act('dedicatedServerStop', '', sessionOf('acct_other'))).toMatchObject({ code: 'server_not_found' });
    expect(await act('dedicatedServerReinstall', ', os: DEBIAN_12', sessionOf('acct_other'))).toMatchObject({ code: 'server_not_found' });
  });
});

test('a new password is on the machine, and what else is on its disk stays', async () => {
  const [before, generation] = [await reveal(), machine().disk?.generation];
  await act('dedicatedServerResetPassword');
  await world.run();
  const after = await reveal();
  expect(after).not.toBe(before);
  expect(machine().disk).toMatchObject({ generation, users: { debian: after } });
  expect([machine().power, machine().media]).toEqual(['On', { cd: null, usb: null }]);
});

describe('Reinstall OS', () => {
  test('wipes and installs the chosen system with the chosen password, in 10 to 20 minutes', async () => {
    const generation = machine().disk?.generation ?? 0;
    const began = world.clock.now().getTime();
    expect(await act('dedicatedServerReinstall', ', os: UBUNTU_25_04, password: "Owner-chose-this-1"')).toEqual({
      command: 'REINSTALL',
      status: 'RUNNING',
    });
    const during = await shown();
    expect(during.status).toBe('REINSTALLING');
    expect(during.availableActions.filter(({ allowed }) => allowed).map(({ action }) => action)).toEqual(['cancel']);
    expect(await act('dedicatedServerReboot')).toMatchObject({ message: 'The operating system is being reinstalled.' });
    await world.run();
    const minutes = (world.clock.now().getTime() - began) / MINUTE;
    expect(minutes).toBeGreaterThan(10);
    expect(minutes).toBeLessThan(20);
    expect(await shown()).toMatchObject({ status: 'ACTIVE', powerState: 'RUNNING', os: 'UBUNTU_25_04', loginName: 'ubuntu' });
    expect(machine().disk).toMatchObject({ os: 'ubuntu-25-04', users: { ubuntu: 'Owner-chose-this-1' }, generation: generation + 1 });
    expect(await reveal()).toBe('Owner-chose-this-1');
  });

  test.each(['short', 'all-small-letters-1', 'With a blank 12', 'Quote"Quote12'])(
    'refuses the password %j before anything happens',
    async (password) => {
      const { data, errors } = await world.ask(
        owner,
        'mutation ($id: ID!, $password: String) { dedicatedServerReinstall(id: $id, os: DEBIAN_12, password: $password) { id } }',
        { id, password },
      );
      expect([data, errors?.[0]?.extensions['code'], errors?.[0]?.extensions['field']]).toEqual([null, 'parameter_invalid', 'password']);
      expect((await shown()).status).toBe('ACTIVE');
    },
  );

  test('an installer that hangs is started again', async () => {
    await world.controllers.change(name, (one) => (one.jammed = 1));
    await act('dedicatedServerReinstall', ', os: DEBIAN_12');
    await world.run();
    expect(await shown()).toMatchObject({ status: 'ACTIVE', operations: [{ status: 'SUCCESS' }] });
    expect(machine().disk?.os).toBe('debian-12');
  });

  test('one that always hangs is given up, and can be asked for again', async () => {
    await world.controllers.change(name, (one) => (one.jammed = 99));
    await act('dedicatedServerReinstall', ', os: DEBIAN_13');
    await world.run();
    expect(await shown()).toMatchObject({ status: 'ACTIVE', operations: [{ command: 'REINSTALL', status: 'ERROR' }] });
    await world.controllers.change(name, (one) => (one.jammed = 0));
    await act('dedicatedServerReinstall', ', os: DEBIAN_13');
    await world.run();
    expect(machine().disk?.os).toBe('debian-13');
  });

  test('is refused while the server is protected, and cancelling is not', async () => {
    await world.must(owner, 'mutation ($id: ID!) { serverProtect(id: $id, protected: true) { protected } }', { id });
    expect(await act('dedicatedServerReinstall', ', os: DEBIAN_12')).toMatchObject({
      message: 'The server is protected: lift its protection first.',
    });
    expect((await shown()).availableActions.find(({ action }) => action === 'cancel')?.allowed).toBe(true);
    await world.must(owner, 'mutation ($id: ID!) { serverProtect(id: $id, protected: false) { protected } }', { id });
  });
});

test('the rescue system has a password of its own, leaves the disk alone, and ends where it began', async () => {
  const before = structuredClone(machine().disk);
  await act('serverRescue');
  await world.run();
  expect(await shown()).toMatchObject({ inRescue: true, powerState: 'RUNNING' });
  const password = await reveal('serverRevealRescuePassword');
  expect(machine()).toMatchObject({ running: 'rescue', rescue: { users: { root: password } }, disk: before });
  expect(password).not.toBe(await reveal());
  expect(await act('serverRescue')).toMatchObject({ message: 'The rescue system runs: leave it first.' });
  await act('serverLeaveRescue');
  await world.run();
  expect(await shown()).toMatchObject({ inRescue: false, powerState: 'RUNNING' });
  expect(machine()).toMatchObject({ running: 'disk', disk: before, media: { cd: null, usb: null } });
  await expect(reveal('serverRevealRescuePassword')).rejects.toThrow('The rescue system does not run.');
});

test('what the controller measures is kept a week, and flows are of the time between two readings', async () => {
  await world.controllers.change(name, (one) => (one.load = 0.5));
  for (let minute = 0; minute < 5; minute++) {
    await sampleMetalUse(world.context());
    world.clock.advance(MINUTE);
  }
  const query = `query ($id: ID!) { server(id: $id) { ... on DedicatedServer { metrics(span: HOUR) { cpuRatio memoryRatio netOutBytesPerSecond watts } } } }`;
  const { server } = await world.must<{ server: { metrics: Record<string, number | null>[] } }>(owner, query, { id });
  expect(server.metrics).toHaveLength(5);
  expect(server.metrics[0]).toMatchObject({ cpuRatio: 0.5, netOutBytesPerSecond: null });
  expect(server.metrics[4]?.['netOutBytesPerSecond']).toBeCloseTo(1_000_000, -2);
  world.clock.advance(8 * DAY);
  await sampleMetalUse(world.context());
  expect(await rowsOf(world.query, 'compute.metal_use')).toHaveLength(1);
});

describe('its subscription', () => {
  test('suspended it is switched off, paid it runs again', async () => {
    await world.subscription(id, 'suspended', { status: 'UNPAID' });
    await world.run();
    expect(await shown()).toMatchObject({ status: 'SUSPENDED', powerState: 'STOPPED' });
    expect(machine().power).toBe('Off');
    await world.subscription(id, 'resumed');
    await world.run();
    expect(await shown()).toMatchObject({ status: 'ACTIVE', powerState: 'RUNNING' });
    expect(machine().power).toBe('On');
  });

  test('cancelled it goes on to the end of its period; ended it is wiped, and its machine sold again once its address has rested', async () => {
    await world.subscription(id, 'cancel_scheduled', { cancelAtPeriodEnd: true });
    expect(await shown()).toMatchObject({ status: 'ACTIVE' });
    await world.subscription(id, 'ended', { reason: 'CANCELLED', status: 'CANCELED' });
    expect((await shown()).status).toBe('DECOMMISSIONED');
    await world.run();
    expect(machine()).toMatchObject({ disk: null, power: 'Off', media: { cd: null, usb: null } });
    expect(await rowsOf(world.query, 'compute.address', { server_id: id })).toEqual([]);
    expect(await rowOf(world.query, 'compute.bare_metal', { name })).toMatchObject({ server_id: null });
    expect(await rowOf(world.query, 'compute.server', { id })).toMatchObject({ password_sealed: null });
    const stock = async () =>
      (await world.must<{ dedicatedPlans: { stock: number }[] }>(owner, '{ dedicatedPlans { stock } }')).dedicatedPlans[0]?.stock;
    expect(await stock()).toBe(2);
    world.clock.advance(48 * HOUR);
    expect(await stock()).toBe(3);
    expect((await world.server(orderId)).status).toBe('DECOMMISSIONED');
  });
});

describe('delivery that does not succeed', () => {
  beforeEach(() => world.clock.advance(50 * HOUR));

  test('ended while it is provisioned: nothing is delivered, and the machine is wiped', async () => {
    const order = await world.order({ plan: 'NOETHER' });
    const server = await world.server(order);
    await world.run(120);
    await world.subscription(server.id, 'ended', { reason: 'REFUNDED', status: 'CANCELED' });
    await world.run();
    expect((await world.server(order)).status).toBe('DECOMMISSIONED');
    expect(await world.facts(server.id)).toEqual([]);
    expect(await rowsOf(world.query, 'compute.bare_metal', { server_id: server.id })).toEqual([]);
  });

  test('no machine for a day: the order fails, to be paid back', async () => {
    await setRows(world.query, 'compute.bare_metal', { out_of_service: true }, { plan_code: 'CURIE' });
    await setRows(world.query, 'compute.bare_metal', { out_of_service: false }, { name: 'curie-1' });
    const token = await world.offer({ plan: 'CURIE' });
    const order = await world.place(token);
    await setRows(world.query, 'compute.bare_metal', { out_of_service: true }, { name: 'curie-1' });
    await world.pay(token, order);
    await world.run(60);
    world.clock.advance(25 * HOUR);
    await world.run();
    const server = await world.server(order);
    expect(server.status).toBe('DECOMMISSIONED');
    expect(await world.facts(server.id)).toEqual(['fulfilment.failed', 'compute_dedicated.failed']);
    await setRows(world.query, 'compute.bare_metal', { out_of_service: false });
  });
});
