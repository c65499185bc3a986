import { expect, test } from 'vitest';
import { STATIC_CATALOGUE, toStaticProducts } from '../../../../../subgraphs/static/products/domain/catalogue.ts';
import { DEFAULT_STATIC_PRODUCTS, productIdsOf, staticProduct } from '../../../../../subgraphs/static/products/domain/static-product.ts';
import { valuesOf } from '../../../../kit/catalogue.ts';

const soldBy = (file: unknown) => toStaticProducts(valuesOf('static', STATIC_CATALOGUE, file));

test('the catalogue: four ISP carriers at 2.40 and datacenter at 1.20 per address and month', () => {
  expect(
    Object.values(DEFAULT_STATIC_PRODUCTS).map(({ id, kind, name, carrier, perAddressMinor }) => [
      id,
      kind,
      name,
      carrier,
      perAddressMinor,
    ]),
  ).toEqual([
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
  expect(() => staticProduct(DEFAULT_STATIC_PRODUCTS, 'x')).toThrow(RangeError);
});

test("the operator's carriers, names and prices stand in the place of the defaults; ids stay", () => {
  const products = soldBy({
    residential: { PREMIUM: { name: 'Gold' } },
    static: { 'isp-meridian': { carrier: 'Fiberco', price: '2.10', sold: false }, datacenter: { name: 'Rack', price: '0.95' } },
  });
  expect(products['isp-meridian']).toEqual({
    id: 'isp-meridian',
    kind: 'ISP',
    name: 'ISP Fiberco',
    carrier: 'Fiberco',
    perAddressMinor: 210,
    sold: false,
  });
  expect(products.datacenter).toMatchObject({ name: 'Rack', perAddressMinor: 95 });
  expect(products['isp-cascade']).toEqual(DEFAULT_STATIC_PRODUCTS['isp-cascade']);
});

test.each([
  [{ 'isp-meridian': { price: '2.105' } }, 'static.isp-meridian.price: not a price with at most two decimals: 2.105'],
  [{ 'isp-unknown': {} }, 'isp-unknown'],
  [{ datacenter: { carrier: 'X' } }, 'static.datacenter'],
  [{ 'isp-cascade': { carrier: '' } }, 'static.isp-cascade.carrier'],
])('a catalogue with %j stops the start and says why', (part, sentence) => {
  expect(() => soldBy({ static: part })).toThrow(sentence);
});
