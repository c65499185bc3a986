// The same call over REST, MCP and GraphQL on the whole platform: the same data, the same refusals, one rate limit.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toGb, toMb } from '#platform/data-size.ts';
import { type StackWorld, startStackWorld } from '../stack-world.ts';
import { type Loose, call } from '../world.ts';
import { type ToolResult, modernClient, modernRequest } from './clients.ts';

let world: StackWorld;
let key: string;
let used = 0;

beforeAll(async () => {
  world = await startStackWorld();
});
afterAll(() => world.close());

/** A key with at least `requests` left. */
const keyFor = async (requests: number) => {
  if (used === 0 || used + requests > 120) {
    key = await world.key();
    used = 0;
  }
  used += requests;
  return key;
};

const graphql = async (query: string, variables: Record<string, unknown>, given: string) => {
  const response = await fetch(`${world.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${given}` },
    body: JSON.stringify({ query, variables }),
  });
  return { response, body: (await response.json()) as Loose };
};

/** An answer of REST, MCP or GraphQL in one form: data, or the refusal. */
type Said = { data: Loose } | { code: string; field?: string; allowed?: unknown };

async function byRest(path: string, given: string): Promise<Said> {
  const { body } = await call(world, path, given);
  if (!body.meta) return { data: body.data };
  const { code, field, allowed } = body.meta;
  return { code, ...(field !== undefined && { field }), ...(allowed !== undefined && { allowed }) };
}

async function byMcp(name: string, args: Record<string, unknown>, given: string): Promise<Said> {
  const { structuredContent, isError }: ToolResult = await (await modernClient(world.url, given)).call(name, args);
  if (!isError) return { data: structuredContent };
  const { code, field, allowed } = structuredContent;
  return { code, ...(field !== undefined && { field }), ...(allowed !== undefined && { allowed }) };
}

/** Without the account's plans, which only MCP lists in a refusal, as assistants often pass a product's name for a plan. */
const withoutPlans = (said: Said): Said => {
  if (!('code' in said) || said.code !== 'plan_not_found') return said;
  const { allowed: _, ...rest } = said;
  return rest as Said;
};

/** With the field's REST name. */
const inRestNames = (said: Said): Said =>
  'field' in said ? { ...said, field: ({ product: 'product_id' } as Record<string, string>)[said.field ?? ''] ?? said.field ?? '' } : said;

/** Without session numbers, in which two generations of the same sticky lines differ. */
const withoutSessions = (said: Said): Said =>
  'data' in said
    ? {
        data: {
          ...said.data,
          batch_id: '',
          proxies: said.data.proxies.map((line: string) => line.replace(/-session-\d{8}-/, '-session-N-')),
        },
      }
    : said;

test('150 random generations are the same lines or the same refusal over all three', async () => {
  const { premium, mobile, expired, foreign } = world.plans;
  const input = fc.record({
    product: fc.constantFrom(premium, premium, mobile, expired, foreign, 'nothing'),
    pool: fc.constantFrom('Germany', 'de', 'US', 'united states', 'Worldwide', 'Europe', 'Atlantis'),
    quantity: fc.integer({ min: 1, max: 20 }),
    sticky: fc.boolean(),
    type: fc.constantFrom('http', 'socks5'),
    time: fc.constantFrom('30', '60', '120', '240', '720', '7'),
    state: fc.option(fc.constantFrom('Texas', 'new_york', 'Bavaria', 'Nowhere'), { nil: undefined }),
    city: fc.option(fc.constantFrom('Munich', 'New York City', 'Houston', 'Nowhere'), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      const authorization = await keyFor(3);
      const { product, ...query } = given;
      const text = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
      );
      const rest = await byRest(`/v1/residential/${product}/proxies?${text.join('&')}`, authorization);
      const mcp = withoutPlans(inRestNames(await byMcp('generate_residential_proxies', given, authorization)));
      expect(withoutSessions(mcp)).toEqual(withoutSessions(rest));

      const { body } = await graphql(
        'query ($planId: ID!, $input: ProxyGenerateInput!) { residentialProxies(planId: $planId, input: $input) { count lines } }',
        {
          planId: product,
          input: {
            targeting: { pool: given.pool, state: given.state, city: given.city },
            session: given.sticky ? 'STICKY' : 'ROTATING',
            sessionMinutes: Number(given.time),
            protocol: given.type.toUpperCase(),
            quantity: given.quantity,
          },
        },
        authorization,
      );
      const graph: Said = body.errors
        ? { code: body.errors[0].extensions.code }
        : { data: { proxies: body.data.residentialProxies.lines, count: body.data.residentialProxies.count, batch_id: '' } };
      expect(withoutSessions(graph)).toEqual('data' in rest ? withoutSessions(rest) : { code: rest.code });
    }),
    { numRuns: 150 },
  );
});

