// Signing in to the MCP endpoint by OAuth 2.1, with the official SDK's own client, against two processes that answer by turns.
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from '#platform/clock.ts';
import { forgetOAuthRecords } from '../../../../subgraphs/accounts/apps/services/oauth-records.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { OwnersBrowser } from './browser.ts';

const CALLBACK = 'http://localhost:41999/callback';
const SECRET = 'shared by both processes of this test, and long enough';

let stack: Stack;
let other: Stack;
beforeAll(async () => {
  stack = await startStack({ environment: { SECRET } });
  other = await startStack({ environment: { SECRET, PUBLIC_URL: stack.url }, databaseUrl: stack.database.url });
});
afterAll(async () => {
  await other?.close();
  await stack?.close();
});

let turns = 0;
/** As a load balancer in front of two processes: each request goes to the other one than the last. */
const balanced: typeof fetch = (input, init) => {
  const url = String(input instanceof Request ? input.url : input);
  return fetch(turns++ % 2 === 0 ? url : url.replace(stack.url, other.url), init);
};

/** What a program keeps of its sign-in, as the SDK asks for it. */
class Keeps implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: 'Ada’s assistant', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_post' };
  sentTo: URL | undefined;
  #client: never | undefined;
  #tokens: { access_token: string; refresh_token?: string } | undefined;
  #verifier = '';
  clientInformation = () => this.#client;
  saveClientInformation(client: unknown) {
    this.#client = client as never;
  }
  tokens = () => this.#tokens as never;
  saveTokens(tokens: unknown) {
    this.#tokens = tokens as never;
  }
  get kept() {
    return this.#tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
}

const transportOf = (keeps: Keeps) =>
  new StreamableHTTPClientTransport(new URL(`${stack.url}/mcp`), { authProvider: keeps, fetch: balanced });
const newClient = () => new Client({ name: 'test', version: '1' });

/** Connects until the person is needed; then the sign-in waits at `sentTo`. */
async function begin(keeps: Keeps) {
  const transport = transportOf(keeps);
  await expect(newClient().connect(transport as never)).rejects.toThrow(UnauthorizedError);
  return transport;
}

async function finish(keeps: Keeps, transport: StreamableHTTPClientTransport, location: string) {
  await transport.finishAuth(new URL(location).searchParams.get('code') ?? '');
  const client = newClient();
  await client.connect(transportOf(keeps) as never);
  return client;
}

async function owner() {
  const account = await stack.seed.account();
  const key = await account.apiKey();
  return { account, key, browser: new OwnersBrowser(await account.cookie()) };
}

/** A signed-in assistant, with `scopes` of the key. */
async function connected(scopes: string[] = ['read', 'generate']) {
  const { account, key, browser } = await owner();
  const keeps = new Keeps();
  const transport = await begin(keeps);
  const { at } = await browser.arrive(keeps.sentTo ?? '');
  const { location } = await browser.answer(at, { keyId: key.id, scopes });
  return { account, key, browser, keeps, location, client: await finish(keeps, transport, location) };
}

const withToken = (token: string | undefined, path = '/mcp') =>
  fetch(`${stack.url}${path}`, {
    ...(path === '/mcp' && { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });

const graph = async (account: { cookie(): Promise<string> }, query: string) => {
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: await account.cookie() },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { data: Record<string, never> }).data;
};

test('a program that has only the address signs in, and works with the rights that its owner has chosen', async () => {
  const { account, key, browser } = await owner();
  const keeps = new Keeps();
  const transport = await begin(keeps);
  const { page, at, asked } = await browser.arrive(keeps.sentTo ?? '');
  expect(page).toBe(`${stack.url}/connect?request=${at.split('/').at(-1)}`);
  expect(asked).toEqual({ name: 'Ada’s assistant', host: '', scopes: ['read', 'generate', 'plans', 'servers', 'billing', 'webhooks'] });
  const { location } = await browser.answer(at, { keyId: key.id, scopes: ['read'] });
  expect(location).toMatch(/^http:\/\/localhost:41999\/callback\?code=/);
  const client = await finish(keeps, transport, location);
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  expect(tools).toContain('list_residential_plans');
  expect(tools).not.toContain('generate_residential_proxies');
  expect((await client.callTool({ name: 'list_residential_plans', arguments: {} })).isError).toBeFalsy();
  expect(await graph(account, '{ me { connectedApps { name host scopes apiKey { id } } } }')).toEqual({
    me: { connectedApps: [{ name: 'Ada’s assistant', host: '', scopes: ['READ'], apiKey: { id: key.id } }] },
  });
});

test('a token is for the MCP endpoint alone, and shares the limit of its key', async () => {
  const { keeps, key } = await connected();
  const token = keeps.kept?.access_token;
  expect((await withToken(token, '/v1/residential')).status).toBe(401);
  const byToken = await withToken(token);
  const byKey = await fetch(`${stack.url}/v1/residential`, { headers: { authorization: `Bearer ${key.key}` } });
  expect(Number(byKey.headers.get('ratelimit-remaining'))).toBe(Number(byToken.headers.get('ratelimit-remaining')) - 1);
});

