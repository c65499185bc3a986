// What the executor makes of answers that no resolver of ours gives: subgraphs' replies as JSON, fetch by fetch.
import { describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { WrittenAnswer, createGateway } from '../../../../gateway/graph/gateway.ts';
import { type Answer, toResult } from '../../../../gateway/graph/sources/answer.ts';
import type { SubgraphRequest } from '../../../../gateway/graph/sources/source.ts';
import { SUPERGRAPH } from '../../small-subgraphs.ts';
import { anonymous } from '../../world.ts';
import { expectSame } from './compare-executors.ts';

type Reply = string | ((request: SubgraphRequest) => string);

/** A gateway whose subgraphs reply with these JSON texts, and a record of the requests. */
async function gatewayOver(replies: Record<string, Reply>) {
  const asked: { subgraph: string; representations: unknown }[] = [];
  const sourceOf = (subgraph: string) => ({
    async execute(request: SubgraphRequest) {
      const reply = replies[subgraph] ?? '{"data":null}';
      asked.push({ subgraph, representations: request.variables?.['representations'] });
      await new Promise((resume) => setImmediate(resume));
      return toResult(JSON.parse(typeof reply === 'string' ? reply : reply(request)) as Answer);
    },
    subscribe: () => Promise.reject(new Error('no subscriptions here')),
  });
  const sources = Object.fromEntries(['accounts', 'plans', 'meter'].map((name) => [name, sourceOf(name)]));
  const gateway = await createGateway({ supergraphSdl: SUPERGRAPH, sources, log: silentLog, metrics: createMetrics(), clock: systemClock });
  const ask = async (query: string) => {
    const operation = gateway.prepare(query);
    const result = await gateway.execute(operation, { viewer: anonymous });
    const requests = asked.splice(0);
    const written = await gateway.write(operation, { viewer: anonymous });
    expectSame(written, result);
    return { result, requests, text: written instanceof WrittenAnswer ? written.text : undefined };
  };
  return { ask, close: () => gateway.close() };
}

const plans = (...list: object[]) => JSON.stringify({ data: { plans: list.map((plan) => ({ __typename: 'Plan', ...plan })) } });

describe('fields that a reply lacks', () => {
  test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__'])(
    'are null, not what every object inherits as %s',
    async (name) => {
      const { ask, close } = await gatewayOver({ plans: '{"data":{"plan":{"__typename":"Plan","id":"1"}}}' });
      for (const field of ['broken', 'parent { id }', 'siblings { id }']) {
        const { result } = await ask(`{ plan(id: "1") { id ${name}: ${field} } }`);
        if (field === 'siblings { id }') expect(result.errors?.[0]?.path).toEqual(['plan', name]);
        else {
          expect(result.errors).toBeUndefined();
          expect(JSON.stringify(result.data)).toBe(`{"plan":{"id":"1","${name}":null}}`);
        }
      }
      await close();
    },
  );

  test.each(['constructor', '__proto__'])('but a reply’s own %s is read, also when it is added to an entity', async (name) => {
    const { ask, close } = await gatewayOver({
      plans: plans({ id: '1' }),
      meter: `{"data":{"_entities":[{"${name}":{"id":"u1"}}]}}`,
      accounts: '{"data":{"_entities":[{"email":"u1@example.test"}]}}',
    });
    const { text } = await ask(`{ plans { ${name}: usedBy { id } } }`);
    expect(text).toBe(`{"data":{"plans":[{"${name}":{"id":"u1"}}]}}`);
    await close();
  });
});

test.each([
  ['non-ASCII text', 'Grüße, 東京 – \u{1f600}'],
  ['controls, quotes and backslashes', '\u0000\u001f"\\/\b\f\n\r\t\u007f\u2028'],
  ['half of a surrogate pair', `before \ud83d and after it ${'x'.repeat(40)}`],
  ['the other half, alone', '\udc00'],
  ['a text of a megabyte', 'é"'.repeat(300_000)],
])('writes %s as JSON.stringify does', async (_, name) => {
  const { ask, close } = await gatewayOver({ plans: plans({ id: '1', name }) });
  expect((await ask('{ plans { name } }')).text).toBe(JSON.stringify({ data: { plans: [{ name }] } }));
  await close();
});

test('writes a huge list', async () => {
  const all = Array.from({ length: 50_000 }, (_, index) => ({ id: String(index), weight: index }));
  const { ask, close } = await gatewayOver({ plans: plans(...all) });
  const { text } = await ask('{ plans { id weight } }');
  expect(text === JSON.stringify({ data: { plans: all } })).toBe(true);
  await close();
});

