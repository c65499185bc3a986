// How far a price of one account is below the catalogue's, for the limit of what one member of staff may take off.
import { expect, test } from 'vitest';
import { loweredBasisPoints } from '#commerce/account-prices/lowered.ts';
import type { CatalogueField } from '#commerce/catalogue/catalogue-entry.ts';
import type { CatalogueValue } from '#commerce/catalogue/catalogue-value.ts';

const PRICE: CatalogueField = { item: 'static.datacenter', name: 'price', kind: 'AMOUNT', usual: 120 };
const STEPS: CatalogueField = { item: 'residential.PREMIUM', name: 'prices', kind: 'AMOUNTS', usual: { 1: 500, 10: 400, 100: 300 } };
const from = new Date('2027-01-01T00:00:00Z');
const lowered = (field: CatalogueField, price: CatalogueValue | null, offBasisPoints: number | null = null) =>
  loweredBasisPoints({ price, offBasisPoints, from, until: null }, field, []);

test.each<[what: string, field: CatalogueField, price: CatalogueValue, basisPoints: number]>([
  ['a price', PRICE, 84, 3_000],
  ['a cent less is more than so much', PRICE, 83, 3_084],
  ['the same', PRICE, 120, 0],
  ['a dearer one', PRICE, 240, 0],
  ['steps as the catalogue has them', STEPS, { 1: 450, 10: 360, 100: 150 }, 5_000],
  ['one step for all, which is lower for few alone', STEPS, { 1: 300 }, 4_000],
  ['a step that begins earlier than in the catalogue', STEPS, { 1: 500, 5: 300 }, 4_000],
])('%s', (_what, field, price, basisPoints) => {
  expect(lowered(field, price)).toBe(basisPoints);
});

test('a share is what it says, whatever cents are rounded to', () => {
  expect(lowered(STEPS, null, 3_001)).toBe(3_001);
});
