// Servers by key alone, from the order to the end: what is declared is planned, applied once, changed, destroyed and taken back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EgressClient, createClient } from '../../../rest-adapter/client/index.ts';
import { askAs } from '../../kit/dashboard.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { setRows } from '../../kit/tables.ts';
import { passTime } from '../../subgraphs/compute/bought-vps.ts';
import { type State, applyServers, planServers } from './declared-servers.ts';

let stack: Stack;
let client: EgressClient;
let stranger: EgressClient;
beforeAll(async () => {
  stack = await startStack();
  const [owner, other, desk] = [
    await stack.seed.account(),
    await stack.seed.account(),
    await stack.seed.account({ role: 'STAFF', email: 'desk@operator.example' }),
  ];
  const key = await owner.apiKey({ scopes: ['plans', 'servers', 'billing'] });
  client = createClient({ url: stack.url, key: key.key, retries: 0 });
  stranger = createClient({ url: stack.url, key: (await other.apiKey({ scopes: ['servers'] })).key, retries: 0 });
  const ask = askAs(stack.url, await desk.cookie());
  // Marks the session as if it had passed a second factor.
  await setRows(stack.database.query, 'accounts.session', { strong_at: stack.clock.now() }, { account_id: desk.id });
  const input = { accountId: owner.id, amountMinor: 9_000, currency: 'USD', reason: 'To try it', idempotencyKey: 'granted-once' };
  await ask('mutation ($input: SupportCreditGrantInput!) { supportCreditGrant(input: $input) { amountMinor } }', { input });
  await ask('mutation ($id: ID!, $minor: Int!) { supportApiKeyGrantOrders(id: $id, ceilingMinor: $minor) { id } }', {
    id: key.id,
    minor: 50_000,
  });
});
afterAll(() => stack?.close());

test('servers are ordered, renamed, cancelled and kept by key, and what is done is not done again', async () => {
  const state: State = new Map();
  const declared = {
    'web-1': { plan: 'plank', os: 'debian_13' },
    'web-2': { plan: 'plank', os: 'debian_12', name: 'The second' },
  } as const;
  expect((await planServers(client, declared, state)).map(({ says }) => says)).toEqual(['create web-1', 'create web-2']);
  expect(await applyServers(client, declared, state)).toEqual(['create web-1', 'create web-2']);
  // Ordered, and perhaps not there yet.
  expect((await planServers(client, declared, state)).filter(({ says }) => says.startsWith('create'))).toEqual([]);
  await stack.settle();
  await passTime(stack);
  for (const order_id of state.values()) expect((await client.getOrder({ order_id })).order.status).toBe('fulfilled');
  expect(await applyServers(client, declared, state)).toEqual(['change web-2']);
  expect(await planServers(client, declared, state)).toEqual([]);

  const fewer = { 'web-1': declared['web-1'] };
  expect(await applyServers(client, fewer, state)).toEqual(['destroy web-2']);
  await stack.settle();
  expect(await planServers(client, fewer, state)).toEqual([]);
  const { servers } = await client.listServers();
  const [second] = servers.filter(({ hostname }) => hostname === 'web-2');
  expect(second).toMatchObject({ cancel_at_period_end: true, name: 'The second' });

  const server_id = second?.server_id ?? '';
  await expect(client.cancelServer({ server_id })).rejects.toMatchObject({ status: 409, code: 'action_not_allowed' });
  expect(await client.keepServer({ server_id })).toMatchObject({ server_id, cancel_at_period_end: false, ended: false });
  await stack.settle();
  await expect(client.keepServer({ server_id })).rejects.toMatchObject({ status: 409, code: 'action_not_allowed' });
  expect((await applyServers(client, {}, state)).toSorted()).toEqual(['destroy web-1', 'destroy web-2']);
  expect(state.size).toBe(0);
});

test("another's server is not found, nor one that never was", async () => {
  const [{ server_id = '' } = {}] = (await client.listServers()).servers;
  for (const id of [server_id, 'vps_nothing', '../x'])
    for (const asked of [() => stranger.cancelServer({ server_id: id }), () => stranger.keepServer({ server_id: id })])
      await expect(asked()).rejects.toMatchObject({ status: 404, code: 'server_not_found', meta: { field: 'server_id' } });
});
