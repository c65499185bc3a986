// What owners set on their plans, how addresses are checked, and how those that do not serve are exchanged.
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import type { CheckResult } from '../../../../subgraphs/static/health/domain/health.ts';
import { applyPlanEvent } from '../../../../subgraphs/static/plans/services/apply-plan-event.ts';
import { creditOutages } from '../../../../subgraphs/static/health/services/credit-outages.ts';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type StaticWorld, startStatic } from '../world.ts';

let world: StaticWorld;
/** IP address -> what its checks find; others work. */
const broken = new Map<string, CheckResult>();
const asked: string[] = [];

beforeAll(async () => {
  world = await startStatic({ ADDRESS_REST_HOURS: '0' });
  world.context().providers.prober = async ({ ip, username, password }) => {
    asked.push(`${ip}:${username}:${password}`);
    return broken.get(ip) ?? { ok: true, latencyMs: 12 };
  };
});
beforeEach(() => {
  broken.clear();
  asked.length = 0;
});
afterAll(() => world.close());

let subnets = 0;
/** A delivered plan of an account of its own, and spare addresses of its product. */
async function plan(quantity: number, spare = 0, productId = 'isp-northline') {
  const accountId = `acct_${++subnets}`;
  await world.query(`update static.address set reserved_at = now() where plan_id is null`);
  await world.stock(productId, quantity + spare, `10.${subnets}`);
  const id = await world.plan(accountId, productId, quantity);
  await deliverPlan(world.context(), id);
  const read = async (fields: string) => (await ask(`query ($id: ID!) { staticPlan(id: $id) { ${fields} } }`, { id })).data?.staticPlan;
  const ask = async (query: string, variables: Record<string, unknown> = {}, viewer = accountId) => {
    const { data, errors } = await world.ask(sessionOf(viewer), query, { id, ...variables });
    return { data: data as any, code: errors?.[0]?.extensions['code'], message: errors?.[0]?.message };
  };
  return { id, accountId, read, ask };
}

const check = async (minutes = 10) => {
  world.platform.clock.advance(minutes * MINUTE);
  await world.platform.queue.runNow('static.health-check');
};

describe('credentials', () => {
  test('a rotated password is another one for every line of the plan, and of no other', async () => {
    const [mine, other] = [await plan(2), await plan(1)];
    const [before, others] = [await mine.read('proxies username password'), await other.read('proxies')];
    const { data } = await mine.ask('mutation ($id: ID!) { staticPlanRotatePassword(id: $id) { password proxies } }');
    expect(data.staticPlanRotatePassword.password).not.toBe(before.password);
    expect(data.staticPlanRotatePassword.proxies).toEqual(
      before.proxies.map((line: string) => line.replace(before.password, data.staticPlanRotatePassword.password)),
    );
    expect(await other.read('proxies')).toEqual(others);
  });

  const SET =
    'mutation ($id: ID!, $username: String, $password: String) { staticPlanSetCredentials(id: $id, username: $username, password: $password) { proxies } }';

  test('own ones stand in the lines; what is not given stays', async () => {
    const mine = await plan(1);
    const { password } = await mine.read('password');
    const named = await mine.ask(SET, { username: 'my_team_1' });
    expect(named.data.staticPlanSetCredentials.proxies[0]).toMatch(new RegExp(`:my_team_1:${password}$`));
    const both = await mine.ask(SET, { password: 'Correct-horse.9' });
    expect(both.data.staticPlanSetCredentials.proxies[0]).toMatch(/:my_team_1:Correct-horse\.9$/);
  });

  test.each([
    [{ username: 'short' }, 'parameter_invalid'],
    [{ username: 'with:colon' }, 'parameter_invalid'],
    [{ password: 'tooshort1' }, 'parameter_invalid'],
    [{ password: 'with:a:colon:in:it' }, 'parameter_invalid'],
    [{ password: 'with spaces in it' }, 'parameter_invalid'],
    [{ username: 'taken_name' }, 'parameter_invalid'],
  ])('%j are refused', async (input, code) => {
    const other = await plan(1);
    await other.ask(SET, { username: 'taken_name' });
    const mine = await plan(1);
    const before = await mine.read('proxies');
    expect((await mine.ask(SET, input)).code).toBe(code);
    expect(await mine.read('proxies')).toEqual(before);
    await other.ask(SET, { username: `free_${other.id.slice(-10)}` });
  });
});

