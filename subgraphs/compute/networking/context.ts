// The providers that reverse names and firewalls of servers are given.
import type { Context } from '#platform/context.ts';
import type { ServersProviders } from '../servers/context.ts';
import type { FirewallRule } from './domain/firewall.ts';
import type { BorderFirewall } from './providers/border-firewall.ts';
import type { ReverseDns } from './providers/reverse-dns.ts';

/** What enforces the rules of a VPS. */
interface MachineFirewall {
  setFirewall(ref: { node: string; number: number }, firewall: { enabled: boolean; rules: readonly FirewallRule[] }): Promise<void>;
}

export interface NetworkingProviders extends ServersProviders {
  datacenter: { hypervisor: MachineFirewall } | undefined;
  border: BorderFirewall | undefined;
  /** Absent: addresses have no reverse names. */
  reverseDns: ReverseDns | undefined;
}

export type NetworkingContext = Context<NetworkingProviders>;
