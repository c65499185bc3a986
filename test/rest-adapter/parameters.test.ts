import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASES, GOOD_PATHS } from './cases.ts';
import { startMemoryWorld } from './memory-world.ts';
import { startStackWorld } from './stack-world.ts';
import { type World, call } from './world.ts';

const WORLDS: [string, () => Promise<World>][] = [
  ['with the graph in the process', () => startMemoryWorld()],
  ['with the graph in another process', () => startMemoryWorld({ remote: true })],
  ['on the whole platform', startStackWorld],
];

describe.each(WORLDS)('%s', (_name, start) => {
  let world: World;
  let key: string;
  let used = 0;

  /** A key may send 120 requests a minute. */
  const nextKey = async () => {
    if (used++ % 100 === 0) key = await world.key();
    return key;
  };

  beforeAll(async () => {
    world = await start();
  });
  afterAll(() => world.close());

  test.each(CASES)('$title', async ({ path, status, code, field, allowed }) => {
    const answer = await call(world, path(world.plans), await nextKey());
    expect(answer.status, answer.text.slice(0, 500)).toBe(status);
    if (code !== undefined) expect(answer.body.meta?.code).toBe(code);
    if (field !== undefined) expect(answer.body.meta?.field).toBe(field);
    if (allowed !== undefined) expect(answer.body.meta?.allowed).toEqual(allowed);
  });

  const refusals = [
    ['401 without a key', 'key_missing', 401, async () => undefined],
    ['401 with a malformed key', 'key_malformed', 401, async () => world.malformedKey],
    ['401 with an unknown key', 'key_unknown', 401, async () => world.unknownKey],
    ['401 with an expired key', 'key_expired', 401, () => world.key('expired')],
    ['401 with a revoked key', 'key_revoked', 401, () => world.key('revoked')],
    ['403 for an account that may not use the API', 'api_not_allowed', 403, () => world.key('forbidden')],
  ] as const;

  describe.each(refusals)('%s', (_title, code, status, keyOf) => {
    test.each(GOOD_PATHS.map((path) => ({ path })))('at every path, $path', async ({ path }) => {
      const answer = await call(world, path(world.plans), await keyOf());
      expect([answer.status, answer.body.meta?.code]).toEqual([status, code]);
      if (status === 401)
        expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="api"${code === 'key_missing' ? '' : ', error="invalid_token"'}`);
    });

    test('before paths and parameters are checked', async () => {
      for (const path of ['/v1/nothing', '/v1/static/nothing', '/v1/residential/nothing/proxies?quantity=x'])
        expect((await call(world, path, await keyOf())).body.meta?.code).toBe(code);
    });
  });

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'bearer ', 'Token abc', 'Bearer a b', 'Bearer a, Bearer b'])(
    '401 for the header Authorization: %s',
    async (authorization) => {
      const answer = await call(world, '/v1/residential', undefined, { headers: { authorization } });
      expect(answer.status).toBe(401);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('405 for %s at a known path, saying which methods there are', async (method) => {
    const answer = await call(world, '/v1/residential', await nextKey(), { method });
    expect([answer.status, answer.body.meta?.code, answer.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS']);
  });

  test('404 for POST at an unknown path, without an Allow header', async () => {
    const answer = await call(world, '/v1/nothing', await nextKey(), { method: 'POST', body: 'x'.repeat(100_000) });
    expect([answer.status, answer.headers.get('allow')]).toEqual([404, null]);
  });

  test('200 for HEAD, with the headers of GET and no body', async () => {
    const answer = await call(world, '/v1/residential', await nextKey(), { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(50);
  });

  test('a page of any origin may call with its own key, and cookies are ignored', async () => {
    const answer = await call(world, '/v1/residential', await nextKey(), { headers: { origin: 'https://app.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
