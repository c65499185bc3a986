// Places machines on nodes. The nodes are read beforehand; what is promised of them is counted under a lock, so that two builds never take the same room.
import { MINUTE, SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { MachinesContext } from '../context.ts';
import { HypervisorTrouble } from '../providers/hypervisor.ts';
import { type MachineSize, type RoomTerms, USUAL_ROOM, choosePlace, fits, hasRoomFor } from '../domain/placement.ts';
import {
  type NodeRow,
  drawMachineNumber,
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

/** The nodes and their room, read again if the figures are older than `maxAgeMs`. Throws HypervisorTrouble. */
export async function lookAtNodes(ctx: MachinesContext, maxAgeMs: number): Promise<NodeRow[]> {
  const { datacenter } = ctx.providers;
  const now = ctx.clock.now();
  const known = await nodeRooms(ctx.em, now);
  const isFresh = known.length > 0 && known.every(({ seenAt }) => after(seenAt, maxAgeMs) >= now);
  if (isFresh || !datacenter) return known;
  const [nodes, machines] = await Promise.all([datacenter.hypervisor.nodes(), datacenter.hypervisor.machines()]);
  await inTransaction(ctx, ({ em }) => storeNodes(em, nodes, machines, now));
  return nodeRooms(ctx.em, now);
}

export interface Placed {
  node: string;
  number: number;
}

interface ToPlace {
  id: string;
  accountId: string;
}

/** Chooses a node and a number for a server's machine; undefined: no node has room. A machine that is placed already keeps its place. */
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
  const taken = await datacenter.hypervisor.takenNumbers();
  return inTransaction(ctx, async ({ em, clock }) => {
    await lockPlacements(em);
    const before = await placementsOfServer(em, server.id);
    const standing = before.find(({ failedAt, isGone }) => failedAt === null && !isGone);
    if (standing) return { node: standing.node, number: standing.number };
    const tried = new Map<string, number>();
    for (const { node, failedAt } of before) if (failedAt !== null && failedAt >= since) tried.set(node, (tried.get(node) ?? 0) + 1);
    const node = choosePlace(await nodeRooms(em, clock.now()), { ...size, image, accountId: server.accountId }, roomTerms(ctx), tried);
    if (node === undefined) return undefined;
    const number = await freeNumber(em, datacenter.terms.numbers ?? NUMBERS, taken);
    await insertPlacement(em, { number, serverId: server.id, accountId: server.accountId, node, ...size }, clock.now());
    return { node, number };
  });
}

async function freeNumber(em: Parameters<typeof drawMachineNumber>[0], range: typeof NUMBERS, taken: ReadonlySet<number>): Promise<number> {
  for (let tried = 0; tried < NUMBERS_TRIED; tried++) {
    const number = await drawMachineNumber(em, range);
    if (number === undefined) break;
    if (!taken.has(number)) return number;
  }
  throw new HypervisorTrouble(`no number from ${range.first} to ${range.last} is free for a machine`);
}

/** How many more machines of a size could be built now, by the known figures of the nodes; undefined: nothing is known. */
export async function roomFor(ctx: MachinesContext, image: string, size: MachineSize): Promise<number | undefined> {
  const nodes = await knownNodes(ctx);
  return nodes?.filter(({ images }) => images.includes(image)).reduce((sum, node) => sum + fits(node, size, roomTerms(ctx)), 0);
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
