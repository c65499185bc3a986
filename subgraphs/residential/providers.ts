// The outside of this subgraph: made once per process from the configuration.
import { type CatalogueBook, openCatalogue } from '#commerce/catalogue/catalogue-book.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import type { Context as SharedContext } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { TaxRates } from '#commerce/tax.ts';
import { lineConfiguration } from '../../edge/protocol/configuration.ts';
import { RESIDENTIAL_CATALOGUE, toProducts } from './plans/domain/catalogue.ts';
import type { Products } from './plans/domain/products.ts';
import type { ProxyAddress } from './generation/domain/proxy-lines.ts';
import { EDGE_CHANNEL } from './edges/entities/edge-desk.ts';
import { type UsageReceipt, createUsageCounter } from './metering/providers/usage-counter.ts';
import { type UsageFeed, startUsageFeed } from './metering/providers/usage-feed.ts';

export interface Providers {
  /** As they are sold now. */
  readonly products: Products;
  catalogue: CatalogueBook;
  /** Where generated lines point to. */
  proxies: Record<'HTTP' | 'SOCKS5', ProxyAddress>;
  secrets: Pick<Secrets, 'offers' | 'sealing'>;
  taxRates: TaxRates;
  /** Where download addresses begin. */
  publicUrl: string;
  usage: UsageFeed;
  /** Calls with the id of a proxy node of which something is new. Returns how to stop. */
  edgeNews(listener: (id: string) => void): () => void;
  /** Counts what became of a network's lines. */
  usageReceived(source: string, receipt: UsageReceipt): void;
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
  const lines = lineConfiguration.of(config);
  const usage = await startUsageFeed({ em, notifications, clock, log });
  closing(() => usage.close());
  const watchers = new Set<(id: string) => void>();
  const stopNews = await notifications.listen(EDGE_CHANNEL, (id) => {
    if (id !== undefined) for (const watcher of watchers) watcher(id);
  });
  closing(async () => stopNews());
  const catalogue = await openCatalogue(platform, { seller: 'residential', fields: RESIDENTIAL_CATALOGUE, em, closing });
  const products = catalogue.view(toProducts);
  return {
    catalogue,
    get products() {
      return products.now();
    },
    proxies: {
      HTTP: { host: lines.PROXY_HOST, port: lines.PROXY_HTTP_PORT },
      SOCKS5: { host: lines.PROXY_HOST, port: lines.PROXY_SOCKS5_PORT },
    },
    secrets: { offers: secrets.offers, sealing: secrets.sealing },
    taxRates: commerceConfiguration.of(config).TAX_RATES ?? {},
    publicUrl: config.PUBLIC_URL,
    usage,
    edgeNews(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
    usageReceived: createUsageCounter(metrics),
    eventDropped: () => metrics.droppedEvents.inc(),
  };
}
