// Traces of a request from the adapter, and from a proxy node, through every process to SQL and to vendors. The test plays the collector.
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { startTracing, traceHeaders, traced } from '#platform/tracing.ts';
import { TRACING_VARIABLES } from '#platform/tracing-configuration.ts';
import { readVariables } from '#platform/config.ts';
import { startStack, type Stack } from '../../../kit/stack.ts';
import { buyPackage } from '../../../kit/purchase.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

interface ExportedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

let collector: Server;
let endpoint: string;
const told: ExportedSpan[] = [];
const asked: { path: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = [];
let status = 200;
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    asked.push({ path: request.url, headers: request.headers });
    const { resourceSpans } = JSON.parse(Buffer.concat(pieces).toString());
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans) told.push({ service: resource.attributes[0].value.stringValue, ...span });
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => void collector.close());

const configOf = (more: Record<string, string> = {}) =>
  readVariables(TRACING_VARIABLES, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more });
const take = () => told.splice(0);

describe('a platform that tells its traces', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  /** Runs `work`, and returns all spans that were exported for it. */
  async function spansOf(work: () => Promise<unknown>): Promise<ExportedSpan[]> {
    const tracing = startTracing(configOf(), 'egress', silentLog);
    try {
      await work();
    } finally {
      await tracing.close();
    }
    return take();
  }
  const below = (spans: readonly ExportedSpan[], top: ExportedSpan): ExportedSpan[] => {
    const own = spans.filter(({ parentSpanId }) => parentSpanId === top.spanId);
    return [...own, ...own.flatMap((span) => below(spans, span))];
  };

  test('a REST request leads through the graph to SQL, and says no value of anybody', async () => {
    const account = await stack.seed.account();
    const { id } = await account.residentialPlan({ gigabytes: 5 });
    const { authorization } = await account.apiKey();
    const spans = await spansOf(async () => {
      const answer = await fetch(`${stack.url}/v1/residential/${id}/usage`, { headers: { authorization } });
      expect(answer.status).toBe(200);
      await answer.text();
    });
    const top = spans.find(({ name }) => name.startsWith('GET '));
    expect(top).toMatchObject({ kind: 2, service: 'egress' });
    const reached = below(spans, top!).map(({ name }) => name);
    expect(reached).toContain('subgraph residential');
    expect(reached.some((name) => /^select /.test(name))).toBe(true);
    expect(new Set(below(spans, top!).map(({ traceId }) => traceId))).toEqual(new Set([top?.traceId]));
    for (const secret of [id, account.email, authorization]) expect(JSON.stringify(spans)).not.toContain(secret);
    for (const span of spans) expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  });

  test('a purchase leads to the card processor, and its job is a trace of its own', async () => {
    const buyer = await stack.seed.account();
    await buyer.cookie();
    const spans = await spansOf(() => buyPackage(stack, buyer));
    const vendor = spans.find(({ name, kind }) => kind === 3 && name.startsWith('card '));
    expect(vendor?.attributes).toContainEqual({ key: 'peer.service', value: { stringValue: 'card' } });
    const jobs = spans.filter(({ kind }) => kind === 5);
    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.some((job) => below(spans, job).length > 0)).toBe(true);
  });
});

test('a trace goes on in another process by its header, and a part of it is told by each', async () => {
  const tracing = startTracing(
    configOf({ OTEL_SERVICE_NAME: 'shop', OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b, x-key=1' }),
    'egress',
    silentLog,
  );
  let header: string | undefined;
  await traced({ name: 'here' }, () => {
    header = traceHeaders().traceparent;
  });
  await traced({ name: 'there', traceparent: header }, () => {});
  await expect(
    traced({ name: 'fails' }, () => Promise.reject(Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }))),
  ).rejects.toThrow();
  await tracing.close();
  const [here, there, fails] = take();
  expect(header).toBe(`00-${here?.traceId}-${here?.spanId}-01`);
  expect(there).toMatchObject({ traceId: here?.traceId, parentSpanId: here?.spanId, service: 'shop' });
  expect(fails).toMatchObject({ status: { code: 2 }, attributes: [{ key: 'error.type', value: { stringValue: 'ECONNREFUSED' } }] });
  expect(JSON.stringify(fails)).not.toContain('secret');
  expect(asked.at(-1)).toMatchObject({
    path: '/v1/traces',
    headers: { 'x-team': 'a b', 'x-key': '1', 'content-type': 'application/json' },
  });
});

test.each([
  ['always_off', {}, undefined, false],
  ['parentbased_always_off', {}, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
  ['parentbased_always_on', {}, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', false],
  ['traceidratio', { OTEL_TRACES_SAMPLER_ARG: '0' }, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', false],
  ['traceidratio', { OTEL_TRACES_SAMPLER_ARG: '1' }, undefined, true],
  ['parentbased_traceidratio', { OTEL_TRACES_SAMPLER_ARG: '0' }, 'nonsense', false],
])('the sampler %s %j, asked by %s, tells: %s', async (sampler, more, traceparent, tells) => {
  const tracing = startTracing(configOf({ OTEL_TRACES_SAMPLER: sampler, ...more }), 'egress', silentLog);
  await traced({ name: 'work', traceparent }, () => {});
  await tracing.close();
  expect(take().length > 0).toBe(tells);
});

test('without a collector nothing is made, and one that fails costs nobody anything', async () => {
  const none = startTracing(readVariables(TRACING_VARIABLES, {}), 'egress', silentLog);
  expect(await traced({ name: 'work' }, () => traceHeaders())).toEqual({});
  await none.close();
  status = 503;
  const failing = startTracing(configOf(), 'egress', silentLog);
  expect(await traced({ name: 'work' }, () => 7)).toBe(7);
  await failing.close();
  status = 200;
});
