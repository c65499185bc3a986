import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Access, KEY_CACHE_MS, createAccess } from '../../../gateway/sign-in/access.ts';
import { createRateLimiter } from '../../../gateway/http/rate-limit.ts';
import type { Source } from '../../../gateway/graph/sources/source.ts';
import { silentLog } from '#platform/log.ts';
import { MODES, type TestGateway, origin, startGateway } from '../world.ts';

describe.each(MODES)('access with accounts %s', (mode) => {
  let t: TestGateway;
  let access: Access;
  beforeAll(async () => {
    t = await startGateway(mode);
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    t.world.keys.clear();
    t.world.keys.set('key-a', { accountId: 'a', keyId: 'k1', scopes: ['read', 'generate'] });
    t.world.sessions.set('token-a', { accountId: 'a', sessionId: 's1' });
    t.world.calls.keyLookups = 0;
    const limiter = await createRateLimiter({ log: silentLog });
    access = createAccess({ accounts: t.sources['accounts'] as Source, limiter, clock: t.clock, log: silentLog });
  });

  test('a key becomes a viewer with its account and scopes, and is counted', async () => {
    expect(await access.admitKey('Bearer key-a', origin)).toEqual({
      viewer: { kind: 'key', accountId: 'a', keyId: 'k1', scopes: ['read', 'generate'], ...origin },
      rate: { limit: 120, remaining: 119, resetSeconds: 60 },
    });
    expect((await access.admitKey('bearer   key-a ', origin)).rate.remaining).toBe(118);
  });

  test.each([
    [undefined, 'key_missing'],
    ['', 'key_missing'],
    ['   ', 'key_missing'],
    ['Bearer', 'key_missing'],
    ['Bearer   ', 'key_missing'],
    ['Basic a2V5LWE6', 'key_missing'],
    ['key-a', 'key_missing'],
    ['Bearer key-a key-a', 'key_malformed'],
    ['Bearer key-a, Bearer key-a', 'key_malformed'],
    ['Bearer key-a,key-b', 'key_malformed'],
    [`Bearer key-${'x'.repeat(1_000)}`, 'key_malformed'],
    ['Bearer other', 'key_malformed'],
    ['Bearer key-unknown', 'key_unknown'],
  ])('Authorization %j is %s, and the address’s bucket feeds the headers', async (authorization, code) => {
    const { viewer, failure, rate } = await access.admitKey(authorization, origin);
    expect(viewer).toBeUndefined();
    expect(failure).toMatchObject({ code, status: 401 });
    expect(rate).toEqual({ limit: 120, remaining: 119, resetSeconds: 60 });
    expect((await access.admitKey(authorization, { ...origin, address: '198.51.100.1' })).rate.remaining).toBe(119);
  });

  test('without a valid key the answer stays 401 beyond the address’s limit', async () => {
    for (let count = 0; count < 130; count++) await access.admitKey(undefined, origin);
    const { failure, rate } = await access.admitKey(undefined, origin);
    expect(failure?.code).toBe('key_missing');
    expect(rate.remaining).toBe(0);
  });

  test.each([
    ['key_expired', 401],
    ['key_revoked', 401],
    ['api_not_allowed', 403],
  ] as const)('%s is %d', async (code, status) => {
    t.world.keys.set('key-x', { accountId: 'a', keyId: 'k9', scopes: ['read'], failure: code });
    expect((await access.admitKey('Bearer key-x', origin)).failure).toMatchObject({ code, status });
  });

  test('requests of a key whose account may not use the API count against the key', async () => {
    t.world.keys.set('key-x', { accountId: 'a', keyId: 'k9', scopes: ['read'], failure: 'api_not_allowed' });
    for (let count = 0; count < 120; count++) expect((await access.admitKey('Bearer key-x', origin)).failure?.code).toBe('api_not_allowed');
    expect((await access.admitKey('Bearer key-x', origin)).failure?.code).toBe('rate_limited');
    expect((await access.admitKey('Bearer key-unknown', origin)).rate.remaining).toBe(119);
  });

  test('of 500 parallel requests on one key exactly 120 pass, wherever they come from', async () => {
    const all = await Promise.all(
      Array.from({ length: 500 }, (_, index) => access.admitKey('Bearer key-a', { ...origin, address: `198.51.100.${index % 250}` })),
    );
    expect(all.filter(({ viewer }) => viewer)).toHaveLength(120);
    const refused = all.filter(({ failure }) => failure);
    expect(refused).toHaveLength(380);
    for (const { failure, rate } of refused) {
      expect(failure).toMatchObject({ code: 'rate_limited', status: 429, meta: { retry_after_seconds: rate.resetSeconds } });
      expect(rate.remaining).toBe(0);
    }
  });

  test('parallel requests of one key share one look-up, for a second', async () => {
    await Promise.all(Array.from({ length: 50 }, () => access.admitKey('Bearer key-a', origin)));
    expect(t.world.calls.keyLookups).toBe(1);
    t.clock.advance(KEY_CACHE_MS - 1);
    await access.admitKey('Bearer key-a', origin);
    expect(t.world.calls.keyLookups).toBe(1);
    t.clock.advance(1);
    await access.admitKey('Bearer key-a', origin);
    expect(t.world.calls.keyLookups).toBe(2);
  });

  test.each(['k1', 'all'])('after invalidate(%j) a revoked key is refused at once', async (which) => {
    await access.admitKey('Bearer key-a', origin);
    t.world.keys.set('key-a', { accountId: 'a', keyId: 'k1', scopes: ['read'], failure: 'key_revoked' });
    expect((await access.admitKey('Bearer key-a', origin)).viewer).toBeDefined();
    access.invalidate(which);
    expect((await access.admitKey('Bearer key-a', origin)).failure?.code).toBe('key_revoked');
  });

  test('a look-up that began before invalidate is not cached', async () => {
    const before = access.admitKey('Bearer key-a', origin);
    access.invalidate('k1');
    await before;
    await access.admitKey('Bearer key-a', origin);
    expect(t.world.calls.keyLookups).toBe(2);
  });

  test('a refusal is not cached: a key works as soon as it exists', async () => {
    await access.admitKey('Bearer key-new', origin);
    t.world.keys.set('key-new', { accountId: 'b', keyId: 'k2', scopes: ['read'] });
    expect((await access.admitKey('Bearer key-new', origin)).viewer?.accountId).toBe('b');
  });

  test('a session becomes a viewer; none, and one that is over, is anonymous', async () => {
    expect(await access.admitSession('token-a', origin)).toEqual({
      kind: 'session',
      accountId: 'a',
      sessionId: 's1',
      staff: false,
      ...origin,
    });
    expect(await access.admitSession(undefined, origin)).toEqual({ kind: 'anonymous', ...origin });
    expect(await access.admitSession('token-old', origin)).toEqual({ kind: 'anonymous', ...origin });
    t.world.sessions.delete('token-a');
    expect((await access.admitSession('token-a', origin)).kind).toBe('anonymous');
  });
});

test('when accounts cannot be reached a key is neither valid nor invalid', async () => {
  const limiter = await createRateLimiter({ log: silentLog });
  const accounts: Source = { execute: () => Promise.reject(new Error('down')), subscribe: () => Promise.reject(new Error('down')) };
  const access = createAccess({ accounts, limiter, clock: { now: () => new Date(0) }, log: silentLog });
  expect((await access.admitKey('Bearer key-a', origin)).failure?.code).toBe('internal');
  await expect(access.admitSession('token-a', origin)).rejects.toThrow('down');
});
