// Sends U+0000 and lone surrogates in every text input: to the graph, each subgraph, REST, MCP and the sign-in.
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isScalarType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanText, isCleanText } from '#platform/clean-text.ts';
import { systemViewer } from '#platform/identity.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { sessionOf } from '../kit/platform.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { EVERY_SCOPE, seedOwner } from './access-owner.ts';
import { api } from './access-doors.ts';
import { methodOf } from '../../rest-adapter/endpoint.ts';
import { sdkClient } from '../rest-adapter/mcp/clients.ts';

const POISONS = ['\0', 'a\0b', '\ud800', 'a\udc00b'];

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
  await seedOwner(stack);
});
afterAll(() => stack.close());

/** A new key for each endpoint, as all of them together exceed the rate limit of one. */
const newKey = async (): Promise<string> => (await (await stack.seed.account()).apiKey({ scopes: EVERY_SCOPE })).key;

/** Whether a scalar is passed as text. */
const takesText = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type);
  return isScalarType(named) && !['Int', 'Float', 'Boolean'].includes(named.name);
};

/** The paths of all texts in an argument. */
function textsIn(path: string, type: GraphQLInputType): string[] {
  const named = getNamedType(type);
  if (isInputObjectType(named)) return Object.values(named.getFields()).flatMap((each) => textsIn(`${path}.${each.name}`, each.type));
  return takesText(type) ? [path] : [];
}

const WORDS: Record<string, unknown> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  DateTime: '2026-11-01T00:00:00Z',
  Date: '2026-11-01',
  Bytes: '1',
};

/** A complete value of the type, with `poison` at the path `at`. */
function valueOf(path: string, type: GraphQLInputType, at: string, poison: string): unknown {
  if (path === at) return isListType(getNullableType(type)) ? [poison] : poison;
  const named = getNamedType(type);
  const value = isInputObjectType(named)
    ? Object.fromEntries(
        Object.values(named.getFields()).map((each) => [each.name, valueOf(`${path}.${each.name}`, each.type, at, poison)]),
      )
    : isEnumType(named)
      ? named.getValues()[0]?.name
      : (WORDS[named.name] ?? 'x');
  return isListType(getNullableType(type)) ? [value] : value;
}

/** Every operation of a schema, once for each text argument, with a bad text in it. */
function* questions(schema: GraphQLSchema): Iterable<{ at: string; query: string; variables: Record<string, unknown>; kind: string }> {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const texts = field.args.flatMap((arg) => textsIn(arg.name, arg.type));
      for (const [index, at] of texts.entries()) {
        const poison = POISONS[index % POISONS.length] ?? '\0';
        const variables = Object.fromEntries(field.args.map((arg) => [arg.name, valueOf(arg.name, arg.type, at, poison)]));
        yield { at: `${root?.name}.${field.name} ${at}`, kind: root?.name ?? '', variables, query: documentOf(root?.name ?? '', field) };
      }
    }
  }
}

function documentOf(kind: string, field: GraphQLField<unknown, unknown>, uses = (name: string) => `$${name}`): string {
  const heads = field.args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const given = field.args.map(({ name }) => `${name}: ${uses(name)}`).join(', ');
  return `${kind.toLowerCase()}(${heads}) { ${field.name}(${given}) ${isLeafType(getNamedType(field.type)) ? '' : '{ __typename }'} }`;
}

const refusal = ({ errors }: { errors?: readonly { message: string; extensions?: Record<string, unknown> }[] }) =>
  errors?.map(({ message, extensions }) => `${String(extensions?.['code'])} ${message.includes('no text may have')}`) ?? [];

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.url, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { errors?: []; meta?: { code: string } } };
}

