import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, after } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { DIMENSIONS } from '../../../../subgraphs/residential/metering/entities/usage-breakdown.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const TOGETHER = `query ($from: Date!, $to: Date!, $planIds: [ID!], $products: [ResidentialProductCode!], $by: UsageDimension = HOST, $limit: Int = 100) {
  residentialUsageOfPlans(from: $from, to: $to, planIds: $planIds, products: $products) {
    from to plans upBytes downBytes totalBytes totalBytesBefore days { on totalBytes } daysBefore { on totalBytes }
    breakdown(by: $by, limit: $limit) { totalBytes shares { value totalBytes } others { values totalBytes } } } }`;

interface Together {
  plans: number;
  totalBytes: string;
  totalBytesBefore: string;
  days: { on: string; totalBytes: string }[];
  daysBefore: { on: string; totalBytes: string }[];
  breakdown: { totalBytes: string; shares: { value: string | null; totalBytes: string }[]; others: { values: number; totalBytes: string } };
}

/** The world's clock stands at 12:30 on 15 January 2026. */
const WEEK = { from: '2026-01-09', to: '2026-01-15' };

async function together(account: string, over: Record<string, unknown> = {}): Promise<Together> {
  const answer = await world.ask(sessionOf(account), TOGETHER, { ...WEEK, ...over });
  expect(answer.errors).toBeUndefined();
  return answerOf<Together>(answer) as Together;
}
const answerOf = <Shape>({ data }: { data?: Record<string, unknown> | null }) => data?.['residentialUsageOfPlans'] as Shape | undefined;
const pairs = ({ breakdown }: Together) => breakdown.shares.map(({ value, totalBytes }) => [value, totalBytes]);

/** Two plans and another one of a product of its own; and one of somebody else. */
async function fourPlans(account: string): Promise<[Plan, Plan, Plan, Plan]> {
  const plans = [
    await world.plan(account),
    await world.plan(account),
    await world.plan(account, 'ALT_RESIDENTIAL'),
    await world.plan(`${account}_other`),
  ] as const;
  const days = (count: number) => ({ at: after(world.clock.now(), -count * DAY) });
  const [first, second, third, stranger] = plans;
  await world.use(first, 1n, { host: 'a.test', country: 'de' });
  await world.use(second, 20n, { host: 'a.test', country: 'us', ...days(6) });
  await world.use(third, 300n, { host: 'b.test', country: 'us', ...days(1) });
  await world.use(second, 4_000n, { host: 'a.test', ...days(7) });
  await world.use(second, 50_000n, { host: 'a.test', ...days(13) });
  await world.use(second, 600_000n, { host: 'a.test', ...days(14) });
  await world.use(stranger, 7_000_000n, { host: 'a.test' });
  return [...plans];
}

test('counts all plans of the account and nobody else’s, day by day, beside as many days before', async () => {
  await fourPlans('acct_days');
  const use = await together('acct_days');
  expect(use).toMatchObject({ plans: 3, totalBytes: '321', totalBytesBefore: '54000' });
  expect(use.days.map(({ on, totalBytes }) => [on, totalBytes])).toEqual([
    ['2026-01-09', '20'],
    ['2026-01-10', '0'],
    ['2026-01-11', '0'],
    ['2026-01-12', '0'],
    ['2026-01-13', '0'],
    ['2026-01-14', '300'],
    ['2026-01-15', '1'],
  ]);
  expect(use.daysBefore).toHaveLength(7);
  expect([use.daysBefore[0], use.daysBefore.at(-1)]).toEqual([
    { on: '2026-01-02', totalBytes: '50000' },
    { on: '2026-01-08', totalBytes: '4000' },
  ]);
});

test('breaks the same bytes down by each dimension, plan and product among them', async () => {
  const [first, second, third] = await fourPlans('acct_parts');
  for (const by of DIMENSIONS) {
    const use = await together('acct_parts', { by });
    expect([by, use.breakdown.totalBytes]).toEqual([by, '321']);
    const cut = await together('acct_parts', { by, limit: 1 });
    expect(BigInt(cut.breakdown.others.totalBytes) + BigInt(cut.breakdown.shares[0]?.totalBytes ?? 0)).toBe(321n);
  }
  expect(pairs(await together('acct_parts', { by: 'PLAN' }))).toEqual([
    [third.id, '300'],
    [second.id, '20'],
    [first.id, '1'],
  ]);
  expect(pairs(await together('acct_parts', { by: 'PRODUCT' }))).toEqual([
    ['ALT_RESIDENTIAL', '300'],
    ['PREMIUM', '21'],
  ]);
  expect(pairs(await together('acct_parts', { by: 'COUNTRY' }))).toEqual([
    ['us', '320'],
    ['de', '1'],
  ]);
});

test('finds the key of sticky lines of any plan', async () => {
  const plans = [await world.plan('acct_keys'), await world.plan('acct_keys')];
  const GENERATE = `query ($id: ID!) { residentialProxies(planId: $id,
    input: { targeting: { pool: "US" }, session: STICKY, quantity: 2 }) { id lines } }`;
  const batches = [];
  for (const [index, plan] of plans.entries()) {
    const { data } = await world.ask(index === 0 ? sessionOf('acct_keys') : keyOf('acct_keys'), GENERATE, { id: plan.id });
    const batch = data?.['residentialProxies'] as { id: string; lines: string[] };
    batches.push(batch.id);
    for (const line of batch.lines) await world.use(plan, index === 0 ? 3n : 50n, { username: line.split(':')[2] ?? '' });
  }
  expect(pairs(await together('acct_keys', { by: 'BATCH' }))).toEqual([
    [batches[1], '100'],
    [batches[0], '6'],
  ]);
  expect(pairs(await together('acct_keys', { by: 'API_KEY' }))).toEqual([
    ['key_test', '100'],
    [null, '6'],
  ]);
});

test('counts only the plans or the products that are named', async () => {
  const [first, second, , stranger] = await fourPlans('acct_named');
  expect(await together('acct_named', { planIds: [first.id, second.id] })).toMatchObject({ plans: 2, totalBytes: '21' });
  expect(await together('acct_named', { products: ['ALT_RESIDENTIAL'] })).toMatchObject({ plans: 1, totalBytes: '300' });
  expect(await together('acct_named', { planIds: [first.id], products: ['ALT_RESIDENTIAL'] })).toMatchObject({ plans: 0, totalBytes: '0' });
  for (const planIds of [[first.id, stranger.id], ['plan_none']])
    expect(codesOf(await world.ask(sessionOf('acct_named'), TOGETHER, { ...WEEK, planIds }))).toEqual(['plan_not_found']);
});

test('has hours of up to seven days, zero-filled', async () => {
  await fourPlans('acct_hours');
  const HOURS = 'query ($from: Date!, $to: Date!) { residentialUsageOfPlans(from: $from, to: $to) { hours { at totalBytes } totalBytes } }';
  const ask = (span: object) => world.ask(sessionOf('acct_hours'), HOURS, { ...span });
  const hours = answerOf<{ hours: { at: string; totalBytes: string }[] }>(await ask(WEEK))?.hours ?? [];
  expect(hours).toHaveLength(7 * 24);
  expect(hours.filter(({ totalBytes }) => totalBytes !== '0')).toEqual([
    { at: '2026-01-09T12:00:00.000Z', totalBytes: '20' },
    { at: '2026-01-14T12:00:00.000Z', totalBytes: '300' },
    { at: '2026-01-15T12:00:00.000Z', totalBytes: '1' },
  ]);
  expect(codesOf(await ask({ ...WEEK, from: '2026-01-08' }))).toEqual(['parameter_invalid']);
});

test('marks what changed how the plans are used, of the span alone', async () => {
  const plan = await world.plan('acct_marks');
  const SET = 'mutation ($id: ID!, $limit: Bytes) { residentialPlanSetDailyLimit(id: $id, dailyLimitBytes: $limit) { id } }';
  for (const limit of [String(2n * GB), null]) {
    world.clock.advance(MINUTE);
    await world.ask(sessionOf('acct_marks'), SET, { id: plan.id, limit });
  }
  world.clock.advance(MINUTE);
  await world.ask(sessionOf('acct_marks'), 'mutation ($id: ID!) { residentialPlanResetAuthentication(id: $id) { id } }', { id: plan.id });
  const MARKS = `query ($from: Date!, $to: Date!) { residentialUsageOfPlans(from: $from, to: $to) { marks { kind planId bytes } } }`;
  const marks = async (span: object) => answerOf<{ marks: object[] }>(await world.ask(sessionOf('acct_marks'), MARKS, { ...span }))?.marks;
  const of = (kind: string, bytes: bigint | null) => ({ kind, planId: plan.id, bytes: bytes === null ? null : String(bytes) });
  expect(await marks(WEEK)).toEqual([of('CREATED', 10n * GB), of('LIMITED', 2n * GB), of('LIMITED', null), of('RESET', null)]);
  expect(await marks({ ...WEEK, to: '2026-01-14' })).toEqual([]);
});

test('is refused with the reason: days that are reversed or do not exist, more than a year, and a limit', async () => {
  const refusal = async (over: object) => codesOf(await world.ask(sessionOf('acct_a'), TOGETHER, { ...WEEK, ...over }));
  for (const over of [{ to: '2026-01-08' }, { from: '2025-01-13' }, { limit: 0 }, { limit: 10_001 }])
    expect([over, await refusal(over)]).toEqual([over, ['parameter_invalid']]);
  expect(await refusal({ from: '2025-01-15' })).toEqual([]);
  expect(await refusal({ from: '2026-02-30' })).not.toEqual([]);
});
