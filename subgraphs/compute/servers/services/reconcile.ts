// What happens at the hypervisor without us is noticed: a power state that a guest or an operator has changed, a machine that should not be there.
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import type { ComputeContext } from '../../builder.ts';
import { lockServer, serversByIds, settledServers, updateServer } from '../entities/server.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { release } from '../../operations/services/vps-operation.ts';
import { machineName } from '../../operations/services/steps.ts';

/** Compares all servers with the hypervisor's list, once. */
export async function reconcileMachines(ctx: ComputeContext): Promise<void> {
  const { datacenter } = ctx.providers;
  if (!datacenter) return;
  const settled = new Map((await settledServers(ctx.em)).map((server) => [machineName(server), server]));
  const machines = await datacenter.hypervisor.machines();
  for (const { name, running } of machines) {
    const server = settled.get(name);
    if (!server || running === undefined) continue;
    const powerState = running ? 'RUNNING' : 'STOPPED';
    if (server.powerState === powerState) continue;
    await inTransaction(ctx, async ({ em, clock }) => {
      const locked = await lockServer(em, server.id);
      // It has changed since the list was made: the next look is fresher.
      if (!locked || locked.powerState !== server.powerState || (await runningOperation(em, server.id))) return;
      await updateServer(em, server.id, { powerState });
      await appendEvents(em, { type: 'compute_vps.changed', at: clock.now(), accountId: server.accountId, subject: server.id });
    });
  }
  // A clone that was asked for, given up, and made all the same.
  const leftovers = machines.filter(({ name }) => /^vps-[0-9a-z]{26}$/.test(name) && !settled.has(name));
  const servers = await serversByIds(
    ctx.em,
    leftovers.map(({ name }) => name.replace('-', '_')),
  );
  for (const server of servers.filter(({ status }) => status === 'REMOVED')) {
    const machine = leftovers.find(({ name }) => name === machineName(server));
    await inTransaction(ctx, async (tx) => {
      if ((await runningOperation(tx.em, server.id)) || !machine) return;
      await updateServer(tx.em, server.id, { node: machine.node, machineNumber: machine.number });
      await release(tx, server);
    });
  }
}
