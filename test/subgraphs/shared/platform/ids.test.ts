import { expect, test } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { isId, newId } from '#platform/ids.ts';

const clock = new TestClock('2026-03-01T00:00:00Z');

test('ids carry their prefix, sort in the order of their making, within a millisecond too, and do not repeat', () => {
  const early = Array.from({ length: 2_000 }, () => newId('plan', clock));
  clock.advance(1);
  const late = newId('plan', clock);
  expect(new Set(early).size).toBe(2_000);
  expect(early.toSorted()).toEqual(early);
  expect(early.every((id) => isId('plan', id) && id < late)).toBe(true);
  expect(isId('plan', late.replace('plan', 'vps'))).toBe(false);
  expect(isId('plan', `${late}0`)).toBe(false);
});

test('the time of an id can be read back from it', () => {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz';
  const time = [...newId('ord', clock).slice(4, 14)].reduce((sum, letter) => sum * 32 + letters.indexOf(letter), 0);
  expect(time).toBe(clock.now().getTime());
});
