// The fields of every seller's catalogue, and what a catalogue file of the operator says of them.
import type { Config } from '#platform/config.ts';
import type { CatalogueField } from '#commerce/catalogue/catalogue-entry.ts';
import { readCatalogueFile } from '#commerce/catalogue/catalogue-file.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import type { Seller } from './schema/subgraphs.ts';
import { COMPUTE_CATALOGUE } from './subgraphs/compute/catalogue/domain/catalogue.ts';
import { RESIDENTIAL_CATALOGUE } from './subgraphs/residential/plans/domain/catalogue.ts';
import { STATIC_CATALOGUE } from './subgraphs/static/products/domain/catalogue.ts';

export const CATALOGUE_FIELDS: Readonly<Record<Seller, readonly CatalogueField[]>> = {
  residential: RESIDENTIAL_CATALOGUE,
  static: STATIC_CATALOGUE,
  compute: COMPUTE_CATALOGUE,
};

/** Throws a StartFailure for a mistake anywhere in CATALOGUE_FILE: each seller imports its own part, so a later one would refuse what others have written. */
export function checkCatalogueFile(config: Config): void {
  const { CATALOGUE_FILE: file } = commerceConfiguration.of(config);
  if (file !== undefined) readCatalogueFile(file, CATALOGUE_FIELDS);
}
