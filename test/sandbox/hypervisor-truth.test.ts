// Tests that the sandbox's hypervisor is as strict as Proxmox VE where a difference has caused bugs; each case names its source. Unless noted otherwise:
// qemu-server 9.2.6, pve-firewall 6.0.4, pve-common 9.2.1.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND, TestClock } from '#platform/clock.ts';
import { createRandom } from '../../sandbox/random.ts';
import { HOST_KEY, USER_DATA_RUNS } from '../../sandbox/hypervisor/cloud-init.ts';
import { CONSOLE_USER, type SandboxHypervisor, startHypervisor } from '../../sandbox/hypervisor/hypervisor.ts';

const TOKEN = 'test@pve!egress=secret';
const PASSWORD = 'a console password';
const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
const VM = '/nodes/fra1/qemu/100';

let clock: TestClock;
let snippetsDir: string;
let hypervisor: SandboxHypervisor;
const start = (bare = false) =>
  startHypervisor({
    host: '127.0.0.1',
    port: 0,
    guestPort: 0,
    dataDir: undefined,
    snippetsDir,
    consolePassword: PASSWORD,
    bare,
    clock,
    random: createRandom(1),
    token: TOKEN,
    vendors: () => VENDORS,
  });
beforeEach(async () => {
  snippetsDir = await mkdtemp(join(tmpdir(), 'snippets-'));
  clock = new TestClock();
  hypervisor = await start();
});
afterEach(async () => {
  await hypervisor.close();
  await rm(snippetsDir, { recursive: true });
});

interface Answer<Data> {
  status: number;
  data: Data;
  message?: string;
  errors?: Record<string, string>;
}
async function call<Data = unknown>(
  method: string,
  path: string,
  body?: Record<string, string>,
  headers: Record<string, string> = { authorization: `PVEAPIToken=${TOKEN}` },
): Promise<Answer<Data>> {
  const response = await fetch(`${hypervisor.url}/api2/json${path}`, {
    method,
    headers,
    signal: AbortSignal.timeout(2_000),
    ...(body && { body: new URLSearchParams(body) }),
  });
  return { status: response.status, ...((await response.json()) as Omit<Answer<Data>, 'status'>) };
}
const config = async () => (await call<Record<string, string>>('GET', `${VM}/config`)).data;
const contents = () => hypervisor.machine('web-1').disk?.contents ?? {};

/** The exit status of a task after its time. */
async function came(upid: string, seconds = 70): Promise<string | undefined> {
  clock.advance(seconds * SECOND);
  return (await call<{ exitstatus?: string }>('GET', `/nodes/fra1/tasks/${encodeURIComponent(upid)}/status`)).data.exitstatus;
}
const done = async (method: string, path: string, body?: Record<string, string>) => came((await call<string>(method, path, body)).data);
const clone = () => done('POST', '/nodes/fra1/qemu/9000/clone', { newid: '100', name: 'web-1', full: '1' });
async function boots(): Promise<void> {
  expect(await done('POST', `${VM}/status/start`)).toBe('OK');
}
async function built(more: Record<string, string> = {}): Promise<void> {
  expect(await clone()).toBe('OK');
  await call('PUT', `${VM}/config`, { ciuser: 'debian', cipassword: 'first', ipconfig0: 'ip=127.80.0.10/16,gw=127.80.0.1', ...more });
  await boots();
  await done('POST', `${VM}/status/stop`);
}

// PVE/QemuServer/Network.pm, parse_net and add_random_macs; PVE/API2/Qemu.pm, clone_vm.
test('an interface is given a MAC when it is written without, another each time, and a clone gets its own', async () => {
  const template = (await call<Record<string, string>>('GET', '/nodes/fra1/qemu/9000/config')).data['net0'];
  await clone();
  expect((await config())['net0']).toMatch(/^virtio=BC:24:11(:[0-9A-F]{2}){3},bridge=vmbr0$/);
  expect((await config())['net0']).not.toBe(template);
  await call('PUT', `${VM}/config`, { net1: 'virtio,bridge=vmbr0' });
  const { net1 = '' } = await config();
  expect(net1).toMatch(/^virtio=BC:24:11/);
  await call('PUT', `${VM}/config`, { net1: 'virtio,bridge=vmbr0' });
  expect((await config())['net1']).not.toBe(net1);
  await call('PUT', `${VM}/config`, { net1: `firewall=1,${net1}` });
  expect((await config())['net1']).toBe(`${net1},firewall=1`);
  expect((await call('PUT', `${VM}/config`, { net1: 'bridge=vmbr0' })).errors).toEqual({ net1: 'invalid format' });
});

