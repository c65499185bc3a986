// The providers that the catalogue and operations are given.
import type { CatalogueView } from '#commerce/catalogue/catalogue-book.ts';
import type { AccountPriceProviders } from '#commerce/account-prices/set-account-price.ts';
import type { Context } from '#platform/context.ts';
import type { ServerShop } from './domain/catalogue.ts';

export interface CatalogueProviders extends AccountPriceProviders {
  /** What is sold now, at which prices. */
  readonly shop: ServerShop;
  /** What was sold at a moment, at which prices. */
  shopAt: CatalogueView<ServerShop>['at'];
  /** How many days before it applies another price is announced to running servers. */
  repricingNoticeDays: number;
}

export type CatalogueContext = Context<CatalogueProviders>;
