// Whatever is done to a server in a second cluster is done there, although the first one has somebody else's machine with the same number and name on a node of
// the same name, and a backup of it on a storage of the same name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { applyFirewall } from '../../../../subgraphs/compute/networking/services/firewall.ts';
import { reconcileMachines } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { settleServers } from '../../../../subgraphs/compute/provisioning/services/settle.ts';
import type { SandboxHypervisor } from '../../../../sandbox/hypervisor/hypervisor.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { rowOf, setRows } from '../../../kit/tables.ts';
import { type SecondCluster, addVienna, startSecondCluster } from '../second-cluster.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

const owner = sessionOf('acct_owner');
const staff = sessionOf('acct_desk', true);

describe.each([
  ['runs', true],
  ['is off', false],
])('while the machine of the same number in the first cluster %s', { timeout: 180_000 }, (_, running) => {
  let world: ComputeWorld;
  let vienna: SecondCluster;
  let id: string;
  let name: string;
  let orderId: string;
  let foreign: object;

  beforeAll(async () => {
    world = await startCompute({ last: '127.80.0.80' });
    vienna = await startSecondCluster(world);
    await addVienna(world, vienna);
    orderId = await world.order({ location: 'Vienna', backups: true });
    ({ id } = await world.server(orderId));
    name = id.replace('_', '-');
    await run();
    const { vmid, node } = ours();
    await world.hypervisor.install(vmid, node, name, running);
    await world.hypervisor.dump(name, 'of its operator');
    foreign = stateOf(world.hypervisor);
  });
  afterAll(async () => {
    await world.close();
    await vienna.close();
  });

  const run = (seconds = 2_400) =>
    world.carryOn(seconds, { step: 2, tick: () => Promise.all([world.hypervisor, vienna.hypervisor].map((one) => one.tick())) });
  const ours = () => vienna.hypervisor.machine(name);
  /** What nobody but its operator may change of the machine in the first cluster, and of the copies there. */
  const stateOf = (hypervisor: SandboxHypervisor) => {
    const { samples: _s, halfHours: _h, counters: _c, measured: _m, load: _l, ...machine } = hypervisor.machine(name);
    return structuredClone({ machine, backups: hypervisor.backups(), machines: hypervisor.machines().length });
  };
  const done = async (command: string): Promise<void> => {
    expect(await run()).toBe(0);
    const last = await rowOf(
      world.query,
      'compute.operation',
      { server_id: id },
      { columns: 'command, status', orderBy: 'started_at desc' },
    );
    expect(last).toEqual({ command, status: 'SUCCESS' });
    expect(stateOf(world.hypervisor)).toEqual(foreign);
  };
  const act = (mutation: string, args = '', viewer = owner) =>
    world.must<Record<string, unknown>>(viewer, `mutation { ${mutation}(id: "${id}"${args}) { id } }`);
  const write = (path: string, text: string) => vienna.hypervisor.change(name, ({ disk }) => void (disk && (disk.contents[path] = text)));
  const hostname = async () =>
    (await rowOf<{ hostname: string }>(world.query, 'compute.server', { id }, { columns: 'hostname' }))?.hostname;
  const settle = () => settleServers(world.context(), 'VPS');

  test('it stops, starts, reboots and is cut off there', async () => {
    await act('vpsStop');
    await done('STOP');
    expect(ours().running).toBe(false);
    await act('vpsStart');
    await done('START');
    expect(ours().running).toBe(true);
    const before = ours().startedAt;
    await act('vpsReboot');
    await done('REBOOT');
    expect(ours().startedAt).not.toBe(before);
    await act('vpsForceStop');
    await done('FORCE_STOP');
    await act('vpsStart');
    await done('START');
  });

  test('backups are taken, pruned and restored there', async () => {
    await write('/srv/a', 'as it was');
    await act('vpsTakeBackup');
    await done('BACKUP');
    expect(vienna.hypervisor.backups()).toHaveLength(1);
    await write('/srv/a', 'broken');
    const backup = await rowOf<{ id: string }>(world.query, 'compute.backup', { server_id: id }, { columns: 'id' });
    await act('vpsRestore', `, backup: "${backup?.id}", hostname: "${await hostname()}"`);
    await done('RESTORE');
    expect(ours().disk?.contents['/srv/a']).toBe('as it was');
    expect(ours().running).toBe(true);
    expect(vienna.hypervisor.backups()).toHaveLength(2);
    // The safety copy has had its day.
    world.clock.advance(DAY + HOUR);
    for (let each = 0; each < 3; each++) {
      await settle();
      await run();
    }
    expect(vienna.hypervisor.backups().length).toBeLessThan(3);
    expect(stateOf(world.hypervisor)).toEqual(foreign);
  });

  test('a larger plan and more addresses are given there', async () => {
    const upgrade = await world.change('vpsUpgradeOffer', `id: "${id}", plan: EINSTEIN`);
    await world.pay(upgrade.fulfil, { version: 2 });
    await settle();
    await done('UPGRADE');
    expect(ours()).toMatchObject({ config: { cores: '16', memory: '32768' }, disk: { gigabytes: 150 }, running: true });
    const addresses = await world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 2`);
    await world.pay(addresses.fulfil, { version: 3 });
    await settle();
    await done('ADD_ADDRESSES');
    expect([0, 1, 2].map((card) => String(ours().config[`ipconfig${card}`]))).toEqual(Array(3).fill(expect.stringContaining('ip=127.82.')));
  });

  test('the rescue system and its password, another password, the firewall are set there', async () => {
    await act('serverRescue');
    await done('RESCUE');
    expect(ours().inRescue).toBe(true);
    await act('serverLeaveRescue');
    await done('RESCUE_END');
    expect(ours().inRescue).toBe(false);
    const before = { ...ours().users };
    await act('vpsResetPassword');
    await done('RESET_PASSWORD');
    expect(ours().users).not.toEqual(before);
    const rules = ', enabled: true, rules: [{ action: ACCEPT, protocol: TCP, ports: "22" }]';
    await world.must(owner, `mutation { serverSetFirewall(id: "${id}"${rules}) { id } }`);
    await applyFirewall(world.context(), id);
    expect(ours().firewall.rules).toHaveLength(1);
    expect(stateOf(world.hypervisor)).toEqual(foreign);
  });

  test('it is reinstalled, rebuilt and moved there', async () => {
    await write('/srv/a', 'old');
    await act('vpsReinstall', ', os: DEBIAN_13');
    await done('REINSTALL');
    expect(ours()).toMatchObject({ running: true });
    expect(ours().disk?.contents['/srv/a']).toBeUndefined();
    expect(ours().disk?.contents['/etc/os-release']).toBe('debian-13');
    await write('/srv/a', 'old');
    await act('supportServerRebuild', `, hostname: "${await hostname()}", reason: "A test."`, staff);
    await done('REINSTALL');
    expect(ours().disk?.contents['/srv/a']).toBeUndefined();
    const from = ours().node;
    await act('supportServerMove', ', reason: "A test."', staff);
    await done('MOVE');
    expect(ours().node).not.toBe(from);
  });

  test('its power and its use are those from there', async () => {
    await reconcileMachines(world.context());
    expect(await world.server(orderId)).toMatchObject({ power_state: 'RUNNING' });
    const { server } = await world.must<{ server: { metrics: { memoryTotalBytes: number }[] } }>(
      owner,
      `{ server(id: "${id}") { ... on Vps { metrics(span: HOUR) { memoryTotalBytes } } } }`,
    );
    expect(server.metrics.at(-1)?.memoryTotalBytes).toBe(32 * 1_073_741_824);
  });

  test('when it ends, that machine is removed and this one stays', async () => {
    await setRows(world.query, 'compute.server', { status: 'REMOVED' }, { id });
    for (let round = 0; round < 3; round++) {
      await settle();
      await run();
      await reconcileMachines(world.context());
      world.clock.advance(5 * 60_000);
    }
    expect(vienna.hypervisor.machines()).toEqual([]);
    expect(vienna.hypervisor.backups()).toEqual([]);
    expect(stateOf(world.hypervisor)).toEqual(foreign);
  });
});
