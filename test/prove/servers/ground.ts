// A world of virtual servers for proofs, and the invariants that must hold whenever nothing is pending.
import { expect } from 'vitest';
import { reconcileMachines } from '../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { settleServers } from '../../../subgraphs/compute/provisioning/services/settle.ts';
import { type ComputeWorld, startCompute } from '../../subgraphs/compute/world.ts';
import { type Random, createRandom } from '../../../sandbox/random.ts';
import { NODES, memoryOf } from '../../../sandbox/hypervisor/state.ts';
import type { HypervisorFault } from '../../../sandbox/hypervisor/faults.ts';

/** The faults of the hypervisor's API. */
export const FAULTS: HypervisorFault[] = ['hang', 'half', 'lost_task', 'wrong_state', 'no_answer'];

/** An address of the range that no server has got. */
const NEIGHBOUR = '127.80.3.199';

export interface Ground {
  world: ComputeWorld;
  random: Random;
  /** Checks that each of these orders is delivered or refunded, and that the hypervisor has exactly what the product says. */
  judge(orders: readonly string[], been?: { moved: boolean }): Promise<{ active: number; refunded: number }>;
  /** Ends all servers and checks that nothing of them is left. */
  clearAway(kept?: { foreign: readonly string[] }): Promise<void>;
}

/** Checks that no node has allocated more memory than it has, and that no machine can send from a neighbour's address. */
function judgeNodes({ hypervisor }: ComputeWorld, moved: boolean): void {
  const machines = hypervisor.machines();
  for (const node of moved ? [] : NODES) {
    const promised = machines.filter((one) => one.node === node).reduce((sum, { config }) => sum + Number(config['memory'] ?? 0), 0);
    expect(promised, node).toBeLessThanOrEqual(memoryOf(node));
  }
  const living = machines.filter(({ running }) => running);
  for (const { name } of living) expect(hypervisor.leaves(name, 'net0', NEIGHBOUR), name).toBe(false);
}

/** The seed determines everything random. The caller closes the world. */
export async function startGround(seed: number): Promise<Ground> {
  const world = await startCompute({ last: '127.80.3.200' });

  return {
    world,
    random: createRandom(seed),
    async judge(orders: readonly string[], { moved } = { moved: false }): Promise<{ active: number; refunded: number }> {
      for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
      expect(await world.run(7_200)).toBe(0);
      await reconcileMachines(world.context());
      await settleServers(world.context(), 'VPS');
      expect(await world.run(7_200)).toBe(0);
      await world.unlock();
      judgeNodes(world, moved);
      const count = { active: 0, refunded: 0 };
      for (const orderId of orders) {
        const { id, status } = await world.server(orderId);
        const facts = await world.facts(id);
        if (status === 'ACTIVE') {
          expect(facts).toEqual(['fulfilment.delivered', 'compute_vps.created']);
          expect(world.hypervisor.machine(id.replace('_', '-'))).toMatchObject({ running: true, lock: null, disk: { gigabytes: 100 } });
          count.active++;
        } else {
          expect(status).toBe('REMOVED');
          expect(facts).not.toContain('compute_vps.created');
          count.refunded++;
        }
      }
      expect(await world.orphans()).toEqual([]);
      const held = await world.query<{ ip: string }>('select host(ip) as ip from compute.address where server_id is not null');
      expect(new Set(held.map(({ ip }) => ip)).size).toBe(held.length);
      return count;
    },
    async clearAway({ foreign } = { foreign: [] }): Promise<void> {
      world.hypervisor.faults.next.length = 0;
      const living = await world.query<{ order_id: string }>(`select order_id from compute.server where status <> 'REMOVED'`);
      for (const { order_id } of living) await world.tell('subscription.ended', order_id, { status: 'CANCELED', reason: 'CANCELLED' });
      expect(await world.run(7_200)).toBe(0);
      expect(world.hypervisor.machines()).toEqual([]);
      expect(world.hypervisor.backups().map(({ volid }) => volid)).toEqual(foreign);
      expect(await world.query('select from compute.address where server_id is not null')).toEqual([]);
      await world.query('update compute.address set rests_until = $1', [world.clock.now()]);
    },
  };
}
