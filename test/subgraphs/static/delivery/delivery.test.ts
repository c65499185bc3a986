import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { applyPlanEvent } from '../../../../subgraphs/static/plans/services/apply-plan-event.ts';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { waiters } from '../../../kit/locks.ts';
import { staticTables } from '../tables.ts';
import { type StaticWorld, startStatic } from '../world.ts';
import { addRow, eventsOf, queryOf, rowOf, rowsOf } from '../../../kit/tables.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic({ ADDRESS_REST_HOURS: '48', STATIC_DELIVERY_HOURS: '1000', DATABASE_POOL: '16' });
});
afterAll(() => world.close());

const held = (planId: string) => world.tables.ipsOf(planId);
const statusOf = async (planId: string) => (await world.tables.plan(planId))?.status;
const factsOf = async (planId: string) => (await eventsOf(world.query, planId)).map(({ type }) => type);

/** Checks that holders and history agree, that no plan has too few or too many addresses, and that no undelivered or ended plan has any. */
afterEach(async () => {
  const wrong = await world.tables.contradictions();
  expect(wrong).toEqual({ holders_without_history: 0, short_or_over: 0, held_by_unfinished: 0 });
});

test('a plan is delivered by its job, once, with as many addresses as were bought', async () => {
  await world.stock('isp-northline', 5, '10.1');
  const planId = await world.plan('acct_1', 'isp-northline', 3);
  await world.platform.queue.drain();
  expect(await statusOf(planId)).toBe('ACTIVE');
  expect(await held(planId)).toHaveLength(3);
  expect(await deliverPlan(world.context(), planId)).toBe('nothing_to_do');
  expect(await held(planId)).toHaveLength(3);
  expect(await factsOf(planId)).toEqual(['static_plan.created', 'fulfilment.delivered', 'static_plan.delivered']);
});

test('an order announced ten times at once has one plan', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => world.plan('acct_1', 'isp-meridian', 1, 'ord_same')));
  expect(new Set(ids).size).toBe(1);
  expect(await rowsOf(world.query, 'static.plan', { order_id: 'ord_same' })).toHaveLength(1);
});

test('a plan that the stock cannot fill stays PENDING without any address, and is delivered when there is stock', async () => {
  await world.stock('isp-bluewire', 2, '10.2');
  const planId = await world.plan('acct_1', 'isp-bluewire', 3);
  expect(await deliverPlan(world.context(), planId)).toBe('out_of_stock');
  expect([await statusOf(planId), await held(planId)]).toEqual(['PENDING', []]);
  await world.stock('isp-bluewire', 1, '10.3');
  await world.platform.queue.runNow('static.plan-deliver-pending');
  expect([await statusOf(planId), (await held(planId)).length]).toEqual(['ACTIVE', 3]);
});

test('sixty parallel buyers of more than the stock: every address has one holder, and no address is left that fits an order', async () => {
  await world.stock('isp-cascade', 100, '10.4');
  const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => world.plan(`acct_${index}`, 'isp-cascade', 2)));
  const outcomes = await Promise.all(ids.map((id) => deliverPlan(world.context(), id)));
  await world.platform.queue.drain();
  await world.platform.queue.runNow('static.plan-deliver-pending');
  const rows = await world.tables.plansByStatus('isp-cascade');
  expect(rows).toEqual([
    { status: 'ACTIVE', n: 50 },
    { status: 'PENDING', n: 10 },
  ]);
  expect(outcomes.filter((outcome) => outcome === 'out_of_stock').length).toBeGreaterThanOrEqual(10);
  expect(await rowsOf(world.query, 'static.address', { product_id: 'isp-cascade', plan_id: null })).toHaveLength(0);
});

test('buyers and leavers in parallel, in many rounds, neither sell an address twice nor lose one', async () => {
  await world.stock('datacenter', 40, '10.5');
  let live: string[] = [];
  for (let round = 0; round < 6; round++) {
    const fresh = await Promise.all(Array.from({ length: 12 }, (_, index) => world.plan(`acct_${index}`, 'datacenter', 1 + (index % 4))));
    const leaving = live.splice(0, 6);
    await Promise.all([
      ...fresh.map((id) => deliverPlan(world.context(), id)),
      ...fresh.slice(0, 4).map((id) => deliverPlan(world.context(), id)),
      ...leaving.map((id) => applyPlanEvent(world.context(), id, 'period_ended')),
    ]);
    live = live.concat(fresh);
    world.platform.clock.advance(2 * DAY);
    await world.platform.queue.runNow('static.plan-deliver-pending');
  }
  await world.platform.queue.drain();
  const counts = await world.tables.addressesOf('datacenter');
  expect(counts).toEqual({ addresses: 40, different: 40 });
  const overlaps = await world.tables.overlaps();
  expect(overlaps).toEqual([]);
});

