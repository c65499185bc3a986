// What the operator can set of the static products, in the part `static` of a catalogue file:
// { "static": { "isp-northline": { "carrier": "Fiberco", "price": "2.10" }, "datacenter": { "name": "Rack addresses", "sold": false } } }
import { type CatalogueField, type ValueOf, costField } from '#commerce/catalogue/catalogue-entry.ts';
import {
  DEFAULT_STATIC_PRODUCTS,
  STATIC_PRODUCT_IDS,
  type StaticProduct,
  type StaticProductId,
  type StaticProducts,
  ispProduct,
} from './static-product.ts';

/** The name of a product's item in the catalogue. */
export const itemOf = (id: StaticProductId): string => `static.${id}`;

/** An ISP product is named after its carrier, so the carrier can be set instead of the name. */
export const STATIC_CATALOGUE: readonly CatalogueField[] = STATIC_PRODUCT_IDS.flatMap((id): CatalogueField[] => {
  const { carrier, name, perAddressMinor } = DEFAULT_STATIC_PRODUCTS[id];
  return [
    { item: itemOf(id), name: carrier === null ? 'name' : 'carrier', kind: 'TEXT', usual: carrier ?? name },
    { item: itemOf(id), name: 'sold', kind: 'FLAG', usual: true },
    { item: itemOf(id), name: 'price', kind: 'AMOUNT', usual: perAddressMinor },
    costField(itemOf(id)),
  ];
});

/** The products with the operator's settings. */
export function toStaticProducts(valueOf: ValueOf): StaticProducts {
  const entries = STATIC_PRODUCT_IDS.map((id): [StaticProductId, StaticProduct] => {
    const item = itemOf(id);
    const usual = DEFAULT_STATIC_PRODUCTS[id];
    const price = valueOf(item, 'price') as number;
    const named =
      usual.carrier === null
        ? { ...usual, name: valueOf(item, 'name') as string, perAddressMinor: price }
        : ispProduct(id, valueOf(item, 'carrier') as string, price);
    return [id, { ...named, sold: valueOf(item, 'sold') as boolean }];
  });
  return Object.fromEntries(entries) as StaticProducts;
}
