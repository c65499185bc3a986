// Log-in by address: a customer from a listed network needs no password, and nobody else gets in by it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { unseal } from '#platform/sealing.ts';
import { ClientNetworks } from '../../edge/client-networks.ts';
import { PLAN_ANSWER, toMessage } from '../../edge/protocol/messages.ts';
import { createPlansControl } from '../../subgraphs/residential/edge-control.ts';
import type { Plan } from '../../subgraphs/residential/plans/domain/plan.ts';
import { sessionOf } from '../kit/platform.ts';
import { codesOf } from '../subgraphs/residential/world.ts';
import { type OwnEdgeWorld, startOwnEdgeWorld } from './own-edge-world.ts';

describe('a list', () => {
  const controlPlane = { follow: () => () => {} };
  const list = new ClientNetworks({ controlPlane, log: silentLog, monotonic: () => performance.now(), ended: () => {} });
  list.set(
    ['203.0.113.0/24', '203.0.113.64/26', '203.0.113.7/32', '2001:db8::/48', '2001:db8:0:7::/64', 'no/32', '203.0.113.0/33'].map(
      (network) => ({
        id: network,
        network,
        username: network,
      }),
    ),
  );
  test.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.127', '203.0.113.64/26'],
    ['203.0.113.128', '203.0.113.0/24'],
    ['203.0.114.0', undefined],
    ['2001:db8:0:7:ffff::1', '2001:db8:0:7::/64'],
    ['2001:db8:0:8::1', '2001:db8::/48'],
    ['2001:db9::1', undefined],
    // The same bits as 203.0.113.7, but IPv6.
    ['cb00:7107::', undefined],
    ['', undefined],
    ['x', undefined],
  ])('%s is in %s', (address, network) => {
    expect(list.of(address)?.network).toBe(network);
  });
  test('knows which of them are in use', () => {
    expect(list.used()).toContain('203.0.113.7/32');
    list.set([]);
    expect([list.of('203.0.113.7'), list.used()]).toEqual([undefined, []]);
  });
});

