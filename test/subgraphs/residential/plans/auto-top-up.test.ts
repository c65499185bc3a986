// Automatic top-ups on the seller's side: one request each time a plan falls below its threshold, up to the month's ceiling.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { GB, MB } from '#platform/data-size.ts';
import { inTransaction } from '#platform/database.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { openOffer } from '#commerce/offers.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
  await enrolOwnEdge(world.context(), 'north');
  await enrolOwnEdge(world.context(), 'south');
});
afterAll(() => world?.close());

const SET = `mutation ($id: ID!, $input: AutoTopUpInput) { residentialPlanSetAutoTopUp(id: $id, input: $input) { autoTopUp {
  enabled off leftBytes gigabytes ceiling { amountMinor } spent { amountMinor } pauseMinutes isBuying nextAt } } }`;
/** 5 GB of Premium cost 25.00. */
const TERMS = { leftBytes: GB.toString(), gigabytes: 5, ceilingMinor: 6_000, pauseMinutes: 60 };
const set = (plan: Plan, input: object | null = TERMS, by = plan.accountId) => world.ask(sessionOf(by), SET, { id: plan.id, input });
const ruleOf = async ({ id, accountId }: Plan) => {
  const { data } = await world.ask(
    sessionOf(accountId),
    'query ($id: ID!) { residentialPlan(id: $id) { autoTopUp { enabled off spent { amountMinor } isBuying nextAt } } }',
    { id },
  );
  return (data as { residentialPlan: { autoTopUp: object | null } }).residentialPlan.autoTopUp;
};
const eventsOf = async ({ id }: Plan, type: string) =>
  (await world.events(id)).filter((event) => event.type === `residential_plan.${type}`);
const asked = async (plan: Plan) => (await eventsOf(plan, 'top_up_asked')).map(({ data }) => data as { requestId: string; offer: string });
const say = async (event: Omit<NewEvent, 'at'>) => {
  await inTransaction(world.context(), (tx) => appendEvents(tx.em, { ...event, at: world.clock.now() } as NewEvent));
  await world.subgraph.reader.drain();
};
const decline = ({ id: planId, accountId }: Plan, requestId: string, why: string) =>
  say({ type: 'top_up.declined', accountId, subject: planId, data: { planId, requestId, why, words: 'No.' } } as Omit<NewEvent, 'at'>);
/** Appends the event of accounts that the order of the last request is paid or expired. */
const order = async (plan: Plan, type: 'order.paid' | 'order.expired', orderId: string) => {
  const { requestId = '' } = (await asked(plan)).at(-1) ?? {};
  const fulfil = { product: plan.product, bytes: (5n * GB).toString(), planId: plan.id, requestId };
  const data = { seller: 'residential', fulfil, ...(type === 'order.paid' && { title: 'More' }) };
  await say({ type, accountId: plan.accountId, subject: orderId, data } as Omit<NewEvent, 'at'>);
};
const later = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  await world.platform.queue.runNow('residential.top-ups-due');
};

test('reports and leases of two nodes that cross the threshold together request one order, at the current price', async () => {
  const plan = await world.plan('acct_race', 'PREMIUM', 2n * GB);
  await set(plan);
  await world.use(plan, 900n * MB);
  expect(await asked(plan)).toEqual([]);
  const lease = async (edge: string) => {
    const want = { planId: plan.id, epoch: 1, bytes: Number(64n * MB), starved: false };
    const { grants } = await syncLeases(world.context(), edge, { reports: [], wants: [want] });
    const spent = { country: 'de', session: null, host: '', client: '', up: 0, down: grants[0]?.bytes ?? 0 };
    return { edge, report: { lease: grants[0]?.lease ?? '', parts: [spent], final: true } };
  };
  const leases = [await lease('north'), await lease('south')];
  await Promise.all([
    ...leases.map(({ edge, report }) => syncLeases(world.context(), edge, { reports: [report], wants: [] })),
    ...Array.from({ length: 12 }, () => world.use(plan, 20n * MB)),
  ]);
  const [request, ...others] = await asked(plan);
  expect(others).toEqual([]);
  const terms = openOffer(request?.offer ?? '', 'acct_race', world.platform.secrets.offers, world.clock);
  expect(terms).toMatchObject({ id: request?.requestId, totalMinor: 2_500, fulfil: { planId: plan.id, bytes: (5n * GB).toString() } });
  expect(await ruleOf(plan)).toMatchObject({ isBuying: true, spent: { amountMinor: 2_500 } });
});

