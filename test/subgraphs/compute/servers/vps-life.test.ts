// A VPS after its delivery: what its subscription does to it, larger plans, more addresses, backups, all under the test's clock.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { settleEveryVps } from '../../../../subgraphs/compute/servers/services/settle-vps.ts';
import { sessionOf } from '../../../kit/platform.ts';
import type { EndpointName } from '../../../../sandbox/hypervisor/endpoints.ts';
import { HYPERVISOR_FAULTS } from '../../../../sandbox/hypervisor/faults.ts';
import { type ComputeWorld, startCompute } from '../world.ts';
import { rowOf, rowsOf, setRows } from '../../../kit/tables.ts';

let world: ComputeWorld;
let orderId: string;
let id: string;
const owner = sessionOf('acct_owner');
const machine = () => world.hypervisor.machine(id.replace('_', '-'));

beforeAll(async () => {
  world = await startCompute({ last: '127.80.3.200' });
});
afterAll(() => world.close());

/** A delivered Plank of its own for each test. */
async function deliver(options: { extraIpv4?: number; backups?: boolean } = {}): Promise<void> {
  orderId = await world.order(options);
  id = (await world.server(orderId)).id;
  await world.run();
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE' });
}
/** Nothing of the tests before takes room on the nodes. */
beforeEach(async () => {
  world.hypervisor.faults.next.length = 0;
  for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
  await setRows(world.query, 'compute.server', { status: 'REMOVED' });
  await settle();
});

async function settle(): Promise<void> {
  await settleEveryVps(world.context());
  await world.run();
}
interface Shown {
  status: string;
  powerState: string;
  ipv4: string[];
  cancelAtPeriodEnd: boolean;
  plan: { code: string };
  backups: {
    enabled: boolean;
    lastAt: string | null;
    nextAt: string | null;
    items: { id: string; kind: string; expiresAt: string | null }[];
  };
  availableActions: { action: string; allowed: boolean; reason: string | null }[];
  operations: { command: string; status: string; error: { message: string } | null }[];
}
async function shown(): Promise<Shown> {
  const { data, errors } = await world.ask(
    owner,
    `query ($id: ID!) { server(id: $id) { powerState ipv4 ... on Vps { status cancelAtPeriodEnd plan { code }
      backups { enabled lastAt nextAt items { id kind expiresAt } } availableActions { action allowed reason } operations(limit: 3) { command status error { message } } } } }`,
    { id },
  );
  if (errors) throw new Error(errors[0]?.message);
  return (data as { server: Shown }).server;
}
async function act(mutation: string, args = ''): Promise<string> {
  const { errors } = await world.ask(owner, `mutation { ${mutation}(id: "${id}"${args}) { id } }`);
  return errors ? `${String(errors[0]?.extensions['code'])}: ${errors[0]?.message}` : 'begun';
}
const reasonOf = async (action: string) => (await shown()).availableActions.find((row) => row.action === action)?.reason;
const write = (path: string, text: string) =>
  world.hypervisor.change(id.replace('_', '-'), ({ disk }) => void (disk && (disk.contents[path] = text)));

