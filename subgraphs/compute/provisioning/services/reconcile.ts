// Notices what happens to machines without us: a guest, an operator or a person at the rack has switched one on or off, or one exists that should not.
import { MINUTE, SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { ProvisioningContext } from '../context.ts';
import { machinesOfServers } from '../../machines/entities/bare-metal.ts';
import { endPlacement, standingPlacements } from '../../machines/entities/placement.ts';
import type { FoundMachine, Hypervisor } from '../../machines/providers/hypervisor.ts';
import { lookAtNodes } from '../../machines/services/placement.ts';
import { controllerOf } from '../../machines/services/controller.ts';
import { machineName } from '../../machines/services/vps-machine.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { announceChange } from '../../operations/services/server-events.ts';
import {
  type ServerRow,
  lockServer,
  serversByIds,
  serversWithMachines,
  settledServers,
  updateServer,
} from '../../servers/entities/server.ts';
import { followMachine } from './follow-machine.ts';
import { takeDown } from './take-down.ts';

/** Stores whether a machine runs; undefined: unknown. */
async function notePower(ctx: ProvisioningContext, server: ServerRow, isOn: boolean | undefined): Promise<void> {
  const powerState = isOn === undefined ? 'UNKNOWN' : isOn ? 'RUNNING' : 'STOPPED';
  if (server.powerState === powerState) return;
  await inTransaction(ctx, async (tx) => {
    const locked = await lockServer(tx.em, server.id);
    // The server has changed since it was inspected: the next run has newer facts.
    if (!locked || locked.powerState !== server.powerState || (await runningOperation(tx.em, server.id))) return;
    await updateServer(tx.em, server.id, { powerState });
    await announceChange(tx, locked);
  });
}

/** Compares all VPS with the hypervisor's list, which is read once. */
export async function reconcileMachines(ctx: ProvisioningContext): Promise<void> {
  const { datacenter } = ctx.providers;
  if (!datacenter) return;
  const settled = new Set((await settledServers(ctx.em, 'VPS')).map(({ id }) => id));
  const machines = await datacenter.hypervisor.machines();
  const servers = new Map((await serversWithMachines(ctx.em)).map((server) => [server.machineNumber, server]));
  for (const { number, name, running } of machines) {
    const server = servers.get(number);
    if (!server || machineName(server) !== name) continue;
    await followMachine(ctx, server, machines);
    if (settled.has(server.id)) await notePower(ctx, server, running);
  }
  await removeLeftovers(ctx, machines);
  await lookAtNodes(ctx, NODES_MS);
}

/** Removes machines of ours that no server has, recognised by their number: a clone that was given up and made all the same, or what is left of one. */
async function removeLeftovers(ctx: ProvisioningContext, machines: readonly FoundMachine[]): Promise<void> {
  const { datacenter } = ctx.providers;
  const placements = await standingPlacements(ctx.em);
  const servers = new Map(
    (await serversByIds(ctx.em, [...new Set(placements.map(({ serverId }) => serverId))])).map((server) => [server.id, server]),
  );
  for (const { number, serverId, failedAt, placedAt } of placements) {
    const server = servers.get(serverId);
    const machine = machines.find((one) => one.number === number);
    if (!server || !datacenter || (server.machineNumber === number && server.status !== 'REMOVED')) continue;
    if (machine && machine.name === machineName(server) && failedAt === null) await takeUp(ctx, server, machine);
    else if (machine && machine.name === machineName(server)) await clearAway(ctx, datacenter.hypervisor, machine);
    // A machine that was requested may not be listed yet.
    else if ((failedAt ?? placedAt) < after(ctx.clock.now(), -LISTED_MS) && server.status !== 'BUILDING')
      await endPlacement(ctx.em, number, ctx.clock.now());
    else if (failedAt !== null && failedAt < after(ctx.clock.now(), -LISTED_MS)) await endPlacement(ctx.em, number, ctx.clock.now());
  }
}

/** A machine of a server that has ended is released like any other. */
async function takeUp(ctx: ProvisioningContext, server: ServerRow, { node, number }: FoundMachine): Promise<void> {
  if (server.status !== 'REMOVED') return;
  await inTransaction(ctx, async (tx) => {
    if (await runningOperation(tx.em, server.id)) return;
    await updateServer(tx.em, server.id, { node, machineNumber: number });
    await takeDown(tx, server);
  });
}

/** Stops the machine, or removes it when it is off; a locked machine waits for its operator. */
async function clearAway(ctx: ProvisioningContext, hypervisor: Hypervisor, machine: FoundMachine): Promise<void> {
  try {
    const { busy, running } = await hypervisor.inspect(machine);
    if (busy) return;
    await (running ? hypervisor.stop(machine) : hypervisor.remove(machine));
  } catch (error) {
    silence(error);
    ctx.log.warn({ machine: machine.number, node: machine.node, error: String(error) }, 'what is left of a machine could not be removed');
  }
}

/** How old the figures of nodes may be in the run of each minute; prices depend on them. */
const NODES_MS = 30 * SECOND;
/** After this time a requested machine is in the list. */
const LISTED_MS = 2 * MINUTE;

/** How many controllers are queried at the same time; each is a separate computer. */
const CONCURRENCY = 16;

/** Compares the power of every settled dedicated server with its controller's answer. */
export async function reconcileMetal(ctx: ProvisioningContext): Promise<void> {
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
        await notePower({ ...ctx, em: ctx.em.fork() as ProvisioningContext['em'] }, server, power === 'on');
      }),
    );
}

function silence(error: unknown): undefined {
  if (!(error instanceof VendorTrouble)) throw error;
  return undefined;
}