test('plans, usage and statistics are the same figures over all three', async () => {
  const authorization = await keyFor(20);
  const { body } = await graphql(
    '{ residentialPlans { id status username totalBytes validUntil product { name } usage { usedBytes } days(last: 30) { on totalBytes } } }',
    {},
    authorization,
  );
  const plans: Loose[] = body.data.residentialPlans;
  expect(plans).toHaveLength(3);
  const list = plans.map((plan) => ({
    product_id: plan.id,
    product_name: plan.product.name,
    data_gb: toGb(BigInt(plan.totalBytes)),
    username: plan.username,
    status: plan.status,
    valid_until: plan.validUntil,
  }));
  expect(await byRest('/v1/residential', authorization)).toEqual({ data: { plans: list } });
  expect(await byMcp('list_residential_plans', {}, authorization)).toEqual({ data: { plans: list } });
  for (const plan of plans) {
    const usage = {
      data: {
        total_data: toGb(BigInt(plan.totalBytes)),
        used_data: toGb(BigInt(plan.usage.usedBytes)),
        username: plan.username,
        product: plan.id,
      },
    };
    expect(await byRest(`/v1/residential/${plan.id}/usage`, authorization)).toEqual(usage);
    expect(await byMcp('get_residential_usage', { product: plan.id }, authorization)).toEqual(usage);
    const days = { data: { unit: 'MB', days: Object.fromEntries(plan.days.map((day: Loose) => [day.on, toMb(BigInt(day.totalBytes))])) } };
    expect(await byRest(`/v1/residential/${plan.id}/statistics`, authorization)).toEqual(days);
    expect(await byMcp('get_residential_statistics', { product: plan.id }, authorization)).toEqual(days);
  }
});

test('static plans and subscriptions are the same over all three', async () => {
  const authorization = await keyFor(6);
  for (const type of ['isp', 'dc']) {
    const rest = await byRest(`/v1/static/${type}`, authorization);
    expect(rest).toEqual({ data: { plans: [], total: 0, currentPage: 1, totalPages: expect.any(Number) } });
    expect(await byMcp('list_static_plans', { type }, authorization)).toEqual(rest);
  }
  expect(await byMcp('get_subscriptions', {}, authorization)).toEqual(await byRest('/v1/subscriptions', authorization));
});

test('REST, MCP and GraphQL share one limit of 120 requests', async () => {
  const fresh = await world.key();
  const ways = [
    () => call(world, '/v1/subscriptions', fresh).then(({ status, headers }) => ({ status, headers })),
    () => modernRequest(world.url, fresh, 'tools/list'),
    () => graphql('{ me { id } }', {}, fresh).then(({ response }) => response),
  ];
  const left: string[] = [];
  for (let index = 0; index < 120; index++) {
    const answer = await ways[index % 3]?.();
    expect(answer?.status).toBe(200);
    left.push(answer?.headers.get('ratelimit-remaining') ?? '');
  }
  expect(left).toEqual(Array.from({ length: 120 }, (_, index) => String(119 - index)));
  for (const way of ways) {
    const { status, headers } = await way();
    expect([status, headers.get('ratelimit-remaining'), headers.get('retry-after')]).toEqual([429, '0', headers.get('ratelimit-reset')]);
  }
});

test('a revoked key is refused over all three at once', async () => {
  const revoked = await world.key('revoked');
  const statuses = [
    (await call(world, '/v1/residential', revoked)).status,
    (await modernRequest(world.url, revoked, 'tools/list')).status,
    (await graphql('{ me { id } }', {}, revoked)).response.status,
  ];
  expect(statuses).toEqual([401, 401, 401]);
});
