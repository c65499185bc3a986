// The rescue system is put on nodes as they are after an installation, and servers boot it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import { checks } from '../../../../subgraphs/compute/checks.ts';
import { prepareRescue } from '../../../../subgraphs/compute/machines/services/prepare-rescue.ts';
import type { Meant } from '../../../../subgraphs/compute/machines/services/preparing.ts';
import { RESCUE_IMAGE } from '../../../../sandbox/hypervisor/state.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { addVienna, startSecondCluster } from '../second-cluster.ts';
import { startCompute } from '../world.ts';

let folder: string;
let image: string;
let world: Awaited<ReturnType<typeof startCompute>>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rescue-'));
  image = iso('egress-live.iso', 90_000);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  world = await startCompute();
  world.hypervisor.lacking.push(RESCUE_IMAGE);
  return () => world.close();
});

/** A file with what tells an ISO image: ECMA-119, 8.1. */
function iso(name: string, bytes: number): string {
  const content = Buffer.alloc(bytes, '\r\n--egress');
  content.write('CD001', 32_769, 'latin1');
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}
async function prepare(file = image, meant: Partial<Meant> = {}): Promise<{ said: string[]; problems: string[] }> {
  const said: string[] = [];
  const problems = await prepareRescue(
    world.context(),
    file,
    { nodes: [], ...meant },
    { say: (line) => void said.push(line), pause: async () => void world.clock.advance(10 * SECOND) },
  );
  return { said, problems };
}
const wrong = async () => (await checks(world.context(), 'check')).filter(({ ok, what }) => !ok && what === 'rescue');

test('every node gets it, servers boot it, and another run finds it there', { timeout: 60_000 }, async () => {
  expect(await wrong()).toHaveLength(3);
  const { id } = await world.built();
  const rescue = () => world.must(sessionOf('acct_owner'), `mutation { serverRescue(id: "${id}") { id } }`);
  const machine = () => world.hypervisor.machine(id.replace('_', '-'));
  expect(await prepare()).toEqual({
    said: ['fra1', 'fra2', 'fra3'].flatMap((node) => [`${node}  loading 1 MB to local`, `${node}  ready, on local`]),
    problems: [],
  });
  expect(await wrong()).toEqual([]);
  await rescue();
  expect(await world.run()).toBe(0);
  expect(machine().inRescue).toBe(true);
  expect((await prepare()).said).toEqual(['fra1', 'fra2', 'fra3'].map((node) => `${node}  is there already, on local`));
});

test(
  'without it the machine does not start, as the real one refuses it, and the image that comes later is booted',
  { timeout: 60_000 },
  async () => {
    const { id } = await world.built();
    await world.must(sessionOf('acct_owner'), `mutation { serverRescue(id: "${id}") { id } }`);
    await world.run(60);
    expect(world.hypervisor.machine(id.replace('_', '-')).inRescue).toBe(false);
    expect((await prepare()).problems).toEqual([]);
    expect(await world.run()).toBe(0);
    expect(world.hypervisor.machine(id.replace('_', '-')).inRescue).toBe(true);
  },
);

test('another image takes its place, on one node where one is named', async () => {
  await prepare();
  const { said } = await prepare(iso('newer.iso', 120_000), { nodes: ['fra2'] });
  expect(said).toEqual(['fra2  loading 1 MB to local', 'fra2  ready, on local']);
  expect((await prepare()).said).toEqual([
    'fra1  is there already, on local',
    'fra2  loading 1 MB to local',
    'fra2  ready, on local',
    'fra3  is there already, on local',
  ]);
});

test('a second cluster gets it in its own storage', { timeout: 60_000 }, async () => {
  const vienna = await startSecondCluster(world);
  vienna.hypervisor.lacking.push(RESCUE_IMAGE);
  await addVienna(world, vienna);
  const { said, problems } = await prepare(image, { cluster: 'vienna', nodes: ['vienna/fra1'] });
  expect([said, problems]).toEqual([['vienna/fra1  loading 1 MB to local', 'vienna/fra1  ready, on local'], []]);
  expect(await wrong()).toHaveLength(5);
  await vienna.close();
});

describe('what is in the way is said with what to do', () => {
  test('a file that is no image, or not there', async () => {
    const text = join(folder, 'text.iso');
    writeFileSync(text, 'x'.repeat(40_000));
    expect((await prepare(text)).problems).toEqual([`${text} is no ISO image.`]);
    expect((await prepare('/nowhere.iso')).problems).toEqual([expect.stringMatching(/^\/nowhere\.iso cannot be read: ENOENT/)]);
  });

  test('a token without the privilege', async () => {
    world.hypervisor.lacking.push('Datastore.AllocateTemplate');
    const { problems } = await prepare(image, { nodes: ['fra1'] });
    expect(problems).toEqual([
      'The rescue system on fra1: the token lacks Datastore.AllocateTemplate at /storage/local: add it to the role of its user with pveum role modify ROLE --append --privs.',
    ]);
  });

  test('a storage that takes no ISO images', async () => {
    await world.hypervisor.shell('pvesm set local --content images,vztmpl,import');
    expect((await prepare(image, { nodes: ['fra1'] })).problems).toEqual([
      'The rescue system on fra1: local takes no `iso`. On a node: pvesm set local --content images,vztmpl,import,iso',
    ]);
  });

  test('a full storage; the other nodes get it', async () => {
    await world.hypervisor.fill('fra2', true);
    const { said, problems } = await prepare();
    expect(problems).toEqual(['The rescue system on fra2: local has 0 MB left, and the image has 1 MB. Make room there.']);
    expect(said.filter((line) => line.endsWith('ready, on local'))).toEqual(['fra1  ready, on local', 'fra3  ready, on local']);
  });

  test('a node or a cluster that there is not', async () => {
    expect((await prepare(image, { nodes: ['fra9'] })).problems[0]).toContain('it has no node fra9');
    expect((await prepare(image, { cluster: 'paris' })).problems).toEqual(['There is no cluster paris.']);
  });
});
