// Each generation in an operation counts, so aliases do not get around the limit of 120 a minute.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { type Stack, startStack } from '../../kit/stack.ts';
import type { SeededAccount } from '../../kit/seed.ts';

let stack: Stack;
let account: SeededAccount;
let planId: string;
let authorization: string;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  account = await stack.seed.account();
  ({ id: planId } = await account.residentialPlan());
  ({ authorization } = await account.apiKey());
});

const generate = (count: number) =>
  `query ($id: ID!) { ${Array.from({ length: count }, (_, index) => `g${index}: residentialProxies(planId: $id, input: { quantity: 1, session: ROTATING, targeting: { pool: "Germany" } }) { lines }`).join(' ')} }`;

async function ask(query: string, headers: Record<string, string>) {
  const answer = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables: { id: planId } }),
  });
  const { data, errors } = (await answer.json()) as { data?: object; errors?: { extensions: { code: string } }[] };
  return {
    status: answer.status,
    remaining: answer.headers.get('ratelimit-remaining'),
    retryAfter: answer.headers.get('retry-after'),
    generated: Object.keys(data ?? {}).length,
    code: errors?.[0]?.extensions.code,
  };
}

test('thirty aliases of a generation are thirty of a key’s 120, and the fifth such request is refused', async () => {
  const headers = { authorization };
  for (const remaining of ['90', '60', '30', '0'])
    expect(await ask(generate(30), headers)).toMatchObject({ status: 200, remaining, generated: 30 });
  expect(await ask(generate(30), headers)).toMatchObject({ status: 429, code: 'rate_limited', generated: 0 });
});

test('a request that would go beyond the limit generates nothing', async () => {
  const headers = { authorization };
  for (let count = 0; count < 4; count++) await ask(generate(25), headers);
  const refused = await ask(generate(30), headers);
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited', generated: 0, remaining: '0' });
  expect(Number(refused.retryAfter)).toBeGreaterThan(0);
});

test('fragments and repeated fields count as written, a request without a generation counts as one', async () => {
  const headers = { authorization };
  expect((await ask('query ($id: ID!) { residentialPlan(id: $id) { id } }', headers)).remaining).toBe('119');
  const spread = `query ($id: ID!) { ...A ... on Query { ...A } } fragment A on Query { residentialProxies(planId: $id, input: { quantity: 1, session: ROTATING, targeting: { pool: "Germany" } }) { id } }`;
  expect((await ask(spread, headers)).remaining).toBe('117');
});

test('REST counts a generation as the one request that it is', async () => {
  const answer = await fetch(`${stack.url}/v1/residential/${planId}/proxies?sticky=false&pool=Germany&quantity=100`, {
    headers: { authorization },
  });
  expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([200, '119']);
});

test('an account’s sessions generate 120 times a minute, and can still read after that', async () => {
  const cookies = [await account.cookie(), await account.cookie()];
  for (let count = 0; count < 4; count++)
    expect(await ask(generate(30), { cookie: cookies[count % 2] ?? '' })).toMatchObject({ status: 200, generated: 30, remaining: null });
  expect(await ask(generate(1), { cookie: cookies[0] ?? '' })).toMatchObject({ status: 429, code: 'rate_limited' });
  expect((await ask('{ me { id } }', { cookie: cookies[0] ?? '' })).status).toBe(200);
  // The account's key has its own limit.
  expect(await ask(generate(1), { authorization })).toMatchObject({ status: 200, remaining: '119' });
});

test('over a socket they count the same', async () => {
  const client = createClient({
    url: `${stack.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
    retryAttempts: 0,
  });
  const ended = await new Promise((resolve) =>
    client.subscribe(
      { query: generate(30), variables: { id: planId } },
      { next: () => {}, error: resolve, complete: () => resolve('complete') },
    ),
  );
  expect(ended).toBe('complete');
  expect((await ask('{ me { id } }', { authorization })).remaining).toBe('89');
  await client.dispose();
});
