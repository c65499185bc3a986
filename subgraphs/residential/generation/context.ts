// The providers that the generation of lines is given.
import type { LineTests } from '#lines/line-tests.ts';
import type { Context as SharedContext } from '#platform/context.ts';
import type { EdgesProviders } from '../edges/context.ts';
import type { ProxyAddress } from './domain/proxy-lines.ts';

export interface GenerationProviders extends EdgesProviders {
  /** The address in generated lines, by protocol. Without one for HTTPS there are no such lines. */
  proxies: Record<'HTTP' | 'SOCKS5', ProxyAddress> & { HTTPS?: ProxyAddress | undefined };
  lineTests: LineTests;
  /** The URL with which download addresses begin. */
  publicUrl: string;
}

export type Context = SharedContext<GenerationProviders>;
