import { afterAll, beforeAll, expect, test } from 'vitest';
import { CUSTOMER_EVENTS, type CustomerEventType } from '../../../../../schema/customer-events.ts';
import type { Fact } from '../../../../kit/events.ts';
import type { Person } from '../../billing/world.ts';
import type { Receiver } from '../receiver.ts';
import { type WebhooksWorld, paused, startWebhooks } from '../world.ts';

let world: WebhooksWorld;
let receiver: Receiver;
let owner: Person;
beforeAll(async () => {
  world = await startWebhooks();
  receiver = await world.receiver();
  owner = await world.account('ada@example.com');
  await world.endpoint(owner.viewer, receiver.url);
});
afterAll(() => world.close());

const of = (subject: string) => ({ accountId: owner.id, subject });

const FACTS: [CustomerEventType, () => Fact, object][] = [
  [
    'residential_plan.balance_low',
    () => ({
      type: 'residential_plan.balance_low',
      ...of('plan_1'),
      data: { planId: 'plan_1', title: 'Premium, 5 GB', percent: 95, leftBytes: '250000000' },
    }),
    { product_id: 'plan_1', title: 'Premium, 5 GB', percent: 95, left_gb: 0.25 },
  ],
  [
    'residential_plan.balance_resolved',
    () => ({ type: 'residential_plan.balance_resolved', ...of('plan_1'), data: { planId: 'plan_1', percent: 95, newPlanId: 'plan_2' } }),
    { product_id: 'plan_1', percent: 95, new_product_id: 'plan_2' },
  ],
  ['residential_plan.paused', () => paused(owner.id, 'plan_1'), { product_id: 'plan_1' }],
  [
    'residential_plan.resumed',
    () => ({ type: 'residential_plan.resumed', ...of('plan_1'), data: { planId: 'plan_1' } }),
    { product_id: 'plan_1' },
  ],
  [
    'residential_plan.expired',
    () => ({ type: 'residential_plan.expired', ...of('plan_1'), data: { planId: 'plan_1' } }),
    { product_id: 'plan_1' },
  ],
  [
    'residential_plan.ends_soon',
    () => ({
      type: 'residential_plan.ends_soon',
      ...of('plan_1'),
      data: { planId: 'plan_1', title: 'Premium, 5 GB', days: 7, leftBytes: '2500000000', validUntil: '2026-01-22T12:00:00.000Z' },
    }),
    { product_id: 'plan_1', title: 'Premium, 5 GB', days: 7, left_gb: 2.5, valid_until: '2026-01-22T12:00:00.000Z' },
  ],
  [
    'residential_plan.lapsed',
    () => ({
      type: 'residential_plan.lapsed',
      ...of('plan_1'),
      data: { planId: 'plan_1', title: 'Premium, 5 GB', bytes: '2500000000', validUntil: '2026-01-22T12:00:00.000Z' },
    }),
    { product_id: 'plan_1', title: 'Premium, 5 GB', lapsed_gb: 2.5, valid_until: '2026-01-22T12:00:00.000Z' },
  ],
  [
    'residential_plan.reset',
    () => ({ type: 'residential_plan.reset', ...of('plan_1'), data: { planId: 'plan_1', credentialEpoch: 2 } }),
    { product_id: 'plan_1', by: 'owner' },
  ],
  [
    'static_plan.delivered',
    () => ({ type: 'static_plan.delivered', ...of('isp_1'), data: { orderId: 'ord_1', quantity: 5 } }),
    { plan_id: 'isp_1', order_id: 'ord_1', quantity: 5 },
  ],
  [
    'static_plan.address_replaced',
    () => ({
      type: 'static_plan.replaced',
      ...of('isp_1'),
      data: { askedBy: 'PLATFORM', reason: 'It fails.', pairs: [{ gone: '192.0.2.7', came: '192.0.2.9' }] },
    }),
    { plan_id: 'isp_1', asked_by: 'platform', reason: 'It fails.', addresses: [{ gone: '192.0.2.7', came: '192.0.2.9' }] },
  ],
  ['static_plan.suspended', () => ({ type: 'static_plan.suspended', ...of('isp_1') }), { plan_id: 'isp_1' }],
  ['static_plan.resumed', () => ({ type: 'static_plan.resumed', ...of('isp_1') }), { plan_id: 'isp_1' }],
  [
    'server.ready',
    () => ({ type: 'compute_vps.created', ...of('vps_1'), data: { orderId: 'ord_1', hostname: 'web-1' } }),
    { server_id: 'vps_1', order_id: 'ord_1' },
  ],
  [
    'server.ready',
    () => ({ type: 'compute_dedicated.delivered', ...of('ded_1'), data: { orderId: 'ord_2' } }),
    { server_id: 'ded_1', order_id: 'ord_2' },
  ],
  ['server.removed', () => ({ type: 'compute_vps.deleted', ...of('vps_1'), data: { hostname: 'web-1' } }), { server_id: 'vps_1' }],
  [
    'order.fulfilled',
    () => ({ type: 'order.fulfilled', ...of('ord_1'), data: { resourceId: 'vps_1' } }),
    { order_id: 'ord_1', resource_id: 'vps_1' },
  ],
];

