// A second cluster beside that of a compute world, as hard to tell apart as two real ones: its nodes, machines and numbers have the same names.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../../sandbox/random.ts';
import { startHypervisor } from '../../../sandbox/hypervisor/hypervisor.ts';
import { addCluster } from '../../../subgraphs/compute/machines/services/clusters.ts';
import { VENDORS } from './room.ts';
import type { ComputeWorld } from './world.ts';

export async function startSecondCluster({ clock, hypervisor: first }: ComputeWorld) {
  const token = 'other@pve!egress=its-own-secret';
  const snippetsDir = await mkdtemp(join(tmpdir(), 'snippets-'));
  // The guests of both answer on one port, each at its own address.
  const guests = { guestPort: first.guestPort, sharesGuestPort: true };
  const place = { host: '127.0.0.1', port: 0, ...guests, dataDir: undefined, snippetsDir, consolePassword: 'its own password' };
  const hypervisor = await startHypervisor({ ...place, clock, random: createRandom(8), token, vendors: () => VENDORS });
  return {
    hypervisor,
    /** What an operator types of it. */
    terms: { ...hypervisor.terms, snippets: `snippets:${snippetsDir}`, location: 'Vienna' },
    async close() {
      await hypervisor.close();
      await rm(snippetsDir, { recursive: true });
    },
  };
}

export type SecondCluster = Awaited<ReturnType<typeof startSecondCluster>>;

/** Adds it as `vienna`, with addresses of its own. */
export const addVienna = (world: ComputeWorld, { terms }: SecondCluster): Promise<void> =>
  addCluster(world.context(), 'vienna', { ...terms, addresses: '127.82.0.10-127.82.0.60/16', gateway: '127.82.0.1' });
