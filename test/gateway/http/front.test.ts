import { type Socket, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fail } from '#platform/errors.ts';
import { readBody } from '#platform/read-body.ts';
import type { FrontOptions } from '../../../gateway/http/front.ts';
import { createHealthRoute } from '../../../gateway/http/health.ts';
import { createReadiness } from '#platform/readiness.ts';
import { createMetricsRoute } from '../../../gateway/http/metrics-route.ts';
import type { Call, Route } from '#platform/route.ts';
import { type Site, type SiteOptions, startSite } from '../site.ts';
import { recordingLog, until } from '../world.ts';

let site: Site;
const { log, lines } = recordingLog();
let ready = true;
let shares = true;
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
    createHealthRoute(createReadiness({ database: () => ready, jobs: async () => true }, { limits: () => shares }, log)),
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
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toEqual({ status: 'unavailable', checks: { database: false, jobs: true, limits: true } });
    expect((await get('/health/live')).status).toBe(200);
  });

  test('what can be done without for a while is said, and keeps nobody away', async () => {
    shares = false;
    const response = await get('/health/ready');
    shares = true;
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'degraded', checks: { database: true, jobs: true, limits: false } },
    ]);
  });

  test('metrics are for the token alone: a reverse proxy on this machine looks like this machine', async () => {
    await get('/echo');
    expect((await get('/metrics')).status).toBe(404);
    const text = await (await get('/metrics', { authorization: 'Bearer a token of sixteen' })).text();
    expect(text).toMatch(/egress_requests_total\{route="\/echo",status="200"\} \d+/);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer a token of sixteen' })).status).toBe(200);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer another' })).status).toBe(404);
  });
});

