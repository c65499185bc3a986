// What an owner sets of a plan, with only an API key: networks, alerts, the request log and top-ups, over REST and MCP.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import { receiveRequests } from '../../subgraphs/residential/requests/services/receive-requests.ts';
import { askAs } from '../kit/dashboard.ts';
import { modernClient } from './mcp/clients.ts';
import { type StackWorld, startStackWorld } from './stack-world.ts';
import { type Loose, call } from './world.ts';

let world: StackWorld;
let key: string;
let session: ReturnType<typeof askAs>;
beforeAll(async () => {
  world = await startStackWorld();
  key = await world.keyFor('read', 'plans');
  session = askAs(world.url, await world.cookie());
});
afterAll(() => world?.close());

const send = (method: string, path: string, body?: object, by = key) =>
  call(world, path, by, { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) });
const of = (rest: string, plan: keyof StackWorld['plans'] = 'premium') => `/v1/residential/${world.plans[plan]}/${rest}`;

test('a network is let in with a place, refused to a second plan, and taken out again', async () => {
  const added = await send('POST', of('networks'), { network: '9.9.9.0/28', pool: 'Germany', time: 30, note: 'Office' });
  expect(added.body.data).toMatchObject({
    product: world.plans.premium,
    networks_and_password: false,
    networks: [
      { network: '9.9.9.0/28', line: expect.stringMatching(/^-country-de-session-\d{8}-sessionttl-30$/), note: 'Office', used_at: null },
    ],
  });
  expect((await send('POST', of('networks', 'mobile'), { network: '9.9.9.0/28' })).body.meta).toMatchObject({
    code: 'parameter_invalid',
    field: 'network',
    reason_code: 'network_taken',
  });
  expect((await send('POST', of('networks'), { network: '9.9.0.0/16' })).body.meta).toMatchObject({ reason_code: 'network_too_wide' });
  expect((await send('POST', of('networks'), { network: '9.9.8.1', pool: 'Atlantis' })).body.meta).toMatchObject({ code: 'pool_unknown' });
  expect((await send('POST', of('networks'), { network: '9.9.8.1', time: 45 })).body.meta).toMatchObject({
    code: 'time_not_allowed',
    field: 'time',
  });
  expect((await send('PATCH', of('log-in'), { networks_and_password: true })).body.data).toMatchObject({ networks_and_password: true });
  const [{ network_id: id }] = (await send('GET', of('networks'))).body.data.networks;
  expect((await send('DELETE', `/v1/residential-networks/${id}`)).body.data).toMatchObject({ networks: [] });
  expect(await send('DELETE', `/v1/residential-networks/${id}`)).toMatchObject({
    status: 404,
    body: { meta: { code: 'network_not_found' } },
  });
  expect((await send('GET', of('networks', 'foreign'))).body.meta).toMatchObject({ code: 'plan_not_found', field: 'product_id' });
});

test('marks of alerts are set in percent and GB, and taken back to those of everybody', async () => {
  expect((await send('PATCH', of('alerts'), { percents: [90, 50], left_gb: [0.5] })).body.data.alerts).toEqual({
    default: false,
    percents: [50, 90, 100],
    left_gb: [0.5],
  });
  expect((await send('GET', of('top-ups'))).body.data.alerts.left_gb).toEqual([0.5]);
  expect((await send('PATCH', of('alerts'), {})).body.data.alerts).toEqual({ default: true, percents: [80, 95, 100], left_gb: [] });
  expect((await send('PATCH', of('alerts'), { percents: [0] })).body.meta).toMatchObject({ code: 'parameter_invalid', field: 'percents' });
});

test('logged requests are kept by choice, filtered, read page by page, and deleted', async () => {
  expect((await send('PATCH', of('request-log'), { mode: 'whole' })).body.data).toMatchObject({ mode: 'whole', kept: 0 });
  const at = world.stack.clock.now().getTime();
  const entry = { subject: world.plans.premium, at, durationMs: 5, host: 'shop.example', port: 443, up: 10, down: 20, country: 'de' };
  const requests = [200, 502, 200].map((status) => ({ ...entry, status }));
  await receiveRequests(world.stack.subgraphs.residential.systemContext('test'), 'edge-1', { id: 'batch', requests, gaps: [] });
  const listed = (await send('GET', of('requests?limit=2'))).body.data;
  expect([listed.mode, listed.kept, listed.requests.length]).toEqual(['whole', 3, 2]);
  const next = (await send('GET', of(`requests?limit=2&after=${listed.requests[1].entry_id}`))).body.data;
  expect(next.requests).toHaveLength(1);
  const failed = (await send('GET', of('requests?failed=true'))).body.data.requests;
  expect(failed).toMatchObject([{ status: 502, host: 'shop.example', port: 443, up_bytes: 10, down_bytes: 20, country: 'de', user: null }]);
  expect((await send('GET', of('requests?status=418'))).body.data.requests).toEqual([]);
  expect((await send('GET', of('requests?limit=1001'))).body.meta).toMatchObject({ code: 'limit_invalid', field: 'limit' });
  expect((await send('DELETE', of('request-log'))).body.data).toMatchObject({ mode: 'whole', kept: 0 });
});

