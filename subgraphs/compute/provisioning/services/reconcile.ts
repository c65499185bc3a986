// What happens to machines without us is noticed: a guest, an operator or somebody at the rack has switched one on or off, or one is there that should not be.
import { inTransaction } from '#platform/database.ts';
import type { ComputeContext } from '../../builder.ts';
import { machinesOfServers } from '../../machines/entities/bare-metal.ts';
import type { Hypervisor } from '../../machines/providers/hypervisor.ts';
import { controllerOf } from '../../machines/services/controller.ts';
import { machineName } from '../../machines/services/vps-machine.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { announceChange } from '../../operations/services/server-events.ts';
import { type ServerRow, lockServer, serversByIds, settledServers, updateServer } from '../../servers/entities/server.ts';
import { takeDown } from './take-down.ts';

/** Writes down that a machine runs or does not. */
async function notePower(ctx: ComputeContext, server: ServerRow, isOn: boolean): Promise<void> {
  const powerState = isOn ? 'RUNNING' : 'STOPPED';
  if (server.powerState === powerState) return;
  await inTransaction(ctx, async (tx) => {
    const locked = await lockServer(tx.em, server.id);
    // It has changed since it was looked at: the next look is fresher.
    if (!locked || locked.powerState !== server.powerState || (await runningOperation(tx.em, server.id))) return;
    await updateServer(tx.em, server.id, { powerState });
    await announceChange(tx, locked);
  });
}

/** Compares all VPS with the hypervisor's list, once. */
export async function reconcileMachines(ctx: ComputeContext): Promise<void> {
  const { datacenter } = ctx.providers;
  if (!datacenter) return;
  const settled = new Map((await settledServers(ctx.em, 'VPS')).map((server) => [machineName(server), server]));
  const machines = await datacenter.hypervisor.machines();
  for (const { name, running } of machines) {
    const server = settled.get(name);
    if (server && running !== undefined) await notePower(ctx, server, running);
  }
  await removeLeftovers(
    ctx,
    machines.filter(({ name }) => /^vps-[0-9a-z]{26}$/.test(name) && !settled.has(name)),
  );
}

/** A clone that was asked for, given up, and made all the same. */
async function removeLeftovers(ctx: ComputeContext, leftovers: Awaited<ReturnType<Hypervisor['machines']>>): Promise<void> {
  const servers = await serversByIds(
    ctx.em,
    leftovers.map(({ name }) => name.replace('-', '_')),
  );
  for (const server of servers.filter(({ status }) => status === 'REMOVED')) {
    const machine = leftovers.find(({ name }) => name === machineName(server));
    await inTransaction(ctx, async (tx) => {
      if ((await runningOperation(tx.em, server.id)) || !machine) return;
      await updateServer(tx.em, server.id, { node: machine.node, machineNumber: machine.number });
      await takeDown(tx, server);
    });
  }
}

/** Controllers asked at once; each is a computer of its own. */
const CONCURRENCY = 16;

/** Compares the power of every settled dedicated server with its controller, once. */
export async function reconcileMetal(ctx: ComputeContext): Promise<void> {
  const servers = await settledServers(ctx.em, 'DEDICATED');
  const machines = await machinesOfServers(
    ctx.em,
    servers.map(({ id }) => id),
  );
  for (let from = 0; from < servers.length; from += CONCURRENCY)
    await Promise.all(
      servers.slice(from, from + CONCURRENCY).map(async (server) => {
        const machine = machines.find(({ serverId }) => serverId === server.id);
        const ref = machine && controllerOf(ctx, machine);
        const power = ref && (await ctx.providers.metal?.bareMetal.inspect(ref).catch(silence))?.power;
        if (power === undefined || power === 'changing') return;
        await notePower({ ...ctx, em: ctx.em.fork() as ComputeContext['em'] }, server, power === 'on');
      }),
    );
}

function silence(error: unknown): undefined {
  if (!(error instanceof VendorTrouble)) throw error;
  return undefined;
}
