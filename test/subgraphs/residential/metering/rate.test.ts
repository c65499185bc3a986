import type { ExecutionResult } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, SECOND, after } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { setDailyLimit } from '../../../../subgraphs/residential/plans/services/plan-settings.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';

const MB = 1_000_000n;
const owner = keyOf('acct_rate');

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const bought = (bytes = 10n * GB): Promise<Plan> => world.plan('acct_rate', 'PREMIUM', bytes);
const usageOf = async ({ id }: Plan) => {
  const { data, errors } = await world.ask(
    owner,
    'query ($id: ID!) { residentialPlan(id: $id) { usage { status bytesPerSecond projectedEndAt } } }',
    { id },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return (data as { residentialPlan: { usage: { status: string; bytesPerSecond: string; projectedEndAt: string | null } } }).residentialPlan
    .usage;
};
const rateOf = async (plan: Plan) => Number((await usageOf(plan)).bytesPerSecond);
const pass = (milliseconds: number) => world.clock.advance(milliseconds);

describe('the live rate', () => {
  test('equals a steady flow after ten seconds, and is zero ten seconds after its end', async () => {
    const plan = await bought();
    expect(await rateOf(plan)).toBe(0);
    for (let second = 0; second < 15; second++) {
      pass(SECOND);
      await world.use(plan, MB);
    }
    expect(await rateOf(plan)).toBe(1_000_000);
    pass(5 * SECOND);
    expect(await rateOf(plan)).toBe(500_000);
    pass(5 * SECOND);
    expect(await rateOf(plan)).toBe(0);
  });

  test('counts a byte for ten seconds from when it flowed, whenever and by whichever source it is reported', async () => {
    const plan = await bought();
    const now = world.clock.now();
    const line = (line: number, bytes: bigint, at: Date) => ({ line, username: plan.username, upBytes: bytes, downBytes: 0n, at });
    await world.report([line(0, 20n * MB, now), line(1, 30n * MB, after(now, -6 * SECOND)), line(2, 999n * MB, after(now, -20 * SECOND))]);
    expect(await rateOf(plan)).toBe(5_000_000);
    pass(5 * SECOND);
    expect(await rateOf(plan)).toBe(2_000_000);
    // A second source reports late: what flowed at the time of the first report, and a minute before it.
    await world.report([line(0, 10n * MB, now), line(1, 10n * MB, after(now, -60 * SECOND))], 'another');
    expect(await rateOf(plan)).toBe(3_000_000);
    pass(6 * SECOND);
    expect(await rateOf(plan)).toBe(0);
  });

  test('is zero once the plan is paused or used up, whatever flowed before', async () => {
    const paused = await bought();
    await setDailyLimit(world.as(sessionOf('acct_rate')), paused.id, GB);
    await world.use(paused, GB);
    expect(await usageOf(paused)).toEqual({ status: 'PAUSED', bytesPerSecond: '0', projectedEndAt: null });
    const expired = await bought(GB);
    await world.use(expired, GB);
    expect(await usageOf(expired)).toEqual({ status: 'EXPIRED', bytesPerSecond: '0', projectedEndAt: null });
  });

  test('falls to zero on a subscription that opens after the last byte', async () => {
    const plan = await bought();
    await world.use(plan, 50n * MB);
    const opened = await world.subscribe(owner, 'subscription ($id: ID) { residentialUsageChanged(planId: $id) { bytesPerSecond } }', {
      id: plan.id,
    });
    if (!(Symbol.asyncIterator in opened)) throw new Error(JSON.stringify(opened.errors));
    const next = async () =>
      ((await opened.next()).value as ExecutionResult<{ residentialUsageChanged: { bytesPerSecond: string } }>).data
        ?.residentialUsageChanged.bytesPerSecond;
    expect(await next()).toBe('5000000');
    pass(11 * SECOND);
    const told = ['5000000'];
    while (told.at(-1) !== '0') told.push((await next()) ?? expect.unreachable());
    expect(new Set(told)).toEqual(new Set(['5000000', '0']));
    await opened.return?.();
  });
});

describe('the projected end', () => {
  test('is known after a day of use, by the pace since the first use, and not while the plan is paused', async () => {
    const plan = await bought();
    // The days before the first use do not count for the pace.
    pass(5 * DAY);
    for (let hour = 0; hour < 23; hour++) {
      await world.use(plan, 10n * MB);
      pass(HOUR);
    }
    expect((await usageOf(plan)).projectedEndAt).toBeNull();
    for (let hour = 0; hour < 25; hour++) {
      await world.use(plan, 10n * MB);
      pass(HOUR);
    }
    const end = (await usageOf(plan)).projectedEndAt ?? expect.unreachable();
    // At 480 MB in two days, the remaining 9.52 GB last for 39.7 days.
    const days = (Date.parse(end) - world.clock.now().getTime()) / DAY;
    expect(days).toBeGreaterThan(36);
    expect(days).toBeLessThan(44);
    await setDailyLimit(world.as(sessionOf('acct_rate')), plan.id, GB);
    await world.use(plan, GB);
    expect(await usageOf(plan)).toMatchObject({ status: 'PAUSED', projectedEndAt: null });
  });

  test('is null for a plan that would last for decades, or was never used', async () => {
    const [unused, hardly] = [await bought(), await bought()];
    await world.use(hardly, 100n);
    pass(2 * DAY);
    await world.use(hardly, 100n);
    expect(await usageOf(unused)).toMatchObject({ projectedEndAt: null });
    expect(await usageOf(hardly)).toMatchObject({ projectedEndAt: null });
  });
});