test('a key spends what its owner has agreed to, and no more', async () => {
  const price = (await send('GET', of('top-ups/price?gigabytes=5'))).body.data;
  expect(price).toMatchObject({ title: 'Premium, +5 GB', subtotal: 2_500, currency: 'USD' });
  const terms = { left_gb: 1, gigabytes: 5, ceiling: 6_000 };
  const never = await send('PATCH', of('auto-top-up'), terms);
  expect([never.status, never.body.meta?.reason_code]).toEqual([409, 'top_up_needs_rule']);
  expect((await send('POST', of('top-ups'), { gigabytes: 5 })).body.meta?.reason_code).toBe('top_up_needs_rule');
  const SET = 'mutation ($id: ID!, $input: AutoTopUpInput) { residentialPlanSetAutoTopUp(id: $id, input: $input) { id } }';
  const input = { leftBytes: String(GB / 10n), gigabytes: 5, ceilingMinor: 6_000, pauseMinutes: 60 };
  await session(SET, { id: world.plans.premium, input });
  expect((await send('PATCH', of('auto-top-up'), { ...terms, ceiling: 6_001 })).body.meta).toMatchObject({
    code: 'parameter_invalid',
    reason_code: 'auto_top_up_key_ceiling',
  });
  expect((await send('PATCH', of('auto-top-up'), { ...terms, ceiling: 5_500 })).body.data.auto_top_up).toMatchObject({
    enabled: true,
    left_gb: 1,
    ceiling: 5_500,
    pause_minutes: 60,
    spent: 0,
  });
  const bought = await send('POST', of('top-ups'), { gigabytes: 10 });
  expect([bought.status, bought.body.data.auto_top_up]).toMatchObject([202, { is_buying: true, spent: 4_500 }]);
  expect((await send('POST', of('top-ups'), { gigabytes: 10 })).body.meta?.reason_code).toBe('top_up_is_bought');
  // Nothing is saved to pay with, so that accounts declines, and automatic top-ups are off.
  await world.stack.settle();
  expect((await send('GET', of('top-ups'))).body.data.auto_top_up).toMatchObject({ enabled: false, stopped: 'no_means', spent: 0 });
  expect((await send('PATCH', of('auto-top-up'), terms)).body.meta?.reason_code).toBe('top_up_needs_rule');
  await session(SET, { id: world.plans.premium, input });
  expect((await send('POST', of('top-ups'), { gigabytes: 50 })).body.meta?.reason_code).toBe('top_up_over_ceiling');
  expect((await send('DELETE', of('auto-top-up'))).body.data.auto_top_up).toMatchObject({ enabled: false, stopped: null });
});

test('a key without the scope reads, and changes nothing', async () => {
  const reader = await world.key();
  for (const [method, path, body] of [
    ['POST', of('networks'), { network: '9.9.9.9' }],
    ['PATCH', of('log-in'), { networks_and_password: true }],
    ['PATCH', of('alerts'), {}],
    ['PATCH', of('request-log'), { mode: 'off' }],
    ['POST', of('top-ups'), { gigabytes: 5 }],
    ['DELETE', of('auto-top-up'), undefined],
    ['GET', of('top-ups/price?gigabytes=5'), undefined],
  ] as const)
    expect(await send(method, path, body, reader)).toMatchObject({ status: 403, body: { meta: { required_scope: 'plans' } } });
  expect((await send('GET', of('top-ups'), undefined, reader)).status).toBe(200);
});

test('an assistant uses the same inputs', async () => {
  const client = await modernClient(world.url, key);
  const added: Loose = await client.call('add_client_network', {
    product: world.plans.premium,
    network: '9.9.7.7',
    pool: 'Europe',
    sticky: false,
  });
  expect(added.structuredContent.networks).toMatchObject([{ network: '9.9.7.7/32', line: '-country-eu' }]);
  const alerts: Loose = await client.call('set_plan_alerts', { product: world.plans.premium, left_gb: [1] });
  expect(alerts.structuredContent.alerts).toMatchObject({ percents: [100], left_gb: [1] });
  await client.close();
});
