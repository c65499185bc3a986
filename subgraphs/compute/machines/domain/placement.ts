// Where a new machine goes, and whether a node has room for more: by memory, processors and disk of what is promised there, not of what happens to be used.

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

/** Of a storage, whatever is promised: below it copies fail half-way. */
const DISK_FREE_MIN = 0.05;

/** A node, what it has, and what is promised of it already. */
export interface NodeRoom {
  name: string;
  online: boolean;
  /** Its operator drains it: what is there stays, and nothing comes. */
  inMaintenance: boolean;
  cores: number;
  memoryBytes: number;
  diskBytes: number;
  diskUsedBytes: number;
  images: readonly string[];
  promised: MachineSize;
  /** Machines of each account. */
  accounts: ReadonlyMap<string, number>;
  /** Machines placed there in the last minutes: a burst is spread. */
  fresh: number;
  /** What failed to be made there lately. */
  failures: number;
}

/** What is left of a node to promise; below nothing it is overbooked. */
export const roomOf = (node: NodeRoom, { memoryReserveGb, cpuRatio, diskRatio }: RoomTerms): MachineSize => ({
  cores: Math.floor(node.cores * cpuRatio) - node.promised.cores,
  ramGb: Math.floor(node.memoryBytes / GB) - memoryReserveGb - node.promised.ramGb,
  storageGb: Math.floor((node.diskBytes / GB) * diskRatio) - node.promised.storageGb,
});

/** How many machines of a size a node has room for. */
export function fits(node: NodeRoom, size: MachineSize, terms: RoomTerms): number {
  if (!node.online || node.inMaintenance || node.diskUsedBytes > node.diskBytes * (1 - DISK_FREE_MIN)) return 0;
  const room = roomOf(node, terms);
  // One with more vCPUs than the node has threads does not start (qemu-server 9.2.6, PVE/QemuServer.pm, config_to_command).
  if (size.cores > node.cores) return 0;
  const counts = [room.cores / size.cores, room.ramGb / size.ramGb, room.storageGb / size.storageGb];
  return Math.max(0, Math.floor(Math.min(...counts)));
}

/** Whether what a machine there has more of has room as well. */
export function hasRoomFor(node: NodeRoom, more: MachineSize, terms: RoomTerms): boolean {
  const room = roomOf(node, terms);
  return room.cores >= more.cores && room.ramGb >= more.ramGb && room.storageGb >= more.storageGb;
}

export interface PlaceNeed extends MachineSize {
  image: string;
  accountId: string;
}

/** Tries on one node within one build. */
const TRIES_MAX = 3;

/**
 * The node for a machine; undefined: none has room. `tried`: how often each has failed this build already. Those that have not failed come first, then those with the
 * fewest machines of the same account, then those that got the fewest lately, then the emptiest: neither an account nor a burst falls with one node.
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