describe('a subscription', () => {
  test('that is cancelled to its end says so and refuses what would cost more, until that is taken back', async () => {
    await deliver();
    await world.tell('subscription.cancel_scheduled', orderId, { cancelAtPeriodEnd: true });
    expect(await shown()).toMatchObject({ status: 'ACTIVE', powerState: 'RUNNING', cancelAtPeriodEnd: true });
    expect(await reasonOf('upgrade')).toBe('The server is cancelled to the end of its period.');
    await expect(world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`)).rejects.toThrow('cancelled to the end');
    await world.tell('subscription.cancel_taken_back', orderId);
    expect(await shown()).toMatchObject({ cancelAtPeriodEnd: false });
    expect(await reasonOf('upgrade')).toBeNull();
  });

  test('that ends takes machine, disk, backups and secrets with it; its addresses rest', async () => {
    await deliver({ backups: true, extraIpv4: 1 });
    world.clock.advance(2 * HOUR);
    await settle();
    expect(world.hypervisor.backups()).toHaveLength(1);
    await world.tell('subscription.ended', orderId, { status: 'CANCELED', reason: 'CANCELLED' });
    expect(await shown()).toMatchObject({ status: 'REMOVED' });
    await settle();
    expect(world.hypervisor.machines()).toEqual([]);
    expect(world.hypervisor.backups()).toEqual([]);
    expect(await world.orphans()).toEqual([]);
    expect(await rowsOf(world.query, 'compute.backup', { server_id: id })).toEqual([]);
    const row = await rowOf<object>(world.query, 'compute.server', { id }, { columns: 'password_sealed, node, machine_number' });
    expect(row).toEqual({ password_sealed: null, node: null, machine_number: null });
    const resting = await world.query(`select from compute.address where server_id is null and rests_until > $1`, [world.clock.now()]);
    expect(resting.length).toBeGreaterThanOrEqual(2);
    expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_vps.created', 'compute_vps.deleted']);
    expect(await reasonOf('start')).toBe('The server has been removed.');
  });

  test('that is suspended stops the machine and refuses everything with the reason; paid, it runs again with its data', async () => {
    await deliver();
    await write('/srv/a', 'kept');
    await world.tell('subscription.suspended', orderId, { status: 'UNPAID' });
    expect(await shown()).toMatchObject({ status: 'SUSPENDED', powerState: 'STOPPING' });
    await world.run();
    expect([(await shown()).powerState, machine().running]).toEqual(['STOPPED', false]);
    expect(await act('vpsStart')).toBe('action_not_allowed: The server is suspended: pay the open invoice first.');
    await world.tell('subscription.resumed', orderId);
    await world.run();
    expect([(await shown()).status, (await shown()).powerState, machine().running]).toEqual(['ACTIVE', 'RUNNING', true]);
    expect(machine().disk?.contents['/srv/a']).toBe('kept');
  });

  test('that is suspended and paid leaves a server off that its owner had stopped', async () => {
    await deliver();
    await act('vpsStop');
    await world.run();
    await world.tell('subscription.suspended', orderId, { status: 'UNPAID' });
    await settle();
    await world.tell('subscription.resumed', orderId);
    await settle();
    expect([(await shown()).status, (await shown()).powerState, machine().running]).toEqual(['ACTIVE', 'STOPPED', false]);
  });

  test('that is suspended while the server is at work waits for it, and a deaf guest is cut off', async () => {
    await deliver();
    await world.hypervisor.change(id.replace('_', '-'), (one) => (one.deaf = true));
    await act('vpsReboot');
    await world.tell('subscription.suspended', orderId, { status: 'UNPAID' });
    await world.run(600);
    await settle();
    expect([(await shown()).powerState, machine().running]).toEqual(['STOPPED', false]);
  });

  test('that ends before the delivery, since the order was refunded, builds nothing and leaves nothing', async () => {
    orderId = await world.order();
    id = (await world.server(orderId)).id;
    await world.run(20);
    await world.tell('subscription.ended', orderId, { status: 'CANCELED', reason: 'REFUNDED' });
    await settle();
    expect(await shown()).toMatchObject({ status: 'REMOVED' });
    expect(await world.orphans()).toEqual([]);
    expect(world.hypervisor.machines()).toEqual([]);
    expect(await world.facts(id)).toEqual([]);
  });

  test('is not moved by a notice that is older than what is known', async () => {
    await deliver();
    await world.tell('subscription.renewed', orderId, { version: 7 });
    await world.tell('subscription.suspended', orderId, { version: 3, status: 'UNPAID' });
    expect(await shown()).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('an upgrade', () => {
  test('costs the difference for the rest of the period to the cent, and the renewal costs the larger plan', async () => {
    await deliver();
    world.clock.set((await rowOf<{ period_start: Date }>(world.query, 'compute.server', { id }))?.period_start ?? '');
    world.clock.advance(15 * DAY);
    const terms = await world.change('vpsUpgradeOffer', `id: "${id}", plan: EINSTEIN`);
    // Half of 64 - 32.
    expect(terms).toMatchObject({ totalMinor: 1_600, subscription: { basedOn: 1, months: 1, lines: [{ amountMinor: 6_400 }] } });
    await expect(world.change('vpsUpgradeOffer', `id: "${id}", plan: PLANK`)).rejects.toThrow('larger plan only');
  });

  test('changes nothing until it is paid, then reboots the machine with more of everything and all its data', async () => {
    await deliver();
    await write('/srv/a', 'kept');
    const terms = await world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
    expect(await shown()).toMatchObject({ plan: { code: 'PLANK' } });
    await world.pay(terms.fulfil, { version: 2 });
    expect(await shown()).toMatchObject({
      plan: { code: 'BROGLIE' },
      powerState: 'RESTARTING',
      operations: [{ command: 'UPGRADE', status: 'RUNNING' }, {}],
    });
    expect(await act('vpsForceStop')).toContain('must come to its end');
    const began = world.clock.now().getTime();
    await world.run();
    expect(world.clock.now().getTime() - began).toBeLessThan(2 * MINUTE);
    expect(machine()).toMatchObject({
      running: true,
      config: { cores: '12', memory: '24576' },
      disk: { gigabytes: 120, contents: { '/srv/a': 'kept' } },
    });
    expect(await shown()).toMatchObject({ powerState: 'RUNNING', status: 'ACTIVE' });
    expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_vps.created', 'fulfilment.delivered', 'compute_vps.adjusted']);
  });

  test('leaves a stopped server off, is paid once however often it is announced, and waits for what is under way', async () => {
    await deliver();
    await act('vpsStop');
    const { fulfil } = await world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`).catch(async () => {
      await world.run();
      return world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
    });
    await act('vpsResetPassword');
    await Promise.all([1, 2, 3].map(() => world.pay(fulfil, { version: 2, orderId: 'ord_upgrade_once' })));
    await settle();
    expect(machine()).toMatchObject({ running: false, config: { cores: '12' }, disk: { gigabytes: 120 } });
    expect(await shown()).toMatchObject({ powerState: 'STOPPED', plan: { code: 'BROGLIE' } });
  });

  const CALLS: EndpointName[] = ['current', 'readConfig', 'shutdown', 'config', 'resize', 'start', 'task'];
  test.each(CALLS.flatMap((call) => HYPERVISOR_FAULTS.map((fault) => [call, fault] as const)))(
    'in spite of trouble with %s by %s is made in the end',
    async (call, fault) => {
      await deliver();
      await write('/srv/a', 'kept');
      const { fulfil } = await world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
      world.hypervisor.faults.next.push({ fault, on: call });
      await world.pay(fulfil, { version: 2 });
      await world.run(400);
      for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
      await world.run(2_400);
      await settle();
      expect(world.hypervisor.faults.next).toEqual([]);
      expect(machine()).toMatchObject({ running: true, config: { cores: '12' }, disk: { gigabytes: 120, contents: { '/srv/a': 'kept' } } });
    },
  );
});

