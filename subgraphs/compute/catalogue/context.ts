// What the catalogue is given, and operations.
import type { CatalogueBook, CatalogueView } from '#commerce/catalogue/catalogue-book.ts';
import type { Context } from '#platform/context.ts';
import type { ServerShop } from './domain/catalogue.ts';

export interface CatalogueProviders {
  /** What is sold now. */
  readonly shop: ServerShop;
  /** What was sold at a moment, at its prices. */
  shopAt: CatalogueView<ServerShop>['at'];
  catalogue: CatalogueBook;
}

export type CatalogueContext = Context<CatalogueProviders>;
