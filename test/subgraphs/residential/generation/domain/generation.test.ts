import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '#platform/errors.ts';
import { type GenerateInput, checkGeneration } from '../../../../../subgraphs/residential/generation/domain/generation.ts';
import { DEFAULT_PRODUCTS } from '../../../../../subgraphs/residential/plans/domain/products.ts';
import { PRODUCT_CODES, type ProductCode } from '../../../../../edge/protocol/product.ts';
import { proxyText, toLines } from '../../../../../subgraphs/residential/generation/domain/proxy-lines.ts';
import { readUsername } from '../../../../../subgraphs/residential/metering/domain/usage-report.ts';
import { SESSION_NUMBERS, sessionNumber, toStride } from '../../../../../subgraphs/residential/plans/domain/session-numbers.ts';

const input = (over: Partial<GenerateInput> = {}): GenerateInput => ({
  targeting: { pool: 'Germany' },
  session: 'STICKY',
  sessionMinutes: 60,
  protocol: 'HTTP',
  quantity: 1,
  ...over,
});

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'fine';
  } catch (error) {
    return error instanceof Failure ? error.code : String(error);
  }
}

describe('sticky minutes', () => {
  const MINUTES = [0, 1, 5, 30, 60, 120, 240, 720, 1440, 1441];
  const LISTS: Record<ProductCode, number[]> = {
    PREMIUM: [30, 60, 120, 240],
    PRIVATE_RESIDENTIAL: [30, 60, 120, 720],
    MOBILE: [30, 60, 120],
    ALT_RESIDENTIAL: [30, 60, 120, 720, 1440],
  };
  test.each(PRODUCT_CODES)('of %s are its list for API keys, and also 5 for the form', (code) => {
    const takes = (caller: 'key' | 'session', session: 'STICKY' | 'ROTATING') =>
      MINUTES.filter(
        (sessionMinutes) => codeOf(() => checkGeneration(input({ sessionMinutes, session }), DEFAULT_PRODUCTS[code], caller)) === 'fine',
      );
    expect(takes('key', 'STICKY')).toEqual(LISTS[code]);
    expect(takes('key', 'ROTATING')).toEqual(LISTS[code]);
    expect(takes('session', 'STICKY')).toEqual([5, ...LISTS[code]]);
  });

  test('that are not in the list are refused, and the error contains the list', () => {
    const failure = (() => {
      try {
        checkGeneration(input({ sessionMinutes: 720 }), DEFAULT_PRODUCTS.MOBILE, 'key');
      } catch (error) {
        return error as Failure;
      }
      return undefined;
    })();
    const reason = { code: 'session_time_unfit', params: { allowed: '30, 60, 120', product: 'Mobile' } };
    expect(failure?.meta).toEqual({ field: 'time', allowed: [30, 60, 120], reason });
  });
});

test.each([
  ['key', 0, 'quantity_invalid'],
  ['key', -1, 'quantity_invalid'],
  ['key', 1, 'fine'],
  ['key', 10_000, 'fine'],
  ['key', 10_001, 'quantity_invalid'],
  ['session', 5_000, 'fine'],
  ['session', 5_001, 'quantity_invalid'],
  ['system', 1, 'quantity_invalid'],
] as const)('a %s that asks for %i lines: %s', (caller, quantity, expected) => {
  expect(codeOf(() => checkGeneration(input({ quantity }), DEFAULT_PRODUCTS.PREMIUM, caller))).toBe(expected);
});

describe('session numbers', () => {
  test('of ten thousand positions are ten thousand different numbers of 8 digits, for every plan', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: SESSION_NUMBERS - 1 }), fc.integer({ min: 0, max: 10 ** 12 }), (random, start) => {
        const numbers = new Set<number>();
        for (let position = start; position < start + 10_000; position++) numbers.add(sessionNumber(position, toStride(random)));
        return numbers.size === 10_000 && [...numbers].every((number) => number >= 0 && number < SESSION_NUMBERS);
      }),
      { numRuns: 20 },
    );
  });

  test('repeat only after all 10^8', () => {
    fc.assert(
      fc.property(
        fc.nat(SESSION_NUMBERS - 1),
        fc.nat(SESSION_NUMBERS - 1),
        fc.integer({ min: 1, max: SESSION_NUMBERS - 1 }),
        (random, start, distance) => {
          const stride = toStride(random);
          return (
            sessionNumber(start, stride) !== sessionNumber(start + distance, stride) &&
            sessionNumber(start, stride) === sessionNumber(start + SESSION_NUMBERS, stride)
          );
        },
      ),
    );
  });
});

describe('proxy lines', () => {
  const address = { host: 'proxy.example', port: 7777 };
  const credentials = { username: 'ab12cd34ef', password: 'pW0'.repeat(7) };

  test('of sticky sessions have the pattern of the specification and the numbers of their positions', () => {
    const sessions = { minutes: 60, start: 99_999_990, stride: 12_345_679 };
    const lines = toLines(proxyText(address, credentials, { country: 'us', state: 'new_york', city: 'new_york_city' }, 50, sessions));
    expect(lines).toHaveLength(50);
    lines.forEach((line, index) => {
      const digits = String(sessionNumber(sessions.start + index, sessions.stride)).padStart(8, '0');
      expect(line).toBe(
        `proxy.example:7777:ab12cd34ef-country-us-state-new_york-city-new_york_city-session-${digits}-sessionttl-60:${credentials.password}`,
      );
    });
  });

  test('of rotating sessions carry no session and are all alike', () => {
    const text = proxyText(address, credentials, { country: 'any' }, 3);
    const line = `proxy.example:7777:ab12cd34ef-country-any:${credentials.password}`;
    expect(toLines(text)).toEqual([line, line, line]);
  });

  test('are one line when one is asked for', () => {
    expect(proxyText(address, credentials, { country: 'eu' }, 1)).toBe(`proxy.example:7777:ab12cd34ef-country-eu:${credentials.password}`);
  });
});

test.each([
  ['ab12', { base: 'ab12' }],
  ['ab12-country-de', { base: 'ab12', country: 'de' }],
  [
    'ab12-country-us-state-new_york-city-new_york_city-session-00001234-sessionttl-30',
    { base: 'ab12', country: 'us', session: '00001234' },
  ],
  ['ab12-session', { base: 'ab12' }],
  ['ab12-country--session-1', { base: 'ab12', session: '1' }],
  ['', { base: '' }],
])('a reported username %j is read as %j', (text, expected) => {
  expect(readUsername(text)).toEqual(expected);
});