describe('a bad text is refused', () => {
  test('as parameter_invalid in every argument of every operation, for every caller, before any resolver runs', async () => {
    const wrong = [];
    let asked = 0;
    for (const { at, query, variables, kind } of questions(api)) {
      const operation = stack.server.gateway.prepare(query);
      for (const viewer of [sessionOf('acct_1'), sessionOf('acct_1', true)]) {
        asked++;
        const answer =
          kind === 'Subscription'
            ? await stack.server.gateway.subscribe(operation, { variables, viewer })
            : await stack.server.gateway.execute(operation, { variables, viewer });
        if (Symbol.asyncIterator in answer || refusal(answer).join() !== 'parameter_invalid true') wrong.push(at);
      }
    }
    expect(asked).toBeGreaterThan(400);
    expect(wrong).toEqual([]);
  });

  test('by each subgraph itself too, also in hidden fields, so that none depends on the gateway', async () => {
    const wrong = [];
    for (const name of SUBGRAPHS) {
      const subgraph = stack.subgraphs[name];
      const runner = createSubgraphRunner(subgraph, stack.platform.log);
      for (const { at, query, variables } of questions(subgraph.schema))
        if (refusal(await runner.execute({ query, variables }, systemViewer('test', 'req_test'))).join() !== 'parameter_invalid true')
          wrong.push(`${name} ${at}`);
    }
    expect(wrong).toEqual([]);
  });

  test('if the document contains it as an escape, but not if the backslash itself is escaped', async () => {
    const wrong = [];
    for (const root of [api.getQueryType(), api.getMutationType()])
      for (const field of Object.values(root?.getFields() ?? {}))
        for (const arg of field.args.filter(({ type }) => takesText(type) && !isListType(getNullableType(type)))) {
          const others = { ...field, args: field.args.filter((other) => other !== arg) } as typeof field;
          const query = documentOf(root?.name ?? '', others)
            .replace('()', '')
            .replace(new RegExp(`${field.name}(\\(?)`), (_, open) => `${field.name}(${arg.name}: "a\\u0000b"${open ? ', ' : ') '}`);
          const { body } = await post('/graphql', { query });
          if (refusal(body).join() !== 'parameter_invalid true') wrong.push(`${field.name} ${arg.name} ${JSON.stringify(body)}`);
        }
    expect(wrong).toEqual([]);
    const { body } = await post('/graphql', { query: '{ order(id: "a\\\\u0000b") { id } }' });
    expect(refusal(body)).toEqual(['session_invalid false']);
  });

  test('with 400 over HTTP', async () => {
    const headers = { accept: 'application/graphql-response+json' };
    const query = 'mutation($email: String!) { accountRecover(email: $email) }';
    expect((await post('/graphql', { query, variables: { email: 'a\0@b.co' } }, headers)).status).toBe(400);
    expect((await post('/graphql', { query: '{ order(id: "\\u0000") { id } }' }, headers)).status).toBe(400);
  });

  test.each(['email', 'password'])('with 400 at sign-in, in %s', async (field) => {
    const { status, body } = await post('/auth/sign-in', { email: 'a@b.co', password: 'x', [field]: 'a\0@b.co' });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('parameter_invalid')]);
  });

  test.each(ENDPOINTS.map((endpoint) => [`${methodOf(endpoint)} ${endpoint.path}`, endpoint] as const))(
    'is the parameter’s own refusal at %s',
    async (_title, endpoint) => {
      const { path } = endpoint;
      const key = await newKey();
      const rest = (name: string) => endpoint.restNames[name as never] ?? name;
      for (const name of Object.keys(endpoint.input.shape)) {
        const place = `{${rest(name)}}`;
        const method = methodOf(endpoint);
        const url = path.includes(place)
          ? path.replace(place, 'a%00b')
          : method === 'GET'
            ? `${path}?${new URLSearchParams({ [rest(name)]: 'a\0b' }).toString()}`
            : path;
        const response = await fetch(`${stack.url}${url.replace(/\{\w+\}/g, 'isp')}`, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(method !== 'GET' && !path.includes(place) && { body: JSON.stringify({ [rest(name)]: 'a\0b' }) }),
        });
        const { meta } = (await response.json()) as { meta?: { code: string } };
        // A list that is filtered by an unknown product is empty.
        expect(name === 'productId' ? [200] : [400, 404], url).toContain(response.status);
        expect(meta?.code, url).not.toBe('internal');
      }
    },
  );

  test.each(ENDPOINTS.map((endpoint) => [endpoint.tool, endpoint] as const))('for assistants that call %s', async (tool, endpoint) => {
    const client = await sdkClient(stack.url, await newKey());
    for (const name of Object.keys(endpoint.input.shape)) {
      const input = { ...(endpoint.example.input as Record<string, unknown>), [name]: 'a\0b' };
      const answer = await client
        .call(tool, input)
        .catch((error: Error) => ({ isError: true, structuredContent: {}, content: [{ text: error.message }] }));
      expect([answer.isError ?? false, JSON.stringify(answer)]).toEqual([name !== 'productId', expect.not.stringContaining('internal')]);
    }
    await client.close();
  });
});

test('cleaning a text keeps all valid characters', () => {
  expect(cleanText('a\0b\ud800c\u{1F600}\u200d\u0001')).toBe('ab\ufffdc\u{1F600}\u200d\u0001');
  expect(isCleanText('ünïcödé \u{1F600}')).toBe(true);
});
