// The providers that products and their inventory are given.
import type { CatalogueView } from '#commerce/catalogue/catalogue-book.ts';
import type { AccountPriceProviders } from '#commerce/account-prices/set-account-price.ts';
import type { Context } from '#platform/context.ts';
import type { StaticProducts } from './domain/static-product.ts';

export interface ProductsProviders extends AccountPriceProviders {
  /** The products as they are sold now. */
  readonly products: StaticProducts;
  /** The products as they were sold at a moment. */
  productsAt: CatalogueView<StaticProducts>['at'];
  /** How many days before it applies another price is announced to running plans. */
  repricingNoticeDays: number;
}

export type ProductsContext = Context<ProductsProviders>;
