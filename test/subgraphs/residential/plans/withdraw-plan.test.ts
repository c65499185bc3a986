// Support takes back bytes of a package: never those that are used or leased to nodes, and none twice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB, MB } from '#platform/data-size.ts';
import { appendEvents } from '#platform/events.ts';
import { syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { remainingBytes } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { statusOf } from '../../../../subgraphs/residential/plans/domain/plan-status.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
  await enrolOwnEdge(world.context(), 'node');
});
afterAll(() => world.close());

const staff = sessionOf('acct_staff', true);
const withdraw = (planId: string, leftBytes: bigint, by = staff, reason = 'A gift by mistake.') =>
  world.ask(
    by,
    'mutation ($input: SupportPlanWithdrawInput!) { supportPlanWithdraw(input: $input) { status totalBytes usage { remainingBytes } } }',
    {
      input: { planId, leftBytes: leftBytes.toString(), reason },
    },
  );
const lease = async (plan: Plan, bytes: bigint, reports: Parameters<typeof syncLeases>[2]['reports'] = []) =>
  (
    await syncLeases(world.context(), 'node', {
      reports,
      wants: bytes === 0n ? [] : [{ planId: plan.id, epoch: 1, bytes: Number(bytes), starved: false }],
    })
  ).grants[0];
const factsOf = async ({ id }: Plan) =>
  (await world.events(id)).filter(({ type }) => type === 'residential_plan.withdrawn').map(({ data }) => data);

test('a part is taken once, also after a retry, and the owner learns how much and why', async () => {
  const plan = await world.plan('acct_1');
  await world.use(plan, 2n * GB);
  for (let round = 0; round < 2; round++)
    expect((await withdraw(plan.id, 3n * GB)).data).toMatchObject({
      supportPlanWithdraw: { status: 'ACTIVE', totalBytes: (5n * GB).toString(), usage: { remainingBytes: (3n * GB).toString() } },
    });
  const [first] = await factsOf(plan);
  expect(first).toMatchObject({ bytes: (5n * GB).toString(), reason: 'A gift by mistake.', by: 'acct_staff', title: expect.any(String) });
});

test('more than is left, an unknown plan, no reason, and one’s own plan are refused', async () => {
  const plan = await world.plan('acct_2');
  expect(codesOf(await withdraw(plan.id, 11n * GB))).toEqual(['parameter_invalid']);
  expect(codesOf(await withdraw('plan_none', 0n))).toEqual(['plan_not_found']);
  expect(codesOf(await withdraw(plan.id, 0n, staff, ' '))).toEqual(['parameter_invalid']);
  expect(codesOf(await withdraw(plan.id, 0n, sessionOf('acct_2', true)))).toEqual(['own_account_refused']);
  expect(codesOf(await withdraw(plan.id, 0n, sessionOf('acct_2')))).toEqual(['forbidden']);
});

test('taking everything ends the plan at once; only leased bytes still flow, so no byte is used beyond the plan', async () => {
  const plan = await world.plan('acct_3');
  await world.use(plan, 1n * GB);
  const granted = await lease(plan, 32n * MB);
  expect(granted?.outcome).toBe('granted');
  expect(codesOf(await withdraw(plan.id, 1n * MB))).toEqual(['parameter_invalid']);
  expect((await withdraw(plan.id, 0n)).data).toMatchObject({ supportPlanWithdraw: { status: 'EXPIRED', usage: { remainingBytes: '0' } } });
  expect(codesOf(await withdraw(plan.id, 0n))).toEqual(['action_not_allowed']);
  // The node spends its whole lease, and asks for more.
  const spent = { country: 'de', session: null, host: '', client: '', up: 0, down: granted?.bytes ?? 0 };
  const more = await lease(plan, 1n * MB, [{ lease: granted?.lease ?? '', parts: [spent], final: true }]);
  expect(more?.outcome).toBe('used_up');
  const now = await world.planNow(plan.id);
  expect([now.upBytes + now.downBytes <= now.totalBytes, statusOf(now), remainingBytes(now)]).toEqual([true, 'EXPIRED', 0n]);
  expect((await world.events(plan.id)).map(({ type }) => type).filter((type) => type.includes('balance_low'))).toEqual([]);
});

test('two members of staff at the same time take it once', async () => {
  const plan = await world.plan('acct_4');
  const outcomes = await Promise.all([withdraw(plan.id, 0n), withdraw(plan.id, 0n), withdraw(plan.id, 1n * GB)]);
  expect(outcomes.filter(({ errors }) => !errors).length).toBeGreaterThanOrEqual(1);
  const taken = (await factsOf(plan)).reduce((sum, data) => sum + BigInt(String(data['bytes'])), 0n);
  expect(taken).toBe(10n * GB);
});

test('an order that support withdraws ends its plan, used or not, once', async () => {
  const [used, unused] = [await world.plan('acct_5'), await world.plan('acct_5')];
  await world.use(used, 1n * GB);
  for (const { orderId: subject } of [used, unused, used])
    await appendEvents(world.context().em, {
      type: 'order.withdrawn',
      at: world.clock.now(),
      accountId: 'acct_5',
      subject,
      data: { seller: 'residential', fulfil: {} },
    });
  await world.subgraph.reader.drain();
  for (const plan of [used, unused]) {
    expect(statusOf(await world.planNow(plan.id))).toBe('EXPIRED');
    expect(await factsOf(plan)).toHaveLength(1);
  }
  expect((await world.planNow(used.id)).totalBytes).toBe(1n * GB);
});
