// What sellers tell about a paid order. The test plays the seller, with the present events and with the older ones, from before all sellers shared one type.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';
import { refuseRows } from '../../../../kit/table-faults.ts';
import { eventsOf, rowOf, rowsOf } from '../../../../kit/tables.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await startBilling();
});
afterAll(() => world.close());

let people = 0;
async function paid() {
  const owner = await world.account(`owner${++people}@example.com`);
  const { id } = await world.buy(owner);
  return { owner, orderId: id };
}
const tell = async (...events: NewEvent[]) => {
  await appendEvents(world.context().em, ...events);
  await world.subgraph.reader.drain();
};
const about = ({ id }: Person, subject: string) => ({ at: world.clock.now(), accountId: id, subject });
const orderRow = async (id: string) =>
  await rowOf<{ status: string; resource_id: string | null }>(
    world.query,
    'accounts.customer_order',
    { id },
    { columns: 'status, resource_id' },
  );
const factsOf = async (id: string) => (await eventsOf(world.query, id)).map(({ type }) => type);
const mailsTo = async ({ email }: Person) =>
  (await rowsOf<{ kind: string }>(world.query, 'accounts.mail', { recipient: email }, { orderBy: 'id' })).map(({ kind }) => kind);

test('an order is fulfilled by the one word of all sellers', async () => {
  const { owner, orderId } = await paid();
  await tell({ type: 'fulfilment.delivered', ...about(owner, 'thing_1'), data: { orderId } });
  expect(await orderRow(orderId)).toEqual({ status: 'FULFILLED', resource_id: 'thing_1' });
});

const BEFORE: [string, (owner: Person, orderId: string) => NewEvent][] = [
  [
    'compute_dedicated.delivered',
    (owner, orderId) => ({ type: 'compute_dedicated.delivered', ...about(owner, 'old_1'), data: { orderId } }),
  ],
  ['compute_vps.adjusted', (owner, orderId) => ({ type: 'compute_vps.adjusted', ...about(owner, 'old_1'), data: { orderId } })],
  [
    'compute_vps.created',
    (owner, orderId) => ({ type: 'compute_vps.created', ...about(owner, 'old_1'), data: { orderId, hostname: 'web-1' } }),
  ],
  [
    'residential_plan.created',
    (owner, orderId) => ({
      type: 'residential_plan.created',
      ...about(owner, 'old_1'),
      data: { orderId, planId: 'old_1', product: 'PREMIUM', bytes: '5000000000' },
    }),
  ],
  [
    'static_plan.delivered',
    (owner, orderId) => ({ type: 'static_plan.delivered', ...about(owner, 'old_1'), data: { orderId, quantity: 2 } }),
  ],
];

test.each(BEFORE)('%s, which an earlier release wrote and nobody has read, still delivers', async (_, before) => {
  const { owner, orderId } = await paid();
  await tell(before(owner, orderId));
  expect(await orderRow(orderId)).toEqual({ status: 'FULFILLED', resource_id: 'old_1' });
});

test.each(BEFORE)('%s beside the one word delivers once', async (_, before) => {
  const { owner, orderId } = await paid();
  await tell({ type: 'fulfilment.delivered', ...about(owner, 'new_1'), data: { orderId } }, before(owner, orderId));
  expect(await orderRow(orderId)).toEqual({ status: 'FULFILLED', resource_id: 'new_1' });
  expect((await factsOf(orderId)).filter((type) => type === 'order.fulfilled')).toHaveLength(1);
});

test('the mail about a new server is sent once, and one that cannot be written holds up no delivery', async () => {
  const [first, second] = [await paid(), await paid()];
  const ready = ({ owner, orderId }: typeof first): NewEvent[] => [
    { type: 'fulfilment.delivered', ...about(owner, `vps_of_${orderId}`), data: { orderId } },
    { type: 'compute_vps.created', ...about(owner, `vps_of_${orderId}`), data: { orderId, hostname: 'web-1' } },
  ];
  await tell(...ready(first));
  expect((await mailsTo(first.owner)).filter((kind) => kind === 'server_ready')).toHaveLength(1);
  const mend = await refuseRows(world.query, 'accounts.mail', `kind <> 'server_ready' or created_at < '2000-01-01'`);
  await tell(...ready(second));
  expect(await orderRow(second.orderId)).toMatchObject({ status: 'FULFILLED' });
  expect(await mailsTo(second.owner)).not.toContain('server_ready');
  await mend();
  world.clock.advance(60_000);
  await world.subgraph.reader.drain();
  expect((await mailsTo(second.owner)).filter((kind) => kind === 'server_ready')).toHaveLength(1);
});

test.each<[string, (owner: Person, data: { orderId: string; reason: string }) => NewEvent[]]>([
  ['the one word', (owner, data) => [{ type: 'fulfilment.failed', ...about(owner, 'x'), data }]],
  ['what an earlier release wrote', (owner, data) => [{ type: 'compute_vps.failed', ...about(owner, 'x'), data }]],
  [
    'both',
    (owner, data) => [
      { type: 'fulfilment.failed', ...about(owner, 'x'), data },
      { type: 'static_plan.failed', ...about(owner, 'x'), data },
    ],
  ],
])('what cannot be delivered is paid back once, by %s', async (_, failed) => {
  const { owner, orderId } = await paid();
  await tell(...failed(owner, { orderId, reason: 'no room' }));
  expect(await orderRow(orderId)).toMatchObject({ status: 'REFUNDED' });
  expect(await rowsOf(world.query, 'accounts.refund', { order_id: orderId })).toHaveLength(1);
  expect((await mailsTo(owner)).filter((kind) => kind === 'not_delivered')).toHaveLength(1);
});
