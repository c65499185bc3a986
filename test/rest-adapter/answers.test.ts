// The exact answers of the six endpoints, and their envelope. Spec, Resources and Endpoints.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { TestClock, lastDays } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { Route } from '#platform/route.ts';
import { createFront } from '../../gateway/http/front.ts';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import type { Graph } from '../../rest-adapter/graph.ts';
import { createRestRoutes } from '../../rest-adapter/server.ts';
import { GOOD_PATHS } from './cases.ts';
import { DOCS } from './docs-options.ts';
import { type MemoryWorld, startMemoryWorld } from './memory-world.ts';
import { call } from './world.ts';

let world: MemoryWorld;
let key: string;
const clock = new TestClock('2026-03-05T00:00:00Z');

beforeAll(async () => {
  world = await startMemoryWorld({ clock });
  key = await world.key();
});
afterAll(() => world.close());

const dataOf = async (path: string) => (await call(world, path, key)).body.data;

test('an answer is the envelope, with its members in the order of the specification', async () => {
  const { text } = await call(world, '/v1/subscriptions', key);
  expect(text).toMatch(/^\{"statusCode":200,"data":\{.*\},"message":"[^"]+","success":true,"error":null\}$/s);
});

test('the plan list has product_id, product_name, data_gb, username, status and end of every plan of the account', async () => {
  expect(await dataOf('/v1/residential')).toEqual({
    plans: [
      { product_id: 'plan_a', product_name: 'Premium', data_gb: 5, username: 'user_a', status: 'ACTIVE', valid_until: null },
      {
        product_id: 'plan_b',
        product_name: 'Mobile',
        data_gb: 5,
        username: 'user_b',
        status: 'PAUSED',
        valid_until: '2026-04-01T12:00:00.000Z',
      },
      { product_id: 'plan_c', product_name: 'Premium', data_gb: 5, username: 'user_c', status: 'EXPIRED', valid_until: null },
    ],
  });
});

test('usage is in GB with six decimals and never shows more than was used', async () => {
  expect(await dataOf('/v1/residential/plan_a/usage')).toEqual({
    total_data: 5,
    used_data: 1.234567,
    username: 'user_a',
    product: 'plan_a',
  });
});

test('statistics are 30 ascending UTC days with zeros, today last, in MB with three decimals', async () => {
  const { unit, days } = await dataOf('/v1/residential/plan_a/statistics');
  expect(unit).toBe('MB');
  expect(Object.keys(days)).toEqual(lastDays(clock.now(), 30));
  expect(Object.entries(days).filter(([, used]) => used !== 0)).toEqual([
    ['2026-02-04', 1.234],
    ['2026-03-05', 312.5],
  ]);
});

test('generated lines come with their count', async () => {
  const { proxies, count, batch_id } = await dataOf(
    '/v1/residential/plan_a/proxies?sticky=true&pool=US&quantity=3&type=socks5&time=30&state=Texas',
  );
  expect(proxies).toEqual(
    [0, 1, 2].map((index) => `proxy.example:7778:user-country-us-state-texas-session-1000000${index}-sessionttl-30:pass`),
  );
  expect(count).toBe(3);
  expect(batch_id).toBe(world.memory.batches.at(-1)?.id);
});

test('time is 60 and type is http when they are not given', async () => {
  const { proxies } = await dataOf('/v1/residential/plan_a/proxies?sticky=true&pool=US&quantity=1');
  expect(proxies).toEqual(['proxy.example:7777:user-country-us-session-10000000-sessionttl-60:pass']);
});

test('rotating lines carry no session', async () => {
  const { proxies } = await dataOf('/v1/residential/plan_a/proxies?sticky=false&pool=US&quantity=2');
  expect(proxies).toEqual(Array(2).fill('proxy.example:7777:user-country-us:pass'));
});

test('a request that is refused leaves no batch', async () => {
  const before = world.memory.batches.length;
  for (const query of [
    'sticky=true&pool=US&quantity=0',
    'sticky=true&pool=Atlantis&quantity=1',
    'sticky=true&pool=US&quantity=1&time=31',
    'sticky=maybe&pool=US&quantity=1',
  ])
    await call(world, `/v1/residential/plan_a/proxies?${query}`, key);
  expect(world.memory.batches.length).toBe(before);
});

test('the largest generation is complete', async () => {
  const { proxies, count } = await dataOf('/v1/residential/plan_a/proxies?sticky=true&pool=US&quantity=10000');
  expect([count, new Set(proxies).size]).toEqual([10_000, 10_000]);
});

test('static plans come in pages of one kind', async () => {
  expect(await dataOf('/v1/static/isp?page=2&limit=1')).toEqual({
    plans: [{ _id: 'isp_2', status: 'SUSPENDED', quantity: 1, proxies: ['203.0.113.9:8000:u:p'] }],
    total: 2,
    currentPage: 2,
    totalPages: 2,
  });
  expect(await dataOf('/v1/static/dc')).toEqual({
    plans: [{ _id: 'dc_1', status: 'PENDING', quantity: 1, proxies: [] }],
    total: 1,
    currentPage: 1,
    totalPages: 1,
  });
  expect(await dataOf('/v1/static/isp?page=9')).toEqual({ plans: [], total: 2, currentPage: 9, totalPages: 1 });
  expect(await dataOf('/v1/static/isp?page=2&limit=1&protocol=https')).toMatchObject({ plans: [{ proxies: ['203.0.113.9:8443:u:p'] }] });
  expect(await dataOf('/v1/static/isp?productId=meridian')).toMatchObject({ plans: [{ _id: 'isp_2' }], total: 1 });
});

test('subscriptions carry their live billing: lower-case words, unix seconds, minor units', async () => {
  const { subscriptions } = await dataOf('/v1/subscriptions');
  expect(subscriptions.map(({ plan_id, type }: Record<string, string>) => [plan_id, type])).toEqual([
    ['isp_1', 'ISP'],
    ['dc_1', 'DC'],
    ['isp_2', 'ISP'],
  ]);
  expect(subscriptions[0]).toEqual({
    plan_id: 'isp_1',
    type: 'ISP',
    product_name: 'Product northline',
    status: 'ACTIVE',
    billing: {
      status: 'past_due',
      current_period_end: Date.parse('2026-02-15T12:00:00Z') / 1_000,
      amount: 2400,
      interval: 'month',
      interval_count: 3,
    },
  });
});

test('every answer matches its published schema, without additional members', async () => {
  for (const [index, path] of GOOD_PATHS.entries()) {
    const { input: _, output } = ENDPOINTS[index] ?? expect.fail();
    expect(z.strictObject(output.shape).safeParse(await dataOf(path(world.plans))).error).toBeUndefined();
  }
});

test('500 does not reveal the cause, and says that a retry is safe', async () => {
  world.memory.failNext = new Error('password of the database: hunter2');
  const answer = await call(world, '/v1/residential/plan_a/usage', key);
  expect([answer.status, answer.body.meta?.code, answer.body.meta?.retryable]).toEqual([500, 'internal', true]);
  expect(answer.text).not.toContain('hunter2');
});

test('500 when the gateway cannot authenticate the caller', async () => {
  world.breakGraph({ admit: async () => Promise.reject(new Error('connect ECONNREFUSED')) });
  const answer = await call(world, '/v1/residential', key);
  world.breakGraph();
  expect([answer.status, answer.body.meta?.code]).toEqual([500, 'internal']);
});

test('500, not 401, when a subgraph refuses the gateway’s identity, as the key was valid', async () => {
  world.memory.failNext = fail('unsigned_request');
  expect((await call(world, '/v1/residential/plan_a/usage', key)).status).toBe(500);
});

test('500 when the graph answers with neither data nor errors', async () => {
  world.breakGraph({ prepare: () => async () => ({}) });
  const answer = await call(world, '/v1/residential', key);
  world.breakGraph();
  expect(answer.status).toBe(500);
});

test('503 with Retry-After while a part is overloaded', async () => {
  world.memory.failNext = fail('overloaded', { retry_after_seconds: 3 });
  const answer = await call(world, '/v1/residential/plan_a/usage', key);
  expect([answer.status, answer.headers.get('retry-after'), answer.body.meta?.retry_after_seconds]).toEqual([503, '3', 3]);
});

test('a client that goes away aborts its operation', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  world.breakGraph({
    prepare: () => (_variables, _viewer, signal) => {
      started.resolve(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
  });
  const client = new AbortController();
  const request = fetch(`${world.url}/v1/residential`, { headers: { authorization: `Bearer ${key}` }, signal: client.signal });
  const signal = await started.promise;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  client.abort();
  await expect(request).rejects.toThrow();
  await aborted;
  world.breakGraph();
});

test('503 in the envelope and with the rate headers when the process itself sheds load', async () => {
  const graph: Graph = { admit: () => Promise.reject(new Error('not asked')), prepare: () => async () => ({}), close: async () => {} };
  const [rest] = createRestRoutes({ graph, log: silentLog, config: { PUBLIC_URL: 'https://proxies.example', BRAND: 'Test' }, docs: DOCS });
  if (!rest?.refuse) throw new Error('the REST route has an answer of its own for what the front refuses');
  const shedding: Route = {
    ...rest,
    handle() {
      throw fail('overloaded', { retry_after_seconds: 1 });
    },
  };
  const metrics = createMetrics();
  const front = createFront({ port: 0, host: '127.0.0.1', routes: [shedding], upgrades: [], clock, log: silentLog, metrics });
  const answer = await call(await front.listen(), '/v1/residential', key);
  expect([answer.status, answer.body.meta?.code, answer.headers.get('retry-after')]).toEqual([503, 'overloaded', '1']);
  await front.close();
});
