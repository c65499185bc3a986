// Resources and prompts over both protocol generations: what is listed, read, completed and refused.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../../rest-adapter/endpoints/index.ts';
import { type MemoryWorld, startMemoryWorld } from '../memory-world.ts';
import { type Loose, call } from '../world.ts';
import { modernRequest } from './clients.ts';

let world: MemoryWorld;
beforeAll(async () => {
  world = await startMemoryWorld();
});
afterAll(() => world.close());

/** One request of a generation: its result, or its error. */
type Ask = (key: string, method: string, params?: Record<string, unknown>) => Promise<{ result?: Loose; error?: Loose }>;

const bySdk: Ask = async (key, method, params = {}) => {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit: { headers } }) as never);
  try {
    const asked: Record<string, () => Promise<unknown>> = {
      'resources/list': () => client.listResources(),
      'resources/templates/list': () => client.listResourceTemplates(),
      'resources/read': () => client.readResource(params as never),
      'completion/complete': () => client.complete(params as never),
      'prompts/list': () => client.listPrompts(),
      'prompts/get': () => client.getPrompt(params as never),
    };
    return { result: (await asked[method]?.()) as Loose };
  } catch (error) {
    return { error: error as Loose };
  } finally {
    await client.close();
  }
};

const byHttp: Ask = async (key, method, params = {}) => {
  return (await modernRequest(world.url, key, method, params)).json() as Promise<Loose>;
};

describe.each<[string, Ask]>([
  ['2025-11-25, spoken by the official SDK', bySdk],
  ['2026-07-28, by plain HTTP', byHttp],
])('%s', (_generation, ask) => {
  let key: string;
  beforeEach(() => {
    key = world.partnerKey();
  });
  const textOf = async (uri: string) => (await ask(key, 'resources/read', { uri })).result?.['contents'][0];

  test('resources and templates are listed with what they are', async () => {
    const { resources } = (await ask(key, 'resources/list')).result as Loose;
    expect(resources.map(({ uri, mimeType }: Loose) => [uri, mimeType])).toEqual([
      ['egress://plans', 'application/json'],
      ['egress://subscriptions', 'application/json'],
    ]);
    const { resourceTemplates } = (await ask(key, 'resources/templates/list')).result as Loose;
    expect(resourceTemplates.map(({ uriTemplate }: Loose) => uriTemplate)).toEqual([
      'egress://plans/{product}/usage',
      'egress://plans/{product}/statistics',
      'egress://plans/{product}/locations',
      'egress://servers/{server}',
      'egress://batches/{batch}',
    ]);
    for (const { title, description } of [...resources, ...resourceTemplates]) expect([title, description]).not.toContain(undefined);
  });

  test.each([
    ['egress://plans', '/v1/residential'],
    ['egress://subscriptions', '/v1/subscriptions'],
    ['egress://plans/plan_a/usage', '/v1/residential/plan_a/usage'],
    ['egress://plans/plan_a/statistics', '/v1/residential/plan_a/statistics'],
    ['egress://plans/plan_a/locations', '/v1/residential/plan_a/locations'],
  ])('%s is the data of REST', async (uri, path) => {
    const content = await textOf(uri);
    expect([content.uri, content.mimeType]).toEqual([uri, 'application/json']);
    expect(JSON.parse(content.text)).toEqual((await call(world, path, key)).body.data);
  });

  test('a generation of thousands links to its lines, which are read as one text', async () => {
    const path = '/v1/residential/plan_a/proxies?sticky=true&pool=DE&quantity=300';
    const { batch_id, proxies } = (await call(world, path, key)).body.data;
    const { mimeType, text } = await textOf(`egress://batches/${batch_id}`);
    expect([mimeType, text]).toEqual(['text/plain', proxies.join('\n')]);
  });

  test("what is not there, or another account's, is no resource", async () => {
    for (const uri of ['egress://plans/plan_d/usage', 'egress://plans/%00/usage', 'egress://batches/x', 'egress://moon', 'no address']) {
      const { error } = await ask(key, 'resources/read', { uri });
      expect([uri, error?.['code']]).toEqual([uri, -32_602]);
    }
  });

  test('plans are completed by the ids of the account', async () => {
    const ref = { type: 'ref/resource', uri: 'egress://plans/{product}/usage' };
    const complete = async (value: string) =>
      ((await ask(key, 'completion/complete', { ref, argument: { name: 'product', value } })).result as Loose).completion.values;
    expect(await complete('')).toEqual(['plan_a', 'plan_b', 'plan_c']);
    expect(await complete('plan_b')).toEqual(['plan_b']);
    expect(await complete('plan_d')).toEqual([]);
  });

  test('prompts take arguments, and name only tools that there are', async () => {
    const { prompts } = (await ask(key, 'prompts/list')).result as Loose;
    expect(prompts.map(({ name }: Loose) => name)).toEqual([
      'set_up_proxies',
      'where_did_my_data_go',
      'account_report',
      'why_does_this_line_fail',
    ]);
    const tools = ENDPOINTS.map(({ tool }) => tool);
    for (const { name, arguments: needed = [] } of prompts) {
      const given = Object.fromEntries(needed.map((one: Loose) => [one.name, `my ${one.name}`]));
      const { messages } = (await ask(key, 'prompts/get', { name, arguments: given })).result as Loose;
      const [{ role, content }] = messages;
      expect([messages.length, role, content.type]).toEqual([1, 'user', 'text']);
      for (const argument of Object.values(given)) expect(content.text).toContain(argument);
      const named = content.text.match(/\b(list|get|check|generate)_[a-z_]+/g);
      expect(named.filter((tool: string) => !tools.includes(tool))).toEqual([]);
      expect(content.text).not.toContain('undefined');
    }
  });

  test('without arguments that can be left out a prompt is whole too; without a needed one it is refused', async () => {
    const { messages } = (await ask(key, 'prompts/get', { name: 'where_did_my_data_go', arguments: {} })).result as Loose;
    expect(messages[0].content.text).toContain('in the last 7 days');
    expect((await ask(key, 'prompts/get', { name: 'set_up_proxies', arguments: {} })).error?.['code']).toBe(-32_602);
    expect((await ask(key, 'prompts/get', { name: 'moon', arguments: {} })).error?.['code']).toBe(-32_602);
  });

  test('a key finds only what its scopes allow', async () => {
    const reader = await world.key();
    world.memory.keys.set(reader, { state: 'active', accountId: 'acct_1', keyId: 'key_r', scopes: ['read'] });
    const { resourceTemplates } = (await ask(reader, 'resources/templates/list')).result as Loose;
    expect(resourceTemplates.map(({ name }: Loose) => name)).toEqual([
      'get_residential_usage',
      'get_residential_statistics',
      'list_locations',
    ]);
    const { prompts } = (await ask(reader, 'prompts/list')).result as Loose;
    expect(prompts.map(({ name }: Loose) => name)).toEqual(['where_did_my_data_go', 'account_report']);
    expect((await ask(reader, 'resources/read', { uri: 'egress://batches/batch_1' })).error?.['code']).toBe(-32_602);
  });

  test('a failure that is no lack is told by its code', async () => {
    world.memory.failNext = new Error('the database is on fire');
    const { error } = await ask(key, 'resources/read', { uri: 'egress://plans/plan_a/usage' });
    expect([error?.['code'], error?.['data']?.code]).toEqual([-32_000, 'internal']);
    expect(JSON.stringify(error)).not.toContain('fire');
  });
});
