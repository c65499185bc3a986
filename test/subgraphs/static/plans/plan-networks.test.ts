// Networks from which a plan's addresses are used without a password, as owners set them and as nodes are told of them.
import { describe, expect, test } from 'vitest';
import { createStaticPlansControl } from '../../../../subgraphs/static/edge-control.ts';
import { applyPlanEvent } from '../../../../subgraphs/static/plans/services/apply-plan-event.ts';
import { keyOf } from '../../../kit/platform.ts';
import { startHealth } from '../health-world.ts';

const { world, plan } = await startHealth();
type OwnPlan = Awaited<ReturnType<typeof plan>>;

const FIELDS = 'networksAndPassword networks { id network ip note createdAt usedAt }';
const ADD = `mutation ($id: ID!, $input: StaticNetworkInput!) { staticNetworkAdd(planId: $id, input: $input) { ${FIELDS} } }`;
const REMOVE = `mutation ($network: ID!) { staticNetworkRemove(id: $network) { ${FIELDS} } }`;
const SET = `mutation ($id: ID!, $both: Boolean!) { staticPlanSetLogIn(id: $id, networksAndPassword: $both) { ${FIELDS} } }`;

const ipsOf = async (mine: OwnPlan): Promise<string[]> => (await mine.read('lines { ip }')).lines.map(({ ip }: { ip: string }) => ip);
const add = (mine: OwnPlan, network: string, over: object = {}) => mine.ask(ADD, { input: { network, ...over } });
const listOf = async (mine: OwnPlan): Promise<{ id: string; network: string; ip: string | null; usedAt: string | null }[]> =>
  (await mine.read('networks { id network ip usedAt }')).networks;
const control = createStaticPlansControl({ context: world.context, notifications: world.platform.notifications });
const toldOf = async ({ id }: OwnPlan) => (await control.staticPlans([id]))[0] ?? expect.unreachable();

describe('a network', () => {
  test('is let in at all addresses or at one, and nodes are told of it there', async () => {
    const mine = await plan(2);
    const [one, two] = await ipsOf(mine);
    const { data } = await add(mine, ' 203.0.113.9/28 ', { note: ' Office ' });
    expect(data.staticNetworkAdd).toEqual({
      networksAndPassword: false,
      networks: [
        {
          id: expect.stringMatching(/^net_/),
          network: '203.0.113.0/28',
          ip: null,
          note: 'Office',
          createdAt: expect.any(String),
          usedAt: null,
        },
      ],
    });
    await add(mine, '2606:2800:220:1::7/64', { ip: two });
    const [all, single] = await listOf(mine);
    expect(single).toMatchObject({ network: '2606:2800:220:1::/64', ip: two });
    const told = await toldOf(mine);
    const shared = { id: all?.id, network: '203.0.113.0/28' };
    expect(told.endpoints).toEqual([
      { address: one, port: 8000, networks: [shared] },
      { address: two, port: 8000, networks: [shared, { id: single?.id, network: '2606:2800:220:1::/64' }] },
    ]);
    expect(told.allowedClients).toEqual([]);
    expect((await world.events(mine.id, 'static_plan.network_added')).map(({ data: said }) => said)).toEqual([
      { planId: mine.id, network: '203.0.113.0/28' },
      { planId: mine.id, network: '2606:2800:220:1::/64', ip: two },
    ]);
  });

  test('has one entry at each address, and may be let in by other plans', async () => {
    const [mine, other] = [await plan(2), await plan(1)];
    const [one, two] = await ipsOf(mine);
    expect((await add(mine, '203.0.113.7', { ip: one })).code).toBeUndefined();
    expect((await add(mine, '203.0.113.7', { ip: two })).code).toBeUndefined();
    expect(await add(mine, '203.0.113.7/32', { ip: one })).toMatchObject({ code: 'parameter_invalid' });
    expect((await add(mine, '203.0.113.7')).code).toBe('parameter_invalid');
    expect((await add(mine, '203.0.113.0/24')).code).toBeUndefined();
    expect((await add(mine, '203.0.113.0/24', { ip: one })).code).toBe('parameter_invalid');
    expect((await add(other, '203.0.113.7')).code).toBeUndefined();
    expect(await listOf(mine)).toHaveLength(3);
  });

  test.each([
    [{ network: 'localhost' }],
    [{ network: '203.0.112.0/23' }],
    [{ network: '2606:2800::/47' }],
    [{ network: '203.0.113.7', ip: '192.0.2.9' }],
    [{ network: '203.0.113.7', note: 'x'.repeat(61) }],
  ])('%j is refused', async (input) => {
    const mine = await plan(1);
    expect((await mine.ask(ADD, { input })).code).toBe('parameter_invalid');
    expect(await listOf(mine)).toEqual([]);
  });

  test('is one of at most a hundred', async () => {
    const mine = await plan(1);
    for (let last = 0; last < 100; last++) await add(mine, `203.0.113.${last}`);
    expect((await add(mine, '203.0.113.200')).code).toBe('parameter_invalid');
    expect(await listOf(mine)).toHaveLength(100);
  });

  test('is removed by its owner alone; then nodes are told of it no more', async () => {
    const mine = await plan(1);
    await add(mine, '203.0.113.7');
    const [entry] = await listOf(mine);
    expect((await mine.ask(REMOVE, { network: entry?.id }, 'acct_stranger')).code).toBe('network_not_found');
    expect((await mine.ask(REMOVE, { network: entry?.id })).data.staticNetworkRemove.networks).toEqual([]);
    expect((await mine.ask(REMOVE, { network: entry?.id })).code).toBe('network_not_found');
    expect((await toldOf(mine)).endpoints[0]?.networks).toBeUndefined();
    expect((await world.events(mine.id, 'static_plan.network_removed')).map(({ data }) => data)).toEqual([
      { planId: mine.id, network: '203.0.113.7/32' },
    ]);
  });

  test('is told as used, to the minute', async () => {
    const mine = await plan(1);
    await add(mine, '203.0.113.7');
    const [entry] = await listOf(mine);
    const use = () => control.networksUsed?.([entry?.id ?? '', 'net_of_nobody']);
    await use();
    const [used] = await listOf(mine);
    expect(used?.usedAt).toBe(world.platform.clock.now().toISOString());
    world.platform.clock.advance(59_000);
    await use();
    expect((await listOf(mine))[0]?.usedAt).toBe(used?.usedAt);
    world.platform.clock.advance(2_000);
    await use();
    expect((await listOf(mine))[0]?.usedAt).toBe(world.platform.clock.now().toISOString());
  });
});