test('a proxy that was not told of is noticed once, and at the start where the public address is https', async () => {
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
    expect(socket.destroyed).toBe(true);
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

describe('work in flight', () => {
  let busy: Site;
  let ticks = 0;
  const held: (() => void)[] = [];
  /** `/held` waits until it is let go, `/long` keeps the event loop for so many milliseconds. */
  async function start(overload: FrontOptions['overload']): Promise<void> {
    ticks = 0;
    const routes: SiteOptions['routes'] = ({ metrics }) => [
      createHealthRoute(createReadiness({}, {}, log)),
      createMetricsRoute(metrics, 'a token of sixteen'),
      route('/held', async (_request, response) => {
        await new Promise<void>((resolve) => held.push(resolve));
        response.end('done');
      }),
      route('/upload', async (request, response) => {
        await readBody(request, 1_000);
        response.end('read');
      }),
      route('/long', (_request, response) => {
        ticks += 600;
        response.end('long');
      }),
    ];
    busy = await startSite({ log, routes, now: () => ticks, front: { trustProxyHops: 1, overload: { ...overload } } });
  }
  afterEach(async () => {
    for (const release of held.splice(0)) release();
    await busy.close();
  });
  let addresses = 0;
  const from = (path: string, address = `198.51.100.${++addresses % 250}`) =>
    fetch(`${busy.url}${path}`, { headers: { 'x-forwarded-for': address } });

  test('beyond the limit the next is 503 with Retry-After, in each route for itself, and what is vital is answered', async () => {
    await start({ inFlight: { initial: 4, min: 2, max: 4 } });
    const taken = Array.from({ length: 4 }, () => from('/held'));
    await until(() => held.length === 4);
    const refused = await from('/held');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    expect((await from('/long')).status).toBe(200);
    expect((await from('/health/ready')).status).toBe(200);

    held.shift()?.();
    expect(await (await taken[0])?.text()).toBe('done');
    const next = from('/held');
    await until(() => held.length === 4);
    for (const release of held.splice(0)) release();
    for (const answer of [...taken.slice(1), next]) expect((await answer).status).toBe(200);
  });

  test('one address has half of it and no more', async () => {
    await start({ inFlight: { initial: 4, min: 2, max: 4 } });
    const taken = [from('/held', '203.0.113.1'), from('/held', '203.0.113.1')];
    await until(() => held.length === 2);
    expect((await from('/held', '203.0.113.1')).status).toBe(503);
    taken.push(from('/held', '203.0.113.2'));
    await until(() => held.length === 3);
    for (const release of held.splice(0)) release();
    for (const answer of taken) expect((await answer).status).toBe(200);
  });

  test('the limit falls while answers are late, and rises again', async () => {
    await start({ inFlight: { initial: 10, min: 2, max: 10 }, lateMs: 1_000 });
    const round = async (count: number, took: number) => {
      const answers = Array.from({ length: count }, () => from('/held'));
      await until(() => held.length === count);
      ticks += took;
      for (const release of held.splice(0)) release();
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await round(10, 2_000)).toEqual(Array.from({ length: 10 }, () => 200));
    // Seven tenths of ten.
    const seven = Array.from({ length: 7 }, () => from('/held'));
    await until(() => held.length === 7);
    expect((await from('/held')).status).toBe(503);
    for (const release of held.splice(0)) release();
    await Promise.all(seven);
    // Answers in time raise it by one each.
    expect(new Set(await round(8, 10))).toEqual(new Set([200]));
  });

  test('clients that have not sent their whole request take no place', async () => {
    await start({ inFlight: { initial: 1, min: 1, max: 1 } });
    const slow = connect(Number(new URL(busy.url).port), '127.0.0.1');
    slow.write('POST /upload HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\nContent-Length: 10\r\n\r\nhalf');
    // The front answers this after it has seen the other.
    await from('/health/ready');
    const whole = await fetch(`${busy.url}/upload`, { method: 'POST', body: 'all', headers: { 'x-forwarded-for': '203.0.113.8' } });
    expect(await whole.text()).toBe('read');
    slow.destroy();
  });

  test('what has waited too long for others of its turn is refused', async () => {
    await start({});
    const socket = connect(Number(new URL(busy.url).port), '127.0.0.1');
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`;
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    // One packet, one turn of the event loop.
    socket.write(get('/long') + get('/long') + get('/health/live'));
    await until(() => text.split('HTTP/1.1 ').length === 4);
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '503', '200']);
    socket.destroy();
  });
});

describe('a connection', () => {
  const say = (url: string, text: string, localAddress = '127.0.0.1') =>
    new Promise<string>((resolve) => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }, () => socket.write(text));
      let all = '';
      socket
        .on('data', (chunk) => (all += chunk))
        .on('error', () => {})
        .on('close', () => resolve(all.split('\r\n')[0] ?? ''));
    });

  test.each([
    ['two Host lines', 'GET /echo HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['two Host lines of other hosts', 'GET /echo HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n'],
    ['two hosts in one line', 'GET /echo HTTP/1.1\r\nHost: x, y\r\nConnection: close\r\n\r\n'],
    ['a request line of HTTP/0.9', 'GET /echo\r\n\r\n'],
    ['HTTP/0.9 by name', 'GET /echo HTTP/0.9\r\n\r\n'],
    ['HTTP/2 by name', 'GET /echo HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['an upgrade with two Host lines', 'GET /graphql HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ])('with %s is 400 and reaches no route', async (_, text) => {
    expect(await say(site.url, text)).toBe('HTTP/1.1 400 Bad Request');
    expect(calls).toEqual([]);
  });

  test('of an address beyond its number is 503, others are taken, and places come back', async () => {
    const few = await startSite({ ...options, front: { connections: { connectionsPerAddress: 3 } } });
    const port = Number(new URL(few.url).port);
    const open = await Promise.all(
      Array.from(
        { length: 3 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }, () => resolve(socket));
            socket.on('error', () => {});
          }),
      ),
    );
    const ask = (localAddress: string) => say(few.url, 'GET /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', localAddress);
    await until(async () => (await ask('127.0.0.2')) === 'HTTP/1.1 503 Service Unavailable');
    expect(await ask('127.0.0.3')).toBe('HTTP/1.1 200 OK');
    open[0]?.destroy();
    await until(async () => (await ask('127.0.0.2')) === 'HTTP/1.1 200 OK');
    for (const socket of open) socket.destroy();
    await few.close();
  });

  test('whose reader takes a few bytes now and then is ended, one that reads steadily is not', async () => {
    const large = Buffer.alloc(32 * 1_048_576);
    const slow = await startSite({
      ...options,
      routes: () => [route('/large', (_request, response) => void response.end(large))],
      // Idle it is not.
      front: { connections: { readMs: 200, readBytes: 4_096 }, timeouts: { idle: 600_000 } },
    });
    const reader = connect(Number(new URL(slow.url).port), '127.0.0.1');
    reader.on('error', () => {});
    reader.pause();
    reader.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    const trickle = setInterval(() => reader.read(32), 50);
    const answer = await fetch(`${slow.url}/large`);
    expect((await answer.arrayBuffer()).byteLength).toBe(large.length);
    await until(async () => (await slow.metrics.requests.get()).values.reduce((sum, { value }) => sum + value, 0) === 2);
    clearInterval(trickle);
    reader.destroy();
    await slow.close();
  });
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