test('after a purchase it waits for its pause, requests again, and stops at the month’s ceiling with one event', async () => {
  const plan = await world.plan('acct_pause', 'PREMIUM', 2n * GB);
  await set(plan);
  await world.use(plan, 2n * GB);
  await order(plan, 'order.paid', 'ord_pause_1');
  expect((await world.planNow(plan.id)).totalBytes).toBe(7n * GB);
  expect(await ruleOf(plan)).toMatchObject({ isBuying: false, enabled: true });
  await world.use(plan, 5n * GB);
  await later(59 * MINUTE);
  expect(await asked(plan)).toHaveLength(1);
  await later(2 * MINUTE);
  expect(await asked(plan)).toHaveLength(2);
  await order(plan, 'order.paid', 'ord_pause_2');
  await later(61 * MINUTE);
  // 50.00 of the ceiling of 60.00 are spent.
  for (let round = 0; round < 3; round++) await world.use(plan, 2n * GB);
  expect(await asked(plan)).toHaveLength(2);
  expect((await eventsOf(plan, 'top_up_held')).map(({ data }) => data)).toEqual([
    { planId: plan.id, title: 'Premium, +5 GB', ceiling: expect.stringContaining('60') },
  ]);
  await later(31 * DAY);
  expect(await asked(plan)).toHaveLength(3);
  expect(await ruleOf(plan)).toMatchObject({ spent: { amountMinor: 2_500 } });
});

test('a decline switches it off, with the bank’s words; switched on again it requests at once', async () => {
  const plan = await world.plan('acct_decline', 'PREMIUM', GB);
  await set(plan);
  await world.use(plan, 500n * MB);
  const [request] = await asked(plan);
  await decline(plan, 'off_another', 'DECLINED');
  expect(await ruleOf(plan)).toMatchObject({ enabled: true, isBuying: true });
  for (let round = 0; round < 2; round++) await decline(plan, request?.requestId ?? '', 'DECLINED');
  expect(await ruleOf(plan)).toMatchObject({ enabled: false, off: 'DECLINED', isBuying: false, spent: { amountMinor: 0 } });
  expect((await eventsOf(plan, 'top_up_stopped')).map(({ data }) => data)).toEqual([
    { planId: plan.id, title: 'Premium', why: 'DECLINED', words: 'No.' },
  ]);
  await world.use(plan, 100n * MB);
  await later(2 * DAY);
  expect(await asked(plan)).toHaveLength(1);
  await set(plan);
  expect(await asked(plan)).toHaveLength(2);
});

test('after a temporary failure or an expired order it requests again after the pause, and neither counts for the ceiling', async () => {
  const plan = await world.plan('acct_again', 'PREMIUM', GB);
  await set(plan, { ...TERMS, ceilingMinor: 2_500 });
  await world.use(plan, 500n * MB);
  await decline(plan, (await asked(plan))[0]?.requestId ?? '', 'PASSING');
  await later(61 * MINUTE);
  expect(await asked(plan)).toHaveLength(2);
  await order(plan, 'order.expired', 'ord_again');
  expect(await ruleOf(plan)).toMatchObject({ isBuying: false, enabled: true, spent: { amountMinor: 0 } });
  await later(61 * MINUTE);
  expect(await asked(plan)).toHaveLength(3);
});

test('nothing is requested while the account is suspended, or once it is switched off', async () => {
  const plan = await world.plan('acct_still', 'PREMIUM', GB);
  await set(plan);
  await say({ type: 'account.suspended', accountId: 'acct_still', subject: 'acct_still', data: { reason: 'x' } } as Omit<NewEvent, 'at'>);
  await world.use(plan, 500n * MB);
  expect(await asked(plan)).toEqual([]);
  await say({ type: 'account.restored', accountId: 'acct_still', subject: 'acct_still', data: { reason: 'x' } } as Omit<NewEvent, 'at'>);
  await set(plan, null);
  await later(61 * MINUTE);
  expect([await asked(plan), await ruleOf(plan)]).toMatchObject([[], { enabled: false, off: null }]);
  await set(plan);
  expect(await asked(plan)).toHaveLength(1);
});

test.each([
  [{ gigabytes: 0 }, 'quantity_invalid'],
  [{ leftBytes: '99999999' }, 'parameter_invalid'],
  [{ pauseMinutes: 4 }, 'parameter_invalid'],
  [{ ceilingMinor: 2_499 }, 'parameter_invalid'],
  [{ ceilingMinor: 10_000_001 }, 'parameter_invalid'],
])('%j is refused', async (over, code) => {
  const plan = await world.plan('acct_terms');
  expect(codesOf(await set(plan, { ...TERMS, ...over }))).toEqual([code]);
  expect(await ruleOf(plan)).toBeNull();
});

test('another account has no such plan', async () => {
  expect(codesOf(await set(await world.plan('acct_mine'), TERMS, 'acct_stranger'))).toEqual(['plan_not_found']);
});
