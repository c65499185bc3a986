// 120 requests a minute and key, in the headers of every answer, shared by both protocols. Spec, Limits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COST_LIMIT } from '../../gateway/http/rate-limit.ts';
import { modernRequest } from './mcp/clients.ts';
import { type MemoryWorld, startMemoryWorld } from './memory-world.ts';
import { call } from './world.ts';

/** A list without a length counts as ten objects, and each plan has its product. */
const PLANS_COST = 20;

let world: MemoryWorld;

beforeAll(async () => {
  world = await startMemoryWorld();
});
afterAll(() => world.close());

const statuses = async (count: number, path: string, key: string) =>
  Promise.all(Array.from({ length: count }, async () => (await call(world, path, key)).status));

/** The same a few at a time: on a machine that is slow just now, a platform that is asked too much at once answers 503 instead. */
async function statusesInTurn(count: number, path: string, key: string): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) all.push(...(await statuses(Math.min(20, count - all.length), path, key)));
  return all;
}

test('exactly 120 of 150 requests at once pass, and the others are 429 with the time to wait', async () => {
  const key = await world.key();
  const all = await statuses(150, '/v1/subscriptions', key);
  expect(all.filter((status) => status === 200)).toHaveLength(120);
  expect(all.filter((status) => status === 429)).toHaveLength(30);
  const answer = await call(world, '/v1/residential', key);
  expect([answer.status, answer.body.meta?.code, answer.body.meta?.retryable]).toEqual([429, 'rate_limited', true]);
  expect(answer.headers.get('ratelimit-remaining')).toBe('0');
  expect(answer.headers.get('retry-after')).toBe(answer.headers.get('ratelimit-reset'));
  expect(answer.body.meta?.retry_after_seconds).toBe(Number(answer.headers.get('retry-after')));
});

test('failed requests count like the others, and each answer says how many are left', async () => {
  const key = await world.key();
  const left = [];
  for (const path of ['/v1/nothing', '/v1/static/x', '/v1/residential/x/usage', '/v1/residential'])
    left.push((await call(world, path, key)).headers.get('ratelimit-remaining'));
  expect(left).toEqual(['119', '118', '117', '116']);
});

test('each answer says what is left of the budget of costs, which REST and MCP share', async () => {
  const key = await world.key();
  const lines = await call(world, '/v1/residential/plan_a/proxies?sticky=false&pool=Germany&quantity=5000', key);
  const result = await modernRequest(world.url, key, 'tools/call', { name: 'list_residential_plans', arguments: {} });
  const leftOf = ({ headers }: { headers: Headers }) => Number(/"cost";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);
  expect([leftOf(lines), leftOf(result)]).toEqual([COST_LIMIT - 501, COST_LIMIT - 501 - PLANS_COST]);
  // What runs no operation costs nothing, and does not ask.
  expect((await call(world, '/v1/nothing', key)).headers.get('ratelimit')).toMatch(/^"requests";r=117;t=\d+$/);
});

test('429 comes before path and parameters are checked', async () => {
  const key = await world.key();
  await statusesInTurn(120, '/v1/subscriptions', key);
  expect((await call(world, '/v1/nothing', key)).status).toBe(429);
});

test('a used-up key does not affect another key of the account', async () => {
  const [first, second] = [await world.key(), await world.key()];
  await statusesInTurn(121, '/v1/subscriptions', first);
  expect((await call(world, '/v1/subscriptions', second)).headers.get('ratelimit-remaining')).toBe('119');
});

test("without a valid key the address's bucket feeds the headers, and the answer stays 401", async () => {
  const answers = await Promise.all(Array.from({ length: 130 }, () => call(world, '/v1/residential', world.unknownKey)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect((await call(world, '/v1/residential', undefined)).headers.get('ratelimit-remaining')).toBe('0');
  expect((await call(world, '/v1/residential', await world.key())).headers.get('ratelimit-remaining')).toBe('119');
});

test('403 for an account that may not use the API, up to its limit', async () => {
  const key = await world.key('forbidden');
  const all = await statusesInTurn(121, '/v1/residential', key);
  expect([all.filter((status) => status === 403).length, all.filter((status) => status === 429).length]).toEqual([120, 1]);
});

test('MCP requests take from the same bucket', async () => {
  const key = await world.key();
  await statusesInTurn(119, '/v1/subscriptions', key);
  const mcp = () =>
    fetch(`${world.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
  const last = await mcp();
  expect([last.status, last.headers.get('ratelimit-remaining')]).toEqual([200, '0']);
  const refused = await mcp();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, refused.headers.get('ratelimit-reset')]);
  expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'rate_limited' } } });
  expect((await call(world, '/v1/residential', key)).status).toBe(429);
});
