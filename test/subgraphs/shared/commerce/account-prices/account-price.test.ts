import { expect, test } from 'vitest';
import { type AccountPrice, accountPriceAt, dated, overrideOf, reduced, textOf } from '#commerce/account-prices/account-price.ts';
import type { CatalogueField } from '#commerce/catalogue/catalogue-entry.ts';

const PRICE: CatalogueField = { item: 'static.datacenter', name: 'price', kind: 'AMOUNT', usual: 120 };
const STEPS: CatalogueField = { item: 'residential.PREMIUM', name: 'prices', kind: 'AMOUNTS', usual: { 1: 500, 10: 445 } };
const NAME: CatalogueField = { item: 'static.datacenter', name: 'name', kind: 'TEXT', usual: 'Datacenter' };
const day = (of: number) => new Date(Date.UTC(2027, 0, of));
const row = (over: Partial<AccountPrice>): AccountPrice => ({
  id: 'acp_1',
  accountId: 'acct_1',
  item: 'static.datacenter',
  price: 100,
  offBasisPoints: null,
  from: day(1),
  until: null,
  setAt: day(1),
  setBy: 'acct_desk',
  reason: '',
  endedAt: null,
  ...over,
});

test.each([
  // 120 - 15 % = 102; 1 cent has no part.
  [120, 1_500, 102],
  [1, 9_999, 1],
  // 2.40 - 12.5 % = 2.10; 0.05 - 10 % = 0.045, half up 0.05; 3.33 - 33.33 % = 2.220111.
  [240, 1_250, 210],
  [5, 1_000, 5],
  [333, 3_333, 222],
  [100_000_000, 1, 99_990_000],
])('%i cents with %i hundredths of a percent off are %i', (minor, off, expected) => {
  expect(reduced(minor, off)).toBe(expected);
});

test('holds from its beginning, until its end or the moment when it is ended, and never for another item or another field', () => {
  const rows = [row({ until: day(10) })];
  const costs = (at: Date, field = PRICE, of = rows) => overrideOf(of, at)(field, field.usual);
  expect([day(0), day(1), day(9), day(10)].map((at) => costs(at))).toEqual([120, 100, 100, 120]);
  const ended = [row({ until: day(10), endedAt: day(4) })];
  expect([day(3), day(4)].map((at) => costs(at, PRICE, ended))).toEqual([100, 120]);
  expect(costs(day(2), NAME)).toBe('Datacenter');
  expect(costs(day(2), { ...PRICE, item: 'static.isp-cascade', usual: 240 })).toBe(240);
});

test('the later one of two holds, and the earlier again when that is over', () => {
  const rows = [row({}), row({ id: 'acp_2', price: null, offBasisPoints: 5_000, from: day(5), until: day(7) })];
  expect([day(4), day(5), day(6), day(7)].map((at) => overrideOf(rows, at)(PRICE, 120))).toEqual([100, 60, 60, 100]);
  expect(accountPriceAt(rows, 'static.datacenter', day(6))?.id).toBe('acp_2');
});

test('a percentage is off every step, of what the catalogue has at that moment', () => {
  const rows = [row({ item: 'residential.PREMIUM', price: null, offBasisPoints: 1_000 })];
  expect(overrideOf(rows, day(2))(STEPS, STEPS.usual)).toEqual({ 1: 450, 10: 401 });
  expect(overrideOf(rows, day(2))(STEPS, { 1: 600 })).toEqual({ 1: 540 });
  expect(textOf(rows[0] as AccountPrice, STEPS)).toBe('10.00%');
  expect(textOf(row({ item: 'residential.PREMIUM', price: { 1: 450, 10: 400 } }), STEPS)).toBe('1: 4.50, 10: 4.00');
});

test('one that was ended before it began has never held', () => {
  const rows = [row({ from: day(5), endedAt: day(2) })];
  expect(dated(rows[0] as AccountPrice).withdrawnAt).toEqual(day(2));
  expect([day(3), day(6)].map((at) => overrideOf(rows, at)(PRICE, 120))).toEqual([120, 120]);
});
