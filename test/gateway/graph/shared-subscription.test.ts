import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import type { ResultStream } from '../../../gateway/graph/sources/source.ts';
import { FEEDS } from '../../../schema/feeds.ts';
import { MODES, type TestGateway, customer, origin, startGateway, until } from '../world.ts';

const CHANGES = 'subscription ($id: ID) { planChanged(id: $id) { id used } }';
const plan = (id: string) => ({ data: { planChanged: { id, used: Number(id) * 100 } } });

interface Opening {
  query?: string;
  variables?: Record<string, unknown>;
  viewer?: Viewer;
  signal?: AbortSignal;
}

async function subscribe(t: TestGateway, { query = CHANGES, viewer = customer('a'), ...more }: Opening = {}): Promise<ResultStream> {
  const stream = await t.gateway.subscribe(t.gateway.prepare(query), { viewer, ...more });
  if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream.errors));
  return stream;
}

const gauge = async (metric: TestGateway['metrics']['feeds']) => (await metric.get()).values[0]?.value ?? 0;

describe.each(MODES)('identical subscriptions to news at subgraphs %s', (mode) => {
  let t: TestGateway;
  const upstreams = () => t.world.openSubscriptions.size;
  beforeEach(async () => {
    t = await startGateway(mode, { feeds: { planChanged: 'NEWS' } });
  });
  afterEach(() => t.close());

  test('share one at the subgraph, and the rest of the plan is asked once for each event', async () => {
    const streams = [await subscribe(t), await subscribe(t)];
    await until(() => upstreams() > 0);
    streams.push(await subscribe(t));
    t.world.publish('2');
    expect(await Promise.all(streams.map(async (stream) => (await stream.next()).value))).toEqual([plan('2'), plan('2'), plan('2')]);
    expect(t.world.calls.meterReferences).toEqual(['2']);
    expect(upstreams()).toBe(1);
    expect(await gauge(t.metrics.subscriptions)).toBe(3);
    expect(await gauge(t.metrics.feeds)).toBe(1);
    for (const stream of streams) await stream.return?.();
  });

  test('who joins late hears what happens from then on', async () => {
    const early = await subscribe(t);
    await until(() => upstreams() === 1);
    t.world.publish('1');
    expect((await early.next()).value).toEqual(plan('1'));
    const late = await subscribe(t);
    t.world.publish('3');
    expect((await late.next()).value).toEqual(plan('3'));
    expect((await early.next()).value).toEqual(plan('3'));
    expect(upstreams()).toBe(1);
  });

  test('one who leaves takes nobody along, and the last one closes the source', async () => {
    const gone = new AbortController();
    const [first, second] = [await subscribe(t, { signal: gone.signal }), await subscribe(t)];
    await until(() => upstreams() === 1);
    const waiting = first.next();
    gone.abort();
    expect((await waiting).done).toBe(true);
    t.world.publish('1');
    expect((await second.next()).value).toEqual(plan('1'));
    await second.return?.();
    await until(() => upstreams() === 0);
    expect(await gauge(t.metrics.feeds)).toBe(0);
    expect(await gauge(t.metrics.subscriptions)).toBe(0);
  });

  test('a slow reader keeps nobody waiting and loses its own oldest events alone', async () => {
    const [slow, fast] = [await subscribe(t), await subscribe(t)];
    await until(() => upstreams() === 1);
    for (let count = 0; count < 70; count++) {
      t.world.publish('1');
      expect((await fast.next()).value).toEqual(plan('1'));
    }
    t.world.publish('3');
    expect((await fast.next()).value).toEqual(plan('3'));
    await slow.return?.();
    await fast.return?.();
    expect((await t.metrics.droppedEvents.get()).values[0]?.value).toBe(7);
  });

  test('are never shared with another account, session, key or right, nor with other variables or another document', async () => {
    const key: Viewer = { kind: 'key', accountId: 'a', keyId: 'k1', scopes: ['read'], ...origin };
    const session = customer('a') as Viewer & { kind: 'session' };
    const openings: Opening[] = [
      {},
      { viewer: customer('b') },
      { viewer: { ...session, sessionId: 'other' } },
      { viewer: { ...session, staff: true } },
      { viewer: { ...session, staff: true, permissions: ['refund'] } },
      { viewer: { ...session, impersonation: { by: 'staff', until: '2026-01-15T13:00:00.000Z' } } },
      { viewer: { ...session, language: 'de' } },
      { viewer: key },
      { viewer: { ...key, keyId: 'k2' } },
      { viewer: { ...key, scopes: ['read', 'servers'] } },
      { variables: { id: '1' } },
      { query: 'subscription ($id: ID) { planChanged(id: $id) { id } }' },
    ];
    for (const opening of openings) await subscribe(t, opening);
    await until(() => upstreams() === openings.length);
    // Where a request came from decides nothing.
    await subscribe(t, { viewer: { ...customer('a'), address: '198.51.100.9', userAgent: 'another', requestId: 'req_other' } });
    expect(await gauge(t.metrics.feeds)).toBe(openings.length);
  });
});

test('a feed that begins with how things are is shared until its first event alone', async () => {
  const t = await startGateway('in process', { feeds: { planChanged: 'STATE' } });
  const together = [await subscribe(t), await subscribe(t)];
  await until(() => t.world.openSubscriptions.size === 1);
  t.world.publish('1');
  for (const stream of together) expect((await stream.next()).value).toEqual(plan('1'));
  await subscribe(t);
  await until(() => t.world.openSubscriptions.size === 2);
  await t.close();
});

test('whoever waits for a feed that is refused is told so, and the next one asks again', async () => {
  const t = await startGateway('in process');
  const plans = t.sources['plans'];
  if (!plans) throw new Error('no plans');
  let asked = 0;
  plans.subscribe = async () => {
    asked++;
    return { errors: [] };
  };
  const operation = t.gateway.prepare(CHANGES);
  const ask = () => t.gateway.subscribe(operation, { viewer: customer('a') });
  expect(await Promise.all([ask(), ask()])).toEqual([{ errors: [] }, { errors: [] }]);
  expect(asked).toBe(1);
  await ask();
  expect(asked).toBe(2);
  expect(await gauge(t.metrics.subscriptions)).toBe(0);
  await t.close();
});

test('what the source tells before it ends is still answered', async () => {
  const t = await startGateway('in process');
  const plans = t.sources['plans'];
  if (!plans) throw new Error('no plans');
  plans.subscribe = async () =>
    (async function* () {
      yield { data: { planChanged: { __typename: 'Plan', id: '1' } } };
    })() as ResultStream;
  const stream = await subscribe(t);
  await until(async () => (await gauge(t.metrics.feeds)) === 0);
  expect((await stream.next()).value).toEqual(plan('1'));
  expect((await stream.next()).done).toBe(true);
  await t.close();
});

test('each feed of the contract says how it begins', () => {
  const schema = buildSchema(readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8'));
  expect(Object.keys(FEEDS)).toEqual(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).toSorted());
});
