// What the generation of lines is given.
import type { Context as SharedContext } from '#platform/context.ts';
import type { EdgesProviders } from '../edges/context.ts';
import type { ProxyAddress } from './domain/proxy-lines.ts';

export interface GenerationProviders extends EdgesProviders {
  /** Where generated lines point to. */
  proxies: Record<'HTTP' | 'SOCKS5', ProxyAddress>;
  /** Where download addresses begin. */
  publicUrl: string;
}

export type Context = SharedContext<GenerationProviders>;
