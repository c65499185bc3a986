import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import { TestClock } from '#platform/clock.ts';
import { createRandom } from '../../sandbox/random.ts';
import { ENDPOINTS } from '../../sandbox/hypervisor/endpoints.ts';
import { startHypervisor } from '../../sandbox/hypervisor/hypervisor.ts';
import type { SandboxHypervisor } from '../../sandbox/hypervisor/hypervisor.ts';

const TOKEN = 'test@pve!egress=secret';
const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
const FILE = join(import.meta.dirname, '../../../shared/vendor/proxmox/pve-api-subset.json');

let clock: TestClock;
let hypervisor: SandboxHypervisor;
let dataDir: string | undefined;
const start = () =>
  startHypervisor({
    host: '127.0.0.1',
    port: 0,
    guestPort: 0,
    dataDir,
    clock,
    random: createRandom(1),
    token: TOKEN,
    vendors: () => VENDORS,
  });
beforeEach(async () => {
  dataDir = undefined;
  clock = new TestClock();
  hypervisor = await start();
});
afterEach(() => hypervisor.close());

async function call<Data = unknown>(method: string, path: string, body?: Record<string, string>, token = TOKEN) {
  const response = await fetch(`${hypervisor.url}/api2/json${path}`, {
    method,
    headers: { authorization: `PVEAPIToken=${token}` },
    ...(body && { body: new URLSearchParams(body) }),
    signal: AbortSignal.timeout(2_000),
  });
  const answer = (await response.json()) as { data: Data; message?: string; errors?: Record<string, string> };
  return { status: response.status, ...answer };
}

/** The exit status of this call's task, when it has ended. */
async function done(method: string, path: string, body?: Record<string, string>): Promise<string | undefined> {
  const { data, message } = await call<string>(method, path, body);
  if (message) throw new Error(message);
  clock.advance(60 * SECOND);
  const node = data.split(':')[1];
  return (await call<{ exitstatus?: string }>('GET', `/nodes/${node}/tasks/${encodeURIComponent(data)}/status`)).data?.exitstatus;
}

/** A guest's greeting; null when nobody answers. */
const greeting = (address: string): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect(hypervisor.guestPort, address);
    socket.once('error', () => resolve(null));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString());
    });
  });

const VM = '/nodes/fra1/qemu/100';
const clone = () => call<string>('POST', '/nodes/fra1/qemu/9000/clone', { newid: '100', name: 'web-1', full: '1' });
async function built(address = '127.80.0.10'): Promise<void> {
  expect(await done('POST', '/nodes/fra1/qemu/9000/clone', { newid: '100', name: 'web-1', full: '1' })).toBe('OK');
  await call('PUT', `${VM}/config`, {
    cores: '8',
    memory: '16384',
    ciuser: 'ubuntu',
    cipassword: 'secret',
    ipconfig0: `ip=${address}/16,gw=127.80.0.1`,
  });
}

describe('the API', () => {
  test('needs the token, refuses unknown parameters by their names, and unknown paths', async () => {
    expect((await call('GET', '/nodes', undefined, 'test@pve!egress=wrong')).status).toBe(401);
    const refused = await call('POST', '/nodes/fra1/qemu/9000/clone', { newid: '100', colour: 'red' });
    expect([refused.status, Object.keys(refused.errors ?? {})]).toEqual([400, ['colour']]);
    expect((await call('GET', '/nodes/fra1/lxc')).status).toBe(501);
  });

  test('clones with its task, and keeps a number for one machine', async () => {
    expect((await call('GET', '/cluster/nextid')).data).toBe('100');
    const { data: upid } = await clone();
    expect((await call('GET', '/cluster/nextid')).data).toBe('101');
    expect((await clone()).message).toContain('already exists');
    expect((await call<{ lock: string }>('GET', `${VM}/config`)).data.lock).toBe('clone');
    expect((await call('POST', `${VM}/status/start`)).message).toContain('locked (clone)');
    clock.advance(30 * SECOND);
    expect((await call('GET', `/nodes/fra1/tasks/${encodeURIComponent(upid)}/status`)).data).toMatchObject({
      status: 'stopped',
      exitstatus: 'OK',
    });
    expect((await call('GET', `${VM}/config`)).data).toMatchObject({ scsi0: 'local:vm-100-disk-0,size=10G', name: 'web-1' });
  });

  test('does not give a password away, nor shrink a disk', async () => {
    await built();
    expect((await call('GET', `${VM}/config`)).data).toMatchObject({ ciuser: 'ubuntu', cipassword: '**********' });
    expect(await done('PUT', `${VM}/resize`, { disk: 'scsi0', size: '100G' })).toBe('OK');
    expect((await call('PUT', `${VM}/resize`, { disk: 'scsi0', size: '50G' })).message).toContain('shrinking');
  });
});

