// Templates are made on nodes as they are after an installation, against the hypervisor's own refusals.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import { PASSWORDS } from '../../../../sandbox/hypervisor/cloud-init.ts';
import { AGENT } from '../../../../sandbox/hypervisor/state.ts';
import { type TemplateWish, prepareTemplates } from '../../../../subgraphs/compute/machines/services/prepare-templates.ts';
import { type ImageMirror, startImageMirror } from '../../../kit/image-mirror.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { startCompute } from '../world.ts';

const DEBIAN_13 = '/cloud.debian.org/images/cloud/trixie/latest/debian-13-genericcloud-amd64.qcow2';
const STORAGES = `pvesm set local --content iso,vztmpl,backup,import
pvesm add nfs backup --content backup
pvesm add nfs snippets --content snippets`;

let mirror: ImageMirror;
let world: Awaited<ReturnType<typeof startCompute>>;
beforeEach(async () => {
  mirror = await startImageMirror();
  world = await startCompute({ bare: true, imageMirror: mirror.url });
});
afterEach(async () => {
  await world.close();
  await mirror.close();
});

/** What the command says, and what it could not do. */
async function prepare(wish: Partial<TemplateWish> = {}): Promise<{ said: string[]; problems: string[] }> {
  const said: string[] = [];
  const problems = await prepareTemplates(
    world.context(),
    { images: ['debian-13'], nodes: ['fra1'], ...wish },
    { say: (line) => void said.push(line), pause: async () => void world.clock.advance(5 * SECOND) },
  );
  return { said, problems };
}
const shell = (block: string) => world.hypervisor.shell(block);
const named = (image = 'debian-13', node = 'fra1') => world.hypervisor.onNode(node).filter(({ name }) => name === `egress-${image}`);
const template = (image?: string, node?: string) => named(image, node).find((one) => one.template);

test('every published image becomes a template on every node, and another run finds them there', async () => {
  await shell(STORAGES);
  const { said, problems } = await prepare({ images: [], nodes: [] });
  expect(problems).toEqual([]);
  for (const node of ['fra1', 'fra2', 'fra3'])
    for (const image of ['debian-12', 'debian-13', 'ubuntu-24-04']) expect(template(image, node)).toBeDefined();
  expect(template('debian-13')?.config).toMatchObject({
    scsi0: expect.stringMatching(/^local-lvm:base-\d+-disk-0,size=3G$/),
    ide2: expect.stringMatching(/^local-lvm:vm-\d+-cloudinit,media=cdrom$/),
    serial0: 'socket',
    agent: 'enabled=1',
    boot: 'order=scsi0',
    cicustom: 'vendor=snippets:snippets/egress-guest.yaml',
  });
  expect(said.filter((line) => line.startsWith('fra2  debian-13'))).toEqual([
    `fra2  debian-13  loading ${mirror.url}${DEBIAN_13} (1 MB) to local`,
    expect.stringMatching(/^fra2 {2}debian-13 {2}making machine \d+ with a disk on local-lvm$/),
    expect.stringMatching(/^fra2 {2}debian-13 {2}converting machine \d+ to a template$/),
    expect.stringMatching(/^fra2 {2}debian-13 {2}ready, number \d+$/),
    'fra2  debian-13  removed the loaded image from local',
  ]);
  expect(mirror.loaded).toHaveLength(9);
  const again = await prepare({ images: [], nodes: [] });
  expect(again.said.every((line) => /is there already, number \d+$/.test(line))).toBe(true);
  expect([again.said.length, mirror.loaded.length]).toEqual([9, 9]);
});

test('servers of it get the agent and log-ins by password at their first boot', async () => {
  await shell(STORAGES);
  await world.hypervisor.switchFirewall(true);
  expect((await prepare()).problems).toEqual([]);
  const { id } = await world.built({ os: 'DEBIAN_13' });
  const guest = world.hypervisor.machine(id.replace('_', '-'));
  expect(Object.keys(guest.disk?.contents ?? {})).toEqual(expect.arrayContaining([AGENT, PASSWORDS]));
  expect(guest.config['cicustom']).toMatch(/^meta=\S+-meta\.yaml,vendor=snippets:snippets\/egress-guest\.yaml$/);
  const before = guest.users['debian'];
  await world.must(sessionOf('acct_owner'), `mutation ($id: ID!) { vpsResetPassword(id: $id) { id } }`, { id });
  await world.run();
  expect(guest.users['debian']).not.toBe(before);
});

