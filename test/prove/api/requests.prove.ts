// A hundred thousand requests made of the OpenAPI document, with values that are right, nearly right and hostile: each is answered by the document, none with 5xx,
// and none tells of another account or of our own code.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '#platform/identity.ts';
import { openApiDocument } from '../../../rest-adapter/openapi.ts';
import { ENDPOINTS } from '../../../rest-adapter/endpoints/index.ts';
import { createRandom } from '../../../sandbox/random.ts';
import { type StackWorld, startStackWorld } from '../../rest-adapter/stack-world.ts';
import { type Loose, call } from '../../rest-adapter/world.ts';
import { SEED, say, scaled } from '../scale.ts';

const REQUESTS = scaled(100_000, 500);
const AT_ONCE = 8;
/** A key is good for 120 a minute. */
const PER_KEY = 100;

const HOSTILE: readonly unknown[] = [
  '',
  '\u0000',
  '\ud800',
  '\uffff',
  '%00',
  '../..',
  "'; drop table plan; --",
  '${7*7}',
  '__proto__',
  'constructor',
  '-0',
  '1e309',
  'NaN',
  '\r\nSet-Cookie: a=b',
  'İß‮',
  'a'.repeat(3_000),
  0,
  -1,
  2 ** 53,
  1.5,
  true,
  null,
  [],
  [['a']],
  {},
  { __proto__: 1, constructor: { a: 1 } },
];
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD'] as const;
/** What only our own code or another account could have said. */
const LEAKS = /node_modules|\bat \w+ \(|\.ts:\d+|SequelizeError|MikroORM|select .* from|postgres:\/\/|syntax error at/i;

interface Operation {
  method: string;
  path: string;
  parameters: Loose[];
  body: Record<string, Loose>;
}

const OPERATIONS: Operation[] = Object.entries<Loose>(
  openApiDocument(ENDPOINTS, { brand: 'Test', version: '1', publicUrl: 'https://proxies.example' }).paths,
).flatMap(([path, methods]) =>
  Object.entries<Loose>(methods).map(([method, { parameters, requestBody }]) => ({
    method: method.toUpperCase(),
    path,
    parameters,
    body: requestBody?.content['application/json'].schema.properties ?? {},
  })),
);

let world: StackWorld;
beforeAll(async () => {
  world = await startStackWorld();
});
afterAll(() => world.close());

test('requests made of the document, right and hostile, are answered by it', async () => {
  const random = createRandom(SEED);
  const pick = <One>(list: readonly One[]): One => list[random.below(list.length)] as One;
  const own = [world.plans.premium, world.plans.mobile, world.plans.expired];
  const statuses = new Map<number, number>();
  let key = await world.keyFor(...SCOPES);
  let used = 0;
  const nextKey = async () => {
    if (++used % PER_KEY === 0) key = await world.keyFor(...SCOPES);
    return key;
  };

  /** A value for a schema: mostly one that fits, else one that nearly fits, or a hostile one. */
  function valueFor({ enum: values, type, minimum, maximum, anyOf, examples }: Loose, example: unknown): unknown {
    const kind = random.below(10);
    if (kind < 2) return pick(HOSTILE);
    if (kind < 5 && example !== undefined) return example;
    if (values) return kind === 5 ? `${pick(values as string[])}x` : pick(values as string[]);
    if (anyOf) return valueFor(pick(anyOf as Loose[]), example);
    if (type === 'integer' || type === 'number')
      return pick([minimum, maximum, (maximum ?? 1) + 1, (minimum ?? 0) - 1, 1, 10].filter((one) => one !== undefined));
    if (type === 'boolean') return pick([true, false, 'yes']);
    return pick([...(examples ?? []), ...own, 'Germany', 'x', '2026-01-15T12:00:00Z']);
  }

  const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
  const encoded = (value: unknown): string => encodeURIComponent(text(value).toWellFormed());

  function requestOf({ method, path, parameters, body }: Operation): [string, RequestInit] {
    const headers: Record<string, string> = {};
    const query: string[] = [];
    let url = path;
    for (const { name, in: place, schema, example } of parameters) {
      const value = name === 'product_id' && random.below(3) > 0 ? pick([...own, world.plans.foreign]) : valueFor(schema, example);
      if (place === 'path') url = url.replace(`{${name}}`, encoded(value) || 'x');
      if (place === 'query' && random.below(4) > 0) query.push(`${name}=${encoded(value)}`);
      // Headers carry what HTTP lets them carry.
      if (place === 'header' && random.below(4) > 0)
        headers[name] =
          text(value)
            .replaceAll(/[^!-~]/g, '')
            .slice(0, 300) || 'x';
    }
    if (random.below(10) === 0) query.push(`${pick(['x', 'page', 'limit', '__proto__', 'pool'])}=${encoded(pick(HOSTILE))}`);
    const asked = random.below(12) === 0 ? pick(METHODS) : method;
    const init: RequestInit = { method: asked, headers };
    if (asked !== 'GET' && asked !== 'HEAD' && random.below(10) > 0) {
      const sent = Object.fromEntries(
        Object.entries(body).flatMap(([name, schema]) => (random.below(5) > 0 ? [[name, valueFor(schema, undefined)]] : [])),
      );
      init.body = pick([
        JSON.stringify(sent),
        JSON.stringify(sent),
        JSON.stringify(sent),
        pick(['{', '[]', 'null', '"x"', '{"a":'.repeat(2_000), '\u0000']),
      ]);
      headers['content-type'] = random.below(20) === 0 ? 'text/plain' : 'application/json';
    }
    return [`${url}${query.length > 0 ? `?${query.join('&')}` : ''}`.slice(0, 12_000), init];
  }

  let left = REQUESTS;
  const work = async () => {
    while (left-- > 0) {
      const [url, init] = requestOf(pick(OPERATIONS));
      // `call` holds each answer to the envelope, to its headers, and to the document.
      const { status, text: said } = await call(world, url, await nextKey(), init);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(status, `${init.method} ${url}`).toBeLessThan(500);
      expect(said, `${init.method} ${url}`).not.toMatch(LEAKS);
      // Only the path that was asked for names a plan of somebody else.
      if (said.includes(world.plans.foreign)) expect(url).toContain(world.plans.foreign);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const told = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count.toLocaleString('en')} x ${status}`);
  say(
    `${REQUESTS.toLocaleString('en')} requests over ${OPERATIONS.length} operations: ${told.join(', ')}; 0 leaks, each an envelope (seed ${SEED})`,
  );
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 20);
});