describe('a machine', () => {
  test('takes time to boot, answers at its address while it runs, and accepts a new password only then', async () => {
    await built();
    await call('POST', `${VM}/status/start`);
    clock.advance(4 * SECOND);
    await hypervisor.tick();
    expect((await call('GET', `${VM}/status/current`)).data).toMatchObject({ status: 'running' });
    expect(await greeting('127.80.0.10')).toBeNull();
    const set = () => call('POST', `${VM}/agent/set-user-password`, { username: 'ubuntu', password: 'another' });
    expect((await set()).message).toContain('agent is not running');
    clock.advance(20 * SECOND);
    await hypervisor.tick();
    expect(await greeting('127.80.0.10')).toContain('web-1');
    expect(hypervisor.machine('web-1').users).toEqual({ ubuntu: 'secret' });
    expect((await set()).status).toBe(200);
    expect(hypervisor.machine('web-1').users).toEqual({ ubuntu: 'another' });
    expect(await done('POST', `${VM}/status/shutdown`)).toBe('OK');
    expect(await greeting('127.80.0.10')).toBeNull();
    expect((await call('POST', `${VM}/status/reboot`)).message).toContain('not running');
  });

  test('samples its use by the minute while it runs', async () => {
    await built();
    await done('POST', `${VM}/status/start`);
    await hypervisor.change('web-1', (machine) => (machine.load = 0.5));
    clock.advance(60 * SECOND);
    const { data } = await call<{ cpu: number; maxcpu: string }[]>('GET', `${VM}/rrddata?timeframe=hour`);
    expect(data.map(({ cpu, maxcpu }) => [cpu, maxcpu])).toEqual([
      [0, 8],
      [0.5, 8],
    ]);
  });

  test('comes back from a snapshot and from a backup with the disk that it had', async () => {
    await built();
    const write = (text: string) => hypervisor.change('web-1', ({ disk }) => void (disk && (disk.contents['/srv/a'] = text)));
    const read = () => hypervisor.machine('web-1').disk?.contents['/srv/a'];
    await write('first');
    expect(await done('POST', `${VM}/snapshot`, { snapname: 'before' })).toBe('OK');
    await write('second');
    expect(await done('POST', '/nodes/fra1/vzdump', { vmid: '100', storage: 'backups', mode: 'snapshot' })).toBe('OK');
    await write('third');
    expect(await done('POST', `${VM}/snapshot/before/rollback`)).toBe('OK');
    expect(read()).toBe('first');
    const { data } = await call<{ volid: string }[]>('GET', '/nodes/fra1/storage/backups/content?content=backup&vmid=100');
    expect(await done('POST', '/nodes/fra1/qemu', { vmid: '100', archive: data[0]?.volid ?? '', force: '1' })).toBe('OK');
    expect(read()).toBe('second');
    expect((await call('DELETE', `/nodes/fra1/storage/backups/content/${encodeURIComponent(data[0]?.volid ?? '')}`)).status).toBe(200);
    expect(hypervisor.backups()).toEqual([]);
  });

  test('is gone after its removal, but not while it runs', async () => {
    await built();
    await done('POST', `${VM}/status/start`);
    expect((await call('DELETE', VM)).message).toContain('is running');
    await done('POST', `${VM}/status/stop`);
    expect(await done('DELETE', VM)).toBe('OK');
    expect(hypervisor.machines()).toEqual([]);
  });
});

