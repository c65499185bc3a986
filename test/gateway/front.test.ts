import { type Socket, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fail } from '#shared/errors.ts';
import { createHealthRoute } from '../../gateway/health.ts';
import { createMetricsRoute } from '../../gateway/metrics-route.ts';
import type { Call, Route } from '../../gateway/route.ts';
import { type Site, type SiteOptions, startSite } from './site.ts';
import { recordingLog, until } from './world.ts';

let site: Site;
const { log, lines } = recordingLog();
let ready = true;
let calls: Call[] = [];
let release: () => void = () => {};

const route = (path: string, handle: Route['handle'], more: Partial<Route> = {}): Route => ({
  name: path,
  matches: (pathname) => pathname === path,
  handle,
  ...more,
});

const options: SiteOptions = {
  log,
  routes: ({ metrics }) => [
    createHealthRoute({ database: () => ready, jobs: async () => true }, log),
    createMetricsRoute(metrics, 'a token of sixteen'),
    route('/echo', (_request, response, call) => {
      calls.push(call);
      response.end('ok');
    }),
    route(
      '/slow',
      (_request, response) =>
        new Promise((resolve) => {
          release = () => {
            response.end('done');
            resolve();
          };
        }),
    ),
    route('/busy', () => {
      throw fail('overloaded', { retry_after_seconds: 3 });
    }),
    route('/broken', () => Promise.reject(new Error('the password is hunter2'))),
    route(
      '/own',
      () => {
        throw fail('plan_not_found');
      },
      { refuse: (failure, _request, response) => void response.writeHead(failure.status).end(`own ${failure.code}`) },
    ),
  ],
};

beforeAll(async () => {
  site = await startSite(options);
});
afterAll(async () => {
  await site.close();
});
beforeEach(() => {
  calls = [];
  lines.length = 0;
  ready = true;
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${site.url}${path}`, { headers, redirect: 'manual' });

const closedRequests = async () => (await site.metrics.requests.get()).values.reduce((sum, { value }) => sum + value, 0);

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

  test('that are bugs are answered without a word of them, and logged once', async () => {
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

describe('health and metrics', () => {
  test('ready says which part is not', async () => {
    expect((await get('/health/ready')).status).toBe(200);
    ready = false;
    const response = await get('/health/ready');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'unavailable', checks: { database: false, jobs: true } });
    expect((await get('/health/live')).status).toBe(200);
  });

  test('metrics are for this machine and for the token', async () => {
    await get('/echo');
    const text = await (await get('/metrics')).text();
    expect(text).toMatch(/egress_requests_total\{route="\/echo",status="200"\} \d+/);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer a token of sixteen' })).status).toBe(200);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer another' })).status).toBe(404);
  });
});

test('the client’s address reaches the routes as the trusted proxy says it', async () => {
  const behind = await startSite({ ...options, front: { trustProxyHops: 1 } });
  await fetch(`${behind.url}/echo`, { headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' } });
  expect(calls[0]?.address).toBe('203.0.113.9');
  await behind.close();
});

describe('clients that take their time', () => {
  const timeouts = { headers: 100, request: 200, idle: 200, keepAlive: 200, check: 20 };
  let slow: Site;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    slow = await startSite({ ...options, front: { timeouts } });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await slow.close();
  });
  function dribble(first: string): Promise<string> {
    const socket = connect(Number(new URL(slow.url).port), '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.write(first);
    const timer = setInterval(() => socket.write('a'), 20);
    return new Promise((resolve) => {
      socket
        .on('data', (chunk) => (text += chunk))
        .on('error', () => {})
        .on('close', () => {
          clearInterval(timer);
          resolve(text.split('\r\n')[0] ?? '');
        });
    });
  }

  test('are closed while they send headers', async () => {
    const all = Array.from({ length: 100 }, () => dribble('GET /echo HTTP/1.1\r\nHost: x\r\nX-A: '));
    expect(new Set(await Promise.all(all))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
  });

  test('are closed while they send a body', async () => {
    expect(await dribble('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n')).toBe(
      'HTTP/1.1 408 Request Timeout',
    );
  });

  test('are closed when they say nothing', async () => {
    const socket = connect(Number(new URL(slow.url).port), '127.0.0.1');
    sockets.push(socket);
    await new Promise((resolve) =>
      socket
        .on('error', () => {})
        .once('close', resolve)
        .resume(),
    );
  });
});

test('a client that goes away in the middle of its body, or before its answer, is no fault', async () => {
  const before = await closedRequests();
  for (const [head, length] of [
    ['POST /graphql', 1_000],
    ['GET /slow', 0],
  ] as const) {
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
    socket.write(`${head} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${length ? '{' : ''}`);
    await new Promise((resolve) => setImmediate(resolve));
    await get('/echo');
    socket.destroy();
  }
  await until(async () => (await closedRequests()) >= before + 4);
  expect(lines).toEqual([]);
});

test('headers over 16 KiB are 431', async () => {
  expect((await get('/echo', { 'x-long': 'x'.repeat(17_000) })).status).toBe(431);
});

test('what is no HTTP, or has no path, is 400 and closed', async () => {
  for (const text of ['nonsense\r\n\r\n', 'GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n', 'GET * HTTP/1.1\r\nHost: x\r\n\r\n']) {
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

test('an overloaded front refuses with Retry-After, and stays healthy', async () => {
  // Any lateness is too much for this one.
  const busy = await startSite({ ...options, front: { shedAtDelayMs: -1 } });
  while ((await fetch(`${busy.url}/echo`)).status === 200);
  const response = await fetch(`${busy.url}/echo`);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect((await fetch(`${busy.url}/health/ready`)).status).toBe(200);
  await busy.close();
});

test('closing lets a request that is under way finish, and takes no other', async () => {
  const other = await startSite(options);
  const answer = fetch(`${other.url}/slow`);
  await fetch(`${other.url}/echo`);
  const closed = other.close();
  await expect(fetch(`${other.url}/echo`)).rejects.toThrow();
  release();
  expect(await (await answer).text()).toBe('done');
  await closed;
});
