import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  SESSION_NUMBERS,
  sessionNumber,
  strideInverse,
  toStride,
} from '../../../../../subgraphs/residential/plans/domain/session-numbers.ts';
import { rankFindings } from '../../../../../subgraphs/residential/metering/domain/usage-explanation.ts';
import { spanBefore, toSpan } from '../../../../../subgraphs/residential/metering/domain/usage-span.ts';

const number = fc.integer({ min: 0, max: SESSION_NUMBERS - 1 });

test('a session number leads back to its position', () => {
  fc.assert(
    fc.property(number, number, (random, position) => {
      const stride = toStride(random);
      const given = BigInt(sessionNumber(position, stride));
      expect(Number((given * BigInt(strideInverse(stride))) % BigInt(SESSION_NUMBERS))).toBe(position);
    }),
  );
});

test('an explanation lists what grew, the largest growth first, and marks what is new', () => {
  const findings = rankFindings(
    [
      { by: 'COUNTRY', value: 'us', bytes: 900n, bytesBefore: 800n },
      { by: 'HOST', value: 'b.test', bytes: 500n, bytesBefore: 0n },
      { by: 'HOST', value: 'a.test', bytes: 500n, bytesBefore: 0n },
      { by: 'CLIENT', value: '192.0.2.1', bytes: 500n, bytesBefore: 0n },
      { by: 'SESSION', value: '1', bytes: 5n, bytesBefore: 5n },
      { by: 'SESSION', value: '2', bytes: 0n, bytesBefore: 5n },
    ],
    20,
  );
  expect(findings.map(({ value, isNew, addedBytes }) => [value, isNew, addedBytes])).toEqual([
    ['192.0.2.1', true, 500n],
    ['a.test', true, 500n],
    ['b.test', true, 500n],
    ['us', false, 100n],
  ]);
  expect(rankFindings(findings, 1)).toHaveLength(1);
});

const at = (text: string) => new Date(text);

test('the preceding span has the same length and ends where the span begins', () => {
  const span = { from: at('2026-01-15T00:00:00Z'), to: at('2026-01-17T12:00:00Z') };
  expect(spanBefore(span)).toEqual({ from: at('2026-01-12T12:00:00Z'), to: span.from });
  expect(() => spanBefore({ from: at('2026-01-01T00:00:00Z'), to: at('2026-04-01T00:00:01Z') })).toThrow('At most 90 days');
});

test('a span that does not end after it begins is refused, one without bounds covers everything', () => {
  const now = at('2026-01-15T12:00:00Z');
  expect(() => toSpan({ from: now, to: now }, now)).toThrow('earlier');
  expect(toSpan({}, now)).toEqual({ from: at('1970-01-01T00:00:00Z'), to: at('2026-01-16T12:00:00Z') });
});
