// What is sold: one product per ISP carrier, and datacenter addresses. Spec is silent: carriers, ids, names and prices.
import { toMinor } from '#shared/money.ts';

export type StaticKind = 'ISP' | 'DATACENTER';

export interface StaticProduct {
  id: string;
  kind: StaticKind;
  name: string;
  /** ISP products only. */
  carrier: string | null;
  /** Cents per address and month, before tax. */
  perAddressMinor: number;
}

const isp = (id: string, carrier: string): StaticProduct => ({
  id,
  kind: 'ISP',
  name: `ISP ${carrier}`,
  carrier,
  perAddressMinor: toMinor('2.40'),
});

export const STATIC_PRODUCTS: readonly StaticProduct[] = [
  isp('isp-northline', 'Northline'),
  isp('isp-meridian', 'Meridian'),
  isp('isp-bluewire', 'Bluewire'),
  isp('isp-cascade', 'Cascade'),
  { id: 'datacenter', kind: 'DATACENTER', name: 'Datacenter', carrier: null, perAddressMinor: toMinor('1.20') },
];

const BY_ID = new Map(STATIC_PRODUCTS.map((product) => [product.id, product]));

export const findStaticProduct = (id: string): StaticProduct | undefined => BY_ID.get(id);

/** The product of a stored plan or address. Throws a RangeError for an id that is not in the catalogue. */
export function staticProduct(id: string): StaticProduct {
  const product = BY_ID.get(id);
  if (!product) throw new RangeError(`no static product has the id ${id}`);
  return product;
}

/** Product ids of a kind (both without one), narrowed to one id; empty when they exclude each other. */
export const productIdsOf = (kind?: StaticKind | null, id?: string | null): string[] =>
  STATIC_PRODUCTS.filter((product) => (kind == null || product.kind === kind) && (id == null || product.id === id)).map(
    (product) => product.id,
  );
