// The outside of this subgraph: made once per process from the configuration.
import type { SigningKeys } from '#platform/mac.ts';
import type { SealingKeys } from '#platform/sealing.ts';
import { type CatalogueBook, type CatalogueView, openCatalogue } from '#commerce/catalogue/catalogue-book.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { HOUR } from '#platform/clock.ts';
import type { Context } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { TaxRates } from '#commerce/tax.ts';
import { staticConfiguration, visitorPage } from './configuration.ts';
import { STATIC_CATALOGUE, toStaticProducts } from './products/domain/catalogue.ts';
import type { StaticProducts } from './products/domain/static-product.ts';
import { type Prober, httpProber } from './health/providers/prober.ts';

export interface StaticProviders {
  /** As they are sold now. */
  readonly products: StaticProducts;
  /** As they were sold at a moment. */
  productsAt: CatalogueView<StaticProducts>['at'];
  catalogue: CatalogueBook;
  /** Seals proxy passwords. */
  sealing: SealingKeys;
  /** Signs offers. */
  offers: SigningKeys;
  taxRates: TaxRates;
  /** How long an address rests between two customers. */
  restMs: number;
  /** A plan that is not delivered in this time is paid back. */
  deliverWithinMs: number;
  /** Checks lines from outside; absent: nothing is checked. */
  prober?: Prober;
  /** Where those checks come from. */
  checksComeFrom: readonly string[];
  /** Counts values that a slow subscriber lost. */
  eventDropped(): void;
}

export type StaticContext = Context<StaticProviders>;

export async function createProviders(
  platform: Platform,
  closing: (close: () => Promise<void>) => void,
  em: () => EntityManager,
): Promise<StaticProviders> {
  const { config, secrets, metrics, vendors } = platform;
  const { ADDRESS_REST_HOURS, TAX_RATES } = commerceConfiguration.of(config);
  const own = staticConfiguration.of(config);
  const checkUrl = own.HEALTH_CHECK_URL ?? vendors.of(visitorPage);
  const catalogue = await openCatalogue(platform, { seller: 'static', fields: STATIC_CATALOGUE, em, closing });
  const products = catalogue.view(toStaticProducts);
  return {
    catalogue,
    get products() {
      return products.now();
    },
    productsAt: products.at,
    sealing: secrets.sealing,
    offers: secrets.offers,
    taxRates: TAX_RATES ?? {},
    restMs: ADDRESS_REST_HOURS * HOUR,
    deliverWithinMs: own.STATIC_DELIVERY_HOURS * HOUR,
    ...(checkUrl && { prober: httpProber(checkUrl) }),
    checksComeFrom: own.HEALTH_CHECKS_FROM,
    eventDropped: () => metrics.droppedEvents.inc(),
  };
}
