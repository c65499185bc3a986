// Places machines on nodes. The nodes are read beforehand; what is promised of them is counted under a lock, so that two builds never take the same room.
import { MINUTE, SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { EntityManager } from '#platform/database.ts';
import type { MachinesContext } from '../context.ts';
import { HypervisorTrouble } from '../providers/hypervisor.ts';
import { type MachineSize, type RoomTerms, USUAL_ROOM, choosePlace, fits, hasRoomFor } from '../domain/placement.ts';
import { freeAddresses, giveAddressesWithin, heldWithin } from '../../networking/entities/address.ts';
import { clusterOf } from '../domain/cluster.ts';
import { noteAnswer, noteSilence } from '../entities/cluster.ts';
import type { Cluster } from '../providers/cluster-book.ts';
import { openClusters } from './locations.ts';
import {
  type NodeRow,
  drawMachineNumber,
  hasEverStarted,
  insertPlacement,
  lockPlacements,
  nodeRooms,
  placementsOfServer,
  storeNodes,
} from '../entities/placement.ts';

/** Before a machine is placed, nodes are read again if the figures are older than this; so many builds at once read them only once. */
const FRESH_MS = 5 * SECOND;
/** Before an order is paid, figures may be as old as those of the job that runs each minute. */
const KNOWN_MS = 3 * MINUTE;
const NUMBERS = { first: 10_000, last: 999_999_999 };
/** How many numbers are tried for one machine. */
const NUMBERS_TRIED = 200;

export const roomTerms = ({ providers }: Pick<MachinesContext, 'providers'>): RoomTerms => providers.datacenter?.terms.room ?? USUAL_ROOM;

/** How long a cluster that does not answer is left alone while others do: builds there need not wait for it. */
const LEFT_ALONE_MS = 30 * SECOND;

/**
 * The nodes and their room, read again if the figures are older than `maxAgeMs`. A cluster that does not answer is noted, and its nodes are offline until it
 * does. Throws HypervisorTrouble when none answers.
 */
export async function lookAtNodes(ctx: MachinesContext, maxAgeMs: number): Promise<NodeRow[]> {
  const { datacenter } = ctx.providers;
  const now = ctx.clock.now();
  const known = await nodeRooms(ctx.em, now);
  if (!datacenter) return known;
  const clusters = await datacenter.clusters.all();
  const silent = new Set(clusters.filter(({ silentSince }) => silentSince !== null).map(({ name }) => name));
  const counted = silent.size < clusters.length ? known.filter(({ cluster }) => !silent.has(cluster)) : known;
  // Of a cluster that was just added nothing is known.
  const isSeen = clusters.every(({ name }) => silent.has(name) || counted.some(({ cluster }) => cluster === name));
  if (counted.length > 0 && isSeen && counted.every(({ seenAt }) => after(seenAt, maxAgeMs) >= now)) return known;
  const isLeftAlone = ({ triedAt }: Cluster) => silent.size < clusters.length && triedAt !== null && after(triedAt, LEFT_ALONE_MS) > now;
  const asked = clusters.filter((cluster) => !isLeftAlone(cluster));
  const seen = await Promise.allSettled(asked.map(({ hypervisor }) => Promise.all([hypervisor.nodes(), hypervisor.machines()])));
  const troubles = seen.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  const unforeseen = troubles.find((trouble) => !(trouble instanceof HypervisorTrouble));
  if (unforeseen) throw unforeseen;
  await inTransaction(ctx, async ({ em }) => {
    for (const [index, { name }] of asked.entries()) {
      const answer = seen[index];
      if (answer?.status === 'rejected')
        await noteSilence(em, name, (answer.reason as Error).message, now, troubles.length === clusters.length);
      else if (answer) {
        await storeNodes(em, name, ...answer.value, now);
        if (silent.has(name)) await noteAnswer(em, name);
      }
    }
  });
  if (troubles.length > 0 || silent.size > 0) datacenter.clusters.forget();
  if (troubles[0] && troubles.length === clusters.length) throw troubles[0];
  return nodeRooms(ctx.em, now);
}

export interface Placed {
  node: string;
  number: number;
}

interface ToPlace {
  id: string;
  accountId: string;
  extraIpv4: number;
  /** Which its owner has chosen; null: any. */
  location: string | null;
}

/**
 * Chooses a node and a number for a server's machine, at its location; undefined: no node has room. A machine that is placed already keeps its place. Where the server's
 * addresses do not lead to the chosen cluster it gets others, unless a machine of it has been seen at them.
 */
export async function placeMachine(
  ctx: MachinesContext,
  server: ToPlace,
  image: string,
  size: MachineSize,
  since: Date,
): Promise<Placed | undefined> {
  const { datacenter } = ctx.providers;
  if (!datacenter) return undefined;
  await lookAtNodes(ctx, FRESH_MS);
  const taken = await numbersTaken(ctx, server.location);
  return inTransaction(ctx, async ({ em, clock }) => {
    await lockPlacements(em);
    const before = await placementsOfServer(em, server.id);
    const standing = before.find(({ failedAt, isGone }) => failedAt === null && !isGone);
    if (standing) return { node: standing.node, number: standing.number };
    const tried = new Map<string, number>();
    for (const { node, failedAt } of before) if (failedAt !== null && failedAt >= since) tried.set(node, (tried.get(node) ?? 0) + 1);
    const nodes = await nodeRooms(em, clock.now());
    const clusters = await addressedClusters(em, [...taken.keys()], server, clock.now());
    const node = choosePlace(
      nodes.filter((one) => clusters.some(({ name }) => name === one.cluster)),
      { ...size, image, accountId: server.accountId },
      roomTerms(ctx),
      tried,
    );
    const cluster = clusters.find(({ name }) => node !== undefined && name === clusterOf(node));
    if (node === undefined || !cluster) return undefined;
    const { addresses: range } = cluster.terms;
    // Another build has taken them since they were counted.
    if (!(await giveAddressesWithin(em, { serverId: server.id, count: 1 + server.extraIpv4, range, at: clock.now() })))
      throw new HypervisorTrouble(`${cluster.name} has no address left`);
    // Numbers of ours are unique among all clusters, although they need not be.
    const number = await freeNumber(em, datacenter.terms.numbers ?? NUMBERS, taken.get(cluster) ?? new Set());
    await insertPlacement(em, { number, serverId: server.id, accountId: server.accountId, node, ...size }, clock.now());
    return { node, number };
  });
}

/** The clusters of a location that may get new machines and answer now, with the numbers that must not be used there. Throws HypervisorTrouble when none answers. */
async function numbersTaken(ctx: MachinesContext, location: string | null): Promise<Map<Cluster, ReadonlySet<number>>> {
  const open = (await openClusters(ctx, location)).filter(({ silentSince }, _index, all) => silentSince === null || all.length === 1);
  const answers = await Promise.allSettled(open.map(({ hypervisor }) => hypervisor.takenNumbers()));
  const taken = new Map<Cluster, ReadonlySet<number>>();
  for (const [index, cluster] of open.entries()) {
    const answer = answers[index];
    if (answer?.status === 'fulfilled') taken.set(cluster, answer.value);
    else if (answer && (open.length === 1 || !(answer.reason instanceof HypervisorTrouble))) throw answer.reason as Error;
  }
  return taken;
}

/** Clusters that a server's addresses lead to, and, while no machine of it has been seen at them, those that have others for it. */
async function addressedClusters(em: EntityManager, open: readonly Cluster[], { id, extraIpv4 }: ToPlace, at: Date): Promise<Cluster[]> {
  const isSettled = await hasEverStarted(em, id);
  const found: Cluster[] = [];
  for (const cluster of open) {
    const { addresses: range } = cluster.terms;
    if ((await heldWithin(em, id, range)) > extraIpv4) found.push(cluster);
    else if (!isSettled && (await freeAddresses(em, at, range)) > extraIpv4) found.push(cluster);
  }
  return found;
}

/** A machine that is to move, and the node to move to; absent: any other that has room. */
interface ToMove {
  node: string;
  accountId: string;
  image: string;
  size: MachineSize;
  target?: string | undefined;
}

/**
 * Chooses the node of its cluster that a machine moves to. Its room there is taken by the operation that the caller begins in the same transaction. Errors:
 * hypervisor_node_not_found, action_not_allowed.
 */
export async function reserveMove(ctx: MachinesContext, { node: from, accountId, image, size, target }: ToMove): Promise<string> {
  await lockPlacements(ctx.em);
  const nodes = await nodeRooms(ctx.em, ctx.clock.now());
  if (target === from) throw fail('action_not_allowed', { reason: because('server_node_same', { node: from }) });
  const wanted = nodes.find(({ name }) => name === target);
  if (target !== undefined && !wanted) throw fail('hypervisor_node_not_found');
  if (wanted && fits(wanted, size, roomTerms(ctx)) === 0)
    throw fail('action_not_allowed', { reason: because('server_node_full', { node: wanted.name }) });
  if (wanted && wanted.cluster !== clusterOf(from))
    throw fail('action_not_allowed', { reason: because('server_node_elsewhere', { node: wanted.name }) });
  const others = nodes.filter(({ name, cluster }) => name !== from && cluster === clusterOf(from));
  const chosen = target ?? choosePlace(others, { ...size, image, accountId }, roomTerms(ctx));
  if (chosen === undefined) throw fail('action_not_allowed', { reason: because('server_room_missing') });
  return chosen;
}

async function freeNumber(em: EntityManager, range: typeof NUMBERS, taken: ReadonlySet<number>): Promise<number> {
  for (let tried = 0; tried < NUMBERS_TRIED; tried++) {
    const number = await drawMachineNumber(em, range);
    if (number === undefined) break;
    if (!taken.has(number)) return number;
  }
  throw new HypervisorTrouble(`no number from ${range.first} to ${range.last} is free for a machine`);
}

/** Whether another machine of this size could be built now in one of these clusters. */
type HasRoom = (clusters: readonly string[], image: string, size: MachineSize) => boolean;

/** By the figures of the nodes that are known. Where nothing is known, that is left to the build. */
export async function roomNow(ctx: MachinesContext): Promise<HasRoom> {
  const nodes = await knownNodes(ctx);
  if (!nodes) return () => true;
  return (clusters, image, size) =>
    nodes.some((node) => node.images.includes(image) && clusters.includes(node.cluster) && fits(node, size, roomTerms(ctx)) > 0);
}

/** Whether a machine on this node can grow by so much; undefined: nothing is known of the node. */
export async function hasRoomToGrow(ctx: MachinesContext, node: string, more: MachineSize): Promise<boolean | undefined> {
  const known = (await knownNodes(ctx))?.find(({ name }) => name === node);
  return known && hasRoomFor(known, more, roomTerms(ctx));
}

async function knownNodes(ctx: MachinesContext): Promise<NodeRow[] | undefined> {
  try {
    const nodes = await lookAtNodes(ctx, KNOWN_MS);
    return nodes.length > 0 ? nodes : undefined;
  } catch (error) {
    if (!(error instanceof HypervisorTrouble)) throw error;
    return undefined;
  }
}
