import { expect, test } from 'vitest';
import { createAttempts } from '../../subgraphs/residential/edge/attempts.ts';

function attemptsAt() {
  const time = { now: 0 };
  const attempts = createAttempts(() => time.now);
  const wait = (address: string, username: string): number => {
    try {
      attempts.check(address, username);
      return 0;
    } catch (error) {
      return (error as { meta: { retry_after_seconds: number } }).meta.retry_after_seconds;
    }
  };
  const fail = (count: number, address: string, username: string) => {
    for (let index = 0; index < count; index++) attempts.failed(address, username);
  };
  return { time, attempts, wait, fail };
}

test('an address that fails more than twenty times waits, twice as long with each further failure, up to five minutes', () => {
  const { time, wait, fail } = attemptsAt();
  fail(20, '192.0.2.1', 'user');
  expect(wait('192.0.2.1', 'user')).toBe(0);
  const waits = Array.from({ length: 11 }, () => {
    fail(1, '192.0.2.1', 'user');
    return wait('192.0.2.1', 'user');
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(wait('192.0.2.2', 'user')).toBe(0);
  time.now += 300_000;
  expect(wait('192.0.2.1', 'user')).toBe(0);
  time.now += 600_000;
  fail(1, '192.0.2.1', 'user');
  expect(wait('192.0.2.1', 'user')).toBe(0);
});

test('a name that is guessed from everywhere is closed to strangers, not to who got in before', () => {
  const { attempts, wait, fail } = attemptsAt();
  attempts.succeeded('192.0.2.9', 'user');
  for (let host = 0; host < 201; host++) fail(1, `198.51.100.${host}`, 'user');
  expect(wait('203.0.113.1', 'user')).toBe(1);
  expect(wait('192.0.2.9', 'user')).toBe(0);
  expect(wait('203.0.113.1', 'other')).toBe(0);
});
