// The providers that proxy nodes are given, and with them sellers' gateways and leases.
import type { Context as SharedContext } from '#platform/context.ts';
import type { MeteringProviders } from '../metering/context.ts';

export interface EdgesProviders extends MeteringProviders {
  /** Calls `listener` with the id of each proxy node that has news. Returns a function that stops this. */
  edgeNews(listener: (id: string) => void): () => void;
}

export type Context = SharedContext<EdgesProviders>;
