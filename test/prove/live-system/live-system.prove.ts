// `npm run prove -- live-system`: the live system of servers is made from Debian's packages, and boots on a machine under QEMU: it wipes, sets a password, and lets
// the owner of a dedicated server and of a VPS in. LIVE_IMAGE=FILE takes an image that was made before. The short form reads the scripts alone: making the image
// takes minutes, and so does each boot.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MachineTask, seedFiles } from '../../../subgraphs/compute/provisioning/domain/machine-task.ts';
import { seedImage } from '../../../subgraphs/compute/provisioning/domain/seed-image.ts';
import { freePorts } from '../../kit/ports.ts';
import { SCALE, say } from '../scale.ts';
import { type Machine, NETWORK, boot, greetingAt } from './machine.ts';

const FOLDER = new URL('../../../deploy/live-system/', import.meta.url);
const BUILD = fileURLToPath(new URL('build.sh', FOLDER));
const given = process.env['LIVE_IMAGE'];
const NEEDED = [
  'qemu-system-x86_64',
  'mkfs.ext4',
  'debugfs',
  ...(given === undefined ? ['mmdebstrap', 'mksquashfs', 'grub-mkrescue', 'xorriso'] : []),
];
const absent = NEEDED.filter((program) => spawnSync('which', [program]).status !== 0);
const hasAll = absent.length === 0 && (given !== undefined || process.getuid?.() === 0);
const isPossible = hasAll && SCALE > 0;
if (!hasAll && SCALE > 0) say(`skipped: ${absent.length > 0 ? `${absent.join(' and ')} is not installed` : 'making the image needs root'}`);

