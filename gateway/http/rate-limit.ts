// Limits each API key to 120 requests a minute. Spec, Limits.
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { createClient } from 'redis';
import { createBreaker } from '#platform/breaker.ts';
import { SECOND, systemClock } from '#platform/clock.ts';
import { inTime } from '#platform/in-time.ts';
import type { Log } from '#platform/log.ts';
import { StartFailure, reasonOf } from '#platform/start-failure.ts';

export const RATE_LIMIT = 120;
/** The Spec does not say when the window starts: here with the first request of the bucket. */
export const RATE_WINDOW_SECONDS = 60;

/**
 * What the operations of one key may cost in a window, by REST, MCP and GraphQL together (`costOf` in graph/cost.ts). Twice the cost of 120 generations of 10,000 lines,
 * so that callers of REST always meet the limit of requests first.
 */
export const COST_LIMIT = 250_000;

/** The values of the three RateLimit headers. */
export interface Rate {
  limit: number;
  remaining: number;
  /** Whole seconds until the bucket is full again, 0 to 60. */
  resetSeconds: number;
}

export interface RateLimiter {
  /** Takes `count` requests from a bucket, by default one. `passed` is false from the 121st of a window on; refused requests count too. */
  take(bucket: string, count?: number): Promise<{ passed: boolean; rate: Rate }>;
  /** The same for the cost of operations, of COST_LIMIT. */
  charge(bucket: string, cost: number): Promise<{ passed: boolean; rate: Rate }>;
  /** Whether all processes share their counts at present; undefined: no shared store is configured. */
  shares(): boolean | undefined;
  close(): Promise<void>;
}

export interface RateLimiterOptions {
  /** Without it each process counts by itself; with it all processes that use the same store share their counts exactly. */
  redisUrl?: string | undefined;
  log: Log;
}

/** Milliseconds that the store may take for one request; a healthy one takes less than one. */
const STORE_MS = 150;
/** After this many failures in a row the store is not asked for `restMs`. */
const BREAKER = { failures: 3, restMs: SECOND };
/** How often an idle connection is pinged, and after how long without an answer it is closed and opened again. */
const [PING_MS, SILENT_MS] = [1_000, 3_000];

export async function createRateLimiter({ redisUrl, log }: RateLimiterOptions): Promise<RateLimiter> {
  const sizes = {
    requests: { points: RATE_LIMIT, duration: RATE_WINDOW_SECONDS, keyPrefix: 'rate' },
    cost: { points: COST_LIMIT, duration: RATE_WINDOW_SECONDS, keyPrefix: 'cost' },
  };
  const own = { requests: new RateLimiterMemory(sizes.requests), cost: new RateLimiterMemory(sizes.cost) };
  if (!redisUrl)
    return {
      take: (bucket, count = 1) => takeFrom(own.requests, bucket, count),
      charge: (bucket, cost) => takeFrom(own.cost, bucket, cost),
      shares: () => undefined,
      close: async () => {},
    };
  let connected = false;
  const client = createClient({
    url: redisUrl,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: SILENT_MS,
      // A store that cannot be reached at the start is a wrong configuration and stops the start; a connection that is lost later is opened again.
      reconnectStrategy: (retries, cause) => (connected ? Math.min(1_000, 50 * retries) : cause),
    },
  });
  client.on('error', (error) => connected && log.error({ err: error }, 'the rate limit store failed'));
  await client.connect().catch((error: unknown) => {
    const { host } = new URL(redisUrl);
    throw new StartFailure(`The rate limit store at ${host} cannot be used: ${reasonOf(error)}. Start it, or correct REDIS_URL.`);
  });
  connected = true;
  const store = { storeClient: client, useRedisPackage: true, rejectIfRedisNotReady: true };
  const shared = {
    requests: new RateLimiterRedis({ ...sizes.requests, ...store }),
    cost: new RateLimiterRedis({ ...sizes.cost, ...store }),
  };
  const breaker = createBreaker({
    ...BREAKER,
    clock: systemClock,
    changed(state) {
      if (state === 'open') log.error({}, 'the rate limit store does not answer: this process counts by itself');
      else if (state === 'closed') log.warn({}, 'the rate limit store answers again');
    },
  });
  async function takeShared(kind: keyof typeof own, bucket: string, count: number): ReturnType<RateLimiter['take']> {
    if (breaker.admits()) {
      try {
        const taken = await inTime(takeFrom(shared[kind], bucket, count), STORE_MS);
        breaker.succeeded();
        return taken;
      } catch {
        breaker.failed();
      }
    }
    // Without the store each process counts by itself: a limit that is too generous is better than an API that does not answer.
    return takeFrom(own[kind], bucket, count);
  }
  return {
    take: (bucket, count = 1) => takeShared('requests', bucket, count),
    charge: (bucket, cost) => takeShared('cost', bucket, cost),
    shares: () => client.isReady && breaker.state === 'closed',
    async close() {
      // A store that hangs does not answer the close.
      await inTime(client.close(), SECOND).catch(() => client.destroy());
    },
  };
}

async function takeFrom(limiter: RateLimiterMemory | RateLimiterRedis, bucket: string, count: number): ReturnType<RateLimiter['take']> {
  try {
    return { passed: true, rate: toRate(await limiter.consume(bucket, count), limiter.points) };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { passed: false, rate: toRate(refusal, limiter.points) };
    throw refusal;
  }
}

/** Seconds are rounded up, so that a request after that many seconds passes. */
const toRate = ({ remainingPoints, msBeforeNext }: RateLimiterRes, limit: number): Rate => ({
  limit,
  remaining: Math.max(0, remainingPoints),
  resetSeconds: Math.min(RATE_WINDOW_SECONDS, Math.max(0, Math.ceil(msBeforeNext / 1_000))),
});

/** RateLimit-Policy, as RateLimit, of draft-ietf-httpapi-ratelimit-headers-10: both limits of a key. */
const POLICY = `"requests";q=${RATE_LIMIT};w=${RATE_WINDOW_SECONDS}, "cost";q=${COST_LIMIT};w=${RATE_WINDOW_SECONDS}`;

const left = (policy: string, { remaining, resetSeconds }: Rate): string => `"${policy}";r=${remaining};t=${resetSeconds}`;

/**
 * The three headers of draft 06 of the IETF RateLimit headers (Spec, Limits: on every response), and what is left of each policy as later drafts write it. `cost`:
 * the budget of costs after the operation, where one has run.
 */
export const rateHeaders = (requests: Rate, cost?: Rate): Record<string, string> => ({
  'RateLimit-Limit': String(requests.limit),
  'RateLimit-Remaining': String(requests.remaining),
  'RateLimit-Reset': String(requests.resetSeconds),
  'RateLimit-Policy': POLICY,
  RateLimit: cost ? `${left('requests', requests)}, ${left('cost', cost)}` : left('requests', requests),
});
