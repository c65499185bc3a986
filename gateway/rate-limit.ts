// 120 requests a minute per API key. Spec, Limits.
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { createClient } from 'redis';
import type { Log } from '#shared/log.ts';
import { StartFailure, reasonOf } from '#shared/start-failure.ts';

export const RATE_LIMIT = 120;
/** Spec is silent: the window starts at the bucket's first request. */
export const RATE_WINDOW_SECONDS = 60;

/** What the three RateLimit headers say. */
export interface Rate {
  limit: number;
  remaining: number;
  /** Whole seconds until the bucket is full again, 0 to 60. */
  resetSeconds: number;
}

export interface RateLimiter {
  /** Takes `count` from a bucket, by default one. `passed` is false from the 121st of a window on; what did not pass counts too. */
  take(bucket: string, count?: number): Promise<{ passed: boolean; rate: Rate }>;
  close(): Promise<void>;
}

export interface RateLimiterOptions {
  /** Without it the buckets are this process's own; with it, every process that names the same server shares them exactly. */
  redisUrl?: string | undefined;
  log: Log;
}

export async function createRateLimiter({ redisUrl, log }: RateLimiterOptions): Promise<RateLimiter> {
  const size = { points: RATE_LIMIT, duration: RATE_WINDOW_SECONDS, keyPrefix: 'rate' };
  if (!redisUrl) return limiterOn(new RateLimiterMemory(size), async () => {});
  let connected = false;
  const client = createClient({
    url: redisUrl,
    disableOfflineQueue: true,
    // A store that was never there is a wrong configuration and stops the start; one that went away is waited for.
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries, cause) => (connected ? Math.min(1_000, 50 * retries) : cause) },
  });
  client.on('error', (error) => connected && log.error({ err: error }, 'the rate limit store failed'));
  await client.connect().catch((error: unknown) => {
    const { host } = new URL(redisUrl);
    throw new StartFailure(`The rate limit store at ${host} cannot be used: ${reasonOf(error)}. Start it, or correct REDIS_URL.`);
  });
  connected = true;
  // Without the store each process counts by itself: a limit that is too generous beats an API that is down.
  const insuranceLimiter = new RateLimiterMemory(size);
  return limiterOn(
    new RateLimiterRedis({ ...size, storeClient: client, useRedisPackage: true, insuranceLimiter, rejectIfRedisNotReady: true }),
    () => client.close(),
  );
}

const limiterOn = (limiter: RateLimiterMemory | RateLimiterRedis, close: () => Promise<void>): RateLimiter => ({
  async take(bucket, count = 1) {
    try {
      return { passed: true, rate: toRate(await limiter.consume(bucket, count)) };
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return { passed: false, rate: toRate(refusal) };
      throw refusal;
    }
  },
  close,
});

/** Rounded up, so that after that many seconds the next request passes. */
const toRate = ({ remainingPoints, msBeforeNext }: RateLimiterRes): Rate => ({
  limit: RATE_LIMIT,
  remaining: Math.max(0, remainingPoints),
  resetSeconds: Math.min(RATE_WINDOW_SECONDS, Math.max(0, Math.ceil(msBeforeNext / 1_000))),
});

/** The three fields of draft 06 of the IETF RateLimit headers. Spec, Limits: on every response. */
export const rateHeaders = ({ limit, remaining, resetSeconds }: Rate): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});