test('an owner removes an app, and its token is refused at once by both processes', async () => {
  const { account, keeps } = await connected();
  const { me } = (await graph(account, '{ me { connectedApps { id } } }')) as unknown as { me: { connectedApps: { id: string }[] } };
  const [app] = me.connectedApps;
  await graph(account, `mutation { connectedAppRemove(id: "${app?.id}") }`);
  await expect.poll(async () => (await withToken(keeps.kept?.access_token)).status).toBe(401);
  await expect(newClient().connect(transportOf(keeps) as never)).rejects.toThrow(UnauthorizedError);
});

test('a revoked key takes its apps with it', async () => {
  const { account, key, keeps } = await connected();
  await graph(account, `mutation { apiKeyRevoke(id: "${key.id}") { id } }`);
  await expect.poll(async () => (await withToken(keeps.kept?.access_token)).status).toBe(401);
  expect(await graph(account, '{ me { connectedApps { id } } }')).toEqual({ me: { connectedApps: [] } });
});

test('after an hour the client renews its token by itself; a renewal that is used twice ends everything', async () => {
  const { keeps, client: before } = await connected();
  // Its stream would renew the token, too.
  await before.close();
  const first = keeps.kept;
  stack.clock.advance(HOUR + SECOND);
  other.clock.advance(HOUR + SECOND);
  expect((await withToken(first?.access_token)).status).toBe(401);
  const client = newClient();
  await client.connect(transportOf(keeps) as never);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect(keeps.kept?.access_token).not.toBe(first?.access_token);
  const { client_id } = keeps.clientInformation() as unknown as { client_id: string };
  const again = await fetch(`${other.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: first?.refresh_token ?? '', client_id }),
  });
  expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  expect((await withToken(keeps.kept?.access_token)).status).toBe(401);
});

test('a code buys one token, to the program that began alone', async () => {
  const { keeps, location } = await connected();
  const { client_id } = keeps.clientInformation() as unknown as { client_id: string };
  const code = new URL(location).searchParams.get('code') ?? '';
  const trade = (verifier: string) =>
    fetch(`${stack.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', code, client_id, redirect_uri: CALLBACK, code_verifier: verifier }),
    });
  expect((await trade('a-verifier-that-somebody-else-has-made-up-by-himself')).status).toBe(400);
  expect((await trade(keeps.codeVerifier())).status).toBe(400);
});

test('nobody gives more than a key has, nor by the key of another, nor without a session', async () => {
  const { key, browser } = await owner();
  const stranger = await owner();
  const keeps = new Keeps();
  await begin(keeps);
  const { at } = await browser.arrive(keeps.sentTo ?? '');
  expect((await browser.answer(at, { keyId: key.id, scopes: ['servers'] })).body['code']).toBe('parameter_invalid');
  expect((await browser.answer(at, { keyId: key.id, scopes: [] })).body['code']).toBe('parameter_invalid');
  expect((await browser.answer(at, { keyId: stranger.key.id, scopes: ['read'] })).body['code']).toBe('key_not_found');
  // The link alone is worth nothing in another browser.
  expect((await stranger.browser.answer(at, { keyId: stranger.key.id, scopes: ['read'] })).body['code']).toBe('request_not_found');
  const nobody = new OwnersBrowser('');
  const waiting = await nobody.open(String(keeps.sentTo));
  expect((await nobody.open(waiting.location, { accept: 'application/json' })).body['code']).toBe('session_invalid');
  const { location } = await browser.answer(at, { refuse: true });
  expect(new URL(location).searchParams.get('error')).toBe('access_denied');
});

test('the tables hold no token that works', async () => {
  const { keeps, location } = await connected();
  const { access_token = '', refresh_token = '' } = keeps.kept ?? {};
  const dump = JSON.stringify(await rowsOf(stack.database.query, 'accounts.oauth_record'));
  for (const secret of [access_token, refresh_token, new URL(location).searchParams.get('code') ?? '']) {
    expect(secret).toHaveLength(43);
    expect(dump).not.toContain(secret);
  }
});

test('a client that nobody has let in is forgotten after a month, and a network registers thirty an hour', async () => {
  const register = () =>
    fetch(`${stack.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [CALLBACK] }),
    });
  expect((await register()).status).toBe(201);
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await register()).status));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(5);
  const clients = async () => (await rowsOf(stack.database.query, 'accounts.oauth_record', { kind: 'Client' })).length;
  const before = await clients();
  stack.clock.advance(31 * DAY);
  await forgetOAuthRecords(stack.subgraphs.accounts.systemContext('test'));
  expect(await clients()).toBeLessThan(before);
});