describe('what is in the way is said with what to do', () => {
  test('privileges that are missing, all of them, before anything is done', async () => {
    await shell(STORAGES);
    world.hypervisor.lacking.push('Datastore.AllocateTemplate', 'Sys.AccessNetwork', 'Sys.Modify');
    const { said, problems } = await prepare();
    expect([said, mirror.loaded]).toEqual([[], []]);
    expect(problems).toEqual([
      `The token lacks Datastore.AllocateTemplate, Sys.AccessNetwork. On a node:
  pveum role add EgressTemplates --privs "Datastore.AllocateTemplate Sys.AccessNetwork" && pveum acl modify / --users test@pve --roles EgressTemplates`,
    ]);
  });

  test('an old release, an unknown node, an image that nobody publishes', async () => {
    await shell(STORAGES);
    expect((await prepare({ nodes: ['fra9'] })).problems).toEqual(['The hypervisor: it has no node fra9; it has fra1, fra2, fra3.']);
    expect((await prepare({ images: ['windows-2022'] })).problems[0]).toMatch(
      /^windows-2022: nobody publishes an image .*--url URL --checksum/,
    );
    world.hypervisor.upgrade('8.2.4');
    expect((await prepare()).problems[0]).toMatch(/^Proxmox VE 8\.2\.4 cannot load images by its API: that needs release 8\.4/);
  });

  test('a storage without the right content, one that does not exist, several that would do', async () => {
    expect((await prepare()).problems).toEqual([
      'debian-13 on fra1: local of fra1 takes no `import`. On a node: pvesm set local --content iso,vztmpl,backup,import',
    ]);
    await shell(STORAGES);
    expect((await prepare({ disks: 'ceph' })).problems[0]).toContain(
      'fra1 has no storage ceph; it has local, local-lvm, backup, snippets.',
    );
    expect((await prepare({ disks: 'local' })).problems[0]).toContain('local of fra1 takes no `images`.');
    await shell('pvesm add zfspool tank --content images');
    expect((await prepare()).problems[0]).toContain('choose one with --storage: local-lvm, tank.');
    expect((await prepare({ disks: 'tank' })).problems).toEqual([]);
    expect(template()?.config['scsi0']).toMatch(/^tank:base-/);
    // The next one goes where the others are.
    expect((await prepare({ images: ['debian-12'] })).problems).toEqual([]);
  });

  test('storages that are full, before and during the work', async () => {
    await shell(STORAGES);
    await world.hypervisor.fill('fra1', true);
    expect((await prepare()).problems[0]).toContain('local of fra1 has 0 MB left, and the image has 1 MB. Make room');
    await world.hypervisor.fill('fra1', false);
    await world.hypervisor.fill('fra1', true, 'local-lvm');
    expect((await prepare()).problems[0]).toContain('local-lvm of fra1 is full. Make room, or choose another with --storage.');
    expect(named()).toEqual([]);
    await world.hypervisor.fill('fra1', false, 'local-lvm');
    expect((await prepare()).problems).toEqual([]);
    expect(mirror.loaded).toHaveLength(1);
  });

  test('an image with another checksum, and one that is none', async () => {
    await shell(STORAGES);
    const own = (path: string) => ({ images: ['windows-2022'], own: { url: `${mirror.url}${path}`, checksum: mirror.sha256(path) } });
    mirror.spoil(DEBIAN_13);
    expect((await prepare()).problems[0]).toMatch(
      /^debian-13 on fra1: what is at \S+ does not have the checksum that it should, and was thrown away\./,
    );
    expect((await prepare(own('/own/page.qcow2'))).problems[0]).toContain('Image is not in qcow2 format');
    expect((await prepare({ ...own('/own/windows.qcow2'), own: { url: 'x', checksum: 'abc' } })).problems[0]).toContain(
      '--checksum must be',
    );
    expect((await prepare(own('/own/windows.qcow2'))).problems).toEqual([]);
    expect(template('windows-2022')?.config).toMatchObject({ ostype: 'win11' });
    expect(template('windows-2022')?.config['cicustom']).toBeUndefined();
  });

  test('a machine of that name that somebody else has made is left alone', async () => {
    await shell(STORAGES);
    expect((await prepare()).problems).toEqual([]);
    const [made] = named();
    Object.assign(made!, { template: false, config: { ...made!.config, scsi0: 'local-lvm:vm-9000-disk-0', description: 'mine' } });
    expect((await prepare()).problems[0]).toContain(
      `machine ${made!.vmid} of fra1 is named egress-debian-13, and is neither a template nor made here.`,
    );
    expect(named()).toHaveLength(1);
  });
});

describe('a run that broke off is continued by the next', () => {
  test.each([
    ['download', 'half', 'interrupted by signal'],
    ['download', 'wrong_state', 'it has not happened: download'],
    ['restore', 'wrong_state', 'it has not happened: create'],
    ['template', 'half', 'interrupted by signal'],
    ['template', 'error', 'got timeout'],
  ] as const)('%s, %s', async (on, fault, words) => {
    await shell(STORAGES);
    world.hypervisor.faults.next.push({ fault, on });
    expect((await prepare()).problems[0]).toContain(words);
    expect((await prepare()).problems).toEqual([]);
    expect(template()?.config['scsi0']).toContain(':base-');
    expect(named()).toHaveLength(1);
  });

  test.each(['download', 'restore', 'template'] as const)('a task of %s that is forgotten, and an answer that never comes', async (on) => {
    await shell(STORAGES);
    world.hypervisor.faults.next.push({ fault: 'lost_task', on });
    expect((await prepare()).problems).toEqual([]);
    world.hypervisor.faults.next.push({ fault: 'no_answer', on });
    expect((await prepare({ nodes: ['fra2'] })).problems).toHaveLength(1);
    world.clock.advance(60 * SECOND);
    expect((await prepare({ nodes: ['fra2'] })).problems).toEqual([]);
    expect(named('debian-13', 'fra2')).toHaveLength(1);
  });

  test('a machine whose making died keeps its lock until the operator takes it away, and is then made anew', async () => {
    await shell(STORAGES);
    world.hypervisor.faults.next.push({ fault: 'half', on: 'restore' });
    expect((await prepare()).problems).toHaveLength(1);
    const { problems } = await prepare();
    expect(problems[0]).toMatch(/machine (\d+) of fra1 is locked \(create\), .* qm unlock \1 on fra1, then run this again\.$/);
    await world.hypervisor.change('egress-debian-13', (machine) => void (machine.lock = null));
    const { said, problems: none } = await prepare();
    expect(none).toEqual([]);
    expect(said[0]).toMatch(/removing machine \d+, which was left without a disk$/);
    expect([named().length, mirror.loaded.length]).toEqual([1, 1]);
  });
});
