// What the operator can set of the residential products, in the part `residential` of a catalogue file:
// { "residential": { "PREMIUM": { "name": "Gold", "sold": true, "validDays": 30, "prices": { "1": "5.00", "10": "4.25" } } } }
import { type CatalogueField, type ValueOf, costField } from '#commerce/catalogue/catalogue-entry.ts';
import { DEFAULT_PRODUCTS, type PriceStep, type Product, type Products } from './products.ts';
import { PRODUCT_CODES, type ProductCode } from '../../../../edge/protocol/product.ts';

/** The name of a product's item in the catalogue. */
export const itemOf = (code: ProductCode): string => `residential.${code}`;

export const RESIDENTIAL_CATALOGUE: readonly CatalogueField[] = PRODUCT_CODES.flatMap((code): CatalogueField[] => {
  const { name, prices } = DEFAULT_PRODUCTS[code];
  const steps = Object.fromEntries(prices.map(({ fromGb, perGbMinor }) => [fromGb, perGbMinor]));
  return [
    { item: itemOf(code), name: 'name', kind: 'TEXT', usual: name },
    { item: itemOf(code), name: 'sold', kind: 'FLAG', usual: true },
    { item: itemOf(code), name: 'validDays', kind: 'DAYS', usual: 0 },
    { item: itemOf(code), name: 'prices', kind: 'AMOUNTS', usual: steps },
    costField(itemOf(code)),
  ];
});

/** Turns GB -> price per GB into ascending steps. */
const toSteps = (steps: Record<string, number>): PriceStep[] =>
  Object.entries(steps)
    .map(([fromGb, perGbMinor]) => ({ fromGb: Number(fromGb), perGbMinor }))
    .toSorted((a, b) => a.fromGb - b.fromGb);

/** The products with the operator's settings. */
export function toProducts(valueOf: ValueOf): Products {
  const entries = PRODUCT_CODES.map((code): [string, Product] => {
    const item = itemOf(code);
    const product: Product = {
      ...DEFAULT_PRODUCTS[code],
      name: valueOf(item, 'name') as string,
      sold: valueOf(item, 'sold') as boolean,
      validDays: (valueOf(item, 'validDays') as number) || null,
      prices: toSteps(valueOf(item, 'prices') as Record<string, number>),
    };
    return [code, product];
  });
  return Object.fromEntries(entries) as unknown as Products;
}
