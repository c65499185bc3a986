// The operator's prices and names.
import type { Config } from '#platform/config.ts';
import { readOperatorFile } from '#platform/operator-file.ts';
import { commerceConfiguration } from './configuration.ts';

/** What `judge` makes of the file that CATALOGUE_FILE names, or of `{}` without one. Throws as `readOperatorFile`. */
export function readCatalogue<Part>(config: Config, judge: (catalogue: unknown) => Part): Part {
  const { CATALOGUE_FILE: file } = commerceConfiguration.of(config);
  return file === undefined ? judge({}) : readOperatorFile(file, judge);
}
