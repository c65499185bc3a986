import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../gateway/graph/limits.ts';
import { QueryRefused } from '../../../gateway/graph/gateway.ts';
import { compose } from '../../../schema/composition.ts';
import { SDL } from '../small-subgraphs.ts';
import { MODES, type TestGateway, anonymous, ask, customer, recordingLog, startGateway } from '../world.ts';

describe.each(MODES)('a gateway over subgraphs %s', (mode) => {
  let t: TestGateway;
  const { log, lines } = recordingLog();
  beforeEach(async () => {
    lines.length = 0;
    t = await startGateway(mode, { log });
  });
  afterEach(() => t.close());

  test('joins what three subgraphs know of an object', async () => {
    const { data, errors } = await ask(t.gateway, '{ plans(first: 2) { id name used cost owner { email } usedBy { email } } }');
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      plans: [
        { id: '1', name: 'Plan 1', used: 100, cost: 20, owner: { email: 'a@example.test' }, usedBy: { email: 'user-1@example.test' } },
        { id: '2', name: 'Plan 2', used: 200, cost: 40, owner: { email: 'b@example.test' }, usedBy: { email: 'user-2@example.test' } },
      ],
    });
  });

  test('joins through lists of different types, aliases and fragments', async () => {
    const { data } = await ask(
      t.gateway,
      `query ($with: Boolean!) { nodes { kind: __typename ...of } } fragment of on Node { id ... on Bundle { title amount: used } ... on Plan { amount: used name @include(if: $with) } }`,
      { with: false },
    );
    expect(data).toEqual({
      nodes: [
        { kind: 'Plan', id: '1', amount: 100 },
        { kind: 'Bundle', id: '2', title: 'Two', amount: 2_000 },
        { kind: 'Plan', id: '3', amount: 300 },
      ],
    });
  });

  test('asks for an entity once, however often a list names it', async () => {
    t.world.calls.meterReferences.length = 0;
    const { data } = await ask(t.gateway, '{ plans { siblings { used } } }');
    expect(data?.['plans']).toEqual(Array.from({ length: 3 }, () => ({ siblings: [{ used: 100 }, { used: 200 }, { used: 300 }] })));
    expect(t.world.calls.meterReferences.toSorted()).toEqual(['1', '2', '3']);
  });

  test('the viewer reaches the subgraph', async () => {
    expect((await ask(t.gateway, '{ viewerKind me { id } }')).data).toEqual({ viewerKind: 'anonymous', me: null });
    expect((await ask(t.gateway, '{ viewerKind me { id } }', {}, customer('b'))).data).toEqual({ viewerKind: 'session', me: { id: 'b' } });
  });

  test('mutations run', async () => {
    const { data } = await ask(t.gateway, 'mutation ($name: String!) { planRename(id: "1", name: $name) { name used } }', { name: 'New' });
    expect(data).toEqual({ planRename: { name: 'New', used: 100 } });
  });

  test('a failure keeps its code, its sentence, its details and its path', async () => {
    const { data, errors } = await ask(t.gateway, '{ plans(first: 2) { id refused } }');
    expect(data).toEqual({
      plans: [
        { id: '1', refused: null },
        { id: '2', refused: null },
      ],
    });
    expect(errors?.map((error) => error.toJSON())).toEqual(
      [0, 1].map((index) => ({
        message: 'This plan is used up: buy a new package.',
        path: ['plans', index, 'refused'],
        extensions: { code: 'plan_expired', requestId: 'req_test', retryable: false, field: 'id', allowed: ['1'] },
      })),
    );
    expect(lines).toEqual([]);
  });

  test('a failure of an entity fetch names every place that asked for it', async () => {
    t.world.plans.set('13', { id: '13', name: 'Unlucky', ownerId: 'a' });
    const { data, errors } = await ask(t.gateway, '{ plans { id used } plan(id: "13") { parent { id } used } }');
    expect((data?.['plans'] as unknown[] | undefined)?.[3]).toEqual({ id: '13', used: null });
    expect(errors?.map((error) => [error.extensions['code'], error.path]).toSorted()).toEqual([
      ['plan_expired', ['plan', 'used']],
      ['plan_expired', ['plans', 3, 'used']],
    ]);
  });

  test('a bug is answered as internal without details, and logged once with the request id', async () => {
    const { errors } = await ask(t.gateway, '{ plan(id: "1") { broken } }');
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(errors?.map((error) => error.toJSON())).toEqual([
      {
        message: 'Something went wrong on our side. It is safe to try again.',
        path: ['plan', 'broken'],
        extensions: { code: 'internal', requestId: 'req_test', retryable: true },
      },
    ]);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.fields).toMatchObject({ requestId: 'req_test', err: { message: 'connection string postgres://root:secret@db' } });
  });

  test('null in a non-null field is an error with its path, and propagates to the nearest nullable field', async () => {
    const { data, errors } = await ask(t.gateway, '{ meterReady plan(id: "2") { id needed } }');
    expect(data).toEqual({ meterReady: true, plan: null });
    expect(errors?.[0]?.extensions['code']).toBe('internal');
    expect(errors?.[0]?.path?.slice(0, 2)).toEqual(['plan', 'needed']);
  });

  test('a variable that does not fit is the caller’s mistake', async () => {
    const { data, errors } = await ask(t.gateway, 'query ($first: Int) { plans(first: $first) { id } }', { first: 'many' });
    expect(data).toBeUndefined();
    expect(errors?.[0]?.extensions['code']).toBe('parameter_invalid');
    expect(errors?.[0]?.message).toContain('$first');
  });

  test.each([
    ['{ plan(id: "1", size: "lots") { id } }', {}],
    ['query ($size: Bytes) { plan(id: "1", size: $size) { id } }', { size: 'lots' }],
    ['query ($size: Bytes = "lots") { plan(id: "1", size: $size) { id } }', {}],
  ])('so is a value that the scalar of a subgraph refuses: %s', async (query, variables) => {
    const { errors } = await ask(t.gateway, query, variables);
    expect(errors?.map(({ message, extensions }) => [extensions['code'], message])).toEqual([
      ['parameter_invalid', expect.stringContaining('not a whole number of bytes')],
    ]);
    expect(lines).toEqual([]);
    expect((await ask(t.gateway, query.replace('"lots"', '"5"'), { size: '5' })).errors).toBeUndefined();
  });

  test('a field that a subgraph marks inaccessible cannot be queried', async () => {
    expect(() => t.gateway.prepare('{ callerOfApiKey(key: "key-a") { accountId } }')).toThrow(QueryRefused);
    const { data } = await ask(t.gateway, '{ __schema { queryType { fields { name } } types { name } } }');
    expect(JSON.stringify(data)).not.toMatch(/callerOf|CallerIdentity|sessionCreate|_entities|_service/);
  });

  test('an operation whose caller went away stops', async () => {
    const gone = new AbortController();
    gone.abort(new Error('gone'));
    t.world.calls.meterReferences.length = 0;
    const operation = t.gateway.prepare('{ plans { used } }');
    await expect(t.gateway.execute(operation, { viewer: anonymous, signal: gone.signal })).rejects.toThrow('gone');
    expect(t.world.calls.meterReferences).toEqual([]);
  });

  test('another supergraph replaces the present one, an invalid one does not', async () => {
    const operation = t.gateway.prepare('{ plan(id: "1") { name } }');
    const bad = 'type Query { nothing: Int }';
    await expect(t.gateway.replace({ supergraph: bad, api: bad })).rejects.toThrow();
    expect((await t.gateway.execute(operation, { viewer: anonymous })).data).toEqual({ plan: { name: 'Plan 1' } });
    await t.gateway.replace(compose({ ...SDL, meter: SDL.meter.replace('meterReady: Boolean!', 'meterReady: Boolean') }));
    expect((await t.gateway.execute(operation, { viewer: anonymous })).data).toEqual({ plan: { name: 'Plan 1' } });
    expect(String(t.gateway.apiSchema.getQueryType()?.getFields()['meterReady']?.type)).toBe('Boolean');
  });
});

