import { expect, test } from 'vitest';
import { HOUR, SECOND } from '#platform/clock.ts';
import { retryAfterMs } from '#platform/retry-after.ts';

const NOW = new Date('2026-01-15T12:00:00Z');

test.each([
  ['0', 0],
  ['90', 90 * SECOND],
  [' 90 ', 90 * SECOND],
  ['Thu, 15 Jan 2026 13:00:00 GMT', HOUR],
  ['Thursday, 15-Jan-26 13:00:00 GMT', HOUR],
  ['Thu Jan 15 13:00:00 2026', HOUR],
  ['Thu Jan  1 13:00:00 2026', 0],
  ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
])('%s is read', (text, ms) => {
  expect(retryAfterMs(text, NOW)).toBe(ms);
});

test.each([
  undefined,
  '',
  'soon',
  '-5',
  '1.5',
  '1e3',
  '9'.repeat(40),
  '2026-01-15T13:00:00Z',
  'Thu, 15 Jan 2026 13:00:00 CET',
  '15 Jan 2026',
])('%s says nothing', (text) => {
  expect(retryAfterMs(text, NOW)).toBeUndefined();
});
