// The providers that log-in by address is given.
import type { Context as SharedContext } from '#platform/context.ts';
import type { GenerationProviders } from '../generation/context.ts';

export interface NetworksProviders extends GenerationProviders {
  /** Whether private networks may be used: in development, where the customers are on this machine. */
  privateNetworks: boolean;
}

export type Context = SharedContext<NetworksProviders>;
