// What a catalogue file makes of a seller's catalogue, without a database.
import type { CatalogueField, ValueOf } from '#commerce/catalogue/catalogue-entry.ts';
import { judgeCatalogue } from '#commerce/catalogue/catalogue-file.ts';
import type { Seller } from '../../schema/subgraphs.ts';

/** Throws as `judgeCatalogue`. */
export function valuesOf(seller: Seller, fields: readonly CatalogueField[], file: unknown = {}): ValueOf {
  const wishes = judgeCatalogue(file, seller, fields);
  return (item, name) => {
    const field = fields.find((one) => one.item === item && one.name === name);
    if (!field) throw new RangeError(`no ${item}.${name}`);
    return wishes.find((wish) => wish.field === field)?.value ?? field.usual;
  };
}