test.each(FACTS)('%s is told in the words of the API', async (type, fact, data) => {
  receiver.heard.length = 0;
  await world.tell(fact());
  expect(receiver.heard.map((each) => [each.type, each.data])).toEqual([[type, data]]);
  expect(CUSTOMER_EVENTS[type].data.strict().parse(receiver.heard[0]?.data)).toEqual(data);
});

const subscription = (orderId: string) => ({
  seller: 'compute',
  orderId,
  status: 'PAST_DUE' as const,
  version: 1,
  cancelAtPeriodEnd: false,
  currentPeriodStart: world.clock.now().toISOString(),
  currentPeriodEnd: world.clock.now().toISOString(),
});

test('a paid order tells of its invoice, once, and what is delivered of it', async () => {
  receiver.heard.length = 0;
  const { id: order } = await world.buy(owner);
  await world.settle();
  const invoices = () => receiver.heard.filter(({ type }) => type === 'invoice.paid');
  expect(invoices().map(({ data }) => data)).toEqual([
    { invoice_id: expect.stringMatching(/^inv_/), number: expect.stringMatching(/\d/), order_id: order, total: 2_500, currency: 'USD' },
  ]);
  // Tells `order.paid` again, as when support has an order delivered again.
  await world.tell({ type: 'order.paid', ...of(order), data: { title: 'Premium, 5 GB', seller: 'residential' } });
  expect(invoices()).toHaveLength(1);
});

test('a renewal that is not paid is told of, and of the server that stands still for it', async () => {
  const { id: order } = await world.buy(owner);
  await world.tell({ type: 'fulfilment.delivered', ...of('ded_7'), data: { orderId: order } });
  await world.settle();
  receiver.heard.length = 0;
  for (const verb of ['past_due', 'suspended', 'resumed', 'ended'] as const)
    await world.tell({ type: `subscription.${verb}`, ...of('sub_1'), data: subscription(order) });
  expect(receiver.heard.map(({ type, data }) => [type, data])).toEqual([
    ['invoice.failed', { subscription_id: 'sub_1', order_id: order }],
    ['server.suspended', { server_id: 'ded_7' }],
    ['server.resumed', { server_id: 'ded_7' }],
    ['server.removed', { server_id: 'ded_7' }],
  ]);
});

test('every type has a fact that makes it, and an example that its schema takes', () => {
  const made = new Set([...FACTS.map(([type]) => type), 'invoice.paid', 'invoice.failed', 'server.suspended', 'server.resumed']);
  expect(Object.keys(CUSTOMER_EVENTS).filter((type) => !made.has(type as CustomerEventType))).toEqual([]);
  for (const { data, example } of Object.values(CUSTOMER_EVENTS)) expect(data.strict().parse(example)).toEqual(example);
});

test('what was before the first end point is none of its events, and an account without any is told nothing', async () => {
  const bob = await world.account('bob@example.com');
  await world.tell(paused(bob.id, 'plan_x'));
  world.clock.advance(1_000);
  const his = await world.receiver();
  const { id } = await world.endpoint(bob.viewer, his.url);
  await world.settle();
  await world.must(bob.viewer, 'mutation ($id: ID!) { webhookEndpointReplay(id: $id, since: "2020-01-01T00:00:00Z") { id } }', { id });
  await world.settle();
  expect(his.requests).toEqual([]);
});
