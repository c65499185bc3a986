// Operations on a customer's machine must not touch its host keys, its password, the user data of its first boot, or its neighbours' addresses.
import { expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { HOST_KEY, USER_DATA, USER_DATA_RUNS, VENDOR_DATA } from '../../../../sandbox/hypervisor/cloud-init.ts';
import { reconcileMachines } from '../../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { sweepFirewalls } from '../../../../subgraphs/compute/networking/services/firewall.ts';
import { openOffer } from '#commerce/offers.ts';
import { rowOf } from '../../../kit/tables.ts';
import { act, deliver, id, machine, orderId, owner, settle, shown, withOwnedVps, world } from '../owned-vps.ts';

withOwnedVps();

const contents = () => machine().disk?.contents ?? {};
const fulfilled = async (field: string, args: string) => {
  const { fulfil } = await world.change(field, args);
  const sold = await rowOf<{ subscription_version: number }>(world.query, 'compute.server', { id });
  await world.pay(fulfil, { version: (sold?.subscription_version ?? 0) + 1 });
  await settle();
};

test('another address, a larger plan and the rescue system do not change host keys, hardware addresses or the password', async () => {
  await deliver({ extraIpv4: 1 });
  const key = contents()[HOST_KEY];
  const { net0, net1 } = machine().config;
  expect([net0, net1].map((net) => /^virtio=(BC:24:11\S+?),/.exec(String(net))?.[1])).not.toContain(undefined);
  expect(new Set([net0, net1]).size).toBe(2);
  await act('vpsResetPassword');
  await world.run();
  const users = { ...machine().users };
  await fulfilled('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 2`);
  await fulfilled('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
  expect(machine().config).toMatchObject({ memory: '24576', cores: '12', net0, net1 });
  expect((await shown()).ipv4).toHaveLength(3);
  await act('serverRescue');
  await world.run();
  await act('serverLeaveRescue');
  await world.run();
  expect(await shown()).toMatchObject({ powerState: 'RUNNING', operations: [{ command: 'RESCUE_END', status: 'SUCCESS' }, {}, {}] });
  expect(contents()[HOST_KEY]).toBe(key);
  expect(machine().users).toEqual(users);
  expect(machine().config).toMatchObject({ net0, net1 });
});

test('a customer’s user data takes precedence, runs once, and is deleted afterwards', async () => {
  const userData = '#cloud-config\nusers:\n  - name: mine\nchpasswd: { expire: true }\n';
  const { vpsOffer } = await world.must<{ vpsOffer: { token: string } }>(
    owner,
    `query ($userData: String) { vpsOffer(plan: PLANK, months: 1, os: DEBIAN_12, hostname: "mine", userData: $userData) { token } }`,
    { userData },
  );
  const ordered = await world.pay(openOffer(vpsOffer.token, 'acct_owner', world.platform.secrets.offers, world.clock).fulfil, {});
  expect(await world.run()).toBe(0);
  const server = await world.server(ordered);
  const guest = world.hypervisor.machine(server.id.replace('_', '-'));
  expect(guest.disk?.contents).toMatchObject({ [USER_DATA]: userData, [USER_DATA_RUNS]: '1' });
  expect(guest.disk?.contents[VENDOR_DATA]).toContain('hostname: "mine"');
  expect(Object.keys(guest.users)).toEqual(['debian']);
  expect(guest.config['cicustom']).toMatch(/^meta=\S+-meta\.yaml$/);
  expect((await world.snippets()).filter((name) => name.includes(String(guest.vmid)))).toEqual([`egress-${guest.vmid}-meta.yaml`]);
  await world.must(owner, `mutation { vpsReboot(id: "${server.id}") { id } }`);
  await world.run();
  expect(guest.disk?.contents[USER_DATA_RUNS]).toBe('1');
});

test('a machine sends from its own addresses alone, from its delivery on, whatever its owner’s firewall says', async () => {
  await deliver({ extraIpv4: 1 });
  const { ipv4 } = await shown();
  const name = id.replace('_', '-');
  const may = (source: string) => ['net0', 'net1'].map((card) => world.hypervisor.leaves(name, card, source));
  for (const ip of ipv4) expect(may(ip)).toEqual([true, true]);
  expect(may('127.80.0.250')).toEqual([false, false]);
  expect(machine().firewall.options).toMatchObject({ enable: '1', macfilter: '1', policy_in: 'ACCEPT' });
  for (const enabled of [true, false]) {
    await world.must(owner, `mutation ($id: ID!, $on: Boolean!) { serverSetFirewall(id: $id, enabled: $on, rules: []) { id } }`, {
      id,
      on: enabled,
    });
    world.clock.advance(MINUTE);
    await sweepFirewalls(world.context());
    expect([machine().firewall.options['policy_in'], may('127.80.0.250')]).toEqual([enabled ? 'DROP' : 'ACCEPT', [false, false]]);
  }
});

test('the firewall says that it is set only where rules filter: not while the datacenter’s own switch is off', async () => {
  await deliver();
  await world.hypervisor.switchFirewall(false);
  const state = async () =>
    (
      await world.must<{ server: { firewall: { state: string } } }>(owner, `query ($id: ID!) { server(id: $id) { firewall { state } } }`, {
        id,
      })
    ).server.firewall.state;
  await world.must(owner, `mutation ($id: ID!) { serverSetFirewall(id: $id, enabled: true, rules: []) { id } }`, { id });
  world.clock.advance(MINUTE);
  await sweepFirewalls(world.context());
  expect(await state()).toBe('FAILED');
  await world.hypervisor.switchFirewall(true);
  world.clock.advance(2 * MINUTE);
  await sweepFirewalls(world.context());
  expect(await state()).toBe('SET');
});

test('a suspended machine stays off after a restart of its node, and is switched off again if somebody starts it', async () => {
  await deliver();
  expect(machine().config['onboot']).toBe('1');
  await world.tell('subscription.suspended', orderId, { status: 'PAST_DUE' });
  await world.run();
  expect([machine().running, machine().config['onboot']]).toEqual([false, '0']);
  await world.hypervisor.change(id.replace('_', '-'), (one) => void (one.running = true));
  await reconcileMachines(world.context());
  await settle();
  expect(machine().running).toBe(false);
  await world.tell('subscription.resumed', orderId);
  await settle();
  expect([machine().running, machine().config['onboot']]).toEqual([true, '1']);
});

test('a force stop cuts the power while a stop waits for a guest that does not react, and while a copy is taken', async () => {
  await deliver({ backups: true });
  await world.hypervisor.change(id.replace('_', '-'), (one) => void (one.deaf = true));
  expect(await act('vpsStop')).toBe('begun');
  await world.run(6);
  expect(await act('vpsForceStop')).toBe('begun');
  expect(await world.run(20)).toBe(0);
  expect(machine().running).toBe(false);
  await act('vpsStart');
  await world.run();
  expect(await act('vpsTakeBackup')).toBe('begun');
  await world.run(6);
  expect(machine().lock).toBe('backup');
  expect(await act('vpsForceStop')).toBe('begun');
  expect(await world.run(20)).toBe(0);
  expect(machine()).toMatchObject({ running: false, lock: null });
});

test('a reinstall puts another system in its place, with a new password; addresses, number and backups stay', async () => {
  await deliver({ backups: true });
  await act('vpsTakeBackup');
  await world.run();
  const before = { ...(await shown()), vmid: machine().vmid };
  await world.hypervisor.change(id.replace('_', '-'), ({ disk }) => void (disk && (disk.contents['/srv/mine'] = 'mine')));
  const key = contents()[HOST_KEY];
  const begun = await world.must<{ vpsReinstall: { command: string } }>(
    owner,
    `mutation ($id: ID!) { vpsReinstall(id: $id, os: UBUNTU_24_04, password: "Another-password-1") { command } }`,
    { id },
  );
  expect(begun.vpsReinstall.command).toBe('REINSTALL');
  expect(await act('vpsForceStop')).toContain('action_not_allowed');
  expect(await world.run(3 * 60)).toBe(0);
  const after = await shown();
  expect(after).toMatchObject({
    status: 'ACTIVE',
    powerState: 'RUNNING',
    ipv4: before.ipv4,
    operations: [{ command: 'REINSTALL', status: 'SUCCESS' }, {}, {}],
  });
  expect(after.backups.items).toEqual(before.backups.items);
  expect(machine()).toMatchObject({ vmid: before.vmid, users: { ubuntu: 'Another-password-1' }, disk: { gigabytes: 100 } });
  expect(contents()).toMatchObject({ '/etc/os-release': 'ubuntu-24-04' });
  expect(contents()['/srv/mine']).toBeUndefined();
  expect(contents()[HOST_KEY]).not.toBe(key);
  expect(world.hypervisor.leaves(id.replace('_', '-'), 'net0', '127.80.0.250')).toBe(false);
});
