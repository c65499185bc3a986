// What servers are given.
import type { Context } from '#platform/context.ts';
import type { SealingKeys } from '#platform/sealing.ts';
import type { CatalogueProviders } from '../catalogue/context.ts';

export interface ServersProviders extends CatalogueProviders {
  /** Seals passwords of servers. */
  sealing: SealingKeys;
  /** What virtual servers are made on, which `machines/` knows; absent: none are sold. */
  datacenter: object | undefined;
  /** The router of dedicated servers, which `networking/` knows; absent: none of ours keeps rules for them. */
  border: object | undefined;
  /** Counts values that a slow subscriber lost. */
  eventDropped(): void;
}

export type ServersContext = Context<ServersProviders>;
