import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { QUEUED_EVENTS } from '../../../gateway/graph/feed.ts';
import type { ResultStream } from '../../../gateway/graph/sources/source.ts';
import { serveSubgraph } from '#platform/serve.ts';
import { TestClock } from '#platform/clock.ts';
import type { Subgraph } from '#platform/subgraph.ts';
import { silentLog } from '#platform/log.ts';
import { remoteSource } from '../../../gateway/graph/sources/remote.ts';
import { MODES, SECRET, type TestGateway, customer, startGateway, until } from '../world.ts';
import { createWorld, subgraphsOf } from '../small-subgraphs.ts';

describe.each(MODES)('a subscription at subgraphs %s', (mode) => {
  let t: TestGateway;
  beforeEach(async () => {
    t = await startGateway(mode);
  });
  afterEach(() => t.close());

  async function open(query: string, variables: Record<string, unknown> = {}, signal?: AbortSignal): Promise<ResultStream> {
    const stream = await t.gateway.subscribe(t.gateway.prepare(query), { viewer: customer('a'), variables, signal });
    if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream.errors));
    await until(() => t.world.openSubscriptions.size > 0);
    return stream;
  }
  const dropped = async () => (await t.metrics.droppedEvents.get()).values[0]?.value ?? 0;
  const opened = async () => (await t.metrics.subscriptions.get()).values[0]?.value ?? 0;

  test('each event is joined with what the other subgraphs know', async () => {
    const stream = await open('subscription ($id: ID) { planChanged(id: $id) { id used owner { email } } }', { id: '2' });
    t.world.publish('1');
    t.world.publish('2');
    expect((await stream.next()).value).toEqual({ data: { planChanged: { id: '2', used: 200, owner: { email: 'b@example.test' } } } });
    await stream.return?.();
  });

  test('cancelling while an event is awaited ends the wait and closes the source', async () => {
    const stream = await open('subscription { planChanged { id } }');
    expect(await opened()).toBe(1);
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await until(() => t.world.openSubscriptions.size === 0);
    expect(await opened()).toBe(0);
  });

  test('the caller’s signal closes the source', async () => {
    const gone = new AbortController();
    const stream = await open('subscription { planChanged { id } }', {}, gone.signal);
    const waiting = stream.next();
    gone.abort();
    expect((await waiting).done).toBe(true);
    await until(() => t.world.openSubscriptions.size === 0);
  });

  test('a slow reader loses the oldest events and keeps the newest', async () => {
    const stream = await open('subscription { planChanged { id } }');
    for (let count = 0; count < QUEUED_EVENTS + 10; count++) t.world.publish('1');
    t.world.publish('3');
    await until(async () => (await dropped()) >= 11);
    const ids: unknown[] = [];
    for (let count = 0; count < QUEUED_EVENTS; count++) ids.push(((await stream.next()).value.data.planChanged as { id: string }).id);
    expect(ids.at(-1)).toBe('3');
    expect(await dropped()).toBe(11);
    await stream.return?.();
  });

  test('an error of one event is masked and the next event comes', async () => {
    const stream = await open('subscription { planChanged { id broken } }');
    t.world.publish('1');
    t.world.publish('2');
    const first = (await stream.next()).value;
    expect(first.data).toEqual({ planChanged: { id: '1', broken: null } });
    expect(first.errors[0].toJSON()).toMatchObject({ path: ['planChanged', 'broken'], extensions: { code: 'internal' } });
    expect((await stream.next()).value.data).toEqual({ planChanged: { id: '2', broken: null } });
    await stream.return?.();
  });

  test('a query cannot be subscribed to', async () => {
    const result = await t.gateway.subscribe(t.gateway.prepare('{ meterReady }'), { viewer: customer('a') });
    expect('errors' in result && result.errors?.[0]?.extensions['code']).toBe('query_refused');
  });
});

test('a subscription reconnects by itself after a restart of its subgraph', async () => {
  const world = createWorld();
  const clock = new TestClock();
  const plans = subgraphsOf(world).find(({ name }) => name === 'plans') as Subgraph;
  const serve = (port: number) => serveSubgraph(plans, { port, host: '127.0.0.1', secret: SECRET, clock, log: silentLog });
  const before = await serve(0);
  const source = remoteSource(before.url, SECRET, clock, { log: silentLog, audience: plans.name });
  const stream = (await source.subscribe({ query: 'subscription { planChanged { id } }' }, customer('a'))) as ResultStream;
  const event = stream.next();
  await until(() => world.openSubscriptions.size === 1);
  await before.close();
  await until(() => world.openSubscriptions.size === 0);
  const after = await serve(Number(new URL(before.url).port));
  await until(() => world.openSubscriptions.size === 1);
  world.publish('2');
  expect((await event).value).toEqual({ data: { planChanged: { id: '2' } } });
  await source.close?.();
  await after.close();
});

test('a subscription whose subgraph refuses the gateway ends with an error', async () => {
  const clock = new TestClock();
  const plans = subgraphsOf(createWorld()).find(({ name }) => name === 'plans') as Subgraph;
  const served = await serveSubgraph(plans, { port: 0, host: '127.0.0.1', secret: SECRET, clock, log: silentLog });
  const source = remoteSource(served.url, ['another secret'], clock, { log: silentLog, audience: plans.name });
  const stream = (await source.subscribe({ query: 'subscription { planChanged { id } }' }, customer('a'))) as ResultStream;
  expect((await stream.next()).value.errors).toHaveLength(1);
  expect((await stream.next()).done).toBe(true);
  await source.close?.();
  await served.close();
});
