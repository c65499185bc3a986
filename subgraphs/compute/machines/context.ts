// What machines are given, and the backups of them.
import type { Context } from '#platform/context.ts';
import type { NetworkingProviders } from '../networking/context.ts';
import type { MetalTerms } from './configuration.ts';
import type { HypervisorTerms } from './hypervisor-configuration.ts';
import type { BareMetal } from './providers/bare-metal.ts';
import type { Hypervisor } from './providers/hypervisor.ts';

/** What virtual servers are made on. */
export interface Datacenter {
  hypervisor: Hypervisor;
  terms: HypervisorTerms;
}

/** What dedicated servers are worked with from afar. */
export interface Metal extends MetalTerms {
  bareMetal: BareMetal;
}

export interface MachinesProviders extends NetworkingProviders {
  datacenter: Datacenter | undefined;
  /** Absent: everything at dedicated servers is done by hand. */
  metal: Metal | undefined;
}

export type MachinesContext = Context<MachinesProviders>;
