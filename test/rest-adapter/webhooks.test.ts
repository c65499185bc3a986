// A partner's program manages webhooks over REST and MCP, with only an API key.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../sandbox/receiver.ts';
import { modernClient } from './mcp/clients.ts';
import { type StackWorld, startStackWorld } from './stack-world.ts';
import { type Loose, call } from './world.ts';

let world: StackWorld;
let key: string;
let receiver: Receiver;
beforeAll(async () => {
  world = await startStackWorld({ WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8' });
  key = await world.keyFor('read', 'webhooks');
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.close();
  await world?.close();
});

const send = (method: string, path: string, body?: object, withKey = key) =>
  call(world, `/v1/webhooks${path}`, withKey, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

test('an endpoint is created, tested, inspected, changed, given another secret and removed', async () => {
  const url = `${receiver.url}/hooks`;
  const made = await send('POST', '', { url, description: 'The shop', event_types: ['residential_plan.paused'] });
  expect(made.body.data).toMatchObject({
    webhook: {
      url,
      description: 'The shop',
      event_types: ['residential_plan.paused'],
      state: 'working',
      waiting: 0,
      disabled_because: null,
    },
    secret: expect.stringMatching(/^whsec_/),
  });
  const { webhook_id: id } = made.body.data.webhook;
  expect((await send('POST', `/${id}/test`)).status).toBe(200);
  await world.stack.settle();
  expect(receiver.received).toHaveLength(1);
  const { deliveries } = (await send('GET', `/${id}/deliveries`)).body.data;
  expect(deliveries).toMatchObject([{ outcome: 'delivered', status: 200, asked_by: 'owner' }]);
  const [{ event_id: event }] = deliveries;
  await send('POST', `/${id}/events/${event}/resend`);
  await world.stack.settle();
  expect((await send('GET', `/${id}/deliveries?limit=1`)).body.data).toMatchObject({
    deliveries: [{ event_id: event }],
    next: expect.any(String),
  });
  expect((await send('PATCH', `/${id}`, { enabled: false, event_types: [] })).body.data.webhook).toMatchObject({
    state: 'disabled',
    disabled_because: 'owner',
    event_types: [],
    description: 'The shop',
  });
  expect((await send('PATCH', `/${id}`, { enabled: true })).body.data.webhook.state).toBe('working');
  const renewed = (await send('POST', `/${id}/secret`)).body.data.secret;
  expect(renewed).not.toBe(made.body.data.secret);
  expect((await send('POST', `/${id}/replay`, { since: '2026-01-01T00:00:00Z' })).status).toBe(200);
  expect((await send('GET', '')).body.data.webhooks).toMatchObject([{ webhook_id: id }]);
  expect((await send('DELETE', `/${id}`)).body.data).toEqual({ webhook_id: id });
  expect((await send('GET', `/${id}`)).body.meta).toMatchObject({ code: 'webhook_not_found', field: 'webhook_id' });
});

test('invalid input is refused with the field’s name as it was sent', async () => {
  expect(await send('POST', '', {})).toMatchObject({ status: 400, body: { meta: { code: 'parameter_missing', field: 'url' } } });
  expect(await send('POST', '', { url: 'ftp://shop.example/' })).toMatchObject({ status: 400, body: { meta: { field: 'url' } } });
  const unknown = await send('POST', '', { url: 'https://shop.example/', event_types: ['moon.full'] });
  expect(unknown.body.meta).toMatchObject({ code: 'parameter_invalid', field: 'event_types', reason_code: 'webhook_type_unknown' });
  expect(await send('POST', '/hook_of_nobody/replay', {})).toMatchObject({ status: 400, body: { meta: { code: 'parameter_missing' } } });
  expect(await send('GET', '/hook_of_nobody/deliveries')).toMatchObject({ status: 404, body: { meta: { field: 'webhook_id' } } });
  const reading = await world.keyFor('read');
  expect(await send('POST', '', { url: 'https://shop.example/' }, reading)).toMatchObject({
    status: 403,
    body: { meta: { code: 'forbidden', required_scope: 'webhooks' } },
  });
});

test('an assistant manages them with the same inputs, and sees those tools only with the scope', async () => {
  const client = await modernClient(world.url, key);
  const made: Loose = await client.call('create_webhook', { url: `${receiver.url}/bot` });
  const { webhook_id: id } = made.structuredContent.webhook;
  const removed: Loose = await client.call('remove_webhook', { webhook: id });
  expect(removed.structuredContent).toEqual({ webhook_id: id });
  await client.close();
});
