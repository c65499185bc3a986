// Notices what happens to machines without us: a guest, an operator or a person at the rack has switched one on or off, or one exists that should not.
import { MINUTE, SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { ProvisioningContext } from '../context.ts';
import { machinesOfServers } from '../../machines/entities/bare-metal.ts';
import { endPlacement, standingPlacements } from '../../machines/entities/placement.ts';
import type { FoundMachine, Hypervisor } from '../../machines/providers/hypervisor.ts';
import { clusterOf } from '../../machines/domain/cluster.ts';
import type { Cluster } from '../../machines/providers/cluster-book.ts';
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

/** Compares all VPS with the hypervisor's lists, one of each cluster, which are read once. Clusters that do not answer are left out. */
export async function reconcileMachines(ctx: ProvisioningContext): Promise<void> {
  const { datacenter } = ctx.providers;
  if (!datacenter) return;
  const settled = new Set((await settledServers(ctx.em, 'VPS')).map(({ id }) => id));
  const clusters = await datacenter.clusters.all();
  const lists = await Promise.all(clusters.map(({ hypervisor }) => hypervisor.machines().catch(silence)));
  const servers = Map.groupBy(await serversWithMachines(ctx.em), ({ node }) => (node === null ? undefined : clusterOf(node)));
  for (const [index, cluster] of clusters.entries()) {
    const machines = lists[index];
    if (machines) await reconcileCluster(ctx, cluster, { machines, servers: servers.get(cluster.name) ?? [] }, settled);
  }
  try {
    await lookAtNodes(ctx, NODES_MS);
  } finally {
    await forgetPower(ctx, new Set(clusters.filter((_cluster, index) => !lists[index]).map(({ name }) => name)), settled);
  }
}

async function reconcileCluster(
  ctx: ProvisioningContext,
  { name: cluster, hypervisor }: Cluster,
  { machines, servers: ours }: { machines: readonly FoundMachine[]; servers: readonly ServerRow[] },
  settled: ReadonlySet<string>,
): Promise<void> {
  const servers = new Map(ours.map((server) => [server.machineNumber, server]));
  for (const { number, name, running } of machines) {
    const server = servers.get(number);
    if (!server || machineName(server) !== name) continue;
    await followMachine(ctx, server, machines);
    if (settled.has(server.id)) await notePower(ctx, server, running);
  }
  await removeLeftovers(ctx, cluster, hypervisor, machines);
}

/** Whether machines run in a cluster that has not answered for a while, nobody knows. */
async function forgetPower(ctx: ProvisioningContext, unlisted: ReadonlySet<string>, settled: ReadonlySet<string>): Promise<void> {
  const clusters = (await ctx.providers.datacenter?.clusters.all()) ?? [];
  const silent = new Set(
    clusters
      .filter(({ name, silentSince }) => unlisted.has(name) && silentSince && after(silentSince, UNKNOWN_AFTER_MS) <= ctx.clock.now())
      .map(({ name }) => name),
  );
  if (silent.size === 0) return;
  for (const server of await serversWithMachines(ctx.em))
    if (settled.has(server.id) && server.node !== null && silent.has(clusterOf(server.node))) await notePower(ctx, server, undefined);
}

/** Removes machines of ours that no server has, recognised by their number: a clone that was given up and made all the same, or what is left of one. */
async function removeLeftovers(
  ctx: ProvisioningContext,
  cluster: string,
  hypervisor: Hypervisor,
  machines: readonly FoundMachine[],
): Promise<void> {
  const placements = (await standingPlacements(ctx.em)).filter(({ node }) => clusterOf(node) === cluster);
  const servers = new Map(
    (await serversByIds(ctx.em, [...new Set(placements.map(({ serverId }) => serverId))])).map((server) => [server.id, server]),
  );
  for (const { number, serverId, failedAt, placedAt } of placements) {
    const server = servers.get(serverId);
    const machine = machines.find((one) => one.number === number);
    if (!server || (server.machineNumber === number && server.status !== 'REMOVED')) continue;
    if (machine && machine.name === machineName(server) && failedAt === null) await takeUp(ctx, server, machine);
    else if (machine && machine.name === machineName(server)) await clearAway(ctx, hypervisor, machine);
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
/** How long a cluster may be silent before its machines are shown as unknown: one lost answer is no news. */
const UNKNOWN_AFTER_MS = MINUTE;
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