test('both can be needed; then nodes are told so, and those that know nothing of networks keep everybody else out', async () => {
  const mine = await plan(1);
  await add(mine, '203.0.113.7');
  expect((await mine.ask(SET, { both: true })).data.staticPlanSetLogIn.networksAndPassword).toBe(true);
  expect(await toldOf(mine)).toMatchObject({ networksAndPassword: true, allowedClients: ['127.0.0.1'] });
  expect((await mine.ask(SET, { both: false })).data.staticPlanSetLogIn.networksAndPassword).toBe(false);
  expect((await world.events(mine.id, 'static_plan.log_in_set')).map(({ data }) => data)).toEqual([
    { planId: mine.id, both: true },
    { planId: mine.id, both: false },
  ]);
});

test('an address that is exchanged hands its networks on; one that is given back, and a plan that ends, keep none', async () => {
  const mine = await plan(2, 2);
  const [one, two] = await ipsOf(mine);
  await add(mine, '203.0.113.7', { ip: one });
  await add(mine, '203.0.113.8', { ip: two });
  await add(mine, '203.0.113.9');
  const prepared = await mine.ask(
    'mutation ($id: ID!, $ips: [String!]!) { staticPlanReplacementPrepare(id: $id, addresses: $ips, reason: OTHER) { id pairs { came } } }',
    { ips: [one] },
  );
  const { id, pairs } = prepared.data.staticPlanReplacementPrepare;
  await mine.ask('mutation ($swap: ID!) { staticPlanReplacementConfirm(id: $swap) { id } }', { swap: id });
  expect((await listOf(mine)).map(({ network, ip }) => [network, ip])).toEqual([
    ['203.0.113.7/32', pairs[0].came],
    ['203.0.113.8/32', two],
    ['203.0.113.9/32', null],
  ]);
  await applyPlanEvent(world.context(), mine.id, 'period_ended');
  expect(await listOf(mine)).toEqual([]);
  expect((await add(mine, '203.0.113.7')).code).toBe('action_not_allowed');
});

test('a stranger reaches nothing of it, and a key needs the scope plans', async () => {
  const mine = await plan(1);
  expect((await mine.ask(ADD, { input: { network: '203.0.113.7' } }, 'acct_stranger')).code).toBe('plan_not_found');
  expect((await mine.ask(SET, { both: true }, 'acct_stranger')).code).toBe('plan_not_found');
  const input = { id: mine.id, input: { network: '203.0.113.7' } };
  const codeOf = async (scope: 'read' | 'plans') =>
    (await world.ask(keyOf(mine.accountId, [scope]), ADD, input)).errors?.[0]?.extensions['code'];
  expect(await codeOf('read')).toBe('forbidden');
  expect(await codeOf('plans')).toBeUndefined();
});
