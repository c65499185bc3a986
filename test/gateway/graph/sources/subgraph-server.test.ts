import { connect } from 'node:net';
import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { GraphQLSchema } from 'graphql';
import type { Clock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { signViewer } from '#platform/identity.ts';
import { sendJson } from '#platform/respond.ts';
import type { Call, Route } from '#platform/route.ts';
import { serveSubgraph } from '#platform/serve.ts';
import type { Subgraph } from '#platform/subgraph.ts';
import { remoteSource } from '../../../../gateway/graph/sources/remote.ts';
import { SECRET, type TestGateway, anonymous, customer, recordingLog, startGateway } from '../../world.ts';

describe('a subgraph behind HTTP', () => {
  let t: TestGateway;
  let url: string;
  beforeEach(async () => {
    t = await startGateway('over HTTP');
    url = t.urls['plans'] as string;
  });
  afterEach(() => t.close());

  const BODY = '{"query":"{ plans { id } }"}';
  const post = (headers: Record<string, string>, body = BODY) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const signed = (content = BODY, audience = 'plans', secret: readonly [string] = SECRET) =>
    signViewer(customer('a'), secret, t.clock, { audience, content });

  test('answers a signed request', async () => {
    const response = await post({ 'egress-viewer': signed() });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { plans: [{ id: '1' }, { id: '2' }, { id: '3' }] } });
  });

  test.each([
    ['no viewer', () => ({})],
    ['an empty one', () => ({ 'egress-viewer': '' })],
    ['one signed for another body', () => ({ 'egress-viewer': signed('{"query":"{ viewerKind }"}') })],
    ['one signed for another subgraph', () => ({ 'egress-viewer': signed(BODY, 'accounts') })],
    ['one signed with another secret', () => ({ 'egress-viewer': signed(BODY, 'plans', ['another']) })],
    [
      'one whose account was changed',
      () => ({ 'egress-viewer': `${Buffer.from('{"viewer":{"kind":"system"},"at":0}').toString('base64url')}.${signed().split('.')[1]}` }),
    ],
    [
      'one signed too long ago',
      () => {
        const header = signed();
        t.clock.advance(5_001);
        return { 'egress-viewer': header };
      },
    ],
    [
      'one from the future',
      () => {
        t.clock.advance(31_000);
        const header = signed();
        t.clock.advance(-31_000);
        return { 'egress-viewer': header };
      },
    ],
  ] as [string, () => Record<string, string>][])('refuses a request with %s', async (_, headers) => {
    const response = await post(headers());
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'unsigned_request' } }] });
  });

  test('accepts a signed request once, so that it cannot be replayed', async () => {
    const headers = { 'egress-viewer': signed() };
    expect([(await post(headers)).status, (await post(headers)).status]).toEqual([200, 401]);
    t.clock.advance(5_000);
    expect((await post(headers)).status).toBe(401);
  });

  test('refuses an unsigned _entities request', async () => {
    const response = await post(
      {},
      JSON.stringify({ query: '{ _entities(representations: [{ __typename: "Plan", id: "1" }]) { __typename } }' }),
    );
    expect(response.status).toBe(401);
  });

  test('refuses a body that is too large, not JSON, or no request', async () => {
    const send = async (body: string) => (await post({ 'egress-viewer': signed(body) }, body)).status;
    expect(await send(`{"query":"${' '.repeat(4 * 1024 * 1024)}"}`)).toBe(413);
    expect(await send('query')).toBe(400);
    expect(await send('{}')).toBe(400);
    expect(await send('{"query":"{ nothing }"}')).toBe(200);
  });

  test('closes a socket that shows no signed viewer', async () => {
    const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 });
    const closed = await new Promise((resolve) => {
      client.subscribe(
        { query: 'subscription { planChanged { id } }' },
        { next: () => {}, error: resolve, complete: () => resolve('completed') },
      );
    });
    expect(closed).toMatchObject({ code: 4401, reason: 'unsigned_request' });
  });
});

test('a path besides the graph is answered as the gateway’s front would, with its own call and its own error format', async () => {
  const { log, lines } = recordingLog();
  const calls: Call[] = [];
  const route = (path: string, more: Partial<Route> = {}): Route => ({
    matches: (pathname) => pathname === path,
    handle(_request, response, call) {
      calls.push(call);
      if (call.url.searchParams.has('bug')) throw new Error('a detail');
      if (!call.url.searchParams.has('ok')) throw fail('too_many_attempts', { retry_after_seconds: 3 });
      sendJson(response, 200, {});
    },
    ...more,
  });
  const refuse: Route['refuse'] = (failure, _request, response) => void response.writeHead(failure.status).end(`sorry: ${failure.code}`);
  const t = await startGateway('in process');
  const subgraph: Subgraph = { name: 'plans', schema: new GraphQLSchema({}), context: () => ({}) };
  const options = { port: 0, host: '127.0.0.1', secret: SECRET, clock: t.clock as Clock, log };
  const served = await serveSubgraph(subgraph, { ...options, routes: [route('/plain'), route('/own', { refuse })] });
  const get = (path: string) => fetch(new URL(path, served.url));
  expect((await get('/plain?ok')).status).toBe(200);
  expect(calls[0]).toMatchObject({ address: '127.0.0.1', requestId: expect.stringMatching(/^req_/) as string });
  const refused = await get('/plain');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await refused.json()).toMatchObject({ code: 'too_many_attempts', requestId: calls[1]?.requestId, retryAfterSeconds: 3 });
  expect(await (await get('/own')).text()).toBe('sorry: too_many_attempts');
  expect(lines).toHaveLength(0);
  expect(await (await get('/own?bug')).text()).toBe('sorry: internal');
  expect(lines).toHaveLength(1);
  await served.close();
  await t.close();
});

test.each([
  ['two Host lines', 'POST /graphql HTTP/1.1\r\nHost: x\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
  ['a request line of HTTP/0.9', 'GET /health/live\r\n\r\n'],
])('a subgraph’s port answers %s with 400', async (_, text) => {
  const t = await startGateway('over HTTP');
  const { port, hostname } = new URL(t.urls['plans'] as string);
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let all = '';
    socket.on('data', (chunk) => (all += chunk)).on('close', () => resolve(all));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  await t.close();
});

test('an unreachable subgraph is answered as overloaded, and logged once', async () => {
  const { log, lines } = recordingLog();
  const t = await startGateway('in process');
  const source = remoteSource('http://127.0.0.1:1/graphql', SECRET, t.clock, { log, audience: 'plans' });
  await expect(source.execute({ query: '{ plans { id } }' }, anonymous)).rejects.toMatchObject({ code: 'overloaded' });
  expect(lines).toHaveLength(1);
  await source.close?.();
  await t.close();
});