describe('the limits of an operation', () => {
  let t: TestGateway;
  beforeEach(async () => {
    t = await startGateway('in process');
  });
  afterEach(() => t.close());

  const nested = (levels: number) => `{ plan(id: "1") ${'{ parent '.repeat(levels - 2)}{ id }${' }'.repeat(levels - 2)} }`;
  const refused: [string, string][] = [
    ['too long', `{ plan(id: "${'x'.repeat(LIMITS.characters)}") { id } }`],
    ['of too many tokens', `{ ${'plans '.repeat(LIMITS.tokens)} }`],
    ['too deep', nested(LIMITS.depth + 1)],
    [
      'too deep through fragments',
      `{ plan(id: "1") { ...a } } ${[...'abcdefghijklm'].map((name, index, all) => `fragment ${name} on Plan { parent { ${all[index + 1] ? `...${all[index + 1]}` : 'id'} } }`).join(' ')}`,
    ],
    ['of too many aliases', `{ ${Array.from({ length: LIMITS.aliases + 1 }, (_, index) => `a${index}: meterReady`).join(' ')} }`],
    ['of too many directives', `{ ${'meterReady @include(if: true) '.repeat(LIMITS.directives + 1)} }`],
    [
      'whose fragments multiply',
      `{ plans { ...a } } ${[...'abcdefgh'].map((name, index, all) => `fragment ${name} on Plan { id name owner { id } ${all[index + 1] ? `...${all[index + 1]} ...${all[index + 1]}` : 'weight'} }`).join(' ')}`,
    ],
    ['whose fragments are a circle', '{ plan(id: "1") { ...a } } fragment a on Plan { parent { ...b } } fragment b on Plan { ...a }'],
    ['that asks for a huge list', '{ plans(first: 1000000) { id } }'],
    ['whose lists multiply', '{ plans(first: 200) { siblings(first: 200) { id } } }'],
    ['without a query', 'subscription { planChanged { id } meterReady }'],
    ['that is no GraphQL', 'SELECT * FROM plans'],
    ['of an unknown field', '{ plans { password } }'],
  ];

  test.each(refused)('an operation %s is refused before anything runs', (_, document) => {
    expect(() => t.gateway.prepare(document)).toThrow(QueryRefused);
    // The second refusal comes from the cache.
    expect(() => t.gateway.prepare(document)).toThrow(QueryRefused);
  });

  test('an operation at the limit of depth runs', async () => {
    expect((await ask(t.gateway, nested(LIMITS.depth))).errors).toBeUndefined();
  });

  test('a huge list asked for by a variable is refused when the variable comes', async () => {
    const query = 'query ($first: Int = 3) { plans(first: $first) { id } }';
    expect((await ask(t.gateway, query, { first: 1_000_000 })).errors?.[0]?.extensions['code']).toBe('query_refused');
    expect((await ask(t.gateway, query)).errors).toBeUndefined();
    expect((await ask(t.gateway, query, { first: null })).errors).toBeUndefined();
  });

  test('GraphiQL’s introspection passes', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    expect((await ask(t.gateway, getIntrospectionQuery({ inputValueDeprecation: true }))).errors).toBeUndefined();
  });

  test('a condition at a subscription’s root is refused instead of thrown through', () => {
    expect(() => t.gateway.prepare('subscription ($if: Boolean!) { planChanged @include(if: $if) { id } }')).toThrow(QueryRefused);
  });

  test('operationName selects the operation, and is required when there are several', async () => {
    const document = 'query A { meterReady } query B { viewerKind }';
    expect(() => t.gateway.prepare(document)).toThrow(QueryRefused);
    expect(() => t.gateway.prepare(document, 'C')).toThrow(QueryRefused);
    const { data } = await t.gateway.execute(t.gateway.prepare(document, 'B'), { viewer: anonymous });
    expect(data).toEqual({ viewerKind: 'anonymous' });
  });
});
