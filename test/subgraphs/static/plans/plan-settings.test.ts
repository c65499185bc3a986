// The settings that owners change on their plans.
import { describe, expect, test } from 'vitest';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { applyPlanEvent } from '../../../../subgraphs/static/plans/services/apply-plan-event.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { startHealth } from '../health-world.ts';

const { world, plan } = await startHealth();

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

  test('support resets the password with a reason, and does not see the new one', async () => {
    const mine = await plan(1);
    const { password } = await mine.read('password');
    const reset = async (reason: string, viewer = sessionOf('acct_staff', true), planId = mine.id) =>
      world.ask(viewer, 'mutation ($planId: ID!, $reason: String!) { supportStaticPlanRotatePassword(planId: $planId, reason: $reason) }', {
        planId,
        reason,
      });
    expect((await reset('It was found in public.')).data).toEqual({ supportStaticPlanRotatePassword: mine.id });
    expect((await mine.read('password')).password).not.toBe(password);
    expect((await world.events(mine.id, 'static_plan.credentials_changed')).map(({ data }) => data)).toEqual([
      { title: expect.stringContaining('Northline'), reason: 'It was found in public.', by: 'acct_staff' },
    ]);
    const codeOf = async (answer: ReturnType<typeof reset>) => (await answer).errors?.[0]?.extensions['code'];
    expect(await codeOf(reset(''))).toBe('parameter_invalid');
    expect(await codeOf(reset('None.', undefined, 'isp_none'))).toBe('plan_not_found');
    expect(await codeOf(reset('Mine.', sessionOf(mine.accountId, true)))).toBe('own_account_refused');
    expect(await codeOf(reset('Mine.', sessionOf(mine.accountId)))).toBe('forbidden');
  });

  const SET =
    'mutation ($id: ID!, $username: String, $password: String) { staticPlanSetCredentials(id: $id, username: $username, password: $password) { proxies } }';

  test('chosen by the owner are in the lines; what is not given stays', async () => {
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
  expect(await world.tables.labelsOfNobody()).toEqual([]);
});

test('a searched address comes before those that it is a part of, however new their plans', async () => {
  const mine = await plan(1, 1);
  const [{ ip }] = (await mine.read('lines { ip }')).lines;
  world.platform.clock.advance(1000);
  const newer = await world.plan(mine.accountId, 'isp-northline', 1);
  await deliverPlan(world.context(), newer);
  const set = 'mutation ($id: ID!, $ip: String!, $label: String) { staticPlanSetLabel(id: $id, ip: $ip, label: $label) { id } }';
  const other = (await mine.ask(`query { staticPlan(id: "${newer}") { lines { ip } } }`)).data.staticPlan.lines[0].ip;
  expect((await mine.ask(set, { id: newer, ip: other, label: `like ${ip}` })).code).toBeUndefined();
  const { data } = await mine.ask('query ($search: String) { staticPlans(search: $search) { items { id } } }', { search: ip });
  expect(data.staticPlans.items.map(({ id }: { id: string }) => id)).toEqual([mine.id, newer]);
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
