// Redis hangs: its connections stay open and do not answer. Each process then counts by itself, and the API still works.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { RATE_LIMIT, type RateLimiter, createRateLimiter } from '../../gateway/http/rate-limit.ts';
import { until } from '../gateway/world.ts';
import { freePorts } from '../kit/ports.ts';

/** Debian: the package redis-server. */
const installed = spawnSync('redis-server', ['--version']).status === 0;

describe.skipIf(!installed)('a store of shared limits that hangs', () => {
  let redis: ChildProcess;
  let directory: string;
  let limiters: RateLimiter[];
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'egress-redis-'));
    const port = await freePorts(1);
    redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory], { stdio: 'ignore' });
    const open = () => createRateLimiter({ redisUrl: `redis://127.0.0.1:${port}`, log: silentLog });
    let first: RateLimiter | undefined;
    await until(async () => (first = await open().catch(() => undefined)) !== undefined);
    limiters = [first as RateLimiter, await open()];
  });
  afterAll(async () => {
    redis.kill('SIGCONT');
    await Promise.all(limiters.map((limiter) => limiter.close()));
    redis.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  const takeAll = (bucket: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => limiters[index % 2]?.take(bucket)));
  const passed = (taken: Awaited<ReturnType<typeof takeAll>>) => taken.filter((one) => one?.passed).length;

  test('delays nobody: each process lets 120 pass by itself until Redis is back, and then they count together again', async () => {
    expect(passed(await takeAll('before', 300))).toBe(RATE_LIMIT);
    expect(limiters.map((limiter) => limiter.shares())).toEqual([true, true]);
    redis.kill('SIGSTOP');
    expect(passed(await takeAll('meanwhile', 400))).toBe(2 * RATE_LIMIT);
    expect(limiters.map((limiter) => limiter.shares())).toEqual([false, false]);
    redis.kill('SIGCONT');
    await until(async () => {
      await takeAll('looking', 2);
      return limiters.every((limiter) => limiter.shares() === true);
    });
    expect(passed(await takeAll('after', 300))).toBe(RATE_LIMIT);
  });
});