const MB = 1_048_576;
const PASSWORD = 'Another-password-1';
let folder: string;
let image: string;
let machine: Machine | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-system-'));
  image = given ?? join(folder, 'egress-live.iso');
  if (given !== undefined || !isPossible) return;
  const built = spawnSync('sh', [BUILD, image], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${built.stdout}${built.stderr}`.slice(-2_000));
  say(`the image was made: ${Math.round(statSync(image).size / MB)} MB`);
});
afterEach(() => machine?.end());
afterAll(() => rmSync(folder, { recursive: true }));

/** Boots with this seed and disk. */
async function start(name: string, seed: Buffer, disk: string): Promise<Machine & { port: number }> {
  const seedFile = join(folder, `${name}.iso`);
  writeFileSync(seedFile, seed);
  const port = await freePorts(1);
  machine = boot({ image, seed: seedFile, disk, port, logFile: join(folder, `${name}.log`) });
  return { ...machine, port };
}
const forTask = (task: MachineTask) => seedImage('CIDATA', seedFiles(task, NETWORK));

function emptyDisk(name: string, megabytes: number): string {
  const disk = join(folder, `${name}.raw`);
  writeFileSync(disk, '');
  truncateSync(disk, megabytes * MB);
  return disk;
}

/** How many bytes of a file are not zero. */
function bytesIn(file: string): number {
  const [descriptor, block] = [openSync(file, 'r'), Buffer.alloc(16 * MB)];
  let count = 0;
  for (let at = 0; ; at += block.length) {
    const read = readSync(descriptor, block, 0, block.length, at);
    if (read === 0) return count;
    if (block.subarray(0, read).some((byte) => byte !== 0)) for (const byte of block.subarray(0, read)) count += byte === 0 ? 0 : 1;
  }
}

/** Runs a command over SSH, with a password, as soon as the machine answers. */
async function overSsh(port: number, login: string, password: string, command: string): Promise<string> {
  while (!(await greetingAt(port))?.startsWith('SSH-2.0-')) await sleep(2_000);
  const ask = join(folder, 'ask');
  writeFileSync(ask, '#!/bin/sh\necho "$WORD"\n');
  chmodSync(ask, 0o700);
  const free = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'PubkeyAuthentication=no'];
  const { stdout, stderr, status } = spawnSync('ssh', [...free, '-p', String(port), `${login}@127.0.0.1`, command], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], WORD: password, SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force' },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

test.each([
  ['build.sh', 'sh', ['-n']],
  ['egress-task', 'python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())']],
])('its script %s is one of %s', (name, interpreter, reading) => {
  const { status, stderr } = spawnSync(interpreter, [...reading, fileURLToPath(new URL(name, FOLDER))], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test.skipIf(!isPossible)('it wipes the disks of a dedicated server and switches it off', async () => {
  const disk = emptyDisk('wipe', 1_024);
  const descriptor = openSync(disk, 'r+');
  for (const at of [0, 300, 700, 1_023]) writeSync(descriptor, Buffer.alloc(MB, 'secret'), 0, MB, at * MB);
  expect(bytesIn(disk)).toBe(4 * MB);
  const { off } = await start('wipe', forTask({ kind: 'wipe' }), disk);
  await off;
  expect(bytesIn(disk)).toBe(0);
  say('wiped');
});

test.skipIf(!isPossible)('it sets the password of a user of the installed system and switches it off', async () => {
  const disk = emptyDisk('password', 256);
  const root = join(folder, 'root');
  mkdirSync(join(root, 'etc'), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\ndebian:x:1000:1000::/home/debian:/bin/sh\n');
  writeFileSync(join(root, 'etc/shadow'), 'root:*:1:0:99999:7:::\ndebian:!:1:0:99999:7:::\n');
  expect(spawnSync('mkfs.ext4', ['-q', '-F', '-d', root, disk]).status).toBe(0);
  const { off } = await start('password', forTask({ kind: 'password', loginName: 'debian', password: PASSWORD }), disk);
  await off;
  const shadow = spawnSync('debugfs', ['-R', 'cat /etc/shadow', disk], { encoding: 'utf8' }).stdout;
  expect(shadow).toMatch(/^root:\*:/m);
  const [, hash = ''] = /^debian:([^:]+):/m.exec(shadow) ?? [];
  const check = `import crypt, sys; print(crypt.crypt(sys.argv[1], sys.argv[2]) == sys.argv[2])`;
  expect(spawnSync('python3', ['-W', 'ignore', '-c', check, PASSWORD, hash], { encoding: 'utf8' }).stdout.trim()).toBe('True');
  say('a password was set');
});

test.skipIf(!isPossible)('it stays on, with the reason on the serial line, when it cannot do what it was asked for', async () => {
  const { screen } = await start(
    'refused',
    forTask({ kind: 'password', loginName: 'nobody-here', password: PASSWORD }),
    emptyDisk('refused', 64),
  );
  while (!screen().includes('egress-task: FAILED')) await sleep(2_000);
  expect(screen()).toContain('no installed system has the user nobody-here');
});

test.skipIf(!isPossible)('it lets the owner of a dedicated server in for rescue, at the address of the server', async () => {
  const disk = emptyDisk('rescue', 64);
  const { port } = await start('rescue', forTask({ kind: 'rescue', password: PASSWORD }), disk);
  expect(await overSsh(port, 'root', PASSWORD, 'lsblk --noheadings --nodeps --output NAME /dev/nvme0n1')).toBe('nvme0n1');
  await expect(overSsh(port, 'root', 'a wrong one', 'true')).rejects.toThrow('Permission denied');
  say('its owner is in');
});

test.skipIf(!isPossible)('it lets the owner of a VPS in by the cloud-init drive, as Proxmox VE writes it', async () => {
  const hash = spawnSync('openssl', ['passwd', '-6', PASSWORD], { encoding: 'utf8' }).stdout.trim();
  // qemu-server 9.2.6, PVE/QemuServer/Cloudinit.pm, cloudinit_userdata and nocloud_network.
  const drive = seedImage('CIDATA', {
    'user-data': `#cloud-config\nhostname: web-1\nmanage_etc_hosts: true\nuser: root\ndisable_root: False\npassword: ${hash}\nchpasswd:\n  expire: False\npackage_upgrade: false\n`,
    'meta-data': 'instance-id: 0123456789abcdef0123456789abcdef01234567\n',
    'network-config': `version: 1\nconfig:\n    - type: physical\n      name: eth0\n      mac_address: '${NETWORK.mac}'\n      subnets:\n      - type: static\n        address: '${NETWORK.ip}'\n        netmask: '255.255.255.0'\n        gateway: '${NETWORK.gateway}'\n    - type: nameserver\n      address:\n      - '9.9.9.9'\n      search:\n      - 'example.com'\n`,
  });
  const { port } = await start('vps', drive, emptyDisk('vps', 64));
  expect(await overSsh(port, 'root', PASSWORD, 'hostname')).toBe('web-1');
  say('the owner of a VPS is in');
});
