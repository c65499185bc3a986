import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';
import { rowOf } from '../../../kit/tables.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const owner = sessionOf('acct_a');
const RESET = 'mutation ($id: ID!) { residentialPlanResetAuthentication(id: $id) { password username status } }';
const LIMIT =
  'mutation ($id: ID!, $bytes: Bytes) { residentialPlanSetDailyLimit(id: $id, dailyLimitBytes: $bytes) { status dailyLimitBytes usage { dailyLimitBytes } } }';
const reset = (plan: Plan, viewer = owner) => world.ask(viewer, RESET, { id: plan.id });
const limit = (plan: Plan, bytes: bigint | null, viewer = owner) =>
  world.ask(viewer, LIMIT, { id: plan.id, bytes: bytes?.toString() ?? null });
const typesOf = async (plan: Plan) => (await world.events(plan.id)).map(({ type }) => type.replace('residential_plan.', ''));

describe('reset of the proxy authentication', () => {
  test('gives a new password at once, which the next lines carry', async () => {
    const plan = await world.plan('acct_a');
    const ask = async () =>
      (
        await world.ask(
          owner,
          'query ($id: ID!) { residentialPlan(id: $id) { password } residentialProxyPreview(planId: $id, input: { targeting: { pool: "de" }, session: STICKY, quantity: 1 }) }',
          { id: plan.id },
        )
      ).data as { residentialPlan: { password: string }; residentialProxyPreview: string };
    const before = await ask();
    const { data } = await reset(plan);
    const { password } = (data as unknown as { residentialPlanResetAuthentication: { password: string } })
      .residentialPlanResetAuthentication;
    const now = await ask();
    expect(password).not.toBe(before.residentialPlan.password);
    expect(now.residentialPlan.password).toBe(password);
    expect(now.residentialProxyPreview.endsWith(`:${password}`)).toBe(true);
    const row = await rowOf<{ credential_epoch: number; password_fingerprint: Buffer }>(world.query, 'residential.plan', { id: plan.id });
    expect(row?.credential_epoch).toBe(2);
    expect(row?.password_fingerprint.toString('hex')).toBe(createHash('sha256').update(password).digest('hex'));
    expect(await world.events(plan.id)).toMatchObject([
      {},
      { type: 'residential_plan.reset', data: { planId: plan.id, credentialEpoch: 2 } },
    ]);
  });

  test('is possible while the plan is paused by its limit, and not once it is used up', async () => {
    const plan = await world.plan('acct_a', 'PREMIUM', 3n * GB);
    await limit(plan, GB);
    await world.use(plan, GB);
    expect((await reset(plan)).data).toMatchObject({ residentialPlanResetAuthentication: { status: 'PAUSED' } });
    expect((await world.planNow(plan.id)).credentialEpoch).toBe(2);
    await world.use(plan, 2n * GB);
    const over = await reset(plan);
    expect(codesOf(over)).toEqual(['action_not_allowed']);
    expect(over.errors?.[0]?.message).toContain('used up');
    expect((await world.planNow(plan.id)).credentialEpoch).toBe(2);
  });

  test('happens once for each of ten parallel calls', async () => {
    const plan = await world.plan('acct_a');
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset(plan)));
    expect(answers.flatMap(codesOf)).toEqual([]);
    expect((await world.planNow(plan.id)).credentialEpoch).toBe(11);
  });
});

describe('a Daily Usage Limit', () => {
  test('pauses at once if the day has already reached it, and resumes at once when raised or removed', async () => {
    const plan = await world.plan('acct_a');
    await world.use(plan, 2n * GB);
    expect((await limit(plan, 2n * GB)).data).toEqual({
      residentialPlanSetDailyLimit: { status: 'PAUSED', dailyLimitBytes: '2000000000', usage: { dailyLimitBytes: '2000000000' } },
    });
    expect((await limit(plan, 2_001_000_000n)).data).toMatchObject({ residentialPlanSetDailyLimit: { status: 'ACTIVE' } });
    expect((await limit(plan, GB)).data).toMatchObject({ residentialPlanSetDailyLimit: { status: 'PAUSED' } });
    expect((await limit(plan, null)).data).toMatchObject({ residentialPlanSetDailyLimit: { status: 'ACTIVE', dailyLimitBytes: null } });
    expect(await typesOf(plan)).toEqual(['created', 'limited', 'paused', 'limited', 'resumed', 'limited', 'paused', 'limited', 'resumed']);
  });

  test('that is set to its present value changes nothing', async () => {
    const plan = await world.plan('acct_a');
    await limit(plan, GB);
    await limit(plan, GB);
    expect(await typesOf(plan)).toEqual(['created', 'limited']);
  });

  test.each([
    [999_999_999n, 'limit_too_low'],
    [0n, 'limit_too_low'],
    [1_000_500_000n, 'parameter_invalid'],
  ])('of %s bytes is refused as %s', async (bytes, code) => {
    const plan = await world.plan('acct_a');
    expect(codesOf(await limit(plan, bytes))).toEqual([code]);
    expect((await world.planNow(plan.id)).dailyLimitBytes).toBeNull();
  });

  test('is for Premium plans only, and says so', async () => {
    for (const product of ['PRIVATE_RESIDENTIAL', 'MOBILE', 'ALT_RESIDENTIAL'] as const) {
      expect(codesOf(await limit(await world.plan('acct_a', product), GB))).toEqual(['limit_not_available']);
    }
  });

  test('and a report at the same time run one after the other: the last status event is right', async () => {
    const plan = await world.plan('acct_a', 'PREMIUM', 100n * GB);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? world.use(plan, GB) : limit(plan, index % 4 === 1 ? 2n * GB : null))),
    );
    await limit(plan, 4n * GB);
    const told = (await typesOf(plan)).filter((type) => type === 'paused' || type === 'resumed');
    expect(told.at(-1)).toBe('paused');
    told.forEach((type, index) => expect(type).toBe(index % 2 === 0 ? 'paused' : 'resumed'));
  });
});

