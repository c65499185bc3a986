// The outside of this subgraph: made once per process from the configuration.
import { readCatalogue } from '#commerce/catalogue-file.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { HOUR } from '#platform/clock.ts';
import type { Context } from '#platform/context.ts';
import type { Platform } from '#platform/platform.ts';
import type { TaxRates } from '#commerce/tax.ts';
import { staticConfiguration, visitorPage } from './configuration.ts';
import { toStaticProducts } from './products/domain/catalogue.ts';
import type { StaticProducts } from './products/domain/static-product.ts';
import { type Prober, httpProber } from './health/providers/prober.ts';

export interface StaticProviders {
  products: StaticProducts;
  /** Seals proxy passwords. */
  sealing: Buffer;
  /** Signs offers. */
  offers: string;
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

export function createProviders({ config, secrets, metrics, vendors }: Platform): StaticProviders {
  const { ADDRESS_REST_HOURS, TAX_RATES } = commerceConfiguration.of(config);
  const own = staticConfiguration.of(config);
  const checkUrl = own.HEALTH_CHECK_URL ?? vendors.of(visitorPage);
  return {
    products: readCatalogue(config, toStaticProducts),
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
