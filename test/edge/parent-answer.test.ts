import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { parentRefusal } from '../../edge/parent-answer.ts';

const NOW = new Date('2026-01-15T12:00:00Z');
const busy = (field: string) =>
  parentRefusal({ status: 429, head: `HTTP/1.1 429 Too Many Requests\r\n${field}Content-Length: 0\r\n\r\n` }, undefined, NOW);

test.each([
  ['', SECOND],
  ['Retry-After: 7\r\n', 7 * SECOND],
  ['retry-after:7\r\n', 7 * SECOND],
  ['Retry-After: Thu, 15 Jan 2026 12:02:00 GMT\r\n', 2 * MINUTE],
  ['Retry-After: Thu, 15 Jan 2026 11:00:00 GMT\r\n', SECOND],
  ['Retry-After: 86400\r\n', 5 * MINUTE],
  ['Retry-After: soon\r\n', SECOND],
])('a parent that is busy and says %j is left alone for %d ms', (field, ms) => {
  expect(busy(field)).toMatchObject({ trouble: 'busy', retryAfterMs: ms });
});