test('more addresses come to the machine at once, each with an interface of its own', async () => {
  await deliver({ extraIpv4: 1 });
  const before = (await shown()).ipv4;
  await expect(world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 1`)).rejects.toThrow('more addresses only');
  await expect(world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 9`)).rejects.toThrow('up to 8');
  const { fulfil } = await world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 3`);
  await world.pay(fulfil, { version: 2 });
  await settle();
  const { ipv4, powerState } = await shown();
  expect(ipv4).toHaveLength(4);
  expect(ipv4.slice(0, 2)).toEqual(before);
  expect(powerState).toBe('RUNNING');
  expect(ipv4.map((_, index) => /ip=([\d.]+)/.exec(String(machine().config[`ipconfig${index}`]))?.[1])).toEqual(ipv4);
});

describe('backups', () => {
  test('are taken every seven days, the newest and three older are kept, and the next run is told', async () => {
    await deliver({ backups: true });
    expect(await shown()).toMatchObject({ backups: { enabled: true, lastAt: null } });
    for (let week = 0; week < 6; week++) {
      const next = (await shown()).backups.nextAt ?? '';
      world.clock.set(next);
      await settle();
      expect(Date.parse((await shown()).backups.nextAt ?? '') - Date.parse(next)).toBeGreaterThanOrEqual(7 * DAY);
    }
    const { backups } = await shown();
    expect(backups.items.map(({ kind }) => kind)).toEqual(['SCHEDULED', 'SCHEDULED', 'SCHEDULED', 'SCHEDULED']);
    expect(world.hypervisor.backups()).toHaveLength(4);
    expect(Date.parse(backups.lastAt ?? '')).toBeGreaterThan(world.clock.now().getTime() - HOUR);
  });

  test('are refused until they are bought, which is possible later', async () => {
    await deliver();
    expect(await act('vpsTakeBackup')).toBe('action_not_allowed: Weekly backups are not bought for this server.');
    const terms = await world.change('vpsBackupsOffer', `id: "${id}"`);
    expect(terms.totalMinor).toBeGreaterThan(490);
    expect(terms.subscription?.lines.map(({ amountMinor }) => amountMinor)).toEqual([3_200, 500]);
    await world.pay(terms.fulfil, { version: 2 });
    expect(await act('vpsTakeBackup')).toBe('begun');
    await world.run();
    expect((await shown()).backups).toMatchObject({ enabled: true, items: [{ kind: 'MANUAL' }] });
    expect(await reasonOf('enable_backups')).toBe('Weekly backups are bought already.');
  });

  test('bring the whole machine back, after a safety snapshot that is kept for a day', async () => {
    await deliver({ backups: true });
    await write('/srv/a', 'as it was');
    await act('vpsTakeBackup');
    await world.run();
    const [backup] = (await shown()).backups.items;
    await write('/srv/a', 'broken');
    await write('/srv/new', 'later');
    await act('vpsResetPassword');
    await world.run();
    const { users } = machine();
    expect(await act('vpsRestore', `, backup: "${backup?.id}", hostname: "something else"`)).toContain('parameter_invalid');
    expect(await act('vpsRestore', `, backup: "bkp_${'0'.repeat(26)}", hostname: "x"`)).toContain('backup_not_found');
    const [{ hostname } = { hostname: '' }] = await rowsOf<{ hostname: string }>(
      world.query,
      'compute.server',
      { id },
      { columns: 'hostname' },
    );
    expect(await act('vpsRestore', `, backup: "${backup?.id}", hostname: "${hostname}"`)).toBe('begun');
    await world.run();
    expect(machine()).toMatchObject({ running: true, users, config: { cores: '8', description: hostname } });
    expect(machine().disk?.contents).toMatchObject({ '/srv/a': 'as it was' });
    expect(machine().disk?.contents['/srv/new']).toBeUndefined();
    expect((await shown()).backups.items.map(({ kind }) => kind).toSorted()).toEqual(['MANUAL', 'SAFETY']);
    world.clock.advance(DAY + HOUR);
    await settle();
    await settle();
    expect((await shown()).backups.items.filter(({ kind }) => kind === 'SAFETY')).toEqual([]);
  });

  test('restored after an upgrade keep the larger plan and the present addresses', async () => {
    await deliver({ backups: true });
    await act('vpsTakeBackup');
    await world.run();
    const { fulfil } = await world.change('vpsUpgradeOffer', `id: "${id}", plan: EINSTEIN`);
    await world.pay(fulfil, { version: 2 });
    await settle();
    const [backup] = (await shown()).backups.items;
    const [{ hostname } = { hostname: '' }] = await rowsOf<{ hostname: string }>(
      world.query,
      'compute.server',
      { id },
      { columns: 'hostname' },
    );
    await act('vpsRestore', `, backup: "${backup?.id}", hostname: "${hostname}"`);
    await settle();
    expect(machine()).toMatchObject({ running: true, config: { cores: '16', memory: '32768' }, disk: { gigabytes: 150 } });
  });

  const CALLS: EndpointName[] = ['backup', 'content', 'restore', 'config', 'shutdown', 'start', 'current', 'task', 'password'];
  test.each(CALLS.flatMap((call) => HYPERVISOR_FAULTS.map((fault) => [call, fault] as const)))(
    'with trouble of %s by %s end restored, or failed with the machine as it was; nothing is left on the storage that nobody knows',
    async (call, fault) => {
      await deliver({ backups: true });
      await write('/srv/a', 'as it was');
      await act('vpsTakeBackup');
      await world.run();
      await write('/srv/a', 'broken');
      const [backup] = (await shown()).backups.items;
      const [{ hostname } = { hostname: '' }] = await rowsOf<{ hostname: string }>(
        world.query,
        'compute.server',
        { id },
        { columns: 'hostname' },
      );
      world.hypervisor.faults.next.push({ fault, on: call });
      await act('vpsRestore', `, backup: "${backup?.id}", hostname: "${hostname}"`);
      await world.run(600);
      for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
      expect(await world.run(24_000)).toBe(0);
      expect(world.hypervisor.faults.next).toEqual([]);
      const [last] = (await shown()).operations;
      expect(last).toMatchObject({ command: 'RESTORE', status: 'SUCCESS' });
      expect(machine()).toMatchObject({ running: true, lock: null, config: { cores: '8', description: hostname } });
      expect(machine().disk?.contents['/srv/a']).toBe('as it was');
      const known = await rowsOf<{ volume: string }>(world.query, 'compute.backup', {}, { columns: 'volume' });
      await act('vpsTakeBackup');
      await world.run();
      expect(world.hypervisor.backups().length).toBe(known.length + 1);
    },
  );

  // The storage is the datacenter's, not ours: jobs of its operator write there too, and a machine's number may have been another machine's before.
  test('of anybody else are left alone: by a backup, by its pruning, and when the server ends', async () => {
    await deliver({ backups: true });
    const { vmid, name } = machine();
    // The last one is of an operation of another database, which gave the same number.
    const foreign: string[] = [];
    for (const notes of ['nightly job of the operator', '', newId('op', world.clock)])
      foreign.push(await world.hypervisor.dump(name, notes));
    const left = () =>
      world.hypervisor
        .backups()
        .filter((one) => one.vmid === vmid)
        .map(({ volid }) => volid);
    await act('vpsTakeBackup');
    await world.run();
    expect(left()).toEqual(expect.arrayContaining(foreign));
    expect(left()).toHaveLength(foreign.length + 1);
    await world.tell('subscription.ended', orderId, { status: 'CANCELED', reason: 'CANCELLED' });
    await settle();
    expect(world.hypervisor.machines().some((one) => one.vmid === vmid)).toBe(false);
    expect(left().toSorted()).toEqual(foreign.toSorted());
  });
});
