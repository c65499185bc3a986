// Bytes bought for an existing plan: they are added once, proxy lines stay valid, and a refund takes back the unused bytes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GB, MB } from '#platform/data-size.ts';
import { inTransaction } from '#platform/database.ts';
import { type EventOf, type NewEvent, appendEvents } from '#platform/events.ts';
import { openOffer } from '#commerce/offers.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import { unusedOf } from '../../../../subgraphs/residential/plans/domain/top-up.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { remainingBytes } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { statusOf } from '../../../../subgraphs/residential/plans/domain/plan-status.ts';
import { fulfilOrder } from '../../../../subgraphs/residential/plans/services/fulfil-order.ts';
import { askAs } from '../../../kit/dashboard.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { buyPackage, orderAndPay } from '../../../kit/purchase.ts';
import { startStack } from '../../../kit/stack.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
  await enrolOwnEdge(world.context(), 'node');
});
afterAll(() => world?.close());

const paid = ({ id: planId, accountId, product }: Plan, orderId: string, bytes: bigint): EventOf<'order.paid'> => {
  const fulfil = { product, bytes: bytes.toString(), planId };
  return { type: 'order.paid', at: world.clock.now(), accountId, subject: orderId, data: { seller: 'residential', title: 'More', fulfil } };
};
const topUp = async (plan: Plan, orderId: string, bytes: bigint) => {
  await inTransaction(world.context(), (tx) => fulfilOrder(tx, paid(plan, orderId, bytes)));
  return world.planNow(plan.id);
};
const tell = async (type: 'order.withdrawn' | 'order.refunded' | 'purchase.frozen' | 'purchase.thawed', plan: Plan, orderId: string) => {
  const data = type.startsWith('order') ? { seller: 'residential', fulfil: {} } : { seller: 'residential', orderId };
  const event = { type, at: world.clock.now(), accountId: plan.accountId, subject: orderId, data } as NewEvent;
  await inTransaction(world.context(), (tx) => appendEvents(tx.em, event));
  await world.subgraph.reader.drain();
  return world.planNow(plan.id);
};
const lease = async (plan: Plan, bytes: bigint) =>
  (
    await syncLeases(world.context(), 'node', {
      reports: [],
      wants: [{ planId: plan.id, epoch: 1, bytes: Number(bytes), starved: false }],
    })
  ).grants[0];
const typesOf = async ({ id }: Plan) => (await world.events(id)).map(({ type }) => type);

describe('the oldest bytes are used first', () => {
  const plan = (usedBytes: bigint, totalBytes = 15n) => ({ orderId: 'own', totalBytes, usedBytes });
  const added = [
    { orderId: 'a', bytes: 3n },
    { orderId: 'b', bytes: 2n },
  ];
  test.each([
    ['own', 8n, 2n],
    ['own', 11n, 0n],
    ['a', 8n, 3n],
    ['a', 12n, 1n],
    ['b', 12n, 2n],
    ['b', 15n, 0n],
    ['b', 99n, 0n],
  ])('of %s, after %i used of 10 + 3 + 2, %i are unused', (orderId, used, unusedBytes) => {
    expect(unusedOf(orderId, plan(used), added)?.unusedBytes).toBe(unusedBytes);
  });
  test('support takes from the first order first, and an unknown order has added nothing', () => {
    expect(unusedOf('own', plan(0n, 4n), added)).toEqual({ unusedBytes: 0n, usedBytes: 0n });
    expect(unusedOf('stranger', plan(0n), added)).toBeUndefined();
  });
});

