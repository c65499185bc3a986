import { afterAll, beforeAll, expect, test } from 'vitest';
import { checks } from '../../../subgraphs/compute/checks.ts';
import { startCompute } from './world.ts';

let world: Awaited<ReturnType<typeof startCompute>>;
beforeAll(async () => {
  world = await startCompute();
});
afterAll(() => world.close());

const look = () => checks(world.context(), 'check');
const wrong = async () => (await look()).filter(({ ok }) => !ok).map(({ vendor, what, words }) => `${vendor} ${what}: ${words}`);

test('a correctly configured hypervisor has no findings', async () => {
  const found = await look();
  expect(found.filter(({ vendor }) => vendor === 'hypervisor').map(({ what }) => what)).toEqual(
    expect.arrayContaining(['version', 'privileges', 'nodes', 'templates', 'firewall', 'consoles', 'snippets', 'backups', 'rescue']),
  );
  expect(await wrong()).toEqual([]);
});

test.each([
  ['VM.Monitor', ['hypervisor privileges: missing: VM.Monitor']],
  ['backup', ['fra1', 'fra2', 'fra3'].map((node) => `hypervisor backups: ${node} has no storage backup`)],
  ['local:iso/egress-rescue.iso', ['fra1', 'fra2', 'fra3'].map((node) => `hypervisor rescue: ${node} has no local:iso/egress-rescue.iso`)],
])('what its operator has forgotten is named: %s', async (thing, sentences) => {
  world.hypervisor.lacking.push(thing);
  expect(await wrong()).toEqual(sentences);
  world.hypervisor.lacking.length = 0;
});

test('a datacenter with its firewall off is a finding, as no rule filters there', async () => {
  await world.hypervisor.switchFirewall(false);
  expect(await wrong()).toEqual(['hypervisor firewall: the firewall of the datacenter is off: no rule of any machine filters']);
  await world.hypervisor.switchFirewall(true);
});

test('a node without a template and an unreachable node are findings', async () => {
  await world.hypervisor.down('fra3');
  expect(await wrong()).toEqual(['hypervisor nodes: 2 of 3 are online']);
  await world.hypervisor.up('fra3');
});

test('a refused token is a finding, not an error', async () => {
  world.hypervisor.faults.next.push({ fault: 'error', on: 'version' });
  expect(await wrong()).toEqual([expect.stringMatching(/^hypervisor answer: GET \/version: 500/)]);
});
