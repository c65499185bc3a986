// Clients that open many WebSockets and leave do not make the gateway keep anything.
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createMetricsRoute } from '../../../gateway/http/metrics-route.ts';
import { type Site, startSite } from '../site.ts';
import { until } from '../world.ts';

const METRICS_TOKEN = 'a token of sixteen';

/** A limit that no test reaches, for tests of something else. */
const PLENTY = { burst: 100_000, perSecond: 1 };
const SOCKETS = { sockets: { connectsPerCaller: PLENTY }, front: { upgradeLimits: { connectsPerAddress: PLENTY, openPerAddress: 1_000 } } };

let site: Site;
let ticks = 0;
beforeEach(async () => {
  ticks = 0;
  site = await startSite({ ...SOCKETS, now: () => ticks, routes: ({ metrics }) => [createMetricsRoute(metrics, METRICS_TOKEN)] });
});
afterEach(() => site.close());

/** A value of /metrics. */
async function figure(name: string): Promise<number> {
  const answer = await fetch(`${site.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await answer.text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
}
const held = () => figure('egress_sockets{route="graphql"}');

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

/** A socket that has sent its credentials. */
function connect(authorization: string | undefined, headers: Record<string, string> = {}): WebSocket {
  const socket = new WebSocket(`${site.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  opened.push(socket);
  socket.on('error', () => {});
  socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: authorization && { authorization } })));
  return socket;
}

const said = (socket: WebSocket) => new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))));
const closed = (socket: WebSocket) =>
  new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
const refused = (socket: WebSocket) =>
  new Promise<{ status: number | undefined; retryAfter: string | undefined }>((resolve) =>
    socket.once('unexpected-response', (_, { statusCode, headers }) => resolve({ status: statusCode, retryAfter: headers['retry-after'] })),
  );

test('nothing is kept of a thousand clients that leave while their key is looked up', async () => {
  for (let round = 0; round < 10; round++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    site.world.lookups = promise;
    const before = site.world.calls.keyLookups;
    const sockets = Array.from({ length: 100 }, () => connect('Bearer key-a'));
    await until(() => site.world.calls.keyLookups > before);
    await Promise.all(
      sockets.map((socket, index) => {
        const gone = closed(socket);
        if (index % 2) socket.terminate();
        else socket.close();
        return gone;
      }),
    );
    // The gateway answers this after it has seen them leave.
    await held();
    resolve();
  }
  // A socket that stays is counted after all of them.
  site.world.lookups = undefined;
  const last = connect('Bearer key-a');
  expect(await said(last)).toContain('connection_ack');
  expect(await held()).toBe(1);
  last.terminate();
  await until(async () => (await held()) === 0);
});

test('connects with one key at the same time are one look-up', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  site.world.lookups = promise;
  const sockets = Array.from({ length: 50 }, () => connect('Bearer key-a'));
  const acknowledged = sockets.map(said);
  await Promise.all(sockets.map((socket) => new Promise((opens) => socket.once('open', opens))));
  // Each ping is answered after the first message, so all first messages have been read.
  const answered = sockets.map((socket) => new Promise((pong) => socket.once('pong', pong)));
  for (const socket of sockets) socket.ping();
  await Promise.all(answered);
  resolve();
  await Promise.all(acknowledged);
  expect(site.world.calls.keyLookups).toBe(1);
});

test('open sockets of one key are one look-up when they are checked again, however the header was written', async () => {
  const sockets = [connect('Bearer key-a'), connect('bearer   key-a'), connect('  Bearer key-a ')];
  await Promise.all(sockets.map(said));
  const before = site.world.calls.keyLookups;
  const { promise, resolve } = Promise.withResolvers<void>();
  site.world.lookups = promise;
  site.access.invalidate('k1');
  await until(() => site.world.calls.keyLookups > before);
  expect(site.world.calls.keyLookups).toBe(before + 1);
  resolve();
});

test.each([
  ['a header of more than 256 characters', `Bearer${' '.repeat(300)}key-a`, 4401, 'key_malformed'],
  ['a first message of more than 16 KiB', `Bearer${' '.repeat(20_000)}key-a`, 1009, 'request_too_large'],
])('%s is refused before anybody looks a key up', async (_, authorization, code, reason) => {
  expect(await closed(connect(authorization))).toEqual({ code, reason });
  expect(site.world.calls.keyLookups).toBe(0);
});

test('a client’s name is truncated before it is stored', async () => {
  await site.close();
  const agents: (string | undefined)[] = [];
  site = await startSite({
    routes: () => [
      {
        matches: (pathname) => pathname === '/agent',
        handle(_request, response, { userAgent }) {
          agents.push(userAgent);
          response.end();
        },
      },
    ],
  });
  await fetch(`${site.url}/agent`, { headers: { 'user-agent': 'x'.repeat(15_000) } });
  await fetch(`${site.url}/agent`, { headers: { 'user-agent': 'curl/8' } });
  expect(agents).toEqual(['x'.repeat(512), 'curl/8']);
});

test('connects of an address count within their window, also refused ones and those that left at once', async () => {
  await site.close();
  site = await startSite({ front: { upgradeLimits: { connectsPerAddress: { burst: 5, perSecond: 1 } } }, now: () => ticks });
  await closed(connect('Bearer key-nope'));
  await closed(connect(undefined));
  for (let count = 0; count < 3; count++) {
    const socket = connect('Bearer key-a');
    await new Promise((opens) => socket.once('open', opens));
    socket.terminate();
    await closed(socket);
  }
  expect(await refused(connect('Bearer key-a'))).toEqual({ status: 429, retryAfter: '1' });
  ticks += 1_000;
  expect(await said(connect('Bearer key-a'))).toContain('connection_ack');
});

test('connects with one credential count within their window, and get a retry time beyond the limit', async () => {
  await site.close();
  site = await startSite({ ...SOCKETS, sockets: { connectsPerCaller: { burst: 3, perSecond: 1 } }, now: () => ticks });
  for (let count = 0; count < 3; count++) await closed(connect('Bearer key-nope'));
  const lookups = site.world.calls.keyLookups;
  expect(await closed(connect('Bearer key-nope'))).toEqual({ code: 1013, reason: 'too_many_attempts' });
  expect(site.world.calls.keyLookups).toBe(lookups);
  expect(await said(connect('Bearer key-a'))).toContain('connection_ack');
  ticks += 1_000;
  expect(await closed(connect('Bearer key-nope'))).toEqual({ code: 4401, reason: 'key_unknown' });
});

test('an account has a maximum number of sockets, and closed ones do not count', async () => {
  await site.close();
  site = await startSite({
    sockets: { connectionsPerAccount: 2 },
    routes: ({ metrics }) => [createMetricsRoute(metrics, METRICS_TOKEN)],
  });
  const first = connect('Bearer key-a');
  const second = connect(undefined, { cookie: 'egress_session=token-a' });
  await Promise.all([said(first), said(second)]);
  expect(await closed(connect('Bearer key-a'))).toEqual({ code: 1013, reason: 'connections_exhausted' });
  first.terminate();
  await until(async () => (await held()) === 1);
  expect(await said(connect('Bearer key-a'))).toContain('connection_ack');
});
