// The providers that machines and their backups are given.
import type { Context } from '#platform/context.ts';
import type { NetworkingProviders } from '../networking/context.ts';
import type { MetalTerms } from './configuration.ts';
import type { HypervisorTerms } from './hypervisor-configuration.ts';
import type { BareMetal } from './providers/bare-metal.ts';
import type { Routed } from './providers/qualified.ts';
import type { ClusterBook } from './providers/cluster-book.ts';

/** The hypervisor on which VPS run, with all its clusters. */
export interface Datacenter {
  /** Calls for one machine or task, whichever cluster it is in. */
  hypervisor: Routed;
  clusters: ClusterBook;
  /** Those of the first cluster, and what holds for all. */
  terms: HypervisorTerms;
}

/** The interface to the controllers of dedicated machines, and its configuration. */
export interface Metal extends MetalTerms {
  bareMetal: BareMetal;
}

export interface MachinesProviders extends NetworkingProviders {
  datacenter: Datacenter | undefined;
  /** Absent: all work on dedicated servers is done by hand. */
  metal: Metal | undefined;
}

export type MachinesContext = Context<MachinesProviders>;
