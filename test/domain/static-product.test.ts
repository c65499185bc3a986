import { expect, test } from 'vitest';
import { STATIC_PRODUCTS, productIdsOf, staticProduct } from '../../subgraphs/static/domain/static-product.ts';

test('the catalogue: four ISP carriers at 2.40 and datacenter at 1.20 per address and month', () => {
  expect(STATIC_PRODUCTS.map(({ id, kind, name, carrier, perAddressMinor }) => [id, kind, name, carrier, perAddressMinor])).toEqual([
    ['isp-northline', 'ISP', 'ISP Northline', 'Northline', 240],
    ['isp-meridian', 'ISP', 'ISP Meridian', 'Meridian', 240],
    ['isp-bluewire', 'ISP', 'ISP Bluewire', 'Bluewire', 240],
    ['isp-cascade', 'ISP', 'ISP Cascade', 'Cascade', 240],
    ['datacenter', 'DATACENTER', 'Datacenter', null, 120],
  ]);
});

test('products are narrowed by kind and by id', () => {
  expect(productIdsOf()).toHaveLength(5);
  expect(productIdsOf('ISP')).toHaveLength(4);
  expect(productIdsOf('DATACENTER')).toEqual(['datacenter']);
  expect(productIdsOf('ISP', 'datacenter')).toEqual([]);
  expect(productIdsOf(null, 'isp-cascade')).toEqual(['isp-cascade']);
  expect(() => staticProduct('x')).toThrow(RangeError);
});
