import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Site, startSite } from '../site.ts';
import { MODES } from '../world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const RIGHT = { email: 'a@example.test', password: 'correct horse' };

describe.each(MODES)('sign-in with accounts %s', (mode) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ mode });
  });
  afterAll(() => site.close());
  beforeEach(() => {
    site.world.signIns.length = 0;
    site.world.sessions.delete('token-new');
  });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${site.url}${path}`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });

  test('gives the account and a cookie that only HTTP reads, until the session ends', async () => {
    const response = await post('/auth/sign-in', RIGHT, { 'user-agent': 'test/1' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ accountId: 'a' });
    expect(response.headers.getSetCookie()).toEqual(['egress_session=token-new; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(site.world.signIns).toMatchObject([
      { kind: 'anonymous', address: '127.0.0.1', userAgent: 'test/1', requestId: response.headers.get('x-request-id') },
    ]);
    const me = await site.graphql('{ me { id } }', { cookie: 'other=1; egress_session=token-new' });
    expect(await me.json()).toEqual({ data: { me: { id: 'a' } } });
  });

  test.each([
    [{ ...RIGHT, password: 'wrong' }, 401, 'credentials_wrong'],
    [{ ...RIGHT, password: 'slow down' }, 429, 'too_many_attempts'],
    [{ password: 'x' }, 400, 'parameter_missing'],
    [{ email: 'a', password: 7 }, 400, 'parameter_missing'],
    [{ email: { $ne: '' }, password: 'x' }, 400, 'parameter_missing'],
    [[], 400, 'parameter_invalid'],
    ['text', 400, 'parameter_invalid'],
    [{ ...RIGHT, more: 'x'.repeat(9_000) }, 413, 'request_too_large'],
  ])('%j is %d %s, without a cookie', async (body, status, code) => {
    const response = await post('/auth/sign-in', body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, message: expect.any(String), requestId: response.headers.get('x-request-id') });
    expect(response.headers.getSetCookie()).toEqual([]);
    if (status === 429) expect(response.headers.get('retry-after')).toBe('30');
  });

  test('sign-out ends the session and clears the cookie, also a second time', async () => {
    await post('/auth/sign-in', RIGHT);
    for (let count = 0; count < 2; count++) {
      const response = await post('/auth/sign-out', {}, { cookie: 'egress_session=token-new' });
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie()).toEqual(['egress_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
    }
    expect(site.world.sessions.has('token-new')).toBe(false);
    expect((await post('/auth/sign-out', {})).status).toBe(200);
  });

  test.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('with %j it is refused, in and out', async (headers, status) => {
    const entering = await post('/auth/sign-in', RIGHT, headers as Record<string, string>);
    expect(entering.status).toBe(status);
    expect(entering.headers.getSetCookie()).toEqual([]);
    expect((await post('/auth/sign-out', {}, { cookie: 'egress_session=token-a', ...(headers as object) })).status).toBe(status);
    expect(site.world.sessions.has('token-a')).toBe(true);
  });

  test('takes POST only', async () => {
    expect((await fetch(`${site.url}/auth/sign-in`)).status).toBe(405);
  });
});

test('over https the cookie is secure and has the prefix, and one without the prefix is ignored', async () => {
  const site = await startSite({ publicUrl: 'https://egress.example' });
  const headers = { ...JSON_TYPE, origin: 'https://egress.example' };
  const response = await fetch(`${site.url}/auth/sign-in`, { method: 'POST', headers, body: JSON.stringify(RIGHT) });
  expect(response.headers.getSetCookie()).toEqual([
    '__Host-egress_session=token-new; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400',
  ]);
  expect(await (await site.graphql('{ viewerKind }', { cookie: '__Host-egress_session=token-new' })).json()).toEqual({
    data: { viewerKind: 'session' },
  });
  expect(await (await site.graphql('{ viewerKind }', { cookie: 'egress_session=token-new' })).json()).toEqual({
    data: { viewerKind: 'anonymous' },
  });
  await site.close();
});

test('on this machine localhost and 127.0.0.1 are the same site, another port is not', async () => {
  const site = await startSite({ publicUrl: 'http://localhost:4000' });
  const status = async (origin: string) =>
    (await fetch(`${site.url}/auth/sign-in`, { method: 'POST', headers: { ...JSON_TYPE, origin }, body: JSON.stringify(RIGHT) })).status;
  expect(await status('http://localhost:4000')).toBe(200);
  expect(await status('http://127.0.0.1:4000')).toBe(200);
  expect(await status('http://localhost:4001')).toBe(403);
  expect(await status('https://localhost:4000')).toBe(403);
  await site.close();
});
