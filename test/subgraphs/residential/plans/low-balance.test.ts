import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { reachedMark } from '../../../../subgraphs/residential/plans/domain/low-balance.ts';
import { receiveUsageReport } from '../../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { startStack } from '../../../kit/stack.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const told = async (plan: Plan) =>
  (await world.events(plan.id))
    .filter(({ type }) => type.includes('balance'))
    .map(({ type, data }) => [type.split('.')[1], data['percent']]);

test.each([
  [79_999, 0],
  [80_000, 80],
  [94_999, 80],
  [95_000, 95],
  [99_999, 95],
  [100_000, 100],
  [100_001, 100],
])('%i bytes of 100,000 reach the mark %i', (used, mark) => {
  expect(reachedMark({ totalBytes: 100_000n, upBytes: 1n, downBytes: BigInt(used) - 1n })).toBe(mark);
});

test('each threshold alerts once, with the title of the package', async () => {
  const plan = await world.plan('acct_once', 'PREMIUM', 10n * GB);
  await world.use(plan, 8n * GB - 1n);
  expect(await told(plan)).toEqual([]);
  for (const bytes of [1n, 1n, GB, GB / 2n, 1n, GB, GB]) await world.use(plan, bytes);
  expect(await told(plan)).toEqual([
    ['balance_low', 80],
    ['balance_low', 95],
    ['balance_low', 100],
  ]);
  expect((await world.events(plan.id)).find(({ type }) => type.endsWith('balance_low'))?.data).toEqual({
    planId: plan.id,
    percent: 80,
    title: 'Premium, 10 GB',
  });
});

test('a report that crosses all thresholds at once alerts for the highest only', async () => {
  const plan = await world.plan('acct_leap', 'MOBILE');
  await world.use(plan, 11n * GB);
  expect(await told(plan)).toEqual([['balance_low', 100]]);
});

test('a new package of the same product resolves it, once; one of another product does not', async () => {
  const plan = await world.plan('acct_again', 'PREMIUM');
  await world.use(plan, 8n * GB);
  await world.plan('acct_again', 'MOBILE');
  await world.plan('acct_other', 'PREMIUM');
  expect(await told(plan)).toEqual([['balance_low', 80]]);
  await world.plan('acct_again', 'PREMIUM');
  await world.plan('acct_again', 'PREMIUM');
  expect(await told(plan)).toEqual([
    ['balance_low', 80],
    ['balance_resolved', 80],
  ]);
  await world.use(plan, 1n);
  expect(await told(plan)).toHaveLength(2);
  await world.use(plan, 2n * GB);
  expect((await told(plan)).at(-1)).toEqual(['balance_low', 100]);
});

test('a package that grows is resolved, and its thresholds can be crossed again', async () => {
  const plan = await world.plan('acct_grown', 'PREMIUM');
  await world.use(plan, 8n * GB);
  await world.tables.double(plan.id);
  await world.use(plan, 1n);
  await world.use(plan, 8n * GB);
  expect(await told(plan)).toEqual([
    ['balance_low', 80],
    ['balance_resolved', 0],
    ['balance_low', 80],
  ]);
});

test('the owner gets a mail', async () => {
  const stack = await startStack();
  try {
    const owner = await stack.seed.account();
    const { username } = await owner.residentialPlan({ gigabytes: 1 });
    const line = { line: 0, username, upBytes: 0n, downBytes: 950_000_000n, at: stack.clock.now() };
    await receiveUsageReport(stack.subgraphs.residential.systemContext('test'), { source: 'network', reportId: '1', lines: [line] });
    await stack.settle();
    const mail = await stack.sandbox.mail.waitFor({ to: owner.email, subject: '95 % used: Premium, 1 GB' });
    expect(JSON.stringify(mail)).toContain(`${stack.url}/residential`);
  } finally {
    await stack.close();
  }
});
