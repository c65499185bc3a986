// The providers that plans are given.
import type { AccountPriceProviders } from '#commerce/account-prices/set-account-price.ts';
import type { CatalogueView } from '#commerce/catalogue/catalogue-book.ts';
import type { TaxRates } from '#commerce/tax.ts';
import type { Context as SharedContext } from '#platform/context.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { Retention } from '../../../schema/retention.ts';
import type { Products } from './domain/products.ts';

export interface PlansProviders extends AccountPriceProviders {
  /** The products as they are sold now. */
  readonly products: Products;
  /** The products as they were sold at a moment. */
  productsAt: CatalogueView<Products>['at'];
  secrets: Pick<Secrets, 'offers' | 'sealing'>;
  /** For how many days each kind of data is kept. */
  retention: Retention;
  taxRates: TaxRates;
  /** Counts values that were dropped since a subscriber read too slowly. */
  eventDropped(): void;
}

export type Context = SharedContext<PlansProviders>;
