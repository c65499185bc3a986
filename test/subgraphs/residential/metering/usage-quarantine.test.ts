// Implausible usage reports: a line with more bytes than its plan can have carried is quarantined, and counts nowhere until support decides.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import type { UsageLine } from '../../../../subgraphs/residential/metering/domain/usage-report.ts';
import { receiveUsageReport } from '../../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { verifyUsage } from '../../../../subgraphs/residential/metering/services/verify-usage.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const line = (plan: Plan, over?: Partial<UsageLine>) => world.line(plan, over);
const used = async ({ id }: Plan) => {
  const { upBytes, downBytes } = await world.planNow(id);
  return upBytes + downBytes;
};
const staff = sessionOf('acct_staff', true);
interface Held {
  id: string;
  source: string;
  line: number;
  reason: string;
  message: string;
  downBytes: string;
  plan: { id: string };
}
const heldOf = async (source: string): Promise<Held[]> => {
  const query = 'query($source: String) { supportHeldUsage(source: $source) { id source line reason message downBytes plan { id } } }';
  return ((await world.ask(staff, query, { source })).data?.['supportHeldUsage'] ?? []) as Held[];
};
const decide = async (what: 'Accept' | 'Discard', ids: string[]) =>
  world.ask(staff, `mutation($ids: [ID!]!) { decided: supportHeldUsage${what}(ids: $ids) }`, { ids });

describe('an implausible line', () => {
  test('waits for support: above 10 Gbit/s over its hour, or above the rest of the package and a tenth more', async () => {
    const small = await world.plan('acct_a', 'PREMIUM', 10n * GB);
    const large = await world.plan('acct_a', 'PREMIUM', 1_000_000n * GB);
    world.clock.advance(2 * HOUR);
    const receipt = await world.report(
      [
        line(small, { downBytes: 11n * GB }),
        line(small, { line: 1, downBytes: 1n }),
        line(large, { line: 2, downBytes: 4_500n * GB }),
        line(large, { line: 3, downBytes: 4_500n * GB + 1n }),
        line(large, { line: 4, downBytes: 10n ** 18n - 1n, upBytes: 10n ** 18n - 1n }),
      ],
      'judged',
    );
    expect(receipt).toEqual({ counted: 2, repeated: 0, unknown: 0, quarantined: 3, refused: [] });
    expect([await used(small), await used(large)]).toEqual([11n * GB, 4_500n * GB]);
    expect((await heldOf('judged')).map((held) => [held.line, held.reason, held.plan.id])).toEqual([
      [1, 'plan_rest', small.id],
      [3, 'line_rate', large.id],
      [4, 'line_rate', large.id],
    ]);
  });

  test('of a new plan is judged by the time since its purchase', async () => {
    const plan = await world.plan('acct_a', 'PREMIUM', 1_000_000n * GB);
    world.clock.advance(MINUTE);
    expect(await world.report([line(plan, { downBytes: 75n * GB })])).toMatchObject({ counted: 1, quarantined: 0 });
    expect(await world.report([line(plan, { downBytes: 76n * GB })])).toMatchObject({ counted: 0, quarantined: 1 });
  });

  test('is judged together with all lines before it: 320 TB for one package are quarantined once it is used up', async () => {
    const plan = await world.plan('acct_a', 'PREMIUM', 250n * GB);
    world.clock.advance(2 * HOUR);
    const lines = Array.from({ length: 3_200 }, (_, index) => line(plan, { line: index, downBytes: 100n * GB }));
    expect(await world.report(lines, 'flood')).toMatchObject({ counted: 2, quarantined: 3_198 });
    expect(await used(plan)).toBe(200n * GB);
    // A repeated report gets the same answer for each line, and nothing counts twice.
    expect(await world.report(lines, 'flood', 'again')).toMatchObject({ counted: 0, quarantined: 3_200 });
  });

  test('affects no other line: those in its report and after it are counted to the byte', async () => {
    const poisoned = await world.plan('acct_a', 'PREMIUM', 10n * GB);
    const good = await world.plan('acct_b', 'PREMIUM', 10n * GB);
    const huge = { upBytes: 10n ** 18n - 1n, downBytes: 10n ** 18n - 1n };
    for (let round = 0; round < 12; round++)
      await world.report(
        [
          ...Array.from({ length: 20 }, (_, index) => line(poisoned, { line: index, ...huge })),
          line(good, { line: 20 }),
          line(poisoned, { line: 21 }),
        ],
        'faulty',
      );
    expect([await used(good), await used(poisoned)]).toEqual([12_000n, 12_000n]);
    expect((await verifyUsage(world.context())).differences).toEqual([]);
  });

  test('is in no sum, is counted in the metrics, and counts as repeated when it comes again', async () => {
    const plan = await world.plan('acct_a');
    const report = () => world.report([line(plan), line(plan, { line: 1, downBytes: 10n ** 15n })], 'metered', 'once');
    expect(await report()).toMatchObject({ counted: 1, quarantined: 1 });
    expect(await report()).toMatchObject({ counted: 0, repeated: 2, quarantined: 0 });
    const text = await world.platform.metrics.registry.metrics();
    expect(text).toContain('egress_usage_lines_total{source="metered",outcome="quarantined"} 1');
    expect(text).toContain('egress_usage_lines_total{source="metered",outcome="counted"} 1');
    expect(await rowsOf(world.query, 'residential.usage_entry', { plan_id: plan.id }, { columns: 'count(*)::int' })).toEqual([
      { count: 1 },
    ]);
  });

  test('is refused once ten thousand lines of its source wait, and can be sent again after a decision', async () => {
    const plan = await world.plan('acct_a');
    const lines = (from: number) => Array.from({ length: 5_000 }, (_, index) => line(plan, { line: from + index, downBytes: 10n ** 15n }));
    for (const from of [0, 5_000]) expect((await world.report(lines(from), 'endless', 'r')).quarantined).toBe(5_000);
    const late = [line(plan, { line: 10_000, downBytes: 10n ** 15n }), line(plan, { line: 10_001 })];
    expect(await world.report(late, 'endless', 'r')).toEqual({
      counted: 1,
      repeated: 0,
      unknown: 0,
      quarantined: 0,
      refused: [{ line: 10_000, code: 'quarantine_full' }],
    });
    await decide('Discard', [(await heldOf('endless'))[0]?.id ?? '']);
    expect(await world.report(late, 'endless', 'r')).toMatchObject({ repeated: 1, quarantined: 1, refused: [] });
  });
});

