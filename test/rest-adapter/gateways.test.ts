// An adapter in front of several gateways: which calls are sent to the next gateway after a failure of the first.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { type Checks, createReadiness } from '#platform/readiness.ts';
import type { Access } from '../../gateway/sign-in/access.ts';
import { createFront } from '../../gateway/http/front.ts';
import { createHealthRoute } from '../../gateway/http/health.ts';
import type { Gateway } from '../../gateway/graph/gateway.ts';
import type { Graph } from '../../rest-adapter/graph.ts';
import { Gateways } from '../../rest-adapter/gateways.ts';
import { createInternalGraphRoute, remoteGraph } from '../../rest-adapter/remote-graph.ts';

const secret = ['s'.repeat(64)] as const;
const origin = { address: '::1', requestId: 'req_1' };
const viewer = { kind: 'system', name: 'test', address: '::1', requestId: 'req_1' } as const;
/** A URL where nothing listens. */
const NOBODY = 'http://127.0.0.1:9';
const [READ, CHANGE] = ['{ me { id } }', 'mutation { meForget }'];

const closers: (() => unknown)[] = [];
let graph: Graph;
/** The calls that each gateway received. */
let asked: string[];
beforeEach(() => {
  asked = [];
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Starts a working gateway. */
async function well(name: string, checks: Checks = {}): Promise<{ url: string; close(): Promise<void> }> {
  const access = { admitKey: async () => (asked.push(`${name} admit`), { rate: { limit: 120, remaining: 119, resetSeconds: 60 } }) };
  const gateway = { prepare: (text: string) => text, execute: async (text: string) => (asked.push(`${name} ${text}`), { data: { text } }) };
  const parts = { gateway: gateway as unknown as Gateway, access: access as unknown as Access };
  const front = createFront({
    port: 0,
    host: '127.0.0.1',
    routes: [createInternalGraphRoute({ ...parts, secret, clock: systemClock }), createHealthRoute(createReadiness(checks, {}, silentLog))],
    upgrades: [],
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
  });
  const { url } = await front.listen();
  closers.push(() => front.close());
  return { url, close: () => front.close() };
}

/** Starts a faulty gateway, which reads a request and then calls `answer`. */
async function ill(name: string, answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(`${name} asked`);
    request.resume().on('end', () => answer(request, response));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closers.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(...urls: string[]): Gateways {
  const gateways = new Gateways(urls);
  graph = remoteGraph({ gateways, secret, clock: systemClock });
  closers.push(() => graph.close());
  return gateways;
}

const run = (document: string) => graph.prepare(document)({}, viewer, new AbortController().signal);

const ILLS: [what: string, ill: () => Promise<string>, changeGoesOn: boolean][] = [
  ['refuses connections', async () => NOBODY, true],
  ['breaks off what it was asked', () => ill('a', (request) => request.socket.destroy()), false],
  ['stops', () => ill('a', (_, response) => void response.writeHead(503, { Connection: 'close' }).end('{}')), false],
];

describe.each(ILLS)('when the first %s', (_, first, changeGoesOn) => {
  test('a query goes to the next gateway, and so does an admission', async () => {
    open(await first(), (await well('b')).url);
    expect(await run(READ)).toEqual({ data: { text: READ } });
    expect(await graph.admit('Bearer x', origin)).toMatchObject({ rate: { remaining: 119 } });
    // The first gateway is not tried again at once.
    expect(asked.filter((ask) => ask === 'a asked').length).toBeLessThanOrEqual(1);
    expect(asked.filter((ask) => ask.startsWith('b'))).toEqual([`b ${READ}`, 'b admit']);
  });

  test('a mutation goes to the next gateway only if no byte of it was sent', async () => {
    open(await first(), (await well('b')).url);
    if (changeGoesOn) expect(await run(CHANGE)).toEqual({ data: { text: CHANGE } });
    else await expect(run(CHANGE)).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect(asked.includes(`b ${CHANGE}`)).toBe(changeGoesOn);
  });
});

test('a call that a busy gateway refused is not sent to the next one', async () => {
  open(await ill('a', (_, response) => void response.writeHead(503).end('{}')), (await well('b')).url);
  await expect(run(READ)).rejects.toMatchObject({ code: 'overloaded' });
  expect(asked).toEqual(['a asked']);
});

test('gateways take turns, and no call fails while one of them stops', async () => {
  const [one, other] = [await well('a'), await well('b')];
  open(one.url, other.url);
  const answers: Promise<unknown>[] = [];
  for (let count = 0; count < 200; count++) {
    answers.push(run(READ), graph.admit('Bearer x', origin));
    if (count === 100) void one.close();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect((await Promise.allSettled(answers)).filter(({ status }) => status === 'rejected')).toEqual([]);
  const of = (name: string) => asked.filter((ask) => ask.startsWith(name)).length;
  expect([of('a') > 50, of('b') > 200]).toEqual([true, true]);
});

test('it counts the gateways that are ready', async () => {
  const gateways = open((await well('a')).url, (await well('b', { database: () => false })).url, NOBODY);
  expect([await gateways.look(), gateways.ready, gateways.count]).toEqual([1, 1, 3]);
});
