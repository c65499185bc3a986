import { expect, test } from 'vitest';
import { DAY, SECOND, after } from '#platform/clock.ts';
import { prorate } from '#commerce/proration.ts';
import { createRandom } from '../../../../sandbox/random.ts';

const periodStart = new Date('2026-01-15T12:00:00Z');
const periodEnd = new Date('2026-02-15T12:00:00Z');
const part = (fullMinor: number, at: Date) => prorate({ fullMinor, periodStart, periodEnd, months: 1, at });

test.each([
  ['the whole at the start', 3_100, periodStart, 3_100],
  ['the whole, and the day that is left of the period before, if the period is paid ahead', 3_100, after(periodStart, -DAY), 3_200],
  ['a week of the period before', 3_100, after(periodStart, -7 * DAY), 3_800],
  ['no more than two periods', 3_100, after(periodStart, -100 * DAY), 6_200],
  ['a day less after a day', 3_100, after(periodStart, DAY), 3_000],
  ['a cent in the last part of a day', 3_100, after(periodEnd, -864 * SECOND), 1],
  ['half a cent is a cent', 3_100, after(periodEnd, -432 * SECOND), 1],
  ['less than half a cent is nothing', 3_100, after(periodEnd, -431 * SECOND), 0],
  ['nothing at the end', 3_100, periodEnd, 0],
  ['nothing after it', 3_100, after(periodEnd, DAY), 0],
  ['half away from zero below zero', -3_100, after(periodEnd, -432 * SECOND), -1],
])('%s', (_, full, at, expected) => expect(part(full, at)).toBe(expected));

test('the remaining amount never grows, and is within half a cent of the exact amount', () => {
  const random = createRandom(7);
  for (let turn = 0; turn < 2_000; turn++) {
    const full = random.below(5_000_000);
    const seconds = random.below(31 * 86_400);
    const at = after(periodStart, seconds * SECOND);
    expect(Math.abs(part(full, at) - (full * (31 * 86_400 - seconds)) / (31 * 86_400))).toBeLessThanOrEqual(0.5);
    expect(part(full, after(at, SECOND))).toBeLessThanOrEqual(part(full, at));
  }
});

test('a period that does not end after it begins is refused', () =>
  expect(() => prorate({ fullMinor: 1, periodStart, periodEnd: periodStart, months: 1, at: periodStart })).toThrow(RangeError));
