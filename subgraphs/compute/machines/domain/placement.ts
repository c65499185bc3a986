// Decides on which node a new machine is placed, and whether a node has room for more. What counts is the memory, processors and disk that are promised there, not what happens to be used.

const GB = 1_073_741_824;

/** What a machine is promised. */
export interface MachineSize {
  cores: number;
  ramGb: number;
  storageGb: number;
}

/** How full a node may be. */
export interface RoomTerms {
  /** Memory that is kept for the node itself. */
  memoryReserveGb: number;
  /** vCPUs of each processor thread. */
  cpuRatio: number;
  /** Promised GB of each GB of its storage. */
  diskRatio: number;
}
export const USUAL_ROOM: RoomTerms = { memoryReserveGb: 8, cpuRatio: 4, diskRatio: 1 };

/** The share of a storage that must be free, whatever is promised: with less, copies fail half-way. */
const DISK_FREE_MIN = 0.05;

/** A node with what it has and what is promised of it. */
export interface NodeRoom {
  name: string;
  online: boolean;
  /** The operator empties it: its machines stay, and no new ones are placed there. */
  inMaintenance: boolean;
  cores: number;
  memoryBytes: number;
  diskBytes: number;
  diskUsedBytes: number;
  images: readonly string[];
  promised: MachineSize;
  /** Number of machines of each account. */
  accounts: ReadonlyMap<string, number>;
  /** Number of machines placed there in the last minutes, so that many builds at once are spread. */
  fresh: number;
  /** Number of machines that could not be made there lately. */
  failures: number;
}

/** What a node has left to promise; below zero it is overbooked. */
export const roomOf = (node: NodeRoom, { memoryReserveGb, cpuRatio, diskRatio }: RoomTerms): MachineSize => ({
  cores: Math.floor(node.cores * cpuRatio) - node.promised.cores,
  ramGb: Math.floor(node.memoryBytes / GB) - memoryReserveGb - node.promised.ramGb,
  storageGb: Math.floor((node.diskBytes / GB) * diskRatio) - node.promised.storageGb,
});

/** How many machines of a size a node has room for. */
export function fits(node: NodeRoom, size: MachineSize, terms: RoomTerms): number {
  if (!node.online || node.inMaintenance || node.diskUsedBytes > node.diskBytes * (1 - DISK_FREE_MIN)) return 0;
  const room = roomOf(node, terms);
  // A machine with more vCPUs than the node has threads does not start (qemu-server 9.2.6, PVE/QemuServer.pm, config_to_command).
  if (size.cores > node.cores) return 0;
  const counts = [room.cores / size.cores, room.ramGb / size.ramGb, room.storageGb / size.storageGb];
  return Math.max(0, Math.floor(Math.min(...counts)));
}

/** Whether a machine on this node can grow by so much. */
export function hasRoomFor(node: NodeRoom, more: MachineSize, terms: RoomTerms): boolean {
  const room = roomOf(node, terms);
  return room.cores >= more.cores && room.ramGb >= more.ramGb && room.storageGb >= more.storageGb;
}

export interface PlaceNeed extends MachineSize {
  image: string;
  accountId: string;
}

/** The most tries on one node within one build. */
const TRIES_MAX = 3;

/**
 * Chooses the node for a machine; undefined: none has room. `tried`: how often this build has failed on each node. Nodes where it has not failed come first,
 * then those with the fewest machines of the same account, then those that got the fewest machines lately, then the emptiest. So the failure of one node hits
 * neither all machines of an account nor all of a burst.
 */
export function choosePlace(
  nodes: readonly NodeRoom[],
  need: PlaceNeed,
  terms: RoomTerms,
  tried: ReadonlyMap<string, number> = new Map(),
): string | undefined {
  const rank = (node: NodeRoom): number[] => [
    tried.get(node.name) ?? 0,
    node.failures,
    node.accounts.get(need.accountId) ?? 0,
    node.fresh,
    -roomOf(node, terms).ramGb / Math.max(1, node.memoryBytes / GB),
  ];
  const fit = nodes
    .filter((node) => node.images.includes(need.image) && (tried.get(node.name) ?? 0) < TRIES_MAX && fits(node, need, terms) > 0)
    .map((node) => ({ node, rank: rank(node) }));
  const [best] = fit.toSorted((one, other) => compare(one.rank, other.rank) || one.node.name.localeCompare(other.node.name));
  return best?.node.name;
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) if (value !== other[index]) return value - (other[index] ?? 0);
  return 0;
}