test('clients are allowed by address or network, and what is neither is refused', async () => {
  const mine = await plan(1);
  const set =
    'mutation ($id: ID!, $addresses: [String!]!) { staticPlanSetAllowedAddresses(id: $id, addresses: $addresses) { allowedAddresses } }';
  const { data } = await mine.ask(set, { addresses: [' 203.0.113.7', '198.51.100.0/24', '2001:DB8::/32', '203.0.113.7', ''] });
  expect(data.staticPlanSetAllowedAddresses.allowedAddresses).toEqual(['203.0.113.7', '198.51.100.0/24', '2001:db8::/32']);
  for (const wrong of ['203.0.113.300', 'example.com', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/8/8', '::1/129'])
    expect((await mine.ask(set, { addresses: [wrong] })).code, wrong).toBe('parameter_invalid');
  expect((await mine.ask(set, { addresses: Array.from({ length: 51 }, (_, index) => `203.0.113.${index}`) })).code).toBe(
    'parameter_invalid',
  );
  expect((await mine.read('allowedAddresses')).allowedAddresses).toHaveLength(3);
});

test('an address has the label that its owner gave it, is found by it, and has none for its next holder', async () => {
  const mine = await plan(2);
  const [first] = (await mine.read('lines { ip label }')).lines;
  const set =
    'mutation ($id: ID!, $ip: String!, $label: String) { staticPlanSetLabel(id: $id, ip: $ip, label: $label) { lines { ip label } } }';
  const { data } = await mine.ask(set, { ip: first.ip, label: ' Shop 50% off ' });
  expect(data.staticPlanSetLabel.lines[0]).toEqual({ ip: first.ip, label: 'Shop 50% off' });
  const found = async (search: string) =>
    (await mine.ask('query ($search: String) { staticPlans(search: $search) { total } }', { search })).data.staticPlans.total;
  expect(await Promise.all(['50% off', 'shop', first.ip.slice(0, 5), mine.id, '50_ off', 'nothing'].map(found))).toEqual([
    1, 1, 1, 1, 0, 0,
  ]);
  expect((await mine.ask(set, { ip: '192.0.2.9', label: 'x' })).code).toBe('parameter_invalid');
  expect((await mine.ask(set, { ip: first.ip, label: 'x'.repeat(61) })).code).toBe('parameter_invalid');
  await applyPlanEvent(world.context(), mine.id, 'period_ended');
  expect(await world.query('select from static.address where label is not null and plan_id is null')).toEqual([]);
});

test("nobody sets anything on another account's plan, and nothing on one that has ended", async () => {
  const mine = await plan(1, 1);
  const [{ ip }] = (await mine.read('lines { ip }')).lines;
  const DEEDS = [
    'staticPlanRotatePassword(id: $id) { id }',
    'staticPlanSetCredentials(id: $id, password: "Correct-horse.9") { id }',
    'staticPlanSetAllowedAddresses(id: $id, addresses: []) { id }',
    'staticPlanSetAutoReplace(id: $id, autoReplace: true) { id }',
    `staticPlanSetLabel(id: $id, ip: "${ip}", label: "x") { id }`,
    `staticPlanReplacementPrepare(id: $id, addresses: ["${ip}"], reason: OTHER) { id }`,
    'staticPlanOfferMore(id: $id, quantity: 1) { token }',
  ];
  for (const deed of DEEDS)
    expect((await mine.ask(`mutation ($id: ID!) { ${deed} }`, {}, 'acct_stranger')).code, deed).toBe('plan_not_found');
  await applyPlanEvent(world.context(), mine.id, 'period_ended');
  for (const deed of DEEDS) expect((await mine.ask(`mutation ($id: ID!) { ${deed} }`)).code, deed).toBe('action_not_allowed');
  const { availableActions } = await mine.read('availableActions { action allowed reason }');
  expect(
    availableActions.every(({ allowed, reason }: { allowed: boolean; reason: string }) => !allowed && reason === 'This plan has ended.'),
  ).toBe(true);
});

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
    const turned = await world.query(`select from platform.event where subject = $1 and type = 'static_plan.health_changed'`, [mine.id]);
    expect(turned).toHaveLength(2);
  });

  test('that fail nearly all at once are our own fault, and blame nobody', async () => {
    const mine = await plan(12);
    await check(0);
    await world.query(`update static.health set next_check_at = 'infinity' where plan_id <> $1`, [mine.id]);
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

describe('an exchange', () => {
  const PREPARE = /* GraphQL */ `
    mutation ($id: ID!, $addresses: [String!]!, $reason: StaticReplacementReason!) {
      staticPlanReplacementPrepare(id: $id, addresses: $addresses, reason: $reason) {
        id
        counted
        expiresAt
        doneAt
        pairs {
          gone
          came
          location
        }
      }
    }
  `;
  const CONFIRM = 'mutation ($swap: ID!) { staticPlanReplacementConfirm(id: $swap) { doneAt pairs { gone came } } }';

  test('is shown first, with the very address that would come; then it is done, once, and the label goes on', async () => {
    const mine = await plan(5, 2);
    const ips: string[] = (await mine.read('lines { ip }')).lines.map(({ ip }: { ip: string }) => ip);
    await mine.ask('mutation ($id: ID!, $ip: String!) { staticPlanSetLabel(id: $id, ip: $ip, label: "Shop") { id } }', { ip: ips[1] });
    const { data } = await mine.ask(PREPARE, { addresses: [ips[1]], reason: 'BLOCKED' });
    const { id: swap, pairs, counted, doneAt } = data.staticPlanReplacementPrepare;
    expect({ counted, doneAt }).toEqual({ counted: 1, doneAt: null });
    expect(pairs).toEqual([{ gone: ips[1], came: expect.stringMatching(/^10\./), location: 'Frankfurt' }]);
    expect(await mine.read('lines { ip } replacements { id }')).toMatchObject({ lines: ips.map((ip) => ({ ip })), replacements: [] });
    expect((await mine.ask(CONFIRM, { swap }, 'acct_stranger')).code).toBe('plan_not_found');
    const done = await mine.ask(CONFIRM, { swap });
    expect(done.data.staticPlanReplacementConfirm.pairs).toEqual([{ gone: ips[1], came: pairs[0].came }]);
    await mine.ask(CONFIRM, { swap });
    const after = await mine.read(
      'quantity lines { ip label } replacements { id reason askedBy } replacementAllowance { allowed used left }',
    );
    expect(after.lines.map(({ ip }: { ip: string }) => ip).toSorted()).toEqual(
      [...ips.filter((ip) => ip !== ips[1]), pairs[0].came].toSorted(),
    );
    expect(after.lines.find(({ ip }: { ip: string }) => ip === pairs[0].came).label).toBe('Shop');
    expect(after).toMatchObject({
      quantity: 5,
      replacements: [{ id: swap, reason: 'BLOCKED', askedBy: 'OWNER' }],
      replacementAllowance: { allowed: 1, used: 1, left: 0 },
    });
  });

  test('counts against a monthly allowance, and not when the address fails its checks', async () => {
    const mine = await plan(2, 3);
    await check(0);
    const [one, two] = (await mine.read('lines { ip }')).lines.map(({ ip }: { ip: string }) => ip);
    expect((await mine.ask(PREPARE, { addresses: [one, two], reason: 'OTHER' })).code).toBe('replacements_used_up');
    expect((await mine.ask(PREPARE, { addresses: [one], reason: 'FAILING' })).code).toBe('parameter_invalid');
    broken.set(two, { ok: false, problem: 'UNREACHABLE' });
    await check(10);
    const first = await mine.ask(PREPARE, { addresses: [one], reason: 'SLOW' });
    await mine.ask(CONFIRM, { swap: first.data.staticPlanReplacementPrepare.id });
    const failing = await mine.ask(PREPARE, { addresses: [two], reason: 'FAILING' });
    await mine.ask(CONFIRM, { swap: failing.data.staticPlanReplacementPrepare.id });
    expect((await mine.read('replacementAllowance { used left }')).replacementAllowance).toEqual({ used: 1, left: 0 });
    expect(await world.query(`select note from static.address where host(ip) = $1 and reserved_at is not null`, [two])).toEqual([
      { note: 'Failed its checks, and was replaced.' },
    ]);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    expect((await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' })).code).toBe('replacements_used_up');
    world.platform.clock.advance(31 * DAY);
    expect((await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' })).code).toBeUndefined();
  });

  test('that was prepared too long ago is not done, and its address is free again', async () => {
    const mine = await plan(1, 1);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    const { data } = await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' });
    world.platform.clock.advance(15 * MINUTE);
    expect((await mine.ask(CONFIRM, { swap: data.staticPlanReplacementPrepare.id })).code).toBe('replacement_expired');
    const again = await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' });
    expect(again.data.staticPlanReplacementPrepare.pairs[0].came).toBe(data.staticPlanReplacementPrepare.pairs[0].came);
    expect((await mine.ask(PREPARE, { addresses: [ip, '192.0.2.1'], reason: 'OTHER' })).code).toBe('parameter_invalid');
  });

  test('whose address is sold to another at this very moment is not done, and the plan keeps what it had', async () => {
    const mine = await plan(1, 1);
    const before = await mine.read('lines { ip }');
    const { data } = await mine.ask(PREPARE, { addresses: [before.lines[0].ip], reason: 'OTHER' });
    const { id: swap, pairs } = data.staticPlanReplacementPrepare;
    const other = await world.plan('acct_other', 'isp-northline', 1);
    const buyer = new Client({ connectionString: world.platform.database.url });
    await buyer.connect();
    onTestFinished(() => buyer.end());
    await buyer.query('begin');
    await buyer.query('update static.address set plan_id = $1, hold_id = null, held_until = null where host(ip) = $2', [
      other,
      pairs[0].came,
    ]);
    const confirmed = mine.ask(CONFIRM, { swap });
    await expect
      .poll(() => world.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
      .toHaveLength(1);
    await buyer.query('commit');
    expect((await confirmed).code).toBe('replacement_expired');
    expect(await mine.read('lines { ip }')).toEqual(before);
  });

  test('needs stock', async () => {
    const mine = await plan(1, 0);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    expect((await mine.ask(PREPARE, { addresses: [ip], reason: 'OTHER' })).code).toBe('out_of_stock');
  });

  test('comes by itself after half an hour of failing, where the owner has asked for it, and not elsewhere', async () => {
    const [mine, other] = [await plan(1), await plan(1)];
    await world.stock('isp-northline', 2, '11.1');
    await mine.ask('mutation ($id: ID!) { staticPlanSetAutoReplace(id: $id, autoReplace: true) { autoReplace } }');
    await check(0);
    const gone: string[] = [];
    for (const { read } of [mine, other]) gone.push((await read('lines { ip }')).lines[0].ip);
    for (const ip of gone) broken.set(ip, { ok: false, problem: 'UNREACHABLE' });
    for (const minutes of [10, 1, 1, 27]) await check(minutes);
    expect((await mine.read('lines { ip }')).lines[0].ip).toBe(gone[0]);
    await check(1);
    const now = await mine.read('lines { ip } replacements { askedBy reason counted } outages { endedAt }');
    expect(now.lines[0].ip).not.toBe(gone[0]);
    expect(now).toMatchObject({ replacements: [{ askedBy: 'PLATFORM', reason: 'FAILING', counted: 0 }] });
    expect(now.outages[0].endedAt).not.toBeNull();
    expect((await other.read('lines { ip }')).lines[0].ip).toBe(gone[1]);
  });
});

describe('downtime', () => {
  const credits = (planId: string) =>
    world.query<{ data: { amountMinor: number; reference: string; subscriptionId: string } }>(
      `select data from platform.event where subject = $1 and type = 'static_plan.credit_earned' order by id`,
      [planId],
    );

  test('past the promise earns the price of the time, once; within it nothing', async () => {
    const mine = await plan(2);
    onTestFinished(() => broken.clear());
    await world.query(`update static.plan set period_start = $2, period_end = $3, unit_minor = 30000 where id = $1`, [
      mine.id,
      world.platform.clock.now(),
      new Date(world.platform.clock.now().getTime() + 30 * DAY),
    ]);
    await check(0);
    const [{ ip }] = (await mine.read('lines { ip }')).lines;
    const down = async (minutes: number) => {
      broken.set(ip, { ok: false, problem: 'UNREACHABLE' });
      for (const each of [10, 1, 1, minutes - 2]) await check(each);
      broken.clear();
      await world.query(`update static.health set next_check_at = checked_at`);
      await check(0);
    };
    await down(180);
    await creditOutages(world.context());
    expect(await credits(mine.id)).toEqual([]);
    await down(60);
    await creditOutages(world.context());
    await creditOutages(world.context());
    // 240 minutes of 43,200, at 300.00 for the period.
    expect((await credits(mine.id)).map(({ data }) => data)).toMatchObject([{ amountMinor: 167, currency: 'USD' }]);
    await down(30);
    await creditOutages(world.context());
    const all = await credits(mine.id);
    expect(all.map(({ data }) => data.amountMinor)).toEqual([167, 21]);
    expect(new Set(all.map(({ data }) => data.reference)).size).toBe(2);
  });
});
