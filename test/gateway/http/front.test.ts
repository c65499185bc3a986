// The headers of every answer of the front, and its refusals.
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fail } from '#platform/errors.ts';
import { startSite } from '../site.ts';
import { openFrontSite, site, calls, release, options, get, lines, log, route } from './front-site.ts';

openFrontSite();

describe('every answer', () => {
  test.each(['/echo', '/broken', '/own', '/v1/nothing', '/health/live'])(
    'of %s has the security headers and a request id',
    async (path) => {
      const { headers } = await get(path, { 'x-request-id': 'req_mine' });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
      expect(headers.get('strict-transport-security')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
    },
  );

  test("of a route with headers of its own has each once, the route's first", async () => {
    const own = route('/heads', (_request, response) => {
      response.setHeader('x-frame-options', 'SAMEORIGIN');
      response
        .writeHead(200, 'Fine', { 'Referrer-Policy': 'no-referrer', 'x-content-type-options': 'none', 'Content-Length': 2 })
        .end('ok');
    });
    const listed = route('/list', (_request, response) => void response.writeHead(200, ['Referrer-Policy', 'no-referrer']).end('ok'));
    const served = await startSite({ ...options, routes: () => [own, listed] });
    const rawOf = async (path: string) => {
      const { headers, statusText } = await fetch(`${served.url}${path}`);
      return { statusText, ...Object.fromEntries(headers) };
    };
    expect(await rawOf('/heads')).toMatchObject({
      statusText: 'Fine',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'none',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(await rawOf('/list')).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' });
    await served.close();
  });

  test('over https also pins https', async () => {
    const secure = await startSite({ ...options, publicUrl: 'https://egress.example' });
    expect((await fetch(`${secure.url}/echo`)).headers.get('strict-transport-security')).toContain('max-age=31536000');
    await secure.close();
  });
});

describe('failures', () => {
  test('are answered with their status and code', async () => {
    const response = await get('/busy');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await response.json()).toEqual({
      code: 'overloaded',
      message: 'The service is busy. Please try again shortly.',
      requestId: response.headers.get('x-request-id'),
      retryAfterSeconds: 3,
    });
  });

  test('that are bugs are answered without details, and logged once', async () => {
    const response = await get('/broken');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter2');
    expect(lines.map(({ fields }) => fields['requestId'])).toEqual([response.headers.get('x-request-id')]);
  });

  test('are in the format of the route where it has its own', async () => {
    expect(await (await get('/own')).text()).toBe('own plan_not_found');
  });

  test.each(['/v1/nothing', '/v2', '/auth/other', '/webhooks/', '/_app/nothing.js', '/health/other', '/nothing.txt'])(
    '%s is a 404 in JSON',
    async (path) => {
      const response = await get(path, { accept: 'text/html' });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'route_not_found' });
    },
  );
});

test('an unconfigured proxy is logged once, and at the start if the public address is https', async () => {
  const forwarded = () => lines.filter(({ message }) => message.includes('TRUST_PROXY_HOPS')).map(({ level }) => level);
  const unaware = await startSite(options);
  await fetch(`${unaware.url}/echo`);
  expect(forwarded()).toEqual([]);
  for (let count = 0; count < 3; count++) await fetch(`${unaware.url}/echo`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(forwarded()).toEqual(['warn']);
  await unaware.close();
  const secure = await startSite({ ...options, publicUrl: 'https://egress.example' });
  expect(forwarded()).toEqual(['warn', 'warn']);
  await secure.close();
  const aware = await startSite({ ...options, publicUrl: 'https://egress.example', front: { trustProxyHops: 1 } });
  await fetch(`${aware.url}/echo`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(forwarded()).toHaveLength(2);
  await aware.close();
});

test('routes get the client’s address from the trusted proxy', async () => {
  const behind = await startSite({ ...options, front: { trustProxyHops: 1 } });
  await fetch(`${behind.url}/echo`, { headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' } });
  expect(calls[0]?.address).toBe('203.0.113.9');
  await behind.close();
});

test('headers over 16 KiB are 431', async () => {
  expect((await get('/echo', { 'x-long': 'x'.repeat(17_000) })).status).toBe(431);
});

test('a request that is not HTTP, or has no path, is 400 and closed', async () => {
  for (const text of ['nonsense\r\n\r\n', 'GET ftp://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n', 'GET * HTTP/1.1\r\nHost: x\r\n\r\n']) {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(site.url).port), '127.0.0.1', () => socket.end(text));
      let all = '';
      socket.on('data', (chunk) => (all += chunk)).on('close', () => resolve(all));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test('an upgrade to an unknown path is 404', async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1', () =>
      socket.write('GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
    let all = '';
    socket.on('data', (chunk) => (all += chunk)).on('close', () => resolve(all));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
});

test('a delayed refusal takes no place: on a busy loop with one place another request is answered meanwhile', async () => {
  const { promise: paused, resolve: endPause } = Promise.withResolvers<void>();
  const refused = await startSite({
    log,
    routes: () => [
      route(
        '/exhausted',
        () => {
          throw fail('too_many_attempts', { retry_after_seconds: 7 });
        },
        { slowRefusals: true },
      ),
      route('/echo', (_request, response) => void response.end('ok')),
    ],
    front: { pause: () => paused, concurrency: { max: 1, busyShare: 0, countedMs: 600_000 } },
  });
  const refusal = fetch(`${refused.url}/exhausted`);
  const answers = await Promise.all(Array.from({ length: 3 }, async () => (await fetch(`${refused.url}/echo`)).text()));
  expect(answers).toEqual(['ok', 'ok', 'ok']);
  endPause();
  expect((await refusal).status).toBe(429);
  await refused.close();
});

test('closing lets a running request finish, and accepts no other', async () => {
  const other = await startSite(options);
  const answer = fetch(`${other.url}/slow`);
  await fetch(`${other.url}/echo`);
  const closed = other.close();
  await expect(fetch(`${other.url}/echo`)).rejects.toThrow();
  release();
  expect(await (await answer).text()).toBe('done');
  await closed;
});
