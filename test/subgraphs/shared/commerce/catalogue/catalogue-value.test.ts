import { expect, test } from 'vitest';
import {
  type CatalogueKind,
  type CatalogueValue,
  fileFormOf,
  formOf,
  sameValue,
  toFileForm,
  toText,
} from '#commerce/catalogue/catalogue-value.ts';

test.each([
  ['AMOUNT', '2.40', '2.40', 240],
  ['AMOUNTS', '1: 5.00, 10: 4.50', { 1: '5.00', 10: '4.50' }, { 1: 500, 10: 450 }],
  ['TEXT', 'Premium', 'Premium', 'Premium'],
  ['COUNT', '64', 64, 64],
  ['FLAG', 'false', false, false],
  ['DAYS', '30', 30, 30],
  ['DAYS', 'for ever', null, 0],
] as [CatalogueKind, string, unknown, CatalogueValue][])(
  '%s is typed as %j, written in a file as %j, stored as %j',
  (kind, text, file, kept) => {
    expect(fileFormOf(kind, text)).toEqual(file);
    expect(formOf(kind).parse(file)).toEqual(kept);
    expect(toFileForm(kind, kept)).toEqual(file);
    expect(toText(kind, kept)).toBe(text);
  },
);

test.each([
  ['AMOUNT', '2.405'],
  ['AMOUNT', '0.00'],
  ['AMOUNT', '-1'],
  ['AMOUNT', '1000000.01'],
  ['AMOUNTS', '1: 5.00, 1: 4.00'],
  ['AMOUNTS', '1: 5.00,'],
  ['AMOUNTS', '0: 5.00'],
  ['AMOUNTS', '5.00'],
  ['TEXT', '  '],
  ['TEXT', 'x'.repeat(81)],
  ['COUNT', '0'],
  ['COUNT', '1.5'],
  ['FLAG', 'yes'],
  ['DAYS', '0'],
  ['DAYS', '3651'],
  ['DAYS', '1.5'],
  ['DAYS', 'never'],
] as [CatalogueKind, string][])('%s is never %j', (kind, text) => {
  expect(formOf(kind).safeParse(fileFormOf(kind, text)).success).toBe(false);
});

test('price steps are equal in any order, and different steps are not', () => {
  expect(sameValue({ 1: 500, 10: 450 }, { 10: 450, 1: 500 })).toBe(true);
  expect(sameValue({ 1: 500 }, { 1: 500, 10: 450 })).toBe(false);
  expect(sameValue({ 1: 500, 5: 450 }, { 1: 500, 10: 450 })).toBe(false);
  expect(sameValue(120, 120)).toBe(true);
  expect(sameValue(120, '120')).toBe(false);
});