describe('on demand', () => {
  // qemu-server 9.2.6, PVE/QemuServer.pm, destroy_vm; PVE/API2/Qemu.pm, "Only root may use this option."; proxmox/qemu-server issue 10 for tokens.
  test('a half-made clone keeps its lock, has no disk, and is not removed before its operator has taken the lock away', async () => {
    hypervisor.faults.next.push({ fault: 'half', on: 'clone' });
    expect(await done('POST', '/nodes/fra1/qemu/9000/clone', { newid: '100', name: 'web-1' })).toBe('interrupted by signal');
    expect(hypervisor.machine('web-1')).toMatchObject({ lock: 'clone', disk: null });
    expect((await call('DELETE', VM)).message).toContain('VM is locked (clone)');
    expect((await call('DELETE', `${VM}?skiplock=1`)).errors).toEqual({ skiplock: 'Only root may use this option.' });
    await hypervisor.change('web-1', (machine) => void (machine.lock = null));
    expect(await done('DELETE', VM)).toBe('OK');
  });

  test('a task is forgotten, or reports success wrongly', async () => {
    hypervisor.faults.next.push({ fault: 'lost_task', on: 'clone' }, { fault: 'wrong_state', on: 'start' });
    expect(await done('POST', '/nodes/fra1/qemu/9000/clone', { newid: '100', name: 'web-1' })).toBeUndefined();
    expect(hypervisor.machine('web-1').disk).not.toBeNull();
    expect(await done('POST', `${VM}/status/start`)).toBe('OK');
    expect(hypervisor.machine('web-1').running).toBe(false);
  });

  test('an answer never comes, with or without effect', async () => {
    hypervisor.faults.next.push({ fault: 'hang', on: 'clone' });
    const silent = (vmid: string) =>
      fetch(`${hypervisor.url}/api2/json/nodes/fra1/qemu/9000/clone`, {
        method: 'POST',
        headers: { authorization: `PVEAPIToken=${TOKEN}` },
        body: new URLSearchParams({ newid: vmid, name: `web-${vmid}` }),
        signal: AbortSignal.timeout(100),
      });
    await expect(silent('100')).rejects.toThrow();
    expect(hypervisor.machines()).toEqual([]);
    hypervisor.faults.next.push({ fault: 'no_answer', on: 'clone' });
    await expect(silent('100')).rejects.toThrow();
    expect(hypervisor.machines().map(({ name }) => name)).toEqual(['web-100']);
  });

  test('a node goes down with all its guests, and comes back with them', async () => {
    await built();
    await done('POST', `${VM}/status/start`);
    expect(await greeting('127.80.0.10')).not.toBeNull();
    await hypervisor.down('fra1');
    expect((await call('GET', `${VM}/status/current`)).status).toBe(595);
    expect(await greeting('127.80.0.10')).toBeNull();
    expect((await call<{ node: string; status: string }[]>('GET', '/nodes')).data.map(({ status }) => status)).toEqual([
      'offline',
      'online',
      'online',
    ]);
    await hypervisor.up('fra1');
    expect(await greeting('127.80.0.10')).not.toBeNull();
  });
});

test('a second start goes on where the first one ended, and guests answer again', async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
  await hypervisor.close();
  hypervisor = await start();
  await built('127.80.0.11');
  await done('POST', `${VM}/status/start`);
  await hypervisor.close();
  hypervisor = await start();
  expect(hypervisor.machine('web-1')).toMatchObject({ running: true, vmid: 100 });
  expect(await greeting('127.80.0.11')).toContain('web-1');
  await rm(dataDir, { recursive: true });
});

interface Described {
  parameters: { properties?: Record<string, unknown> };
}

/** Not in that description: pve-access-control, PVE/API2/AccessControl.pm, has one with `userid` and `path`; pve-firewall, Firewall/Cluster.pm, the other; pve-storage and pve-manager the rest. */
const BEYOND = ['permissions', 'clusterFirewall', 'download', 'upload', 'urlMetadata'];

if (!existsSync(FILE)) process.stderr.write(`The hypervisor's parameters are not compared: ${FILE} is absent.\n`);
describe.skipIf(!existsSync(FILE))('against the vendor’s description', () => {
  test.each(Object.entries(ENDPOINTS).filter(([name]) => !BEYOND.includes(name)))(
    '%s has a path and parameters that are described',
    (_, { method, path, parameters }) => {
      const described = (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Record<string, Described>>)[path]?.[method];
      const known = Object.keys(described?.parameters.properties ?? {});
      const numbered = parameters.map((name) => name.replace(/^(net|sata|ide|scsi|ipconfig|serial)\d$/, '$1[n]'));
      expect(described).toBeDefined();
      expect(numbered.filter((name) => !known.includes(name))).toEqual([]);
    },
  );
});
