// How addresses are checked, and what is credited for those that do not work.
import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { figures } from '../../../../subgraphs/static/figures.ts';
import { applyPlanEvent } from '../../../../subgraphs/static/plans/services/apply-plan-event.ts';
import { creditOutages } from '../../../../subgraphs/static/plans/services/credit-outages.ts';
import { eventsOf, setRows } from '../../../kit/tables.ts';
import { startHealth } from '../health-world.ts';

const { world, plan, check, broken, brokenOverTls, asked } = await startHealth();

const figureOf = async (gauge: string) => {
  const read = await Promise.all(figures.map((room) => room.read({ em: world.context().em, now: world.platform.clock.now() } as never)));
  return read.flat().find((figure) => figure.gauge === gauge)?.value;
};

describe('checks', () => {
  const HEALTH =
    'failing lines { ip health problem latencyMs checkedAt failingSince days { checks failures latencyMs } } outages { ip problem startedAt endedAt }';

  test('go through each line with its credentials on schedule, and their history is kept by day', async () => {
    const mine = await plan(2);
    expect((await mine.read(HEALTH)).lines[0]).toMatchObject({ health: 'UNKNOWN', checkedAt: null, days: [] });
    await check(0);
    const { proxies } = await mine.read('proxies');
    const expected = proxies.map((line: string) => line.replace(/:8000:/, ':'));
    expect(asked.filter((line) => expected.includes(line))).toHaveLength(2);
    await check(9);
    expect(asked.filter((line) => expected.includes(line))).toHaveLength(2);
    await check(1);
    expect((await mine.read(HEALTH)).lines[0]).toMatchObject({
      health: 'WORKING',
      problem: null,
      latencyMs: 12,
      days: [{ checks: 2, failures: 0, latencyMs: 12 }],
    });
  });

  test('that fail three times in a row open an outage from the first, and one that passes ends it', async () => {
    const mine = await plan(2);
    await check(0);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    broken.set(ip, { ok: false, problem: 'WRONG_EXIT' });
    await check(10);
    const began = world.platform.clock.now().toISOString();
    await check(1);
    expect(await mine.read(HEALTH)).toMatchObject({
      failing: 1,
      lines: [{ health: 'FAILING', problem: 'WRONG_EXIT', failingSince: began }, {}],
      outages: [],
    });
    await check(1);
    expect((await mine.read(HEALTH)).outages).toEqual([{ ip, problem: 'WRONG_EXIT', startedAt: began, endedAt: null }]);
    broken.clear();
    await check(1);
    expect(await mine.read(HEALTH)).toMatchObject({
      failing: 0,
      outages: [{ ip, startedAt: began, endedAt: world.platform.clock.now().toISOString() }],
    });
    const turned = await eventsOf(world.query, mine.id, 'static_plan.health_changed');
    expect(turned).toHaveLength(2);
  });

  test('of HTTPS proxies are told as such while the plain port works: no outage, and nothing is exchanged', async () => {
    const mine = await plan(2, 2);
    const SET = 'mutation ($id: ID!) { staticPlanSetAutoReplace(id: $id, autoReplace: true) { id } }';
    expect((await mine.ask(SET)).code).toBeUndefined();
    await check(0);
    const OVER_TLS = 'failing lines { ip health problem httpsProblem } outages { ip }';
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    brokenOverTls.set(ip, 'CERTIFICATE');
    for (let round = 0; round < 5; round++) await check(10);
    expect(await mine.read(OVER_TLS)).toMatchObject({
      failing: 0,
      lines: [{ ip, health: 'WORKING', problem: null, httpsProblem: 'CERTIFICATE' }, { httpsProblem: null }],
      outages: [],
    });
    expect(await figureOf('egress_static_https_failing')).toBe(1);
    expect(await eventsOf(world.query, mine.id, 'static_plan.health_changed')).toHaveLength(1);
    // What fails as a whole is not looked at over TLS.
    broken.set(ip, { ok: false, problem: 'UNREACHABLE' });
    await check(10);
    expect((await mine.read(OVER_TLS)).lines[0]).toMatchObject({ health: 'FAILING', problem: 'UNREACHABLE', httpsProblem: null });
    broken.clear();
    brokenOverTls.clear();
    await check(1);
    expect((await mine.read(OVER_TLS)).lines[0]).toMatchObject({ health: 'WORKING', httpsProblem: null });
    expect(await figureOf('egress_static_https_failing')).toBe(0);
    expect(await eventsOf(world.query, mine.id, 'static_plan.health_changed')).toHaveLength(3);
  });

  test('that nearly all fail at once are blamed on the checker, and open no outages', async () => {
    const mine = await plan(12);
    await check(0);
    await world.tables.checkOnly(mine.id);
    for (const { ip } of (await mine.read('lines { ip }')).lines) broken.set(ip, { ok: false, problem: 'UNREACHABLE' });
    await check(10);
    await check(10);
    await check(10);
    expect(await mine.read('failing outages { ip }')).toEqual({ failing: 0, outages: [] });
  });

  test('leave out plans that are suspended, and their outages are over', async () => {
    const mine = await plan(1);
    await check(0);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    broken.set(ip, { ok: false, problem: 'UNREACHABLE' });
    for (const minutes of [10, 1, 1]) await check(minutes);
    await applyPlanEvent(world.context(), mine.id, 'retries_exhausted');
    expect((await mine.read(HEALTH)).outages[0].endedAt).not.toBeNull();
    asked.length = 0;
    await check(10);
    expect(asked.some((line) => line.startsWith(`${ip}:`))).toBe(false);
  });
});

describe('downtime', () => {
  const credits = (planId: string) =>
    eventsOf<{ amountMinor: number; reference: string; subscriptionId: string }>(world.query, planId, 'static_plan.credit_earned');

  test('beyond the guaranteed uptime is credited with the price of that time, once; within it nothing is credited', async () => {
    const mine = await plan(2);
    onTestFinished(() => broken.clear());
    const now = world.platform.clock.now();
    const period = { period_start: now, period_end: new Date(now.getTime() + 30 * DAY), unit_minor: 30000 };
    await setRows(world.query, 'static.plan', period, { id: mine.id });
    await check(0);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    const down = async (minutes: number) => {
      broken.set(ip, { ok: false, problem: 'UNREACHABLE' });
      for (const each of [10, 1, 1, minutes - 2]) await check(each);
      broken.clear();
      await world.tables.checkAllNow();
      await check(0);
    };
    await down(180);
    await creditOutages(world.context());
    expect(await credits(mine.id)).toEqual([]);
    await down(60);
    await creditOutages(world.context());
    await creditOutages(world.context());
    // An outage of 240 of the period's 43,200 minutes, at 300.00 for the period.
    expect((await credits(mine.id)).map(({ data }) => data)).toMatchObject([{ amountMinor: 167, currency: 'USD' }]);
    await down(30);
    await creditOutages(world.context());
    const all = await credits(mine.id);
    expect(all.map(({ data }) => data.amountMinor)).toEqual([167, 21]);
    expect(new Set(all.map(({ data }) => data.reference)).size).toBe(2);
  });
});
