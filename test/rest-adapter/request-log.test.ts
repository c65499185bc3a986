// The log of REST and MCP: the endpoint or tool and the key of each request, whether it succeeds or fails.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordingLog, until } from '../gateway/world.ts';
import { type MemoryWorld, startMemoryWorld } from './memory-world.ts';
import { GENERATIONS } from './mcp/clients.ts';
import { call } from './world.ts';

const { log, told } = recordingLog();
let world: MemoryWorld;
beforeAll(async () => {
  world = await startMemoryWorld({ log });
});
afterAll(() => world.close());
beforeEach(() => {
  told.length = 0;
});

const tellings = () => told.filter(({ message }) => message === 'a request').map(({ fields }) => fields);

test('a REST request is logged by its endpoint, not by its path', async () => {
  const key = await world.key();
  await call(world, `/v1/residential/${world.plans.premium}/usage`, key);
  await call(world, `/v1/residential/${world.plans.foreign}/usage`, key);
  await call(world, '/v1/residential', world.unknownKey);
  await until(() => tellings().length === 3);
  const operation = 'get_residential_usage';
  const keyId = expect.any(String);
  expect(tellings()).toMatchObject([
    { route: 'rest', operation, accountId: 'acct_1', keyId, status: 200 },
    { route: 'rest', operation, accountId: 'acct_1', keyId, status: 404 },
    { route: 'rest', operation: 'list_residential_plans', status: 401 },
  ]);
  expect(JSON.stringify(told)).not.toMatch(/Bearer|authorization/i);
});

test.each(GENERATIONS)('%s: a call is logged by its tool', async (_generation, connect) => {
  const client = await connect(world.url, await world.key());
  await client.call('get_subscriptions', {});
  await client.close();
  await until(() => tellings().some(({ operation }) => operation === 'get_subscriptions'));
  expect(tellings().find(({ operation }) => operation === 'get_subscriptions')).toMatchObject({ route: 'mcp', accountId: 'acct_1' });
});
