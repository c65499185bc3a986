// The outside of this subgraph: made once per process from the configuration.
import { readFileSync } from 'node:fs';
import type { Context as SharedContext } from '#shared/context.ts';
import type { EntityManager } from '#shared/database.ts';
import type { Platform } from '#shared/platform.ts';
import type { Secrets } from '#shared/secrets.ts';
import { toProducts } from './domain/catalogue.ts';
import type { Products } from './domain/products.ts';
import type { ProxyAddress } from './domain/proxy-lines.ts';
import { baseOf, readLineTarget } from './edge/line-username.ts';
import { type UsageFeed, startUsageFeed } from './providers/usage-feed.ts';

export interface Providers {
  products: Products;
  /** Where generated lines point to. */
  proxies: Record<'HTTP' | 'SOCKS5', ProxyAddress>;
  secrets: Secrets;
  /** Where download addresses begin. */
  publicUrl: string;
  usage: UsageFeed;
  /** How proxy nodes read the username of a line. */
  lineGrammar: { baseOf: typeof baseOf; readLineTarget: typeof readLineTarget };
  /** Counts values that a slow subscriber lost. */
  eventDropped(): void;
}

export type Context = SharedContext<Providers>;

export async function createProviders(
  platform: Platform,
  closing: (close: () => Promise<void>) => void,
  em: () => EntityManager,
): Promise<Providers> {
  const { config, secrets, notifications, clock, log, metrics } = platform;
  const usage = await startUsageFeed({ em, notifications, clock, log });
  closing(() => usage.close());
  return {
    products: toProducts(config.CATALOGUE_FILE === undefined ? {} : JSON.parse(readFileSync(config.CATALOGUE_FILE, 'utf8'))),
    proxies: {
      HTTP: { host: config.PROXY_HOST, port: config.PROXY_HTTP_PORT },
      SOCKS5: { host: config.PROXY_HOST, port: config.PROXY_SOCKS5_PORT },
    },
    secrets,
    publicUrl: config.PUBLIC_URL,
    usage,
    lineGrammar: { baseOf, readLineTarget },
    eventDropped: () => metrics.droppedEvents.inc(),
  };
}
