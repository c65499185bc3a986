import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RATE_LIMIT, type RateLimiter, createRateLimiter, rateHeaders } from '../../../gateway/http/rate-limit.ts';
import { silentLog } from '#platform/log.ts';

const passes = async (limiters: RateLimiter[], bucket: string, count: number) => {
  const taken = await Promise.all(Array.from({ length: count }, (_, index) => limiters[index % limiters.length]?.take(bucket)));
  return taken.filter((one) => one?.passed).length;
};

describe('a bucket in one process', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('lets exactly 120 of 500 parallel requests pass', async () => {
    const limiter = await createRateLimiter({ log: silentLog });
    expect(await passes([limiter], 'a', 500)).toBe(RATE_LIMIT);
    expect(await passes([limiter], 'b', 1)).toBe(1);
  });

  test('is full again 60 seconds after its first request, not after its last one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-15T12:00:00Z') });
    const limiter = await createRateLimiter({ log: silentLog });
    expect((await limiter.take('a')).rate).toEqual({ limit: 120, remaining: 119, resetSeconds: 60 });
    vi.setSystemTime(new Date('2026-01-15T12:00:30.500Z'));
    expect(await passes([limiter], 'a', 200)).toBe(119);
    expect(await limiter.take('a')).toEqual({ passed: false, rate: { limit: 120, remaining: 0, resetSeconds: 30 } });
    vi.setSystemTime(new Date('2026-01-15T12:00:59.999Z'));
    expect(await limiter.take('a')).toEqual({ passed: false, rate: { limit: 120, remaining: 0, resetSeconds: 1 } });
    vi.setSystemTime(new Date('2026-01-15T12:01:00.000Z'));
    expect(await limiter.take('a')).toEqual({ passed: true, rate: { limit: 120, remaining: 119, resetSeconds: 60 } });
  });

  test('lets a request pass after the seconds that Reset gives', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_768_478_400_000 });
    const limiter = await createRateLimiter({ log: silentLog });
    await passes([limiter], 'a', 120);
    for (const milliseconds of [1, 999, 1_000, 31_337, 59_001]) {
      vi.setSystemTime(1_768_478_400_000 + milliseconds);
      const { passed, rate } = await limiter.take('a');
      expect(passed).toBe(false);
      expect(Number.isInteger(rate.resetSeconds)).toBe(true);
      expect(milliseconds + rate.resetSeconds * 1_000).toBeGreaterThanOrEqual(60_000);
      expect(milliseconds + rate.resetSeconds * 1_000).toBeLessThan(61_000);
    }
  });

  test('its headers are the three of the draft, the policies and what is left of each', () => {
    const rate = { limit: 120, remaining: 7, resetSeconds: 42 };
    expect(rateHeaders(rate, { limit: 250_000, remaining: 248_999, resetSeconds: 12 })['RateLimit']).toBe(
      '"requests";r=7;t=42, "cost";r=248999;t=12',
    );
    expect(rateHeaders(rate)).toEqual({
      RateLimit: '"requests";r=7;t=42',
      'RateLimit-Limit': '120',
      'RateLimit-Policy': '"requests";q=120;w=60, "cost";q=250000;w=60',
      'RateLimit-Remaining': '7',
      'RateLimit-Reset': '42',
    });
  });
});

const redisUrl = process.env['TEST_REDIS_URL'];
describe.skipIf(!redisUrl)('a bucket that processes share', () => {
  const limiters: RateLimiter[] = [];
  afterEach(async () => {
    for (const limiter of limiters.splice(0)) await limiter.close();
  });

  test('lets exactly 120 pass between two limiters', async () => {
    for (let count = 0; count < 2; count++) limiters.push(await createRateLimiter({ redisUrl, log: silentLog }));
    expect(await passes(limiters, randomUUID(), 500)).toBe(RATE_LIMIT);
  });

  test('says the same remaining and reset in each', async () => {
    for (let count = 0; count < 2; count++) limiters.push(await createRateLimiter({ redisUrl, log: silentLog }));
    const bucket = randomUUID();
    expect((await limiters[0]?.take(bucket))?.rate).toEqual({ limit: 120, remaining: 119, resetSeconds: 60 });
    expect((await limiters[1]?.take(bucket))?.rate).toMatchObject({ limit: 120, remaining: 118 });
  });
});

test('a start fails if the shared store cannot be reached', async () => {
  await expect(createRateLimiter({ redisUrl: 'redis://127.0.0.1:1', log: silentLog })).rejects.toThrow();
});