test("another account's plan is not found, and a key may change nothing", async () => {
  const plan = await world.plan('acct_a');
  for (const answer of [await reset(plan, sessionOf('acct_b')), await limit(plan, GB, sessionOf('acct_b'))])
    expect(codesOf(answer)).toEqual(['plan_not_found']);
  for (const answer of [await reset(plan, keyOf('acct_a')), await limit(plan, GB, keyOf('acct_a'))])
    expect(codesOf(answer)).toEqual(['forbidden']);
  const report = 'mutation { usageReportReceive(source: "x", reportId: "y", lines: []) { counted } }';
  for (const viewer of [owner, keyOf('acct_a'), sessionOf('acct_s', true)])
    expect(codesOf(await world.ask(viewer, report))).toEqual(['forbidden']);
  expect(await typesOf(plan)).toEqual(['created']);
});

describe('reset by support', () => {
  const staff = sessionOf('acct_staff', true);
  const byStaff = (planId: string, reason = 'Its lines were found in public.', viewer = staff) =>
    world.ask(
      viewer,
      'mutation ($planId: ID!, $reason: String!) { supportPlanResetAuthentication(planId: $planId, reason: $reason) { id status } }',
      {
        planId,
        reason,
      },
    );

  test('works like the owner’s reset, records who and why, and shows the password only to the owner', async () => {
    const plan = await world.plan('acct_b');
    expect((await byStaff(plan.id)).data).toEqual({ supportPlanResetAuthentication: { id: plan.id, status: 'ACTIVE' } });
    const now = await world.planNow(plan.id);
    expect(now.credentialEpoch).toBe(plan.credentialEpoch + 1);
    expect(now.passwordSealed).not.toEqual(plan.passwordSealed);
    expect((await world.events(plan.id, 'residential_plan.reset')).map(({ data }) => data)).toEqual([
      { planId: plan.id, credentialEpoch: 2, title: expect.any(String), reason: 'Its lines were found in public.', by: 'acct_staff' },
    ]);
    const peeked = await world.ask(
      staff,
      'mutation ($id: ID!) { supportPlanResetAuthentication(planId: $id, reason: "Once more.") { password } }',
      {
        id: plan.id,
      },
    );
    expect(codesOf(peeked)).toEqual(['forbidden']);
  });

  test('works while the plan is paused, and not once it is used up', async () => {
    const plan = await world.plan('acct_b', 'PREMIUM', 2n * GB);
    await limit(plan, 1n * GB, sessionOf('acct_b'));
    await world.use(plan, 1n * GB);
    expect((await byStaff(plan.id)).data).toMatchObject({ supportPlanResetAuthentication: { status: 'PAUSED' } });
    await world.use(plan, 1n * GB);
    expect(codesOf(await byStaff(plan.id))).toEqual(['action_not_allowed']);
  });

  test('is refused without a reason, for an unknown plan, for one’s own plan, and for everybody else', async () => {
    const plan = await world.plan('acct_b');
    expect(codesOf(await byStaff(plan.id, ' '))).toEqual(['parameter_invalid']);
    expect(codesOf(await byStaff('plan_none'))).toEqual(['plan_not_found']);
    expect(codesOf(await byStaff(plan.id, 'Mine.', sessionOf('acct_b', true)))).toEqual(['own_account_refused']);
    expect(codesOf(await byStaff(plan.id, 'Mine.', sessionOf('acct_b')))).toEqual(['forbidden']);
  });
});