test('twenty parallel deliveries add once, also during reports; a used up plan works again', async () => {
  const plan = await world.plan('acct_many', 'PREMIUM', 5n * GB);
  await world.use(plan, 5n * GB);
  expect(statusOf(await world.planNow(plan.id))).toBe('EXPIRED');
  expect((await lease(plan, MB))?.outcome).toBe('used_up');
  await Promise.all([
    ...Array.from({ length: 20 }, () => topUp(plan, 'ord_many', 2n * GB)),
    ...Array.from({ length: 5 }, () => world.use(plan, 10n * MB)),
  ]);
  const now = await world.planNow(plan.id);
  expect([now.totalBytes, remainingBytes(now), statusOf(now), now.username, now.credentialEpoch]).toEqual([
    7n * GB,
    2n * GB - 50n * MB,
    'ACTIVE',
    plan.username,
    plan.credentialEpoch,
  ]);
  expect((await lease(plan, MB))?.outcome).toBe('granted');
  const types = await typesOf(plan);
  expect(types.filter((type) => type === 'residential_plan.topped_up')).toHaveLength(1);
  expect(types.filter((type) => type === 'fulfilment.delivered')).toHaveLength(1);
  expect(types).toEqual(expect.arrayContaining(['residential_plan.resumed', 'residential_plan.balance_resolved']));
  const { data } = await world.ask(
    sessionOf('acct_many'),
    'query ($id: ID!) { residentialPlan(id: $id) { totalBytes topUps { orderId bytes takenBackAt } } }',
    {
      id: plan.id,
    },
  );
  expect(data).toEqual({
    residentialPlan: { totalBytes: String(7n * GB), topUps: [{ orderId: 'ord_many', bytes: String(2n * GB), takenBackAt: null }] },
  });
});

test('a withdrawn order takes its unused bytes, once, and the plan goes on with the rest', async () => {
  const plan = await world.plan('acct_back');
  await topUp(plan, 'ord_back_1', 3n * GB);
  await topUp(plan, 'ord_back_2', 2n * GB);
  await world.use(plan, 11n * GB);
  for (let round = 0; round < 2; round++) expect((await tell('order.withdrawn', plan, 'ord_back_1')).totalBytes).toBe(13n * GB);
  // The plan's first order is withdrawn too, but all of its bytes were used.
  const own = await tell('order.withdrawn', plan, plan.orderId);
  expect([own.totalBytes, own.withdrawn, statusOf(own)]).toEqual([13n * GB, false, 'ACTIVE']);
  const last = await tell('order.withdrawn', plan, 'ord_back_2');
  expect([last.totalBytes, last.withdrawn, statusOf(last)]).toEqual([11n * GB, true, 'EXPIRED']);
  expect((await typesOf(plan)).filter((type) => type === 'residential_plan.withdrawn')).toHaveLength(3);
});

test('bytes that are leased to nodes are not taken', async () => {
  const plan = await world.plan('acct_held', 'PREMIUM', GB);
  await world.use(plan, GB);
  await topUp(plan, 'ord_held', GB);
  const granted = await lease(plan, 32n * MB);
  const now = await tell('order.withdrawn', plan, 'ord_held');
  expect(now.totalBytes).toBe(GB + BigInt(granted?.bytes ?? 0));
});

test('an order refunded during its delivery leaves the plan as it was; one refunded before adds nothing', async () => {
  const plan = await world.plan('acct_moment');
  await topUp(plan, 'ord_moment', GB);
  const now = await tell('order.refunded', plan, 'ord_moment');
  expect([now.totalBytes, statusOf(now)]).toEqual([10n * GB, 'ACTIVE']);
  await tell('order.refunded', plan, 'ord_before');
  expect((await topUp(plan, 'ord_before', GB)).totalBytes).toBe(10n * GB);
});

test('a plan that was topped up is never deleted with the order that made it', async () => {
  const plan = await world.plan('acct_kept');
  await topUp(plan, 'ord_kept', 2n * GB);
  const now = await tell('order.refunded', plan, plan.orderId);
  expect([now.totalBytes, statusOf(now)]).toEqual([2n * GB, 'ACTIVE']);
});

test('the order fails if the plan is withdrawn, of another account or unknown', async () => {
  const over = await world.plan('acct_over');
  await tell('order.withdrawn', over, over.orderId);
  const others = await world.plan('acct_others');
  await topUp(over, 'ord_over', GB);
  await topUp({ ...others, accountId: 'acct_over' }, 'ord_others', GB);
  await topUp({ ...over, id: 'plan_gone' }, 'ord_gone', GB).catch(() => {});
  const failed = await world.query(`select data->>'orderId' as id from platform.event where type = 'fulfilment.failed' order by 1`);
  expect(failed).toEqual([{ id: 'ord_gone' }, { id: 'ord_others' }, { id: 'ord_over' }]);
  expect((await world.planNow(others.id)).totalBytes).toBe(10n * GB);
});

