// What proxy nodes are read with, and sellers' gateways and leases.
import type { Context as SharedContext } from '#platform/context.ts';
import type { MeteringProviders } from '../metering/context.ts';

export interface EdgesProviders extends MeteringProviders {
  /** Calls with the id of a proxy node of which something is new. Returns how to stop. */
  edgeNews(listener: (id: string) => void): () => void;
}

export type Context = SharedContext<EdgesProviders>;
