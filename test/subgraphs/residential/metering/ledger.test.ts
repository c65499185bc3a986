import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, after, toDay } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { statusOf } from '../../../../subgraphs/residential/plans/domain/plan-status.ts';
import type { UsageLine } from '../../../../subgraphs/residential/metering/domain/usage-report.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';
import { deleteRows, rowsOf, setRows, truncate } from '../../../kit/tables.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const line = (plan: Plan, over: Partial<UsageLine> = {}) => world.line(plan, { upBytes: 1n, downBytes: 2n, ...over });

/** Three sums for a plan: of its total, of its days and of its usage entries. */
async function sums(planId: string) {
  const { upBytes, downBytes } = await world.planNow(planId);
  const [days, entries] = [await world.tables.sumOfDays(planId), await world.tables.sumOfEntries(planId)];
  return { plan: `${upBytes} ${downBytes}`, days: `${days.up} ${days.down}`, entries: `${entries.up} ${entries.down}` };
}

describe('a report', () => {
  test('counts once, however often it is repeated', async () => {
    const plan = await world.plan('acct_a');
    const lines = [line(plan), line(plan, { line: 1, upBytes: 10n })];
    expect(await world.report(lines, 'net', 'r1')).toMatchObject({ counted: 2, repeated: 0, unknown: 0 });
    expect(await world.report(lines, 'net', 'r1')).toMatchObject({ counted: 0, repeated: 2, unknown: 0 });
    expect(await world.report([...lines, line(plan, { line: 2 })], 'net', 'r1')).toMatchObject({ counted: 1, repeated: 2, unknown: 0 });
    expect(await sums(plan.id)).toEqual({ plan: '12 6', days: '12 6', entries: '12 6' });
  });

  test('with another source or another id is another report', async () => {
    const plan = await world.plan('acct_a');
    for (const [source, id] of [
      ['net', 'r2'],
      ['other', 'r2'],
      ['net', 'r3'],
    ] as const)
      await world.report([line(plan)], source, id);
    expect(await sums(plan.id)).toEqual({ plan: '3 6', days: '3 6', entries: '3 6' });
  });

  test('with one line twice counts it once', async () => {
    const plan = await world.plan('acct_a');
    expect(await world.report([line(plan), line(plan)])).toMatchObject({ counted: 1, repeated: 1, unknown: 0 });
    expect((await sums(plan.id)).plan).toBe('1 2');
  });

  test('says which lines belong to no plan, and counts the others', async () => {
    const plan = await world.plan('acct_a');
    expect(
      await world.report([line(plan), line(plan, { line: 1, username: 'nobody' }), line(plan, { line: 2, username: '' })]),
    ).toMatchObject({
      counted: 1,
      repeated: 0,
      unknown: 2,
    });
  });

  test('may carry the whole username of a line; its country and session are kept with the entry', async () => {
    const plan = await world.plan('acct_a');
    await world.report([
      line(plan, {
        username: `${plan.username}-country-us-state-new_york-session-00001234-sessionttl-60`,
        host: 'Example.COM',
        client: '198.51.100.7',
      }),
      line(plan, { line: 1, country: 'DE', session: '7' }),
    ]);
    const entries = await rowsOf(
      world.query,
      'residential.usage_entry',
      { plan_id: plan.id },
      { columns: 'country, session, host, client', orderBy: 'line' },
    );
    expect(entries).toEqual([
      { country: 'us', session: '00001234', host: 'example.com', client: '198.51.100.7' },
      { country: 'de', session: '7', host: null, client: null },
    ]);
  });

  test('that comes late counts on the day on which the bytes flowed', async () => {
    const plan = await world.plan('acct_a');
    await world.report([
      line(plan, { at: new Date('2026-01-09T23:59:59.999Z') }),
      line(plan, { line: 1, at: new Date('2026-01-10T00:00:00Z') }),
    ]);
    const days = (await world.tables.daysOf(plan.id)).map(({ day, up_bytes }) => ({ day, up_bytes }));
    expect(days).toEqual([
      { day: '2026-01-09', up_bytes: 1 },
      { day: '2026-01-10', up_bytes: 1 },
    ]);
    expect((await world.planNow(plan.id)).usedTodayBytes).toBe(0n);
  });

  test.each([
    ['of a day that has not come', { at: new Date('2026-02-01T00:00:00Z') }, 'at_in_future'],
    ['of 91 days ago', { at: new Date('2025-10-01T00:00:00Z') }, 'at_too_old'],
    ['with bytes that no number holds', { downBytes: 10n ** 18n }, 'bytes_invalid'],
    ['with a negative number of bytes', { upBytes: -1n }, 'bytes_invalid'],
    ['with a negative line number', { line: -1 }, 'line_invalid'],
    ['with a line number beyond what is counted', { line: 2 ** 31 - 1 }, 'line_invalid'],
  ])('with a line %s counts all others, and names it', async (_title, over, code) => {
    const plan = await world.plan('acct_a');
    const neighbour = await world.plan('acct_b');
    const receipt = await world.report([line(plan), line(plan, { line: 1, ...over }), line(neighbour, { line: 2 })]);
    expect(receipt).toMatchObject({ counted: 2, quarantined: 0, refused: [{ line: 'line' in over ? over.line : 1, code }] });
    expect((await sums(plan.id)).entries).toBe('1 2');
    expect((await sums(neighbour.id)).plan).toBe('1 2');
  });
});

