// Automatic top-ups of a plan, from the low balance that starts one to the charge, with the room that really sells the plan.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { residential } from '../../../../../subgraphs/residential/subgraph.ts';
import { grantPlan } from '../../../../../subgraphs/residential/plans/services/grant-plan.ts';
import { receiveUsageReport } from '../../../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import type { Context } from '../../../../../subgraphs/residential/providers.ts';
import { planFaults } from '../../../../kit/faults.ts';
import { checkoutAt } from '../../../../kit/purchase.ts';
import { rowOf, rowsOf } from '../../../../kit/tables.ts';
import { dataOf } from '../../world.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await startBilling({}, { sellers: [residential] });
});
afterAll(() => world?.close());

const seller = () => world.sellers[0] as NonNullable<(typeof world.sellers)[0]>;
const ask = (person: Person, query: string, variables: Record<string, unknown>) =>
  createSubgraphRunner(seller(), world.platform.log).execute({ query, variables }, person.viewer);
const context = () => seller().systemContext('test') as Context;
const rest = async () => {
  for (let quiet = 0; quiet < 2;) quiet = (await world.settle()) ? 0 : quiet + 1;
};

async function saveCard({ viewer }: Person, number?: string): Promise<void> {
  const { url } = dataOf<{ url: string }>(await world.ask(viewer, 'mutation { cardAdd { url } }'), 'cardAdd');
  world.sandbox.card.payCheckout(checkoutAt(url), number);
  await rest();
}

interface Owned {
  person: Person;
  planId: string;
  use(bytes: bigint): Promise<void>;
}

/** An owner of a Premium plan of 2 GB, which is topped up by 5 GB when it falls below 1 GB. */
async function owner(name: string, ceilingMinor = 10_000): Promise<Owned> {
  const person = await world.account(`${name}@example.com`);
  const { planId } = await grantPlan(context(), { accountId: person.id, product: 'PREMIUM', bytes: 2n * GB });
  const input = { leftBytes: GB.toString(), gigabytes: 5, ceilingMinor, pauseMinutes: 60 };
  const set = await ask(
    person,
    'mutation ($id: ID!, $input: AutoTopUpInput) { residentialPlanSetAutoTopUp(id: $id, input: $input) { autoTopUp { enabled } } }',
    { id: planId, input },
  );
  expect(set.errors).toBeUndefined();
  const plan = await rowOf<{ username: string }>(world.query, 'residential.plan', { id: planId });
  let reports = 0;
  return {
    person,
    planId,
    async use(bytes) {
      const line = { line: 0, username: plan?.username ?? '', upBytes: 0n, downBytes: bytes, at: world.clock.now() };
      await receiveUsageReport(context(), { source: 'network', reportId: `${planId}:${++reports}`, lines: [line] });
    },
  };
}
const ordersOf = ({ person }: Owned) =>
  rowsOf<{ id: string; status: string; automatic: boolean; resource_id: string | null }>(
    world.query,
    'accounts.customer_order',
    { account_id: person.id },
    { orderBy: 'id' },
  );
const totalOf = async ({ planId }: Owned) =>
  (await rowOf<{ total_bytes: string }>(world.query, 'residential.plan', { id: planId }))?.total_bytes;
const ruleOf = async ({ planId }: Owned) =>
  rowOf<{ enabled: boolean; off: string | null; request_id: string | null }>(world.query, 'residential.auto_top_up', { plan_id: planId });
const meansOf = async ({ person }: Owned) =>
  (await rowOf<{ default_card_id: string }>(world.query, 'accounts.card_customer', { account_id: person.id }))?.default_card_id;
const subjects = async ({ person }: Owned) => (await world.mailed(person.email)).map(({ subject }) => subject);

