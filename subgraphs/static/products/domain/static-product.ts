// The products: one per ISP carrier, and datacenter addresses. Spec is silent: carriers, ids, names and prices.
import { toMinor } from '#commerce/money.ts';
import { because, fail } from '#platform/errors.ts';

export const STATIC_KINDS = ['ISP', 'DATACENTER'] as const;
export type StaticKind = (typeof STATIC_KINDS)[number];

export const ISP_PRODUCT_IDS = ['isp-northline', 'isp-meridian', 'isp-bluewire', 'isp-cascade'] as const;
export const STATIC_PRODUCT_IDS = [...ISP_PRODUCT_IDS, 'datacenter'] as const;
export type StaticProductId = (typeof STATIC_PRODUCT_IDS)[number];

export interface StaticProduct {
  id: StaticProductId;
  kind: StaticKind;
  name: string;
  /** ISP products only. */
  carrier: string | null;
  /** Cents per address and month, before tax. */
  perAddressMinor: number;
  /** False: it is no longer sold; plans that were bought go on. */
  sold: boolean;
}

export type StaticProducts = Readonly<Record<StaticProductId, StaticProduct>>;

export const ispProduct = (id: StaticProductId, carrier: string, perAddressMinor: number): StaticProduct => ({
  id,
  kind: 'ISP',
  name: `ISP ${carrier}`,
  carrier,
  perAddressMinor,
  sold: true,
});

const ISP_MINOR = toMinor('2.40');

export const DEFAULT_STATIC_PRODUCTS: StaticProducts = {
  'isp-northline': ispProduct('isp-northline', 'Northline', ISP_MINOR),
  'isp-meridian': ispProduct('isp-meridian', 'Meridian', ISP_MINOR),
  'isp-bluewire': ispProduct('isp-bluewire', 'Bluewire', ISP_MINOR),
  'isp-cascade': ispProduct('isp-cascade', 'Cascade', ISP_MINOR),
  datacenter: { id: 'datacenter', kind: 'DATACENTER', name: 'Datacenter', carrier: null, perAddressMinor: toMinor('1.20'), sold: true },
};

/** Spec is silent: the size of one order; more is arranged through sales. */
export const STATIC_QUANTITY = { min: 1, max: 1_000 } as const;

/** Throws `quantity_invalid`. */
export function checkQuantity(quantity: number, max: number = STATIC_QUANTITY.max): void {
  if (quantity < STATIC_QUANTITY.min || quantity > max)
    throw fail('quantity_invalid', {
      field: 'quantity',
      reason: because('static_quantity', { min: STATIC_QUANTITY.min, max }),
    });
}

export const isStaticProductId = (id: string): id is StaticProductId => (STATIC_PRODUCT_IDS as readonly string[]).includes(id);

/** The product of a stored plan or address. Throws a RangeError for an id that is not in the catalogue. */
export function staticProduct(products: StaticProducts, id: string): StaticProduct {
  if (!isStaticProductId(id)) throw new RangeError(`no static product has the id ${id}`);
  return products[id];
}

/** The product whose id a caller gave. Throws `parameter_invalid`. */
export function productNamed(products: StaticProducts, id: string): StaticProduct {
  if (!isStaticProductId(id)) throw fail('parameter_invalid', { field: 'productId', reason: because('product_unknown') });
  return products[id];
}

/** Product ids of a kind (both without one), narrowed to one id; empty when they exclude each other. */
export const productIdsOf = (kind?: StaticKind | null, id?: string | null): StaticProductId[] =>
  STATIC_PRODUCT_IDS.filter((each) => (kind == null || DEFAULT_STATIC_PRODUCTS[each].kind === kind) && (id == null || each === id));
