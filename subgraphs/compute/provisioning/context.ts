// The providers that provisioning is given.
import type { Context } from '#platform/context.ts';
import type { MachinesProviders } from '../machines/context.ts';

export interface ProvisioningProviders extends MachinesProviders {
  /** Whether anything accepts TCP connections on this port. */
  answers(ip: string, port: number): Promise<boolean>;
  /** How long an address rests between two servers. */
  restMs: number;
}

export type ProvisioningContext = Context<ProvisioningProviders>;
