// What products are given, and the inventory of them.
import type { CatalogueBook, CatalogueView } from '#commerce/catalogue/catalogue-book.ts';
import type { Context } from '#platform/context.ts';
import type { StaticProducts } from './domain/static-product.ts';

export interface ProductsProviders {
  /** As they are sold now. */
  readonly products: StaticProducts;
  /** As they were sold at a moment. */
  productsAt: CatalogueView<StaticProducts>['at'];
  catalogue: CatalogueBook;
}

export type ProductsContext = Context<ProductsProviders>;
