// What log-in by address is given.
import type { Context as SharedContext } from '#platform/context.ts';
import type { GenerationProviders } from '../generation/context.ts';

export interface NetworksProviders extends GenerationProviders {
  /** Whether private networks may be let in: in development, where customers are on this machine. */
  privateNetworks: boolean;
}

export type Context = SharedContext<NetworksProviders>;
