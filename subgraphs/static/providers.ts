// The providers of this subgraph, made once per process from the configuration.
import { openCatalogue } from '#commerce/catalogue/catalogue-book.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { linePageOf } from '#lines/configuration.ts';
import { createLineSender } from '#lines/line-sender.ts';
import { createLineTests } from '#lines/line-tests.ts';
import { HOUR } from '#platform/clock.ts';
import type { Context } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { lineConfiguration } from '../../edge/protocol/configuration.ts';
import { staticConfiguration, visitorPage } from './configuration.ts';
import { STATIC_CATALOGUE, toStaticProducts } from './products/domain/catalogue.ts';
import { httpsProber } from './health/providers/https-prober.ts';
import { httpProber } from './health/providers/prober.ts';
import type { PlansProviders } from './plans/context.ts';
import { secureSocket } from './plans/domain/line-text.ts';

/** Each noun has a context of its own, which extends those of the nouns below it. */
export type StaticProviders = PlansProviders;
export type StaticContext = Context<StaticProviders>;

declare module './builder.ts' {
  interface ResolverProviders extends PlansProviders {}
}

export async function createProviders(
  platform: Platform,
  closing: (close: () => Promise<void>) => void,
  em: () => EntityManager,
): Promise<StaticProviders> {
  const { config, secrets, metrics, vendors } = platform;
  const { ADDRESS_REST_HOURS, REPRICING_NOTICE_DAYS, STAFF_DISCOUNT_LIMIT, TAX_RATES } = commerceConfiguration.of(config);
  const own = staticConfiguration.of(config);
  const { STATIC_HTTPS_PORT: securePort, STATIC_HTTPS_HOST: secureHost } = lineConfiguration.of(config);
  const secure = securePort === undefined ? undefined : { port: securePort, host: secureHost };
  const checkUrl = own.HEALTH_CHECK_URL ?? vendors.of(visitorPage);
  const catalogue = await openCatalogue(platform, { seller: 'static', fields: STATIC_CATALOGUE, em, closing });
  const products = catalogue.view(toStaticProducts);
  return {
    catalogue,
    get products() {
      return products.now();
    },
    productsAt: products.at,
    repricingNoticeDays: REPRICING_NOTICE_DAYS,
    discountLimitBasisPoints: STAFF_DISCOUNT_LIMIT * 100,
    sealing: secrets.sealing,
    offers: secrets.offers,
    taxRates: TAX_RATES ?? {},
    restMs: ADDRESS_REST_HOURS * HOUR,
    privateNetworks: config.NODE_ENV !== 'production',
    ...(secure && { secure }),
    lineTests: createLineTests(createLineSender({ url: linePageOf(platform) })),
    deliverWithinMs: own.STATIC_DELIVERY_HOURS * HOUR,
    ...(checkUrl && { prober: httpProber(checkUrl) }),
    ...(checkUrl && secure && { httpsProber: httpsProber({ checkUrl, socketOf: (ip) => secureSocket(secure, ip) }) }),
    checksComeFrom: own.HEALTH_CHECKS_FROM,
    eventDropped: () => metrics.droppedEvents.inc(),
  };
}