describe('cloud-init', () => {
  // PVE/API2/Qemu.pm, update_vm_api, and PVE/Tools.pm, encrypt_pw; PVE/QemuServer/Cloudinit.pm, nocloud_gen_metadata.
  test('takes a password that is sent again for a first boot: host keys are new', async () => {
    await built();
    const key = contents()[HOST_KEY];
    await boots();
    expect(contents()[HOST_KEY]).toBe(key);
    await done('POST', `${VM}/status/stop`);
    await call('PUT', `${VM}/config`, { cipassword: 'first' });
    await boots();
    expect(contents()[HOST_KEY]).not.toBe(key);
  });

  test('knows an instance by its meta data where a snippet gives it, and then runs user data once', async () => {
    await writeFile(join(snippetsDir, 'meta.yaml'), 'instance-id: mine\n');
    await writeFile(join(snippetsDir, 'user.yaml'), '#!/bin/sh\n');
    await built({ cicustom: 'meta=snippets:snippets/meta.yaml,user=snippets:snippets/user.yaml' });
    const key = contents()[HOST_KEY];
    await call('PUT', `${VM}/config`, { cipassword: 'another', net1: 'virtio,bridge=vmbr0', ipconfig1: 'ip=127.80.0.11/16' });
    await boots();
    expect([contents()[HOST_KEY], contents()[USER_DATA_RUNS]]).toEqual([key, '1']);
  });

  // PVE/QemuServer/Cloudinit.pm, read_cloudinit_snippets_file.
  test('does not let a machine start whose snippet is missing', async () => {
    await clone();
    await call('PUT', `${VM}/config`, { cicustom: 'user=snippets:snippets/gone.yaml' });
    expect(await done('POST', `${VM}/status/start`)).toBe("volume 'snippets:snippets/gone.yaml' does not exist");
  });
});

describe('power', () => {
  // PVE/QemuServer.pm, vm_stop within lock_config; PVE/API2/Qemu.pm, vm_stop, overrule-shutdown (qemu-server 8.2.2 and newer).
  test('is not cut during a graceful shutdown, except by a stop that overrules it', async () => {
    await built();
    await boots();
    await hypervisor.change('web-1', (machine) => void (machine.deaf = true));
    const { data: shutdown } = await call<string>('POST', `${VM}/status/shutdown`);
    expect((await call('PUT', `${VM}/config`, { cores: '2' })).message).toContain("can't lock file");
    const { data: stop } = await call<string>('POST', `${VM}/status/stop`);
    expect(await came(stop, 12)).toContain("can't lock file");
    const { data: overruling } = await call<string>('POST', `${VM}/status/stop`, { 'overrule-shutdown': '1' });
    expect(await came(overruling, 3)).toBe('OK');
    expect(await came(shutdown, 0)).toBe('interrupted by signal');
    expect(hypervisor.machine('web-1').running).toBe(false);
  });

  // PVE/QemuServer.pm, _do_vm_stop.
  test('stays on where a guest does not react, and the task says so after a minute', async () => {
    await built();
    await boots();
    await hypervisor.change('web-1', (machine) => void (machine.deaf = true));
    expect(await done('POST', `${VM}/status/shutdown`)).toBe('VM quit/powerdown failed - got timeout');
    expect(hypervisor.machine('web-1').running).toBe(true);
  });

  // PVE/QemuConfig.pm, check_lock; PVE/VZDump/QemuServer.pm, cleanup.
  test('is not cut during a backup; stopping the backup removes its lock', async () => {
    await built();
    await boots();
    const { data: copy } = await call<string>('POST', '/nodes/fra1/vzdump', { vmid: '100', storage: 'backup' });
    expect((await call('POST', `${VM}/status/stop`)).message).toContain('VM is locked (backup)');
    const active = await call<{ upid: string; user: string }[]>('GET', '/nodes/fra1/tasks?vmid=100&source=active&typefilter=vzdump');
    expect(active.data).toMatchObject([{ upid: copy, user: 'test@pve!egress' }]);
    await call('DELETE', `/nodes/fra1/tasks/${encodeURIComponent(copy)}`);
    expect(await done('POST', `${VM}/status/stop`)).toBe('OK');
    expect(hypervisor.backups()).toEqual([]);
  });
});

