// One hypervisor of several: nodes and tasks are named with their cluster, and each call goes to the cluster that its machine or task is in.
import { qualify, withinCluster } from '../domain/cluster.ts';
import { type Hypervisor, HypervisorTrouble, type MachineRef, type MachineUse } from './hypervisor.ts';

type Calls = Record<string, (...args: unknown[]) => Promise<unknown>>;

const methods = (...names: (keyof Hypervisor)[]): ReadonlySet<string> => new Set(names);
/** Methods that start a task, and return its id. */
const STARTING = methods(
  'clone',
  'migrate',
  'resize',
  'start',
  'shutdown',
  'reboot',
  'stop',
  'remove',
  'save',
  'replace',
  'download',
  'createFrom',
  'convert',
  'loadRescueImage',
);
/** Methods whose first argument names no node. */
const GENERAL = methods('nodes', 'takenNumbers', 'machines', 'filters', 'use', 'check', 'obstacles', 'freeNumber');

const stripped = (named: unknown): unknown =>
  typeof named === 'string' ? withinCluster(named) : { ...(named as MachineRef), node: withinCluster((named as MachineRef).node) };

/** The hypervisor of a cluster, which takes and returns names with the cluster in front. Its trouble names the cluster, too. */
export function qualified(cluster: string, hypervisor: Hypervisor): Hypervisor {
  const bare = hypervisor as unknown as Calls;
  const call = async (method: string, ...[named, second, ...further]: unknown[]): Promise<unknown> => {
    const args = [GENERAL.has(method) ? named : stripped(named), method === 'migrate' ? stripped(second) : second, ...further];
    try {
      const answer = await bare[method]?.(...args);
      return STARTING.has(method) ? qualify(cluster, answer as string) : answer;
    } catch (error) {
      throw error instanceof HypervisorTrouble ? new HypervisorTrouble(`${cluster}: ${error.message}`, { cause: error.cause }) : error;
    }
  };
  const calls = Object.keys(bare).map((method) => [method, (...args: unknown[]) => call(method, ...args)]);
  return {
    ...(Object.fromEntries(calls) as unknown as Hypervisor),
    nodes: async () =>
      ((await call('nodes')) as Awaited<ReturnType<Hypervisor['nodes']>>).map((node) => ({ ...node, name: qualify(cluster, node.name) })),
    machines: async () =>
      ((await call('machines')) as Awaited<ReturnType<Hypervisor['machines']>>).map((machine) => ({
        ...machine,
        node: qualify(cluster, machine.node),
      })),
  };
}

/** Calls for one machine or one task, whichever cluster it is in, and the use of all machines. */
export type Routed = Pick<Hypervisor, 'inspect' | 'setFirewall' | 'history' | 'openConsole' | 'work' | 'use'>;

/** `at`: the hypervisor of the cluster that a node or a task is in. `all`: those of every cluster. */
export function routed(at: (named: string) => Promise<Hypervisor>, all: () => Promise<Hypervisor[]>): Routed {
  const of = ({ node }: MachineRef) => at(node);
  return {
    inspect: async (ref) => (await of(ref)).inspect(ref),
    setFirewall: async (ref, firewall) => (await of(ref)).setFirewall(ref, firewall),
    history: async (ref, span) => (await of(ref)).history(ref, span),
    openConsole: async (ref, kind) => (await of(ref)).openConsole(ref, kind),
    work: async (id) => (await at(id)).work(id),
    /** Of the clusters that answer. Throws when none does. */
    async use() {
      const answers = await Promise.allSettled((await all()).map((hypervisor) => hypervisor.use()));
      const uses: MachineUse[] = [];
      for (const answer of answers) if (answer.status === 'fulfilled') for (const use of answer.value) uses.push(use);
      const silent = answers.find(({ status }) => status === 'rejected');
      if (silent?.status === 'rejected' && answers.every(({ status }) => status === 'rejected')) throw silent.reason as Error;
      return uses;
    },
  };
}