test('the saved card is charged once, with a receipt, and the same plan has more', async () => {
  const ada = await owner('ada');
  await saveCard(ada.person);
  const before = world.sandbox.card.charges().length;
  await Promise.all(Array.from({ length: 6 }, () => ada.use(200n * (GB / 1_000n))));
  await rest();
  expect(await ordersOf(ada)).toMatchObject([{ status: 'FULFILLED', automatic: true, resource_id: ada.planId }]);
  expect(await totalOf(ada)).toBe(String(7n * GB));
  expect(world.sandbox.card.charges().slice(before)).toMatchObject([{ amount: 2_500, paid: true }]);
  expect(await subjects(ada)).toContain('Paid: Premium, +5 GB');
  // Running the job again charges nothing more.
  const [order] = await ordersOf(ada);
  await world.platform.queue.runNow('accounts.top-up-charge', { orderId: order?.id, meansId: 'pm_any' });
  expect(world.sandbox.card.charges().length).toBe(before + 1);
  expect(await ruleOf(ada)).toMatchObject({ enabled: true, request_id: null });
});

test('an answer of the processor that is lost after the charge is found, not charged again', async () => {
  const bea = await owner('bea');
  await saveCard(bea.person);
  const before = world.sandbox.card.charges().length;
  const { api, webhooks } = world.sandbox.card.faults;
  const fault = { fault: 'error_after_effect' as const, on: 'POST /v1/invoices/' };
  // At the processor the invoice is finalized and paid, though both answers fail; and no webhook tells us.
  planFaults(api.next, fault, fault);
  webhooks.drop = 1;
  await bea.use(1_500n * (GB / 1_000n));
  for (let round = 0; round < 4 && (await ordersOf(bea))[0]?.status !== 'FULFILLED'; round++) {
    await rest();
    const [order] = await ordersOf(bea);
    if (order?.status === 'PENDING')
      await world.platform.queue.runNow('accounts.top-up-charge', { orderId: order.id, meansId: await meansOf(bea) }).catch(() => {});
  }
  webhooks.drop = 0;
  expect(api.next).toEqual([]);
  expect(await ordersOf(bea)).toMatchObject([{ status: 'FULFILLED' }]);
  expect(world.sandbox.card.charges().slice(before)).toHaveLength(1);
});

test('a decline ends it: one attempt, no open charge, a mail, and nothing more is tried', async () => {
  const cem = await owner('cem');
  await saveCard(cem.person, '4000000000000341');
  const before = world.sandbox.card.charges().length;
  await cem.use(1_500n * (GB / 1_000n));
  await rest();
  expect(await ordersOf(cem)).toMatchObject([{ status: 'CANCELLED' }]);
  expect(await ruleOf(cem)).toMatchObject({ enabled: false, off: 'DECLINED', request_id: null });
  expect(world.sandbox.card.charges().slice(before)).toMatchObject([{ paid: false }]);
  expect(world.sandbox.card.invoices().filter(({ status }) => status === 'open')).toEqual([]);
  expect(await subjects(cem)).toContain('Automatic top-up is off: Premium');
  world.clock.advance(3_600_000 * 2);
  await world.platform.queue.runNow('residential.top-ups-due');
  await rest();
  expect(await ordersOf(cem)).toHaveLength(1);
  expect(await totalOf(cem)).toBe(String(2n * GB));
});

test('without anything saved it is off, with a mail; credit that covers all of it pays without a card', async () => {
  const dia = await owner('dia');
  await dia.use(1_500n * (GB / 1_000n));
  await rest();
  expect([await ordersOf(dia), await ruleOf(dia)]).toMatchObject([[], { enabled: false, off: 'NO_MEANS' }]);
  expect(await subjects(dia)).toContain('Automatic top-up is off: Premium');
  const eli = await owner('eli');
  await world.grant(eli.person.id, 2_500, (await world.account('desk@example.com', 'STAFF')).viewer);
  await eli.use(1_500n * (GB / 1_000n));
  await rest();
  expect(await ordersOf(eli)).toMatchObject([{ status: 'FULFILLED', credit_minor: '2500', total_minor: '0' }]);
  expect(await world.balance(eli.person)).toBe(0);
});
