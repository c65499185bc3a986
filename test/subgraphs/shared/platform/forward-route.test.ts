// A path of the gateway that another process answers: what that process receives, what comes back, and how answers end that never end by themselves.
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createForwardRoute } from '#platform/forward-route.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { type Front, createFront } from '../../../../gateway/http/front.ts';

const closers: (() => unknown)[] = [];
let behind: string;
/** The requests that the process behind has received. Below: the answers that it leaves open. */
let told: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[];
const held: ServerResponse[] = [];

beforeAll(async () => {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      told.push({ method: request.method, url: request.url, headers: request.headers, body });
      if (request.url?.startsWith('/own/feed')) {
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).write('{}\n');
        held.push(response);
      } else if (request.url === '/own/slow') setTimeout(() => response.end('slow'), 300);
      else response.writeHead(206, { 'Content-Range': 'bytes 0-1/9', 'X-Request-Id': 'req_behind', 'Content-Length': 2 }).end('ab');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  behind = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closers.push(() => (server.closeAllConnections(), server.close()));
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});
beforeEach(() => {
  told = [];
  held.length = 0;
});

async function open(url = behind): Promise<{ url: string; front: Front }> {
  const route = createForwardRoute({ name: 'own', matches: (path) => path.startsWith('/own/'), url, log: silentLog });
  const front = createFront({
    port: 0,
    host: '127.0.0.1',
    routes: [route],
    upgrades: [],
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
  });
  closers.push(() => front.close());
  return { url: (await front.listen()).url, front };
}

test('the question goes on without cookies and what only our parts show each other, and the answer comes back whole', async () => {
  const { url } = await open();
  const answer = await fetch(`${url}/own/thing?of=mine`, {
    method: 'POST',
    body: 'something',
    headers: {
      authorization: 'Bearer x',
      range: 'bytes=0-1',
      cookie: 'egress_session=1',
      'egress-viewer': 'forged',
      'content-type': 'text/plain',
    },
  });
  expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([206, 'ab', 'bytes 0-1/9']);
  expect(answer.headers.get('x-request-id')).toBe('req_behind');
  expect(told).toMatchObject([
    { method: 'POST', url: '/own/thing?of=mine', body: 'something', headers: { authorization: 'Bearer x', range: 'bytes=0-1' } },
  ]);
  expect(Object.keys(told[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['cookie']));
  expect(Object.keys(told[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['egress-viewer']));
});

test('a process that is away is 503 with Retry-After', async () => {
  const { url } = await open('http://127.0.0.1:9');
  const answer = await fetch(`${url}/own/thing`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});

const feedOf = async (url: string, signal?: AbortSignal) => {
  const { body } = await fetch(`${url}/own/feed`, { signal: signal ?? null });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  return reader;
};

test('what ends behind ends here, what breaks behind breaks here, and who leaves here leaves there', async () => {
  const { url } = await open();
  const leaving = new AbortController();
  const [ended, broken, left] = [await feedOf(url), await feedOf(url), await feedOf(url, leaving.signal)];
  held[0]?.end();
  expect((await ended.read()).done).toBe(true);
  held[1]?.destroy();
  await expect(broken.read()).rejects.toThrow();
  const gone = new Promise((resolve) => held[2]?.once('close', resolve));
  leaving.abort();
  await expect(left.read()).rejects.toThrow();
  await gone;
});

test('a gateway that stops ends feeds and answers what had begun', async () => {
  const { url, front } = await open();
  const feed = await feedOf(url);
  const slow = fetch(`${url}/own/slow`);
  await expect.poll(() => told.length).toBe(2);
  const closing = front.close();
  expect((await feed.read()).done).toBe(true);
  expect(await (await slow).text()).toBe('slow');
  await closing;
});
