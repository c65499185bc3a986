import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { anonymous, keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';

let world: ResidentialWorld;
let older: Plan;
let newer: Plan;
beforeAll(async () => {
  world = await startResidential();
  older = await world.plan('acct_a', 'PREMIUM', 10n * GB);
  world.clock.advance(1000);
  newer = await world.plan('acct_a', 'MOBILE', 2n * GB);
});
afterAll(() => world?.close());

const PLAN = 'query ($id: ID!) { residentialPlan(id: $id) { id } }';
const ENTITY = (fields: string) => `query ($of: [_Any!]!) { _entities(representations: $of) { ... on ResidentialPlan { ${fields} } } }`;
const planReference = (id: string) => ({ of: [{ __typename: 'ResidentialPlan', id }] });

describe('the plans of an account', () => {
  test('are listed newest first, to its session and to its key', async () => {
    for (const viewer of [sessionOf('acct_a'), keyOf('acct_a')]) {
      const { data } = await world.ask(
        viewer,
        '{ residentialPlans { id orderId account { id } product { name } username totalBytes createdAt status } }',
      );
      expect(data).toMatchObject({
        residentialPlans: [
          { id: newer.id, product: { name: 'Mobile' }, totalBytes: '2000000000', account: { id: 'acct_a' }, status: 'ACTIVE' },
          { id: older.id, username: older.username, orderId: older.orderId, createdAt: '2026-01-15T12:00:00.000Z' },
        ],
      });
    }
  });

  test('are plan_not_found for another account, like an unknown plan', async () => {
    for (const viewer of [sessionOf('acct_b'), keyOf('acct_b'), sessionOf('acct_b', true)]) {
      for (const id of [older.id, older.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 'plan', "' or 1=1 --"]) {
        expect(codesOf(await world.ask(viewer, PLAN, { id }))).toEqual(['plan_not_found']);
      }
    }
    expect((await world.ask(sessionOf('acct_b'), '{ residentialPlans { id } }')).data).toEqual({ residentialPlans: [] });
  });

  test('are refused without an account, and for keys that may not read', async () => {
    expect(codesOf(await world.ask(anonymous, PLAN, { id: older.id }))).toEqual(['session_invalid']);
    expect(codesOf(await world.ask(keyOf('acct_a', ['generate']), PLAN, { id: older.id }))).toEqual(['forbidden']);
  });

  test('cannot be reached as entities by another account; staff sees them without their password', async () => {
    expect((await world.ask(sessionOf('acct_a'), ENTITY('id username'), planReference(older.id))).data).toEqual({
      _entities: [{ id: older.id, username: older.username }],
    });
    for (const viewer of [sessionOf('acct_b'), keyOf('acct_b'), anonymous])
      expect((await world.ask(viewer, ENTITY('id'), planReference(older.id))).data).toEqual({ _entities: [null] });
    expect((await world.ask(sessionOf('acct_staff', true), ENTITY('id'), planReference(older.id))).data).toEqual({
      _entities: [{ id: older.id }],
    });
    expect(codesOf(await world.ask(sessionOf('acct_staff', true), ENTITY('password'), planReference(older.id)))).toEqual(['forbidden']);
  });
});

test('the password is shown to the signed-in owner only', async () => {
  const query = 'query ($id: ID!) { residentialPlan(id: $id) { password } }';
  const { data } = await world.ask(sessionOf('acct_a'), query, { id: older.id });
  expect(data).toEqual({ residentialPlan: { password: expect.stringMatching(/^[0-9A-Za-z]{22}$/) } });
  expect(codesOf(await world.ask(keyOf('acct_a'), query, { id: older.id }))).toEqual(['forbidden']);
  const stored = await rowsOf<{ sealed: string }>(
    world.query,
    'residential.plan',
    { id: older.id },
    { columns: "encode(password_sealed, 'escape') as sealed" },
  );
  expect(stored[0]?.sealed).not.toContain((data as unknown as { residentialPlan: { password: string } }).residentialPlan.password);
});

describe('usage', () => {
  test('is exact to the byte, for today and in all', async () => {
    const plan = await world.plan('acct_usage', 'PREMIUM', 10n * GB);
    await world.use(plan, 999n, { upBytes: 1n });
    await world.use(plan, 7n, { at: new Date('2026-01-14T10:00:00Z') });
    const { data } = await world.ask(
      keyOf('acct_usage'),
      `query ($id: ID!) { residentialPlan(id: $id) { usage {
      planId status totalBytes usedBytes remainingBytes upBytes downBytes usedTodayBytes dailyLimitBytes resetsAt asOf } } }`,
      { id: plan.id },
    );
    expect(data).toEqual({
      residentialPlan: {
        usage: {
          planId: plan.id,
          status: 'ACTIVE',
          totalBytes: '10000000000',
          usedBytes: '1007',
          remainingBytes: '9999998993',
          upBytes: '1',
          downBytes: '1006',
          usedTodayBytes: '1000',
          dailyLimitBytes: null,
          resetsAt: '2026-01-16T00:00:00.000Z',
          asOf: '2026-01-15T12:00:01.000Z',
        },
      },
    });
  });

  test('by day is zero-filled, ascending, today last', async () => {
    const plan = await world.plan('acct_days');
    await world.use(plan, 5n);
    await world.use(plan, 3n, { upBytes: 1n, at: new Date('2026-01-13T23:59:59Z') });
    await world.use(plan, 9n, { at: new Date('2025-12-16T00:00:00Z') });
    const { data } = await world.ask(
      keyOf('acct_days'),
      'query ($id: ID!) { residentialPlan(id: $id) { three: days(last: 3) { on upBytes downBytes totalBytes } days { on totalBytes } } }',
      { id: plan.id },
    );
    const { three, days } = (data as { residentialPlan: { three: unknown[]; days: { on: string; totalBytes: string }[] } }).residentialPlan;
    expect(three).toEqual([
      { on: '2026-01-13', upBytes: '1', downBytes: '3', totalBytes: '4' },
      { on: '2026-01-14', upBytes: '0', downBytes: '0', totalBytes: '0' },
      { on: '2026-01-15', upBytes: '0', downBytes: '5', totalBytes: '5' },
    ]);
    expect(days).toHaveLength(30);
    expect(days[0]?.on).toBe('2025-12-17');
    expect(days.reduce((sum, { totalBytes }) => sum + Number(totalBytes), 0)).toBe(9);
  });

  test.each([0, -1, 91])('by day for %i days is refused', async (last) => {
    expect(
      codesOf(
        await world.ask(keyOf('acct_a'), 'query ($id: ID!, $last: Int!) { residentialPlan(id: $id) { days(last: $last) { on } } }', {
          id: older.id,
          last,
        }),
      ),
    ).toEqual(['parameter_invalid']);
  });

  test('of one plan takes one statement, by an index', async () => {
    const pool = (await world.context().em.getConnection().getNativeClient()) as Pool;
    const sent = vi.spyOn(pool, 'query');
    await world.ask(
      keyOf('acct_a'),
      'query ($id: ID!) { residentialPlan(id: $id) { id username usage { totalBytes usedBytes } product { name } } }',
      { id: older.id },
    );
    expect(sent).toHaveBeenCalledTimes(1);
    const [{ text, values }] = sent.mock.calls[0] as unknown as [{ text: string; values: unknown[] }];
    sent.mockRestore();
    await world.query('set enable_seqscan = off');
    const steps = await world.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    await world.query('set enable_seqscan = on');
    const shown = steps.map((step) => step['QUERY PLAN']).join('\n');
    expect(shown).toMatch(/Index Scan using (plan_pkey|plan_of_account) on plan/);
    expect(shown).toContain('Index Scan using usage_day_pkey');
    expect(shown).not.toContain('Seq Scan');
  });
});

test('the actions follow product and status', async () => {
  const { data } = await world.ask(
    sessionOf('acct_a'),
    '{ residentialPlans { product { code } availableActions { action allowed reason } } }',
  );
  expect(data).toMatchObject({
    residentialPlans: [
      {
        product: { code: 'MOBILE' },
        availableActions: [
          { action: 'reset_authentication', allowed: true },
          { action: 'set_daily_limit', allowed: false, reason: expect.stringContaining('Premium') },
          { action: 'generate', allowed: true },
          { action: 'top_up', allowed: true },
        ],
      },
      {
        product: { code: 'PREMIUM' },
        availableActions: [{ allowed: true }, { allowed: true, reason: null }, { allowed: true }, { allowed: true }],
      },
    ],
  });
});

test('products and pools can be listed', async () => {
  const { data } = await world.ask(
    sessionOf('acct_a'),
    `{ residentialProducts { code formSessionMinutes dailyLimitAvailable prices { fromGb perGb { amountMinor currency } } }
    proxyPools { code name kind states { code cities { name } } } }`,
  );
  const { residentialProducts, proxyPools } = data as unknown as {
    residentialProducts: object[];
    proxyPools: { code: string; name: string; kind: string; states: { code: string; cities: { name: string }[] }[] }[];
  };
  expect(residentialProducts[0]).toMatchObject({
    code: 'PREMIUM',
    formSessionMinutes: [5, 30, 60, 120, 240],
    dailyLimitAvailable: true,
    prices: [{ fromGb: 1, perGb: { amountMinor: 500, currency: 'USD' } }, {}, {}, {}],
  });
  expect(proxyPools.slice(0, 2)).toEqual([
    { code: 'any', name: 'Worldwide', kind: 'WORLDWIDE', states: [] },
    { code: 'eu', name: 'Europe', kind: 'REGION', states: [] },
  ]);
  const newYork = proxyPools.find(({ code }) => code === 'us')?.states.find(({ code }) => code === 'new_york');
  expect(newYork?.cities.map(({ name }) => name)).toContain('New York City');
});
