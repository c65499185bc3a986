// Random requests over REST and MCP on the whole platform: each answer follows the specification and is never 500, and nothing changes unasked.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modernClient } from './mcp/clients.ts';
import { type StackWorld, startStackWorld } from './stack-world.ts';
import { call } from './world.ts';
import { rowsOf } from '../kit/tables.ts';

let world: StackWorld;
let key: string;
let used = 0;

beforeAll(async () => {
  world = await startStackWorld();
});
afterAll(() => world.close());

const nextKey = async () => {
  if (used++ % 120 === 0) key = await world.key();
  return key;
};

const batches = async () =>
  (await rowsOf<{ count: string }>(world.stack.database.query, 'residential.proxy_batch', {}, { columns: 'count(*)' }))[0]?.count;

/** Text that often breaks programs: encodings, escapes, SQL, names of JavaScript, and random text. */
const nasty = fc.oneof(
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '\uffff',
    '%00',
    '../..',
    "'; drop table plan; --",
    '${7*7}',
    '{{7*7}}',
    '__proto__',
    'constructor',
    '[object Object]',
    '-0',
    '1e309',
    'NaN',
    '\r\nSet-Cookie: a=b',
    '‮',
    'İ',
    'ß',
    'a'.repeat(3_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const names = fc.constantFrom(
  'sticky',
  'pool',
  'quantity',
  'type',
  'time',
  'state',
  'city',
  'page',
  'limit',
  'productId',
  'x',
  '__proto__',
);

test('400 random REST requests are answered as the specification says', async () => {
  const path = fc.tuple(
    fc.oneof(
      fc.constantFrom('/v1/residential', '/v1/static/isp', '/v1/subscriptions').map((text) => () => text),
      fc.tuple(fc.option(nasty), fc.constantFrom('proxies', 'usage', 'statistics')).map(
        ([id, rest]) =>
          () =>
            `/v1/residential/${id === null ? world.plans.premium : encodeURIComponent(id.toWellFormed())}/${rest}`,
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 30 }).map((text) => () => `/v1/${text.replaceAll(/[^!-~]|[#?\\]/g, '')}`),
    ),
    fc.array(fc.tuple(names, nasty), { maxLength: 8 }),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(path, async ([start, pairs, raw]) => {
      const encode = (text: string) => (raw ? text.replaceAll(/[^!-~]|[#]/g, '') : encodeURIComponent(text.toWellFormed()));
      const query = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
      const url = `${start()}?${query}`.slice(0, 12_000);
      // `call` checks the envelope and the headers.
      const { status, body } = await call(world, url, await nextKey());
      expect([200, 400, 404], `${url} answered ${status} ${body.meta?.code}`).toContain(status);
    }),
    { numRuns: 400 },
  );
});

test('300 random tool calls are answered with data or a refusal with a code', async () => {
  const value = fc.oneof(
    nasty,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(nasty, { maxLength: 3 }),
    fc.dictionary(fc.string(), nasty, { maxKeys: 2 }),
  );
  const args = fc.dictionary(
    fc.constantFrom('product', 'pool', 'quantity', 'sticky', 'type', 'time', 'state', 'city', 'page', 'limit', 'productId', '__proto__'),
    value,
    { maxKeys: 8 },
  );
  const tool = fc.constantFrom(
    'list_residential_plans',
    'generate_residential_proxies',
    'get_residential_usage',
    'get_residential_statistics',
    'list_static_plans',
    'get_subscriptions',
  );
  await fc.assert(
    fc.asyncProperty(tool, args, fc.boolean(), async (name, given, own) => {
      const client = await modernClient(world.url, await nextKey());
      const { isError, structuredContent } = await client.call(name, own ? { ...given, product: world.plans.premium } : given);
      if (isError) expect(structuredContent.code).toMatch(/_(missing|invalid|unknown|not_found|not_allowed|needs_country|expired)$/);
    }),
    { numRuns: 300 },
  );
});

test('a refused generation stores no batch', async () => {
  const before = await batches();
  for (const query of [
    'pool=DE&quantity=0&sticky=true',
    'pool=Atlantis&quantity=1&sticky=true',
    'pool=DE&quantity=1&sticky=true&time=7',
    'pool=Europe&state=x&quantity=1&sticky=true',
  ])
    expect((await call(world, `/v1/residential/${world.plans.premium}/proxies?${query}`, await nextKey())).status).toBe(400);
  for (const plan of [world.plans.expired, world.plans.foreign])
    expect((await call(world, `/v1/residential/${plan}/proxies?pool=DE&quantity=1&sticky=true`, await nextKey())).status).toBe(404);
  expect(await batches()).toBe(before);
});
