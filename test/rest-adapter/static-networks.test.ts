// Networks of a static plan with only an API key, over REST and MCP.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverPlan } from '../../subgraphs/static/delivery/services/deliver-plan.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { askAs } from '../kit/dashboard.ts';
import { modernClient } from './mcp/clients.ts';
import { type StackWorld, startStackWorld } from './stack-world.ts';
import { type Loose, call } from './world.ts';

const [ONE, TWO] = ['198.51.100.7', '198.51.100.8'];

let world: StackWorld;
let key: string;
let plan: string;
beforeAll(async () => {
  world = await startStackWorld();
  key = await world.keyFor('read', 'plans');
  const statics = world.stack.subgraphs.static.systemContext('test');
  await importInventory(statics, ['ip,port,product,location', ...[ONE, TWO].map((ip) => `${ip},8000,isp-northline,Here`)].join('\n'));
  const { me }: Loose = await askAs(world.url, await world.cookie())('{ me { id } }');
  plan = await createPlan(statics, {
    orderId: 'ord_1',
    accountId: me.id,
    subscriptionId: 'sub_1',
    productId: 'isp-northline',
    quantity: 2,
  });
  await deliverPlan(statics, plan);
});
afterAll(() => world?.close());

const send = (method: string, path: string, body?: object, by = key) =>
  call(world, path, by, { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) });
const of = (rest: string, id = plan) => `/v1/static/${id}/${rest}`;

test('a network is let in at all addresses or at one, refused where it is let in already, and taken out again', async () => {
  const added = await send('POST', of('networks'), { network: '9.9.9.0/28', note: 'Office' });
  expect(added.body.data).toEqual({
    plan_id: plan,
    networks_and_password: false,
    networks: [
      {
        network_id: expect.stringMatching(/^net_/),
        network: '9.9.9.0/28',
        ip: null,
        note: 'Office',
        created_at: expect.any(String),
        used_at: null,
      },
    ],
  });
  const single = await send('POST', of('networks'), { network: '9.9.8.1', ip: TWO });
  expect(single.body.data.networks[1]).toMatchObject({ network: '9.9.8.1/32', ip: TWO, note: '' });
  const refused = async (body: object) => (await send('POST', of('networks'), body)).body.meta;
  expect(await refused({ network: '9.9.9.0/28', ip: ONE })).toMatchObject({
    code: 'parameter_invalid',
    field: 'network',
    reason_code: 'network_let_in',
  });
  expect(await refused({ network: '9.9.8.1' })).toMatchObject({ field: 'network', reason_code: 'network_let_in_at' });
  expect(await refused({ network: '9.9.0.0/16' })).toMatchObject({ reason_code: 'network_too_wide' });
  expect(await refused({ network: '9.9.8.2', ip: '192.0.2.1' })).toMatchObject({ field: 'ip', reason_code: 'plan_address_unknown' });
  expect((await send('PATCH', of('log-in'), { networks_and_password: true })).body.data).toMatchObject({ networks_and_password: true });
  const [{ network_id: id }] = (await send('GET', of('networks'))).body.data.networks;
  expect((await send('DELETE', `/v1/static-networks/${id}`)).body.data.networks).toMatchObject([{ ip: TWO }]);
  expect(await send('DELETE', `/v1/static-networks/${id}`)).toMatchObject({ status: 404, body: { meta: { code: 'network_not_found' } } });
  expect((await send('GET', of('networks', 'isp_nobody'))).body.meta).toMatchObject({ code: 'plan_not_found', field: 'plan_id' });
});

test('a key without the scope reads, and changes nothing', async () => {
  const reader = await world.key();
  for (const [method, path, body] of [
    ['POST', of('networks'), { network: '9.9.9.9' }],
    ['PATCH', of('log-in'), { networks_and_password: true }],
    ['DELETE', '/v1/static-networks/net_x', undefined],
  ] as const)
    expect(await send(method, path, body, reader)).toMatchObject({ status: 403, body: { meta: { required_scope: 'plans' } } });
  expect((await send('GET', of('networks'), undefined, reader)).status).toBe(200);
});

test('an assistant uses the same inputs', async () => {
  const client = await modernClient(world.url, key);
  const added: Loose = await client.call('add_static_network', { static_plan: plan, network: '9.9.7.7', ip: ONE });
  expect(added.structuredContent.networks.at(-1)).toMatchObject({ network: '9.9.7.7/32', ip: ONE });
  await client.close();
});