describe('at the node', () => {
  let own: OwnEdgeWorld;
  beforeAll(async () => {
    own = await startOwnEdgeWorld();
  });
  afterAll(() => own?.close());

  const run = promisify(execFile);
  /** The target's answer, or the status of the node's refusal. */
  const curl = async (scheme: string, from = '127.0.0.1', login = ''): Promise<string> => {
    const options = ['-sS', '--max-time', '10', '--noproxy', '', '--interface', from, '-w', ' %{http_connect}%{http_code}'];
    const proxy = `${scheme}://${login}127.0.0.1:${own.edge.ports[0]}`;
    return run('curl', [...options, '-x', proxy, own.site.url]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => `failed${stdout}`,
    );
  };
  const ask = (plan: Plan, text: string, variables: object = {}) =>
    own.world.ask(sessionOf(plan.accountId), text, { plan: plan.id, ...variables });
  const add = (plan: Plan, network: string, over: object = {}) =>
    ask(
      plan,
      'mutation ($plan: ID!, $input: ClientNetworkInput!) { clientNetworkAdd(planId: $plan, input: $input) { networks { id network line usedAt } } }',
      {
        input: { network, targeting: { pool: 'Germany' }, session: 'ROTATING', ...over },
      },
    );
  const listOf = async (plan: Plan) => {
    const { data } = await ask(plan, 'query ($plan: ID!) { residentialPlan(id: $plan) { networks { id network line usedAt } } }');
    return (data as { residentialPlan: { networks: { id: string; network: string; line: string; usedAt: string | null }[] } })
      .residentialPlan.networks;
  };
  /** Repeats until the node knows of the change. */
  const until = async (answer: () => Promise<string>, wanted: RegExp): Promise<string> => {
    for (let round = 0; round < 40; round++) {
      const said = await answer();
      if (wanted.test(said)) return said;
      await new Promise((done) => setTimeout(done, 50));
    }
    return answer();
  };
  const THROUGH = /You come from 127\.77\./;
  const usedOf = async (plan: Plan) => {
    await own.edge.plans.leases.flush();
    const { upBytes, downBytes } = await own.world.planNow(plan.id);
    return upBytes + downBytes;
  };

  test('a listed address passes over HTTP, CONNECT and SOCKS5, on the plan’s bytes and from the entry’s place; another does not', async () => {
    const { plan } = own;
    expect(await curl('http')).toContain('407');
    expect((await add(plan, '127.0.0.1', { session: 'STICKY' })).errors).toBeUndefined();
    expect(await until(() => curl('http'), THROUGH)).toMatch(THROUGH);
    expect(await curl('socks5h')).toMatch(THROUGH);
    expect(await curl('socks5')).toMatch(THROUGH);
    expect(await curl('http', '127.0.0.2')).toContain('407');
    expect(await curl('socks5h', '127.0.0.2')).toMatch(/^failed/);
    expect(await usedOf(plan)).toBeGreaterThan(0n);
    const [entry] = await listOf(plan);
    expect(entry?.line).toMatch(/^-country-de-session-\d{8}-sessionttl-60$/);
    // The session keeps one address.
    const [one, two] = [await curl('http'), await curl('socks5h')];
    expect(one.split(' 0')[0]).toBe(two.split(' 0')[0]);
    await own.edge.sendStatus();
    expect((await listOf(plan))[0]?.usedAt).not.toBeNull();
  });

  test('wrong credentials stay wrong from a listed address', async () => {
    expect(await curl('http', '127.0.0.1', 'nobody:wrong@')).toContain('407');
    expect(await curl('http', '127.0.0.1', `${own.plan.username}:wrong@`)).toContain('407');
  });

  test('the most specific network counts, and a network belongs to one plan only', async () => {
    const other = await own.world.plan('acct_2');
    expect((await add(other, '127.0.0.77/24')).errors).toBeUndefined();
    expect((await listOf(other)).map(({ network }) => network)).toEqual(['127.0.0.0/24']);
    expect(await until(() => curl('http', '127.0.0.9'), THROUGH)).toMatch(THROUGH);
    const before = await usedOf(other);
    expect(before).toBeGreaterThan(0n);
    expect(await curl('http')).toMatch(THROUGH);
    expect(await usedOf(other)).toBe(before);
    expect(codesOf(await add(other, '127.0.0.1/32'))).toEqual(['parameter_invalid']);
    expect(codesOf(await add(own.plan, '127.0.0.1'))).toEqual(['parameter_invalid']);
  });

  const SET =
    'mutation ($plan: ID!, $both: Boolean!) { residentialPlanSetLogIn(id: $plan, networksAndPassword: $both) { networksAndPassword } }';
  test('both: the password alone fails from elsewhere, the address alone everywhere', async () => {
    const login = `${own.plan.username}:${own.password}@`;
    expect(await curl('http', '127.0.0.3', login)).toMatch(THROUGH);
    expect((await ask(own.plan, SET, { both: true })).errors).toBeUndefined();
    expect(await until(() => curl('http', '127.0.0.3', login), /403/)).toContain('403');
    expect(await curl('http', '127.0.0.1', login)).toMatch(THROUGH);
    // Now the wider network applies, which is the other plan's.
    const other = await usedOf(own.plan);
    await until(() => curl('http'), THROUGH);
    expect(await usedOf(own.plan)).toBe(other);
    await ask(own.plan, SET, { both: false });
    expect(await until(() => curl('http', '127.0.0.3', login), THROUGH)).toMatch(THROUGH);
  });

  test('both: an entry is used by who comes from it with the password, and is no log-in for nodes of any release', async () => {
    const plan = await own.world.plan('acct_both');
    const login = `${plan.username}:${unseal(plan.passwordSealed, own.world.platform.secrets.sealing, plan.id)}@`;
    await add(plan, '127.7.0.0/24');
    await add(plan, '127.7.0.7');
    await ask(plan, SET, { both: true });
    const control = createPlansControl({ context: own.world.context, notifications: own.world.platform.notifications });
    const [wide, narrow] = await listOf(plan);
    const logIns = ((await control.networks?.()) ?? []).map(({ id }) => id);
    expect(logIns).not.toContain(wide?.id);
    expect(logIns).not.toContain(narrow?.id);
    // What nodes of earlier releases go by is what it was.
    const [facts] = await control.plans([plan.username]);
    expect(facts?.rules?.clients?.toSorted()).toEqual(['127.7.0.0/24', '127.7.0.7/32']);

    expect(PLAN_ANSWER.parse(JSON.parse(JSON.stringify(facts && toMessage(facts))))?.rules).toEqual(facts?.rules);

    const usedAfter = async () => {
      await own.edge.sendStatus();
      return (await listOf(plan)).map(({ usedAt }) => usedAt);
    };
    expect(await until(() => curl('http', '127.0.0.3', login), /403/)).toContain('403');
    expect(await curl('http', '127.7.0.7')).toContain('407');
    expect(await curl('http', '127.7.0.7', `${plan.username}:wrong@`)).toContain('407');
    expect(await usedAfter()).toEqual([null, null]);
    expect(await curl('http', '127.7.0.7', login)).toMatch(THROUGH);
    const now = own.world.platform.clock.now().toISOString();
    expect(await usedAfter()).toEqual([null, now]);
    expect(await curl('socks5h', '127.7.0.8', login)).toMatch(THROUGH);
    expect(await usedAfter()).toEqual([now, now]);
  });

  test('a removed network lets nobody in, and only its owner can remove it', async () => {
    const REMOVE = 'mutation ($id: ID!) { clientNetworkRemove(id: $id) { id } }';
    const third = await own.world.plan('acct_3');
    await add(third, '127.9.9.9');
    expect(await until(() => curl('http', '127.9.9.9'), THROUGH)).toMatch(THROUGH);
    const [entry] = await listOf(third);
    expect(codesOf(await own.world.ask(sessionOf('acct_2'), REMOVE, { id: entry?.id }))).toEqual(['network_not_found']);
    expect((await own.world.ask(sessionOf('acct_3'), REMOVE, { id: entry?.id })).errors).toBeUndefined();
    expect(await until(() => curl('http', '127.9.9.9'), /407/)).toContain('407');
  });

  test('a plan that is used up says so', async () => {
    const fourth = await own.world.plan('acct_4');
    await add(fourth, '127.8.8.8');
    expect(await until(() => curl('http', '127.8.8.8'), THROUGH)).toMatch(THROUGH);
    await own.edge.plans.leases.flush();
    await own.world.use(fourth, 10_500_000_000n);
    expect(await until(() => curl('http', '127.8.8.8'), /402/)).toContain('402');
  });
});
