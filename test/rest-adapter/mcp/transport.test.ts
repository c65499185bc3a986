// Which callers may reach the MCP endpoint, and how HTTP and JSON-RPC refuse invalid requests.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MemoryWorld, startMemoryWorld } from '../memory-world.ts';
import type { Loose } from '../world.ts';
import { MODERN, modernRequest } from './clients.ts';

let world: MemoryWorld;
let key: string;

beforeAll(async () => {
  world = await startMemoryWorld();
  key = await world.key();
});
afterAll(() => world.close());

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

const post = (body: string, headers: Record<string, string> = {}, given: string | undefined = key) =>
  fetch(`${world.url}/mcp`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(given !== undefined && { authorization: `Bearer ${given}` }),
      ...headers,
    },
  });

/** fetch does not let a caller choose the Host header. */
const statusForHost = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(world.url);
    const headers = {
      host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    };
    request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end(LIST);
  });

const expectRate = (response: Response) => {
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    expect(response.headers.get(name), name).toMatch(/^\d+$/);
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
};

/** Where a client learns how to sign in; RFC 9728, 5.1. */
const METADATA = 'resource_metadata="https://proxies.example/.well-known/oauth-protected-resource/mcp"';

test.each([
  ['401 without a key', 401, 'key_missing', async () => undefined],
  ['401 with a malformed key', 401, 'key_malformed', async () => world.malformedKey],
  ['401 with an unknown key', 401, 'key_unknown', async () => world.unknownKey],
  ['401 with an expired key', 401, 'key_expired', () => world.key('expired')],
  ['401 with a revoked key', 401, 'key_revoked', () => world.key('revoked')],
  ['403 for an account that may not use the API', 403, 'api_not_allowed', () => world.key('forbidden')],
])('%s', async (_title, status, code, keyOf) => {
  for (const response of [
    await modernRequest(world.url, await keyOf(), 'tools/list'),
    await fetch(`${world.url}/mcp`, { method: 'POST', body: LIST, headers: { authorization: `Bearer ${(await keyOf()) ?? ''}`.trim() } }),
  ]) {
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toBe(
      status === 403 ? null : `Bearer realm="api"${code === 'key_missing' ? '' : ', error="invalid_token"'}, ${METADATA}`,
    );
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: expect.any(String), data: { code } } });
    expectRate(response);
  }
});

test('the official client gets 401', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${world.unknownKey}` } },
  });
  await expect(client.connect(transport as never)).rejects.toThrow(/key is not known|401/);
});

test('a browser page of another site is 403, one of the service passes, and so do clients that send no Origin', async () => {
  const statuses = async (...origins: string[]) => Promise.all(origins.map(async (origin) => (await post(LIST, { origin })).status));
  expect(await statuses('https://evil.example', 'null', 'https://proxies.example.evil.example', 'not a url')).toEqual([403, 403, 403, 403]);
  expect(await statuses('https://proxies.example', 'http://localhost:4000', 'http://127.0.0.1:1')).toEqual([200, 200, 200]);
  const refused = await post(LIST, { origin: 'https://evil.example' });
  expect(await refused.json()).toMatchObject({ error: { data: { code: 'origin_forbidden' } } });
  expectRate(refused);
  expect((await post(LIST)).status).toBe(200);
});

test('an unknown Host is 403, as in DNS rebinding', async () => {
  expect(await statusForHost('evil.example')).toBe(403);
  expect(await statusForHost('evil.example:80@localhost')).toBe(403);
  expect(await statusForHost('localhost/@evil.example')).toBe(403);
  expect(await statusForHost('proxies.example')).toBe(200);
  expect(await statusForHost('localhost:4000')).toBe(200);
});

test('413 for more than 64 KiB, while 64 KiB are accepted', async () => {
  const filled = (size: number) => LIST.replace('list"', `list","params":{"x":"${'x'.repeat(size - LIST.length - 18)}"}`);
  const refused = await post(filled(65_537));
  expect([refused.status, ((await refused.json()) as Loose).error.data.code]).toEqual([413, 'request_too_large']);
  expectRate(refused);
  expect((await post(filled(65_536))).status).toBe(200);
});

test('413 also when the length is not announced', async () => {
  const chunks = new ReadableStream({
    start(controller) {
      for (let index = 0; index < 70; index++) controller.enqueue(new TextEncoder().encode('x'.repeat(1_024)));
      controller.close();
    },
  });
  const response = await fetch(`${world.url}/mcp`, {
    method: 'POST',
    body: chunks,
    duplex: 'half',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  } as RequestInit);
  expect(response.status).toBe(413);
});