test('the database refuses to change or remove an entry', async () => {
  const plan = await world.plan('acct_a');
  await world.use(plan, 5n);
  const entries = 'residential.usage_entry';
  await expect(setRows(world.query, entries, { up_bytes: 0 })).rejects.toThrow('append-only');
  await expect(deleteRows(world.query, entries)).rejects.toThrow('append-only');
  await expect(truncate(world.query, entries)).rejects.toThrow('append-only');
});

test('totals, days and entries agree to the byte, whatever is repeated, reordered, split, late or in parallel', async () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 10n });
  const anyLine = fc.record({ plan: fc.nat(3), up: amounts, down: amounts, daysLate: fc.nat(7) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyLine, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 }),
      fc.infiniteStream(fc.nat(1000)),
      async (reports, random) => {
        const roll = () => random.next().value as number;
        const plans = await Promise.all([0, 1, 2, 3].map(() => world.plan('acct_many', 'MOBILE', 10n ** 17n)));
        const source = `source-${plans[0]?.id}`;
        const deliveries = reports.flatMap((lines, report) => {
          const read = lines.map(({ plan, up, down, daysLate }, index): UsageLine => ({
            line: index,
            username: plans[plan]?.username ?? '',
            upBytes: up,
            downBytes: down,
            at: after(world.clock.now(), -daysLate * DAY),
          }));
          const cut = roll() % (read.length + 1);
          return [read, [...read].reverse(), read.slice(0, cut), read.slice(cut)].map((part) => ({
            part,
            reportId: `r${report}`,
            order: roll(),
          }));
        });
        deliveries.sort((a, b) => a.order - b.order);
        const receipts = await Promise.all(deliveries.map(({ part, reportId }) => world.report(part, source, reportId)));

        const distinct = reports.flat();
        expect(receipts.reduce((sum, { counted }) => sum + counted, 0)).toBe(distinct.length);
        for (const [index, plan] of plans.entries()) {
          const mine = distinct.filter((given) => given.plan === index);
          const sum = `${mine.reduce((total, { up }) => total + up, 0n)} ${mine.reduce((total, { down }) => total + down, 0n)}`;
          expect(await sums(plan.id)).toEqual({ plan: sum, days: sum, entries: sum });
          for (const { day, up_bytes: ups, down_bytes: downs } of await world.tables.daysOf(plan.id)) {
            const that = mine.filter(({ daysLate }) => toDay(after(world.clock.now(), -daysLate * DAY)) === day);
            expect(String(BigInt(ups) + BigInt(downs))).toBe(String(that.reduce((total, { up, down }) => total + up + down, 0n)));
          }
        }
      },
    ),
    { numRuns: 15 },
  );
});

describe('the derived status', () => {
  test('has one event for each change', async () => {
    const plan = await world.plan('acct_a', 'PREMIUM', 3n * GB);
    await setRows(world.query, 'residential.plan', { daily_limit_bytes: GB }, { id: plan.id });
    await world.use(plan, GB - 1n);
    expect(statusOf(await world.planNow(plan.id))).toBe('ACTIVE');
    await world.use(plan, 1n);
    expect(statusOf(await world.planNow(plan.id))).toBe('PAUSED');
    await world.use(plan, 1n);
    await world.use(plan, 2n * GB);
    expect(statusOf(await world.planNow(plan.id))).toBe('EXPIRED');
    await world.use(plan, 1n);
    expect((await world.events(plan.id)).map(({ type }) => type)).toEqual([
      'residential_plan.created',
      'residential_plan.paused',
      'residential_plan.balance_low',
      'residential_plan.expired',
    ]);
  });

  test('changes at 00:00 UTC exactly, with nothing running', async () => {
    const plan = await world.plan('acct_a');
    await setRows(world.query, 'residential.plan', { daily_limit_bytes: GB }, { id: plan.id });
    world.clock.set('2026-01-15T23:59:59.999Z');
    await world.use(plan, GB);
    expect(statusOf(await world.planNow(plan.id))).toBe('PAUSED');
    world.clock.set('2026-01-16T00:00:00.000Z');
    expect(statusOf(await world.planNow(plan.id))).toBe('ACTIVE');
    // A usage line of yesterday that arrives today changes only yesterday's sum.
    await world.use(plan, GB, { at: new Date('2026-01-15T23:59:59.999Z') });
    expect(await world.planNow(plan.id)).toMatchObject({ usedTodayBytes: 0n, downBytes: 2n * GB });
    expect(statusOf(await world.planNow(plan.id))).toBe('ACTIVE');
    expect((await world.events(plan.id)).map(({ type }) => type)).toEqual([
      'residential_plan.created',
      'residential_plan.paused',
      'residential_plan.resumed',
    ]);
  });

  test('gets its event after midnight from the minute job if no report causes it', async () => {
    const plan = await world.plan('acct_a');
    await setRows(world.query, 'residential.plan', { daily_limit_bytes: GB }, { id: plan.id });
    await world.use(plan, GB);
    await world.platform.queue.runNow('residential.plans-resume');
    const events = await world.events(plan.id);
    expect(events.map(({ type }) => type)).toEqual(['residential_plan.created', 'residential_plan.paused']);
    expect(events.at(-1)?.data).toEqual({ planId: plan.id, title: expect.stringMatching(/, \d+ GB$/), dailyLimitBytes: String(GB) });
    world.clock.set(after(world.clock.now(), DAY));
    await world.platform.queue.runNow('residential.plans-resume');
    await world.platform.queue.runNow('residential.plans-resume');
    expect((await world.events(plan.id)).map(({ type }) => type)).toEqual([
      'residential_plan.created',
      'residential_plan.paused',
      'residential_plan.resumed',
    ]);
  });
});
