// What the commands that prepare a hypervisor have in common: the clusters and nodes that are meant, and how they say what is in the way.
import type { MachinesContext } from '../context.ts';
import { MAIN, clusterOf } from '../domain/cluster.ts';
import type { Cluster } from '../providers/cluster-book.ts';
import type { Hypervisor } from '../providers/hypervisor.ts';

/** How the caller hears of steps, and waits for work at the hypervisor. */
export interface Surroundings {
  say(line: string): void;
  pause(): Promise<void>;
}

export interface Meant {
  /** Absent: every cluster. */
  cluster?: string | undefined;
  /** With their cluster in front, if that is not the first. Empty: every node that is online. */
  nodes: readonly string[];
}

/** Something that the operator has to put right first. */
export class Unprepared extends Error {}

/** Runs work whose failure is a problem that is told, and nothing more. */
export type Attempt = (what: string, work: () => Promise<void>) => Promise<void>;

/** Runs work in every cluster that is meant. Returns what could not be done, in sentences that say what to do; the rest is done all the same. */
export async function inClusters(
  ctx: MachinesContext,
  { cluster: only, nodes }: Meant,
  work: (cluster: Cluster, nodes: readonly NodeToPrepare[], attempt: Attempt, tell: (problem: string) => void) => Promise<void>,
): Promise<string[]> {
  const { datacenter } = ctx.providers;
  if (!datacenter) return ['No hypervisor is set up: PROXMOX_URL, PROXMOX_TOKEN, SERVER_ADDRESSES and SERVER_GATEWAY name one.'];
  const problems: string[] = [];
  const attempt: Attempt = async (what, run) => {
    try {
      await run();
    } catch (error) {
      problems.push(`${what}: ${error instanceof Unprepared ? error.message : inWords(error)}`);
    }
  };
  const clusters = (await datacenter.clusters.all()).filter(({ name }) => only === undefined || name === only);
  if (clusters.length === 0) return [`There is no cluster ${only}.`];
  for (const cluster of clusters) {
    const wished = nodes.filter((node) => clusterOf(node) === cluster.name);
    if (nodes.length > 0 && wished.length === 0) continue;
    await attempt(cluster.name === MAIN ? 'The hypervisor' : `The cluster ${cluster.name}`, async () => {
      await work(cluster, await nodesOf(cluster.hypervisor, wished), attempt, (problem) => void problems.push(problem));
    });
  }
  return problems;
}

export interface NodeToPrepare {
  name: string;
  storage: string | null;
}

async function nodesOf(hypervisor: Hypervisor, names: readonly string[]): Promise<NodeToPrepare[]> {
  const nodes = await hypervisor.nodes();
  const unknown = names.find((name) => !nodes.some((node) => node.name === name));
  if (unknown !== undefined) throw new Unprepared(`it has no node ${unknown}; it has ${nodes.map(({ name }) => name).join(', ')}.`);
  return nodes.filter(({ name, online }) => (names.length > 0 ? names.includes(name) : online));
}

/** Waits until work has ended. `inTheWay`: what the hypervisor's reason for a failure means for the operator. */
export async function finished(
  hypervisor: Hypervisor,
  id: string,
  pause: Surroundings['pause'],
  inTheWay: (reason: string) => string,
): Promise<void> {
  for (;;) {
    const { state, reason } = await hypervisor.work(id);
    if (state === 'failed') throw new Unprepared(inTheWay(reason ?? 'no reason given'));
    // What a forgotten task has done is looked at again.
    if (state !== 'running') return;
    await pause();
  }
}

const MB = 1_000_000;
export const megabytes = (bytes: number): number => Math.ceil(bytes / MB);

function inWords(error: unknown): string {
  const text = (error as Error).message;
  const [, path, privilege] = /Permission check failed \((\S+), ([^)]+)\)/.exec(text) ?? [];
  if (privilege !== undefined)
    return `the token lacks ${privilege} at ${path}: add it to the role of its user with pveum role modify ROLE --append --privs.`;
  return text;
}