test('invalid JSON is a parse error of JSON-RPC, with status 400', async () => {
  for (const body of ['', '{', 'null x', '\u0000', '['.repeat(60_000)]) {
    const response = await post(body);
    expect([response.status, ((await response.json()) as Loose).error.code]).toEqual([400, -32_700]);
    expectRate(response);
  }
});

test('JSON that is not a message is refused, and never a 500', async () => {
  const none = [
    'null',
    '1',
    '"x"',
    '[]',
    '{}',
    '[1]',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '['.repeat(9_000) + ']'.repeat(9_000),
  ];
  for (const body of none) {
    const response = await post(body);
    expect([400, 200, 202], `${body.slice(0, 60)} answered ${response.status}`).toContain(response.status);
    expectRate(response);
  }
});

test('415 for a body that is not declared as JSON', async () => {
  expect((await post(LIST, { 'content-type': 'text/plain' })).status).toBe(415);
});

test('405 for GET and DELETE with Allow: POST, as there are no sessions and no server streams', async () => {
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(`${world.url}/mcp`, { method, headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expectRate(response);
  }
});

test('a session id of another server is ignored', async () => {
  expect((await post(LIST, { 'mcp-session-id': 'lost' })).status).toBe(200);
});

test('a batch asks at most once, so that one request counts once', async () => {
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'list_residential_plans', arguments: {} } });
  const headers = { 'mcp-protocol-version': '2025-03-26' };
  expect((await post(JSON.stringify([call(1), { jsonrpc: '2.0', id: 2, method: 'tools/list' }]), headers)).status).toBe(200);
  const refused = await post(JSON.stringify([call(1), call(2)]), headers);
  expect([refused.status, ((await refused.json()) as Loose).error.code]).toEqual([400, -32_600]);
  const reading = (id: number) => ({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri: 'egress://plans' } });
  expect((await post(JSON.stringify([call(1), reading(2)]), headers)).status).toBe(400);
  expect((await post(JSON.stringify([reading(1), { jsonrpc: '2.0', id: 2, method: 'resources/list' }]), headers)).status).toBe(200);
});

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('initialize agrees on %s', async (protocolVersion) => {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const response = await post(JSON.stringify(body));
  const text = await response.text();
  expect(JSON.parse(text.slice(text.indexOf('{'))).result).toMatchObject({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'egress', title: 'Test' },
  });
  expect(response.headers.get('mcp-session-id')).toBeNull();
});

test('server/discover names the version, the tools and the instructions', async () => {
  const { result } = (await (await modernRequest(world.url, key, 'server/discover')).json()) as Loose;
  expect(result).toMatchObject({
    supportedVersions: [MODERN],
    capabilities: { tools: {} },
    instructions: expect.stringContaining('list_residential_plans'),
  });
});

test('headers that contradict the body are refused', async () => {
  const other = await modernRequest(
    world.url,
    key,
    'tools/call',
    { name: 'get_subscriptions', arguments: {} },
    { headers: { 'mcp-name': 'list_static_plans' } },
  );
  expect(other.status).toBe(400);
  expect((await modernRequest(world.url, key, 'tools/list', {}, { headers: { 'mcp-method': 'tools/call' } })).status).toBe(400);
  expect((await modernRequest(world.url, key, 'tools/list', {}, { headers: { 'mcp-protocol-version': '2031-01-01' } })).status).toBe(400);
});

test('each HTTP request counts once for its key, whatever it calls', async () => {
  const fresh = await world.key();
  const left = [];
  for (const method of ['server/discover', 'tools/list', 'nothing'])
    left.push((await modernRequest(world.url, fresh, method)).headers.get('ratelimit-remaining'));
  left.push((await post('{', {}, fresh)).headers.get('ratelimit-remaining'));
  expect(left).toEqual(['119', '118', '117', '116']);
});

test('the list of tools may be cached for an hour, which saves a request', async () => {
  const { result } = (await (await modernRequest(world.url, key, 'tools/list')).json()) as Loose;
  expect(result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'private' });
});

test('no answer may be stored by an HTTP cache', async () => {
  expect((await modernRequest(world.url, key, 'tools/list')).headers.get('cache-control')).toContain('no-');
  expect((await post(LIST)).headers.get('cache-control')).toContain('no-');
});