describe('support', () => {
  test('accepts a line, which then counts once, on its day, for its plan; or discards it', async () => {
    const plan = await world.plan('acct_a', 'PREMIUM', 1n * GB);
    const lines = [line(plan, { downBytes: 20n * GB, host: 'target.example' }), line(plan, { line: 1, downBytes: 30n * GB })];
    expect(await world.report(lines, 'decided')).toMatchObject({ counted: 0, quarantined: 2 });
    const [first, second] = await heldOf('decided');
    expect(first).toMatchObject({
      reason: 'plan_rest',
      downBytes: String(20n * GB),
      message: expect.stringContaining('left of the package'),
    });
    expect((await decide('Accept', [first?.id ?? ''])).data).toEqual({ decided: 1 });
    expect((await decide('Accept', [first?.id ?? ''])).data).toEqual({ decided: 0 });
    expect((await decide('Discard', [first?.id ?? '', second?.id ?? ''])).data).toEqual({ decided: 1 });
    expect(await used(plan)).toBe(20n * GB);
    expect(await heldOf('decided')).toEqual([]);
    expect((await world.events(plan.id)).map(({ type }) => type)).toContain('residential_plan.expired');
    expect((await verifyUsage(world.context())).differences).toEqual([]);
    expect(
      await rowsOf(
        world.query,
        'residential.usage_quarantine',
        { source: 'decided' },
        { columns: 'decision, decided_by', orderBy: 'line' },
      ),
    ).toEqual([
      { decision: 'ACCEPTED', decided_by: 'acct_staff' },
      { decision: 'DISCARDED', decided_by: 'acct_staff' },
    ]);
  });

  test('cannot accept a line that would break sums, and nobody else decides', async () => {
    const plan = await world.plan('acct_a');
    await world.report([line(plan, { downBytes: 10n ** 15n + 1n })], 'broken');
    const [held] = await heldOf('broken');
    expect(codesOf(await decide('Accept', [held?.id ?? '']))).toEqual(['parameter_invalid']);
    expect(await heldOf('broken')).toHaveLength(1);
    expect(codesOf(await decide('Accept', []))).toEqual(['parameter_invalid']);
    for (const question of ['mutation { supportHeldUsageAccept(ids: ["x"]) }', '{ supportHeldUsage { id } }'])
      expect(codesOf(await world.ask(sessionOf('acct_a'), question))).toEqual(['forbidden']);
  });
});

test('the command lists the waiting lines and decides on them, while the platform runs', async () => {
  const plan = await world.plan('acct_a', 'PREMIUM', 1n * GB);
  const lines = [20n, 30n, 40n].map((gigabytes, index) => line(plan, { line: index, downBytes: gigabytes * GB }));
  await world.report(lines, 'commanded');
  const { DATA_DIR } = world.platform.config;
  const env = { PATH: process.env['PATH'], NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: world.platform.database.url, DATA_DIR };
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const run = (...words: string[]) =>
    new Promise<string>((resolve) => {
      const file = `${root}subgraphs/residential/commands/usage-quarantine.ts`;
      execFile(process.execPath, [file, ...words], { cwd: root, env, maxBuffer: 2 ** 26 }, (_, out, err) => resolve((out || err).trim()));
    });
  const [first] = await heldOf('commanded');
  expect(await run()).toContain(`${first?.id} commanded report-`);
  // The command uses the real time, by which these lines are too old.
  expect(await run('accept', first?.id ?? '')).toContain(`${first?.id} is more than a petabyte, or of a time whose days are closed`);
  expect(await run('discard', first?.id ?? '')).toBe('Discarded: 1');
  expect(await run('discard', '--source', 'commanded')).toBe('Discarded: 2');
  expect(await run('discard')).toContain('Usage:');
  expect([await used(plan), await heldOf('commanded')]).toEqual([0n, []]);
});

test('a network reports for its own products, and for no other', async () => {
  const [premium, mobile] = [await world.plan('acct_a', 'PREMIUM'), await world.plan('acct_a', 'MOBILE')];
  const receipt = await receiveUsageReport(world.context(), {
    source: 'mobile',
    reportId: 'r',
    products: ['MOBILE'],
    lines: [line(premium), line(mobile, { line: 1 })],
  });
  expect(receipt).toMatchObject({ counted: 1, refused: [{ line: 0, code: 'product_not_allowed' }] });
  expect([await used(premium), await used(mobile)]).toEqual([0n, 1_000n]);
});
