// The sandbox's hypervisor refuses what Proxmox VE refuses where templates are made, in its words. Sources: pve-storage 9.1.7, PVE/API2/Storage/Status.pm; pve-common
// 9.2.1, PVE/Tools.pm, download_file_from_url; qemu-server 9.2.6, PVE/API2/Qemu.pm, create_vm and template; pve-access-control, PVE/RPCEnvironment.pm, check.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECOND, TestClock } from '#platform/clock.ts';
import { createRandom } from '../../sandbox/random.ts';
import { type SandboxHypervisor, startHypervisor } from '../../sandbox/hypervisor/hypervisor.ts';
import { type ImageMirror, startImageMirror } from '../kit/image-mirror.ts';

const TOKEN = 'test@pve!egress=secret';
const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
const IMAGE = '/own/windows.qcow2';
const VOLUME = 'local:import/windows.qcow2';

let clock: TestClock;
let mirror: ImageMirror;
let hypervisor: SandboxHypervisor;
beforeEach(async () => {
  clock = new TestClock();
  mirror = await startImageMirror();
  const place = { host: '127.0.0.1', port: 0, guestPort: 0, dataDir: undefined, bare: true };
  hypervisor = await startHypervisor({ ...place, clock, random: createRandom(1), token: TOKEN, vendors: () => VENDORS });
});
afterEach(async () => {
  await hypervisor.close();
  await mirror.close();
});

interface Answer {
  status: number;
  data: unknown;
  message?: string;
  errors?: Record<string, string>;
}
async function call(method: string, path: string, body?: Record<string, string>, token = TOKEN): Promise<Answer> {
  const response = await fetch(`${hypervisor.url}/api2/json/nodes/fra1${path}`, {
    method,
    headers: { authorization: `PVEAPIToken=${token}` },
    ...(body && { body: new URLSearchParams(body) }),
  });
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
}
/** The exit status of the task that an answer names. */
async function came({ data, message }: Answer): Promise<unknown> {
  if (typeof data !== 'string') throw new Error(message);
  clock.advance(60 * SECOND);
  return ((await call('GET', `/tasks/${encodeURIComponent(data)}/status`)).data as { exitstatus: unknown }).exitstatus;
}
const download = (more: Record<string, string> = {}, token = TOKEN) =>
  call(
    'POST',
    '/storage/local/download-url',
    { url: `${mirror.url}${IMAGE}`, content: 'import', filename: 'windows.qcow2', ...more },
    token,
  );
const sum = (checksum: string) => ({ checksum, 'checksum-algorithm': 'sha256' });
const create = (more: Record<string, string> = {}) =>
  call('POST', '/qemu', { vmid: '9000', name: 'egress-x', scsi0: `local-lvm:0,import-from=${VOLUME}`, ...more });
const importing = () => hypervisor.shell('pvesm set local --content iso,vztmpl,backup,import');

test('an image is loaded only to a storage with the content, only under a name of an image, and only with both halves of a checksum', async () => {
  expect((await download()).message).toContain("storage 'local' is not configured for content-type 'import'");
  await importing();
  expect((await download({ filename: 'windows.img' })).errors).toEqual({ filename: 'invalid filename or wrong extension' });
  expect((await download({ checksum: 'abc' })).status).toBe(400);
  expect(await came(await download())).toBe('OK');
});

test('a file that is there is taken for the same with the right checksum, and never written over', async () => {
  await importing();
  const right = mirror.sha256(IMAGE);
  expect(await came(await download(sum('0'.repeat(64))))).toBe(`checksum mismatch: got '${right}' != expect '${'0'.repeat(64)}'`);
  expect((await call('GET', '/storage/local/content?content=import')).data).toEqual([]);
  expect(await came(await download(sum(right)))).toBe('OK');
  expect(await came(await download(sum(right)))).toBe('OK');
  expect(mirror.loaded).toHaveLength(2);
  expect(await came(await download(sum('0'.repeat(64))))).toMatch(/^checksum mismatch: .*, aborting$/);
  expect(await came(await download())).toMatch(/^refusing to override existing file/);
});

