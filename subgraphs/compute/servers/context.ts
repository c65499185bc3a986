// The providers that servers are given.
import type { Context } from '#platform/context.ts';
import type { SealingKeys } from '#platform/sealing.ts';
import type { CatalogueProviders } from '../catalogue/context.ts';

export interface ServersProviders extends CatalogueProviders {
  /** Seals passwords of servers. */
  sealing: SealingKeys;
  /** The hypervisor of VPS, whose interface `machines/` knows; absent: no VPS are sold. */
  datacenter: object | undefined;
  /** The router of dedicated servers, whose interface `networking/` knows; absent: they have no firewall of ours. */
  border: object | undefined;
  /** Counts values that were dropped since a subscriber read too slowly. */
  eventDropped(): void;
}

export type ServersContext = Context<ServersProviders>;