describe('trouble', () => {
  // PVE/API2/Qemu.pm, clone_vm: what a failed worker has made is cleared away.
  test('a full storage makes a clone fail; the task says why, and nothing is left over', async () => {
    await hypervisor.fill('fra1', true);
    expect(await clone()).toContain('no space left');
    expect(hypervisor.machines()).toEqual([]);
    const { data } = await call<{ storage: string; node: string; disk: number; maxdisk: number }[]>(
      'GET',
      '/cluster/resources?type=storage',
    );
    const full = data.find(({ node, storage }) => node === 'fra1' && storage === 'local');
    expect(full?.disk).toBe(full?.maxdisk);
  });

  // pve-cluster 8.0, PVE/Cluster.pm, check_cfs_quorum.
  test('a cluster without quorum answers reads and refuses changes', async () => {
    await hypervisor.loseQuorum(true);
    expect((await call('POST', '/nodes/fra1/qemu/9000/clone', { newid: '100', name: 'web-1' })).message).toContain('no quorum');
    expect((await call('GET', '/nodes')).status).toBe(200);
  });

  // PVE/API2/Qemu.pm: every path names the node.
  test('a machine that has moved is found on its new node alone', async () => {
    await built();
    await hypervisor.move('web-1', 'fra2');
    expect((await call('GET', `${VM}/config`)).message).toContain('does not exist');
    expect((await call('GET', '/nodes/fra2/qemu/100/config')).status).toBe(200);
  });
});

describe('the firewall', () => {
  // PVE/Firewall.pm, compile: `return ({}, {}, {}, {}) if !$cluster_conf->{options}->{enable}`, and the option's default.
  test('of the datacenter is off after its installation, and there are no templates', async () => {
    await hypervisor.close();
    hypervisor = await start(true);
    expect((await call('GET', '/cluster/firewall/options')).data).toEqual({});
    expect((await call('GET', '/cluster/resources?type=vm')).data).toEqual([]);
  });

  // PVE/Firewall.pm, ruleset_create_vm_chain and compile_ipsets.
  test('restricts a machine to its addresses only if datacenter, machine and network card enable it', async () => {
    await built();
    const sends = (source: string) => hypervisor.leaves('web-1', 'net0', source);
    expect(sends('127.80.0.99')).toBe(true);
    await call('PUT', `${VM}/firewall/options`, { enable: '1', ipfilter: '1' });
    expect(sends('127.80.0.99')).toBe(true);
    const { net0 = '' } = await config();
    await call('PUT', `${VM}/config`, { net0: `${net0},firewall=1` });
    // Without an IP set no packet leaves.
    expect([sends('127.80.0.10'), sends('127.80.0.99')]).toEqual([false, false]);
    await call('POST', `${VM}/firewall/ipset`, { name: 'ipfilter-net0' });
    await call('POST', `${VM}/firewall/ipset/ipfilter-net0`, { cidr: '127.80.0.10' });
    expect([sends('127.80.0.10'), sends('127.80.0.99')]).toEqual([true, false]);
    await hypervisor.switchFirewall(false);
    expect(sends('127.80.0.99')).toBe(true);
  });
});

// pve-access-control 8.2, PVE/API2/AccessControl.pm, create_ticket; pve-http-server 5.1, PVE/APIServer/AnyEvent.pm: cookie and CSRF token.
test('a user signs in with a password, a token does not; changes also need the CSRF token', async () => {
  const signIn = (username: string, password: string) =>
    call<{ ticket: string; CSRFPreventionToken: string }>('POST', '/access/ticket', { username, password }, {});
  expect((await signIn('test@pve!egress', 'secret')).errors?.['username']).toContain('does not look like a valid user name');
  expect((await signIn(CONSOLE_USER, 'wrong')).status).toBe(401);
  const { ticket, CSRFPreventionToken: csrf } = (await signIn(CONSOLE_USER, PASSWORD)).data;
  const cookie = `PVEAuthCookie=${encodeURIComponent(ticket)}`;
  await built({ serial0: 'socket' });
  await boots();
  expect((await call('POST', `${VM}/termproxy`, {}, { cookie })).message).toContain('csrf');
  expect((await call<{ user: string }>('POST', `${VM}/termproxy`, {}, { cookie, csrfpreventiontoken: csrf })).data.user).toBe(CONSOLE_USER);
});
