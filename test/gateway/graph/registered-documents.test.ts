// Documents that an account has registered: known to every process, and all that a bound key asks.
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { askAs } from '../../kit/dashboard.ts';
import type { SeededAccount } from '../../kit/seed.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { textHash } from '../../../gateway/graph/registered-documents.ts';

const PLANS = 'query Plans { residentialPlans { id } }';
const LIVE = 'subscription Live { residentialUsageChanged { planId } }';

let stack: Stack;
let ada: SeededAccount;
let key: { id: string; authorization: string };
let cookie: string;
beforeAll(async () => {
  stack = await startStack();
  ada = await stack.seed.account();
  key = await ada.apiKey();
  cookie = await ada.cookie();
});
afterAll(() => stack?.close());

type Answer = {
  status: number;
  body: {
    documents?: { hash: string; name: string }[];
    code?: string;
    message?: string;
    data?: unknown;
    errors?: { extensions: { code: string } }[];
  };
};
async function post(path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}
const register = (documents: unknown, headers: Record<string, string> = { authorization: key.authorization }) =>
  post('/graphql/documents', { documents }, headers);
const byHash = (text: string, authorization = key.authorization) =>
  post('/graphql', { documentId: `sha256:${textHash(text)}` }, { authorization });
const whole = (query: string, authorization = key.authorization) => post('/graphql', { query }, { authorization });
const codesOf = ({ body }: Answer) => body.errors?.map(({ extensions }) => extensions.code);

const registered = async () =>
  (await askAs(stack.url, cookie)<{ registeredDocuments: { name: string }[] }>('{ registeredDocuments { name } }')).registeredDocuments.map(
    ({ name }) => name,
  );

describe('a registered document', () => {
  test('is asked by its hash, also by another key of the account, and by nobody else', async () => {
    expect(codesOf(await byHash(PLANS))).toEqual(['persisted_query_not_found']);
    expect(await register([PLANS, LIVE, '{ me { id } }'])).toMatchObject({
      status: 200,
      body: {
        documents: [
          { hash: textHash(PLANS), name: 'Plans' },
          { hash: textHash(LIVE), name: 'Live' },
          { hash: textHash('{ me { id } }'), name: '' },
        ],
      },
    });
    expect((await byHash(PLANS)).body.data).toEqual({ residentialPlans: [] });
    const other = await ada.apiKey();
    expect((await byHash(PLANS, other.authorization)).body.data).toEqual({ residentialPlans: [] });
    const stranger = await (await stack.seed.account()).apiKey();
    expect(codesOf(await byHash(PLANS, stranger.authorization))).toEqual(['persisted_query_not_found']);
    await register([PLANS]);
    expect(await registered()).toEqual(['', 'Live', 'Plans']);
  });

  test('is valid on the schema: of several, one that is not is named, and none is registered', async () => {
    const valid = 'query Products { residentialProducts { code } }';
    expect(await register([valid, '{ residentialPlans { colour } }'])).toMatchObject({
      status: 400,
      body: { code: 'parameter_invalid', message: expect.stringContaining('Document 2 is not valid (Cannot query field "colour"') },
    });
    expect(await register([valid, '{ me {'])).toMatchObject({ status: 400, body: { code: 'parameter_invalid' } });
    for (const texts of [undefined, [], 'text', [7], Array.from({ length: 101 }, () => valid)])
      expect(await register(texts)).toMatchObject({ status: 400, body: { code: 'parameter_invalid' } });
    expect(await registered()).not.toContain('Products');
  });

  test('is registered by a session of this site too, and by nobody without either', async () => {
    expect((await register(['query Me { me { id } }'], { cookie, origin: stack.url })).status).toBe(200);
    expect((await register([PLANS], { cookie, origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await register([PLANS], {})).status).toBe(401);
    expect(await registered()).toContain('Me');
  });
});

describe('a key that is bound to registered documents', () => {
  let bound: { id: string; authorization: string; key: string };
  beforeAll(async () => {
    bound = await ada.apiKey();
    await askAs(stack.url, cookie)('mutation ($id: ID!) { apiKeySetDocumentsOnly(id: $id, documentsOnly: true) { documentsOnly } }', {
      id: bound.id,
    });
    await stack.settle();
  });

  test('asks them by hash or whole, and no other, over HTTP and over a socket', async () => {
    expect((await byHash(PLANS, bound.authorization)).body.data).toEqual({ residentialPlans: [] });
    expect((await whole(PLANS, bound.authorization)).body.data).toEqual({ residentialPlans: [] });
    const other = `${PLANS} # other`;
    expect(codesOf(await whole(other, bound.authorization))).toEqual(['document_not_registered']);
    const hash = textHash(other);
    const sent = { query: other, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } };
    expect(codesOf(await post('/graphql', sent, { authorization: bound.authorization }))).toEqual(['document_not_registered']);
    expect((await whole(other)).body.data).toEqual({ residentialPlans: [] });

    const socket = createClient({
      url: `${stack.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: bound.authorization },
    });
    const first = (query: string): Promise<unknown> =>
      socket
        .iterate({ query })
        .next()
        .then(
          ({ value }) => value,
          (errors: { extensions: { code: string } }[]) => errors.map(({ extensions }) => extensions.code),
        );
    expect(await first(PLANS)).toMatchObject({ data: { residentialPlans: [] } });
    expect(await first(other)).toEqual(['document_not_registered']);
    await socket.dispose();
  });

  test('registers none, so that who finds it cannot free it', async () => {
    expect(await register(['{ __typename }'], { authorization: bound.authorization })).toMatchObject({
      status: 403,
      body: { code: 'document_not_registered' },
    });
  });

  test('asks a removed one no more, and any when it is freed again', async () => {
    await askAs(stack.url, cookie)('mutation ($hash: ID!) { registeredDocumentRemove(hash: $hash) { hash } }', {
      hash: textHash(PLANS),
    });
    stack.clock.advance(11_000);
    expect(codesOf(await whole(PLANS, bound.authorization))).toEqual(['document_not_registered']);
    await askAs(stack.url, cookie)('mutation ($id: ID!) { apiKeySetDocumentsOnly(id: $id, documentsOnly: false) { id } }', {
      id: bound.id,
    });
    await stack.settle();
    expect((await whole(PLANS, bound.authorization)).body.data).toEqual({ residentialPlans: [] });
  });
});
