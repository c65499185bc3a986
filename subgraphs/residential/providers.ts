// The providers of this subgraph, made once per process from the configuration.
import { openCatalogue } from '#commerce/catalogue/catalogue-book.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { linePageOf } from '#lines/configuration.ts';
import { createLineSender } from '#lines/line-sender.ts';
import { createLineTests } from '#lines/line-tests.ts';
import type { Context as SharedContext } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { retentionOf } from '#platform/retention.ts';
import { lineConfiguration } from '../../edge/protocol/configuration.ts';
import { RESIDENTIAL_CATALOGUE, toProducts } from './plans/domain/catalogue.ts';
import { keptHosts } from './metering/providers/kept-host.ts';
import { meteringConfiguration } from './metering/configuration.ts';
import { EDGE_CHANNEL } from './edges/entities/edge-desk.ts';
import { createUsageCounter } from './metering/providers/usage-counter.ts';
import { startUsageFeed } from './metering/providers/usage-feed.ts';
import type { RequestsProviders } from './requests/context.ts';
import { startRequestNews } from './requests/providers/request-news.ts';

/** Each noun has a context of its own, which extends those of the nouns below it. */
export type Providers = RequestsProviders;
export type Context = SharedContext<Providers>;

declare module './builder.ts' {
  interface ResolverProviders extends RequestsProviders {}
}

export async function createProviders(
  platform: Platform,
  closing: (close: () => Promise<void>) => void,
  em: () => EntityManager,
): Promise<Providers> {
  const { config, secrets, notifications, clock, log, metrics } = platform;
  const lines = lineConfiguration.of(config);
  const commerce = commerceConfiguration.of(config);
  const usage = await startUsageFeed({ em, notifications, clock, log });
  closing(() => usage.close());
  const watchers = new Set<(id: string) => void>();
  const stopNews = await notifications.listen(EDGE_CHANNEL, (id) => {
    if (id !== undefined) for (const watcher of watchers) watcher(id);
  });
  closing(async () => stopNews());
  const requestNews = await startRequestNews(notifications);
  closing(async () => requestNews.close());
  const catalogue = await openCatalogue(platform, { seller: 'residential', fields: RESIDENTIAL_CATALOGUE, em, closing });
  const products = catalogue.view(toProducts);
  return {
    catalogue,
    productsAt: products.at,
    get products() {
      return products.now();
    },
    proxies: {
      HTTP: { host: lines.PROXY_HOST, port: lines.PROXY_HTTP_PORT },
      SOCKS5: { host: lines.PROXY_HOST, port: lines.PROXY_SOCKS5_PORT },
      ...(lines.PROXY_HTTPS_PORT !== undefined && { HTTPS: { host: lines.PROXY_HOST, port: lines.PROXY_HTTPS_PORT } }),
    },
    lineTests: createLineTests(createLineSender({ url: linePageOf(platform) })),
    secrets: { offers: secrets.offers, sealing: secrets.sealing },
    retention: retentionOf(config),
    hosts: keptHosts(meteringConfiguration.of(config).USAGE_HOSTS, secrets.internal),
    taxRates: commerce.TAX_RATES ?? {},
    discountLimitBasisPoints: commerce.STAFF_DISCOUNT_LIMIT * 100,
    publicUrl: config.PUBLIC_URL,
    privateNetworks: config.NODE_ENV !== 'production',
    usage,
    requestNews,
    edgeNews(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
    usageReceived: createUsageCounter(metrics),
    eventDropped: () => metrics.droppedEvents.inc(),
  };
}
