// Ending a key or a session takes effect everywhere at once: at the next request, and on open sockets.
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SECOND } from '#platform/clock.ts';
import { KEY_CACHE_MS } from '../../../../gateway/sign-in/access.ts';
import { SOCKET_LIMITS } from '../../../../gateway/graph/graphql-ws.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';

const environment = { SECRET: 'shared by both platforms of this test, and long enough' };
let stack: Stack;
/** A second platform on the same database, where what the first has ended must be over too. */
let other: Stack;
beforeAll(async () => {
  stack = await startStack({ environment });
  other = await startStack({ environment, databaseUrl: stack.database.url });
});
afterAll(async () => {
  await other?.close();
  await stack?.close();
});

/** Opens a subscription and resolves when the first answer is there; `closed` resolves with the socket's close code. */
async function watch(headers: Record<string, string>, at = stack) {
  let close: (code: number) => void = () => {};
  const closed = new Promise<number>((resolve) => (close = resolve));
  let serve: () => void = () => {};
  const served = new Promise<void>((resolve) => (serve = resolve));
  const client = createClient({
    url: `${at.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { headers });
      }
    },
    retryAttempts: 0,
    on: { closed: (event) => close((event as { code: number }).code), connected: () => serve() },
  });
  client.subscribe({ query: 'subscription { residentialPlanChanged { id } }' }, { next: () => {}, error: () => {}, complete: () => {} });
  await served;
  return { closed };
}
const ask = async (cookie: string, query: string, variables: object = {}, at = stack) =>
  (await (
    await fetch(`${at.url}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query, variables }),
      headers: { 'content-type': 'application/json', cookie },
    })
  ).json()) as {
    data: Record<string, unknown> | null;
  };
const statusOf = async (authorization: string, at = stack) =>
  (await fetch(`${at.url}/v1/residential`, { headers: { authorization } })).status;

test('a revoked key is refused by REST and MCP, and its sockets close', async () => {
  const person = await stack.seed.account();
  const { id, authorization } = await person.apiKey();
  const cookie = await person.cookie();
  expect(await statusOf(authorization)).toBe(200);
  const socket = await watch({ authorization });
  expect(await ask(cookie, 'mutation ($id: ID!) { apiKeyRevoke(id: $id) { status } }', { id })).toEqual({
    data: { apiKeyRevoke: { status: 'REVOKED' } },
  });
  expect(await socket.closed).toBeGreaterThanOrEqual(4_000);
  expect(await statusOf(authorization)).toBe(401);
});

test('an account that support forbids the API is refused, and its sockets close', async () => {
  const person = await stack.seed.account();
  const { authorization } = await person.apiKey();
  const socket = await watch({ authorization });
  const { gateway } = stack.server;
  const forbid = gateway.prepare('mutation ($id: ID!) { supportAccountAllowApi(id: $id, allowed: false) { apiAllowed } }');
  await gateway.execute(forbid, { variables: { id: person.id }, viewer: sessionOf('acct_staff', true) });
  expect(await socket.closed).toBeGreaterThanOrEqual(4_000);
  expect(await statusOf(authorization)).toBe(403);
});

test('an ended session is signed out at its next request, and its sockets close', async () => {
  const person = await stack.seed.account();
  const [one, two] = [await person.cookie(), await person.cookie()];
  const socket = await watch({ cookie: one, origin: stack.url });
  await ask(two, 'mutation { sessionCloseAll(exceptCurrent: true) }');
  expect(await socket.closed).toBeGreaterThanOrEqual(4_000);
  expect((await ask(one, '{ me { id } }')).data).toEqual({ me: null });
  expect((await ask(two, '{ me { id } }')).data).toEqual({ me: { id: person.id } });
});

test('a key that is revoked at one platform stops at another, where it was in use and on a socket', async () => {
  const person = await stack.seed.account();
  const { id, authorization } = await person.apiKey();
  expect(await statusOf(authorization, other)).toBe(200);
  const socket = await watch({ authorization }, other);
  await ask(await person.cookie(), 'mutation ($id: ID!) { apiKeyRevoke(id: $id) { status } }', { id });
  expect(await socket.closed).toBeGreaterThanOrEqual(4_000);
  await expect.poll(() => statusOf(authorization, other)).toBe(401);
});

test('a session that is ended at one platform is over at another, and its sockets close there', async () => {
  const person = await stack.seed.account();
  const [one, two] = [await person.cookie(), await person.cookie()];
  expect((await ask(one, '{ me { id } }', {}, other)).data).toEqual({ me: { id: person.id } });
  const socket = await watch({ cookie: one, origin: other.url }, other);
  await ask(two, 'mutation { sessionCloseAll(exceptCurrent: true) }');
  expect(await socket.closed).toBeGreaterThanOrEqual(4_000);
  expect((await ask(one, '{ me { id } }', {}, other)).data).toEqual({ me: null });
});

test('what no notice announces is looked up again within a second', () => {
  expect(KEY_CACHE_MS).toBeLessThanOrEqual(SECOND);
  expect(SOCKET_LIMITS.recheckMs).toBeLessThanOrEqual(SECOND);
});
