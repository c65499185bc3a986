import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, after } from '#platform/clock.ts';
import { needWeeks } from '../../../../subgraphs/residential/metering/entities/usage-week.ts';
import { rebuildUsage, verifyUsage } from '../../../../subgraphs/residential/metering/services/verify-usage.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';
import { deleteRows, rowsOf, setRows, truncate } from '../../../kit/tables.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const weeks = async () =>
  (await rowsOf<{ monday: string }>(world.query, 'residential.usage_week', {}, { columns: 'monday::text', orderBy: 'monday::text' })).map(
    ({ monday }) => monday,
  );
const care = () => world.platform.queue.runNow('residential.ledger-care');
const entriesOf = async (planId: string) => {
  const { up, down } = await world.tables.sumOfEntries(planId);
  return String(BigInt(up) + BigInt(down));
};

describe('the weeks of the ledger', () => {
  test('are created when they are reported for, and ahead of time', async () => {
    const plan = await world.plan('acct_weeks');
    await world.use(plan, 1n, { at: new Date('2026-01-04T23:59:59.999Z') });
    await world.use(plan, 1n, { at: new Date('2026-01-05T00:00:00Z') });
    expect(await weeks()).toEqual(['2025-12-29', '2026-01-05']);
    await care();
    expect(await weeks()).toEqual(['2025-12-29', '2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26']);
    await care();
    expect(await weeks()).toHaveLength(5);
  });

  test('are created once when many first reports of a week come at the same time', async () => {
    const plan = await world.plan('acct_weeks');
    const at = new Date('2025-11-20T12:00:00Z');
    const make = () => needWeeks(world.context().em, [at]);
    await Promise.all([...Array.from({ length: 10 }, make), ...Array.from({ length: 10 }, () => world.use(plan, 1n, { at }))]);
    expect((await world.planNow(plan.id)).downBytes).toBe(10n);
    expect(await weeks()).toContain('2025-11-17');
  });

  test('each refuse changes, also from the owner of the tables', async () => {
    await world.use(await world.plan('acct_weeks'), 1n);
    const week = 'residential.usage_entry_2026_01_12';
    await expect(setRows(world.query, week, { up_bytes: 0 })).rejects.toThrow('append-only');
    await expect(deleteRows(world.query, week)).rejects.toThrow('append-only');
    await expect(truncate(world.query, week)).rejects.toThrow('append-only');
  });
});

describe('an audit', () => {
  test('finds nothing after correct reports, and every sum that was changed by hand; after a rebuild all agree', async () => {
    const [right, day, total, gone] = await Promise.all([0, 1, 2, 3].map(() => world.plan('acct_audit')));
    if (!right || !day || !total || !gone) throw new Error('no plans');
    for (const plan of [right, day, total, gone])
      for (const days of [0, 1, 2]) await world.use(plan, 1_000n, { at: after(world.clock.now(), -days * DAY) });
    expect((await verifyUsage(world.context())).differences).toEqual([]);

    await world.tables.miscountDay(day.id, '2026-01-14');
    await world.tables.miscountTotal(total.id);
    await deleteRows(world.query, 'residential.usage_day', { plan_id: gone.id, day: '2026-01-13' });
    const { differences } = await verifyUsage(world.context());
    expect(new Set(differences.map(({ what, planId, of }) => `${what} ${planId} ${of}`))).toEqual(
      new Set([`day ${day.id} 2026-01-14`, `day ${gone.id} 2026-01-13`, `total ${day.id} `, `total ${total.id} `, `total ${gone.id} `]),
    );
    expect(differences.find(({ planId, what }) => planId === gone.id && what === 'day')).toMatchObject({
      stored: '0 0',
      expected: '0 1000',
    });

    await rebuildUsage(
      world.context(),
      differences.map(({ planId }) => planId),
    );
    expect((await verifyUsage(world.context())).differences).toEqual([]);
    expect((await world.planNow(day.id)).downBytes).toBe(3_000n);
  });

  test('finds a lease whose parts do not add up', async () => {
    const plan = await world.plan('acct_audit');
    await world.tables.addEdge('n');
    await world.tables.addLease(plan.id, 'n', { grantedBytes: 10, settledBytes: 4 });
    expect((await verifyUsage(world.context())).differences).toMatchObject([{ what: 'lease', stored: '4', expected: '0' }]);
    await deleteRows(world.query, 'residential.lease', { plan_id: plan.id });
  });
});

// This test must be the last, as the clock cannot go back to weeks that were deleted.
test('a week is deleted once all of it is older than 90 days; totals and days stay, and repeated lines still count once', async () => {
  const plan = await world.plan('acct_late');
  const start = world.clock.now();
  const line = { line: 0, username: plan.username, upBytes: 0n, downBytes: 5n, at: start };
  await world.report([line], 'network', 'old');
  world.clock.set(after(start, 89 * DAY));
  await care();
  expect(await entriesOf(plan.id)).toBe('5');
  expect(await world.report([line], 'network', 'old')).toMatchObject({ counted: 0, repeated: 1 });
  world.clock.set(after(start, 100 * DAY));
  await care();
  expect(await entriesOf(plan.id)).toBe('0');
  expect(await rowsOf(world.query, 'residential.usage_day', { plan_id: plan.id })).toHaveLength(1);
  expect((await world.planNow(plan.id)).downBytes).toBe(5n);
  expect(await world.report([line], 'network', 'old')).toMatchObject({ counted: 0, refused: [{ line: line.line, code: 'at_too_old' }] });
  expect((await verifyUsage(world.context())).differences).toEqual([]);
});
