import { describe, expect, test } from 'vitest';
import { formatVatId, isMemberState, toVatId } from '../../../../../../subgraphs/accounts/billing/tax/domain/vat-id.ts';
import { isReverseCharged } from '../../../../../../subgraphs/accounts/billing/tax/domain/tax-rule.ts';
import { evidenceKeptFrom, isContradicted } from '../../../../../../subgraphs/accounts/billing/tax/domain/evidence.ts';

test.each([
  ['DE', 'DE136695976', 'DE136695976'],
  ['DE', 'de 136 695.976', 'DE136695976'],
  ['DE', '136695976', 'DE136695976'],
  ['GR', 'EL094259216', 'EL094259216'],
  ['GR', '094259216', 'EL094259216'],
  ['FR', 'FR53901821074', 'FR53901821074'],
  // The number itself begins with the letters of its prefix.
  ['FR', 'FR901821074', 'FRFR901821074'],
  ['AT', 'ATU12345678', 'ATU12345678'],
  ['ES', 'ESX1234567X', 'ESX1234567X'],
  ['IE', 'IE6388047V', 'IE6388047V'],
  ['IE', 'IE1234567FA', 'IE1234567FA'],
  ['NL', 'NL123456789B01', 'NL123456789B01'],
  ['CY', 'CY12345678X', 'CY12345678X'],
])('an id of %s that is written %s is %s', (country, written, stored) => {
  const id = toVatId(country, written);
  expect(id && formatVatId(id)).toBe(stored);
});

test.each([
  ['DE', 'DE12345678'],
  ['DE', 'AT U12345678'],
  ['DE', '21/815/08150'],
  ['GR', 'GR094259216'],
  ['AT', 'AT12345678'],
  ['NL', 'NL123456789X01'],
  ['US', 'US123456789'],
  ['GB', 'GB123456789'],
])('no id of %s is written %s', (country, written) => {
  expect(toVatId(country, written)).toBeUndefined();
});

test('twenty-seven member states have ids', () => {
  const states = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');
  expect(states.filter(isMemberState)).toHaveLength(27);
  expect(['GB', 'CH', 'NO', 'XI', 'EL', null].filter(isMemberState)).toEqual([]);
});

describe('the recipient owes the tax', () => {
  test.each([
    ['a business of another member state', { seller: 'DE', buyer: 'FR', vatId: 'VALID' }, true],
    ['also when the seller is outside of the Union', { seller: 'US', buyer: 'FR', vatId: 'VALID' }, true],
    ['not in the country of the seller', { seller: 'DE', buyer: 'DE', vatId: 'VALID' }, false],
    ['not when nobody could check the id', { seller: 'DE', buyer: 'FR', vatId: 'UNCHECKED' }, false],
    ['not when the id is invalid', { seller: 'DE', buyer: 'FR', vatId: 'INVALID' }, false],
    ['not without an id', { seller: 'DE', buyer: 'FR', vatId: null }, false],
    ['not outside of the Union', { seller: 'DE', buyer: 'CH', vatId: 'VALID' }, false],
    ['not while nobody knows where the seller is', { seller: null, buyer: 'FR', vatId: 'VALID' }, false],
  ] as const)('%s', (_, parties, expected) => {
    expect(isReverseCharged(parties)).toBe(expected);
  });
});

test('pieces contradict each other only where both name a country', () => {
  expect(isContradicted([{ country: 'DE' }, { country: null }, { country: 'DE' }])).toBe(false);
  expect(isContradicted([{ country: 'DE' }, { country: null }, { country: 'US' }])).toBe(true);
});

test('evidence is kept for ten years after the year of the sale', () => {
  expect(evidenceKeptFrom(new Date('2036-12-31T23:59:59Z')).toISOString()).toBe('2026-01-01T00:00:00.000Z');
});
