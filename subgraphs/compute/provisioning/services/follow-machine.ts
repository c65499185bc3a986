// Machines move without us: their operator migrates them, or HA starts them on another node. They are found by their number, which stays the same.
import { inTransaction } from '#platform/database.ts';
import type { ProvisioningContext } from '../context.ts';
import { movePlacement } from '../../machines/entities/placement.ts';
import type { FoundMachine } from '../../machines/providers/hypervisor.ts';
import { machineName } from '../../machines/services/vps-machine.ts';
import { type ServerRow, lockServer, updateServer } from '../../servers/entities/server.ts';

/** Stores on which node a server's machine is now; returns false when that has not changed. Throws HypervisorTrouble when the list cannot be read. */
export async function followMachine(ctx: ProvisioningContext, server: ServerRow, listed?: readonly FoundMachine[]): Promise<boolean> {
  const { datacenter } = ctx.providers;
  if (!datacenter || server.machineNumber === null) return false;
  const machines = listed ?? (await (await datacenter.clusters.of(server.node)).hypervisor.machines());
  const found = machines.find(({ number, name }) => number === server.machineNumber && name === machineName(server));
  if (!found || found.node === server.node) return false;
  return inTransaction(ctx, async (tx) => {
    const fresh = await lockServer(tx.em, server.id);
    if (fresh?.machineNumber !== found.number || fresh.node === found.node) return false;
    await updateServer(tx.em, server.id, { node: found.node });
    await movePlacement(tx.em, found.number, found.node);
    tx.log.info({ server: server.id, from: fresh.node, to: found.node }, 'a machine has moved to another node');
    return true;
  });
}
