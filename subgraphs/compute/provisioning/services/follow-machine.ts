// Machines move without us: their operator migrates them, or HA takes them up on another node. Their number stays, and by it they are found.
import { inTransaction } from '#platform/database.ts';
import type { ProvisioningContext } from '../context.ts';
import { movePlacement } from '../../machines/entities/placement.ts';
import type { FoundMachine } from '../../machines/providers/hypervisor.ts';
import { machineName } from '../../machines/services/vps-machine.ts';
import { type ServerRow, lockServer, updateServer } from '../../servers/entities/server.ts';

/** Writes down where the machine of a server is now; false where that is no news. Throws HypervisorTrouble when the list is not given. */
export async function followMachine(ctx: ProvisioningContext, server: ServerRow, listed?: readonly FoundMachine[]): Promise<boolean> {
  const { datacenter } = ctx.providers;
  if (!datacenter || server.machineNumber === null) return false;
  const machines = listed ?? (await datacenter.hypervisor.machines());
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
