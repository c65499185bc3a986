import { expect, test } from 'vitest';
import { type CatalogueEntry, type CatalogueField, stateOf, timeline, valueAt } from '#commerce/catalogue/catalogue-entry.ts';

const PRICE: CatalogueField = { item: 'static.datacenter', name: 'price', kind: 'AMOUNT', usual: 120 };
const day = (number: number) => new Date(Date.UTC(2026, 0, number));
let made = 0;
const entry = (value: number, from: number, over: Partial<CatalogueEntry> = {}): CatalogueEntry => ({
  id: `cat_${String(++made).padStart(4, '0')}`,
  item: PRICE.item,
  field: PRICE.name,
  value,
  from: day(from),
  until: null,
  setAt: day(1),
  setBy: 'acct_staff',
  reason: 'a test',
  withdrawnAt: null,
  ...over,
});

test('without an entry the default value applies', () => {
  expect(valueAt(PRICE, [], day(1))).toBe(120);
  expect(valueAt(PRICE, [entry(150, 3)], day(2))).toBe(120);
});

test('an entry applies from its beginning, to the millisecond, until the next one begins', () => {
  const entries = [entry(150, 3), entry(180, 5)];
  const just = new Date(day(5).getTime() - 1);
  expect([day(3), just, day(5), day(400)].map((at) => valueAt(PRICE, entries, at))).toEqual([150, 150, 180, 180]);
});

test('of two entries that begin at the same time, the one that was set last applies', () => {
  expect(valueAt(PRICE, [entry(180, 3, { setAt: day(2) }), entry(150, 3)], day(3))).toBe(180);
  expect(valueAt(PRICE, [entry(150, 3), entry(180, 3)], day(3))).toBe(180);
});

test('when an entry ends, the value applies that would apply without it, also one that began meanwhile', () => {
  const entries = [entry(150, 1), entry(99, 5, { until: day(10) }), entry(160, 3)];
  expect([4, 5, 9, 10].map((at) => valueAt(PRICE, entries, day(at)))).toEqual([160, 99, 99, 160]);
});

test('a withdrawn entry never applies', () => {
  const entries = [entry(150, 1), entry(180, 5, { withdrawnAt: day(2) })];
  expect(valueAt(PRICE, entries, day(6))).toBe(150);
  expect(entries.map((one) => stateOf(one, entries, day(6)))).toEqual(['IN_FORCE', 'WITHDRAWN']);
});

test('the timeline begins now and lists each time at which the value changes', () => {
  const entries = [entry(150, 1), entry(99, 5, { until: day(10) }), entry(200, 20), entry(300, 30, { withdrawnAt: day(2) })];
  expect(timeline(PRICE, entries, day(2))).toEqual([
    { from: day(2), value: 150 },
    { from: day(5), value: 99 },
    { from: day(10), value: 150 },
    { from: day(20), value: 200 },
  ]);
  expect(entries.map((one) => stateOf(one, entries, day(12)))).toEqual(['IN_FORCE', 'PAST', 'AHEAD', 'WITHDRAWN']);
});