describe('entities that several objects name', () => {
  const siblings = (ids: string[]) => ({ siblings: ids.map((id) => ({ __typename: 'Plan', id })) });
  const meter: Reply = ({ variables }) => {
    const all = variables?.['representations'] as { id: string }[];
    return JSON.stringify({
      data: { _entities: all.map(({ id }) => ({ used: Number(id), usedBy: { __typename: 'Account', id: `u${Number(id) % 2}` } })) },
    });
  };
  const accounts: Reply = ({ variables }) => {
    const all = variables?.['representations'] as { id: string }[];
    return JSON.stringify({ data: { _entities: all.map(({ id }) => ({ email: `${id}@example.test` })) } });
  };

  test('are asked for once, at each step', async () => {
    const { ask, close } = await gatewayOver({
      plans: plans({ id: '1', ...siblings(['1', '2', '3']) }, { id: '2', ...siblings(['3', '2']) }),
      meter,
      accounts,
    });
    const { result, requests } = await ask('{ plans { siblings { used usedBy { email } } } }');
    const used = (id: number) => ({ used: id, usedBy: { email: `u${id % 2}@example.test` } });
    expect(JSON.parse(JSON.stringify(result.data))).toEqual({ plans: [{ siblings: [1, 2, 3].map(used) }, { siblings: [3, 2].map(used) }] });
    expect(requests.map(({ subgraph, representations }) => [subgraph, (representations as unknown[] | undefined)?.length])).toEqual([
      ['plans', undefined],
      ['meter', 3],
      ['accounts', 2],
    ]);
    await close();
  });

  test('keep apart what differs in a field that is not required', async () => {
    const { ask, close } = await gatewayOver({
      plans: plans({ id: '1', name: 'First' }, { id: '1', name: 'Second' }, { id: '1', name: 'First' }),
      meter: '{"data":{"_entities":[{"used":7}]}}',
    });
    const { text } = await ask('{ plans { name used } }');
    expect(text).toBe('{"data":{"plans":[{"name":"First","used":7},{"name":"Second","used":7},{"name":"First","used":7}]}}');
    await close();
  });

  test('stay at all their places when another entity names the same', async () => {
    const { ask, close } = await gatewayOver({
      plans: plans({ id: '1', name: 'a' }, { id: '3', name: 'b' }, { id: '1', name: 'c' }, { id: '3', name: 'd' }),
      meter,
      accounts,
    });
    const { text } = await ask('{ plans { name usedBy { email } } }');
    const plan = (name: string) => ({ name, usedBy: { email: 'u1@example.test' } });
    expect(text).toBe(JSON.stringify({ data: { plans: ['a', 'b', 'c', 'd'].map(plan) } }));
    await close();
  });

  test('have their error at each place', async () => {
    const { ask, close } = await gatewayOver({
      plans: plans({ id: '1', ...siblings(['1', '2']) }, { id: '2', ...siblings(['1']) }),
      meter:
        '{"data":{"_entities":[{"used":null},{"used":2}]},"errors":[{"message":"no","path":["_entities",0,"used"],"extensions":{"code":"plan_expired"}}]}',
    });
    const { result } = await ask('{ plans { siblings { used } } }');
    expect(JSON.parse(JSON.stringify(result.data))).toEqual({
      plans: [{ siblings: [{ used: null }, { used: 2 }] }, { siblings: [{ used: null }] }],
    });
    expect(result.errors?.map(({ path }) => path?.join('.'))).toEqual(['plans.0.siblings.0.used', 'plans.1.siblings.0.used']);
    await close();
  });

  test('are asked for once by fetches of one request that ask the same, but not across its mutations', async () => {
    const { ask, close } = await gatewayOver({
      plans: ({ query }) =>
        query.includes('planRename')
          ? `{"data":{"${query.includes('a:') ? 'a' : 'b'}":{"__typename":"Plan","id":"1"}}}`
          : '{"data":{"plan":{"__typename":"Plan","id":"1"},"strict":{"__typename":"Plan","id":"1"}}}',
      meter,
    });
    const { text, requests } = await ask('{ plan(id: "1") { used } strict { used } }');
    expect(text).toBe('{"data":{"plan":{"used":1},"strict":{"used":1}}}');
    expect(requests.map(({ subgraph }) => subgraph)).toEqual(['plans', 'meter']);
    const mutation = await ask('mutation { a: planRename(id: "1", name: "x") { used } b: planRename(id: "1", name: "y") { used } }');
    expect(mutation.requests.map(({ subgraph }) => subgraph).toSorted()).toEqual(['meter', 'meter', 'plans', 'plans']);
    await close();
  });
});