test('the plan is suspended while any of its payments is disputed', async () => {
  const plan = await world.plan('acct_frozen');
  await topUp(plan, 'ord_frozen', GB);
  expect((await tell('purchase.frozen', plan, 'ord_frozen')).accountSuspended).toBe(true);
  expect((await lease(plan, MB))?.outcome).toBe('suspended');
  expect((await tell('purchase.frozen', plan, plan.orderId)).accountSuspended).toBe(true);
  expect((await tell('purchase.thawed', plan, 'ord_frozen')).accountSuspended).toBe(true);
  expect((await tell('purchase.thawed', plan, plan.orderId)).accountSuspended).toBe(false);
});

describe('an offer of more bytes', () => {
  const OFFER = `query ($plan: ID!, $gigabytes: Int!) { residentialTopUpOffer(planId: $plan, gigabytes: $gigabytes) { token title total { amountMinor } } }`;
  test('has the price of a package of its volume, and says which plan it is for', async () => {
    const plan = await world.plan('acct_offer', 'MOBILE');
    await world.use(plan, 10n * GB);
    const { data } = await world.ask(sessionOf('acct_offer'), OFFER, { plan: plan.id, gigabytes: 10 });
    expect(data).toMatchObject({ residentialTopUpOffer: { title: 'Mobile, +10 GB', total: { amountMinor: 6_000 } } });
    const { token } = (data as { residentialTopUpOffer: { token: string } }).residentialTopUpOffer;
    const { fulfil } = openOffer(token, 'acct_offer', world.platform.secrets.offers, world.clock);
    expect(fulfil).toEqual({ product: 'MOBILE', bytes: String(10n * GB), planId: plan.id });
  });
  test('is refused for another account, for a key, without a volume, and for a withdrawn plan', async () => {
    const plan = await world.plan('acct_refused');
    const asked = { plan: plan.id, gigabytes: 5 };
    expect(codesOf(await world.ask(sessionOf('acct_stranger'), OFFER, asked))).toEqual(['plan_not_found']);
    expect(codesOf(await world.ask(keyOf('acct_refused'), OFFER, asked))).toEqual(['forbidden']);
    expect(codesOf(await world.ask(sessionOf('acct_refused'), OFFER, { ...asked, gigabytes: 0 }))).toEqual(['quantity_invalid']);
    await tell('order.withdrawn', plan, plan.orderId);
    expect(codesOf(await world.ask(sessionOf('acct_refused'), OFFER, asked))).toEqual(['action_not_allowed']);
  });
});

test('a top-up by card returns to the plan, with an invoice; a refund by support takes it back', async () => {
  const stack = await startStack();
  try {
    const owner = await stack.seed.account();
    const { planId } = await buyPackage(stack, owner);
    const ask = askAs(stack.url, await owner.cookie());
    const totalNow = async () =>
      (
        await ask<{ residentialPlan: { totalBytes: string } }>('query ($id: ID!) { residentialPlan(id: $id) { totalBytes } }', {
          id: planId,
        })
      ).residentialPlan.totalBytes;
    const { residentialTopUpOffer } = await ask<{ residentialTopUpOffer: { token: string } }>(
      'query ($id: ID!) { residentialTopUpOffer(planId: $id, gigabytes: 3) { token } }',
      { id: planId },
    );
    const order = await orderAndPay(stack, ask, residentialTopUpOffer.token);
    expect([order.status, order.resourceId, await totalNow()]).toEqual(['FULFILLED', planId, String(8n * GB)]);
    await stack.sandbox.mail.waitFor({ to: owner.email, subject: 'Paid: Premium, +3 GB' });
    const { gateway } = stack.server;
    const viewer = sessionOf((await stack.seed.account({ role: 'STAFF' })).id, true);
    const refund = gateway.prepare('mutation ($input: SupportOrderRefundInput!) { supportOrderRefund(input: $input) { id } }');
    const input = { orderId: order.id, destination: 'CREDIT', reason: 'By mistake', service: 'END_NOW', idempotencyKey: 'back-by-support' };
    expect((await gateway.execute(refund, { variables: { input }, viewer })).errors).toBeUndefined();
    await stack.settle();
    expect(await totalNow()).toBe(String(5n * GB));
  } finally {
    await stack.close();
  }
});