test('addresses that another transaction has locked are skipped if there are others, and waited for if not', async () => {
  await world.stock('isp-meridian', 2, '10.8');
  const other = world.context().em;
  await other.begin();
  onTestFinished(async () => void (other.isInTransaction() && (await other.rollback())));
  const [one] = await staticTables(queryOf(other)).lockFree('isp-meridian', 1);
  const first = await world.plan('acct_1', 'isp-meridian', 1);
  await world.platform.queue.drain();
  expect(await statusOf(first)).toBe('ACTIVE');
  expect(await held(first)).not.toEqual([one]);
  const second = await world.plan('acct_1', 'isp-meridian', 1);
  const waiting = deliverPlan(world.context(), second);
  await expect.poll(async () => (await waiters(world.query, 'with free as')).length, { timeout: 20_000 }).toBeGreaterThan(0);
  await other.rollback();
  expect(await waiting).toMatch(/delivered|nothing_to_do/);
  expect(await held(second)).toEqual([one]);
});

test('an address cannot be on two plans', async () => {
  const address = await world.tables.heldAddress();
  const other = (await rowsOf<{ id: string }>(world.query, 'static.plan')).find(({ id }) => id !== address?.plan_id);
  const tenure = { address_id: address?.id, plan_id: other?.id, started_at: 'now' };
  await expect(addRow(world.query, 'static.tenure', tenure)).rejects.toThrow('tenure_of_one_holder');
});

test('a suspended plan keeps its addresses, also when it is paid again; an expired one releases them', async () => {
  await world.stock('isp-northline', 3, '10.6');
  const planId = await world.plan('acct_1', 'isp-northline', 2);
  await deliverPlan(world.context(), planId);
  const addresses = await held(planId);
  expect(await applyPlanEvent(world.context(), planId, 'retries_exhausted')).toBe('SUSPENDED');
  expect(await applyPlanEvent(world.context(), planId, 'retries_exhausted')).toBe('SUSPENDED');
  expect(await held(planId)).toEqual(addresses);
  expect(await applyPlanEvent(world.context(), planId, 'paid')).toBe('ACTIVE');
  expect(await held(planId)).toEqual(addresses);
  await applyPlanEvent(world.context(), planId, 'retries_exhausted');
  expect(await applyPlanEvent(world.context(), planId, 'grace_over')).toBe('EXPIRED');
  expect(await held(planId)).toEqual([]);
  expect(await applyPlanEvent(world.context(), planId, 'paid')).toBe('EXPIRED');
  expect(await factsOf(planId)).toEqual([
    'static_plan.created',
    'fulfilment.delivered',
    'static_plan.delivered',
    'static_plan.suspended',
    'static_plan.resumed',
    'static_plan.suspended',
    'static_plan.expired',
  ]);
});

test('an address rests for the configured time before its next customer', async () => {
  await world.stock('isp-meridian', 1, '10.7');
  await world.platform.queue.runNow('static.plan-deliver-pending');
  const holder = await rowOf<{ plan_id: string }>(world.query, 'static.address', { ip: '10.7.0.0' });
  await applyPlanEvent(world.context(), holder?.plan_id ?? '', 'period_ended');
  const nextId = await world.plan('acct_2', 'isp-meridian', 1);
  await world.platform.queue.drain();
  world.platform.clock.advance(48 * HOUR - 1);
  expect(await deliverPlan(world.context(), nextId)).toBe('out_of_stock');
  world.platform.clock.advance(1);
  expect(await deliverPlan(world.context(), nextId)).toBe('delivered');
  expect(await held(nextId)).toEqual(['10.7.0.0']);
});

test('the delivery of an unknown plan does nothing', async () => {
  expect(await deliverPlan(world.context(), 'isp_absent')).toBe('nothing_to_do');
  expect(await applyPlanEvent(world.context(), 'isp_absent', 'paid')).toBeUndefined();
});
