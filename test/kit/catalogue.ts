// The values that a seller's catalogue has after a catalogue file was read, worked out without a database.
import type { CatalogueField, ValueOf } from '#commerce/catalogue/catalogue-entry.ts';
import { judgeCatalogue } from '#commerce/catalogue/catalogue-file.ts';
import type { Seller } from '../../schema/subgraphs.ts';

/** A lookup: item and field -> the file's value, or the default. Throws an Error with what is wrong in the file, and a RangeError for an unknown field. */
export function valuesOf(seller: Seller, fields: readonly CatalogueField[], file: unknown = {}): ValueOf {
  const { wishes, problems } = judgeCatalogue(file, seller, fields);
  if (problems.length > 0) throw new Error(problems.map(({ path, sentence }) => `- ${path.join('.')}: ${sentence}`).join('\n'));
  return (item, name) => {
    const field = fields.find((one) => one.item === item && one.name === name);
    if (!field) throw new RangeError(`no ${item}.${name}`);
    return wishes.find((wish) => wish.field === field)?.value ?? field.usual;
  };
}
