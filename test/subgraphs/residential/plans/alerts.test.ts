// An owner's own alert thresholds: an alert is sent once when a threshold is crossed, and not for one that was crossed before it was set.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB, MB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const SET = `mutation ($id: ID!, $input: PlanAlertsInput) { residentialPlanSetAlerts(id: $id, input: $input) { alerts { isDefault percents leftBytes } } }`;
const set = ({ id, accountId }: Plan, input: object | null, by = accountId) => world.ask(sessionOf(by), SET, { id, input });
const told = async (plan: Plan) =>
  (await world.events(plan.id))
    .filter(({ type }) => type.includes('balance'))
    .map(({ type, data }) => [type.split('.')[1], data['percent'], ...(data['leftBytes'] === undefined ? [] : [data['leftBytes']])]);

test('each threshold in percent or in bytes left alerts once, with any number of parallel reports', async () => {
  const plan = await world.plan('acct_own');
  expect((await set(plan, { percents: [90, 50, 50, 100], leftBytes: [String(2n * GB), String(500n * MB)] })).data).toEqual({
    residentialPlanSetAlerts: { alerts: { isDefault: false, percents: [50, 90, 100], leftBytes: [String(500n * MB), String(2n * GB)] } },
  });
  await world.use(plan, 5n * GB - 1n);
  expect(await told(plan)).toEqual([]);
  await Promise.all(Array.from({ length: 8 }, () => world.use(plan, MB)));
  // 80 % is a default threshold, which this owner does not have.
  await world.use(plan, 3n * GB);
  await world.use(plan, 1n);
  await world.use(plan, 1_500n * MB);
  await world.use(plan, GB);
  expect(await told(plan)).toEqual([
    ['balance_low', 50],
    ['balance_low', 80, String(2n * GB)],
    ['balance_low', 90],
    ['balance_low', 95, String(500n * MB)],
    // There is also one alert when nothing is left.
    ['balance_low', 100],
  ]);
});

test('a threshold crossed before it was set does not alert; after a plan has grown it can be crossed again', async () => {
  const plan = await world.plan('acct_set');
  await world.use(plan, 9n * GB);
  expect(await told(plan)).toEqual([['balance_low', 80]]);
  await set(plan, { percents: [], leftBytes: [String(2n * GB)] });
  await world.use(plan, 1n);
  expect(await told(plan)).toHaveLength(1);
  await world.tables.double(plan.id);
  await world.use(plan, 1n);
  expect((await told(plan)).slice(1)).toEqual([['balance_resolved', 0]]);
  await world.use(plan, 9n * GB);
  expect((await told(plan)).slice(2)).toEqual([['balance_low', 90, String(2n * GB)]]);
});

test('removing the owner’s thresholds restores the defaults', async () => {
  const plan = await world.plan('acct_back');
  await set(plan, { percents: [10], leftBytes: [] });
  expect((await set(plan, null)).data).toEqual({
    residentialPlanSetAlerts: { alerts: { isDefault: true, percents: [80, 95, 100], leftBytes: [] } },
  });
  await world.use(plan, 8n * GB);
  expect(await told(plan)).toEqual([['balance_low', 80]]);
});

test.each([
  [{ percents: [0] }],
  [{ percents: [101] }],
  [{ percents: [1, 2, 3, 4, 5, 6] }],
  [{ percents: [], leftBytes: ['999999'] }],
  [{ percents: [], leftBytes: ['-1'] }],
  [{ percents: [], leftBytes: Array.from({ length: 6 }, (_, index) => String(BigInt(index + 1) * GB)) }],
])('%j is refused', async (input) => {
  expect(codesOf(await set(await world.plan('acct_bad'), input))).toEqual(['parameter_invalid']);
});

test('another account has no such plan', async () => {
  expect(codesOf(await set(await world.plan('acct_mine'), { percents: [50] }, 'acct_stranger'))).toEqual(['plan_not_found']);
});