test('a download says what wget says, and what is no image is not kept', async () => {
  await importing();
  const from = async (url: string) => came(await download({ url }));
  expect(await from(`${mirror.url}/nothing`)).toMatch(/^download failed: .* failed: exit code 8$/);
  expect(await from('http://127.0.0.1:9/')).toMatch(/exit code 4$/);
  expect(await from(`${mirror.url}/own/page.qcow2`)).toMatch(/^failed to verify file: /);
  expect((await call('GET', '/query-url-metadata?url=' + encodeURIComponent(`${mirror.url}/nothing`))).message).toMatch(
    /^invalid server response: '404/,
  );
});

test('a disk is made of an image alone, in the one notation, and not of a path', async () => {
  await importing();
  await came(await download());
  const disk = async (scsi0: string) => create({ scsi0 });
  expect((await disk(`local-lvm:8,import-from=${VOLUME}`)).errors?.['scsi0']).toContain("'import-from' requires special syntax");
  expect((await disk(`local:0,import-from=${VOLUME}`)).errors?.['storage']).toBe("storage 'local' does not support vm images");
  expect((await disk('local-lvm:0,import-from=local:iso/x.iso')).errors?.['scsi0']).toContain("needs to be 'images' or 'import'");
  expect((await disk('local-lvm:0,import-from=/root/x.qcow2')).message).toContain('Only root can pass arbitrary filesystem paths.');
  expect(await came(await disk('local-lvm:0,import-from=local:import/gone.qcow2'))).toContain(
    'could not get size of local:import/gone.qcow2',
  );
  expect(await came(await create())).toBe('OK');
  expect((await create()).message).toContain("unable to create VM 9000 - VM 9000 already exists on node 'fra1'");
});

test('a template is marked before its disk is converted, and converted again only by the name of the disk', async () => {
  await importing();
  await came(await download());
  await came(await create());
  hypervisor.faults.next.push({ fault: 'half', on: 'template' });
  await came(await call('POST', '/qemu/9000/template'));
  const [made] = hypervisor.onNode('fra1');
  expect([made?.template, made?.config['scsi0']]).toEqual([true, 'local-lvm:vm-9000-disk-0,size=20G']);
  expect((await call('POST', '/qemu/9000/template')).message).toContain("you can't convert a template to a template");
  expect(await came(await call('POST', '/qemu/9000/template', { disk: 'scsi0' }))).toBe('OK');
  expect(made?.config['scsi0']).toBe('local-lvm:base-9000-disk-0,size=20G');
});

test('a user has the privileges of its roles at and below their paths, and a refusal names path and privilege', async () => {
  await importing();
  const printed = await hypervisor.shell(`pveum role add Some --privs "VM.Allocate \\
  Datastore.AllocateTemplate"
pveum user add a@pve
pveum acl modify /storage --users a@pve --roles Some
pveum user token add a@pve t --privsep 0`);
  const token = `a@pve!t=${/value (\S+)/.exec(printed)?.[1]}`;
  const refused = await download({}, token);
  expect([refused.status, refused.message]).toEqual([403, 'Permission check failed (/nodes/fra1, Sys.AccessNetwork|Sys.Modify)\n']);
  await hypervisor.shell('pveum role add Net --privs Sys.AccessNetwork\npveum acl modify / --users a@pve --roles Net');
  expect(await came(await download({}, token))).toBe('OK');
  // Release 9 has separated the guest agent from the monitor: pve-access-control 9.0.
  await expect(hypervisor.shell('pveum role modify Some --append --privs VM.GuestAgent.Unrestricted')).rejects.toThrow('invalid privilege');
  hypervisor.upgrade('9.1.2');
  await hypervisor.shell('pveum role modify Some --append --privs VM.GuestAgent.Unrestricted');
  await expect(hypervisor.shell('pveum role modify Some --append --privs VM.Monitor')).rejects.toThrow("invalid privilege 'VM.Monitor'");
});
