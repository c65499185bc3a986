import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '#platform/ask.ts';
import { GB, MB } from '#platform/data-size.ts';
import { toFailure } from '#platform/errors.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { rebuildUsage, verifyUsage } from '../../../../subgraphs/residential/metering/services/verify-usage.ts';
import { createUserPageRoute } from '../../../../subgraphs/residential/users/doors/user-page.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { setRows } from '../../../kit/tables.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const owner = sessionOf('acct_a');
interface User {
  id: string;
  username: string;
  password: string;
}
const CREATE =
  'mutation ($plan: ID!, $users: [ProxyUserInput!]!) { proxyUsersCreate(planId: $plan, users: $users) { id name username password state dailyLimitBytes countries targets clients } }';
const CHANGE =
  'mutation ($id: ID!, $input: ProxyUserInput!) { proxyUserChange(id: $id, input: $input) { name state dailyLimitBytes countries resumesAt } }';
const LIST =
  'query ($plan: ID!, $search: String, $page: Int!) { residentialPlan(id: $plan) { users(search: $search, page: $page, limit: 100) { total pageCount items { name } } } }';
const create = (plan: Plan, users: object[], viewer = owner) => world.ask(viewer, CREATE, { plan: plan.id, users });
async function one(plan: Plan, terms: object = {}): Promise<User> {
  const { data } = await create(plan, [{ name: 'Shop', ...terms }]);
  return (data as unknown as { proxyUsersCreate: [User] }).proxyUsersCreate[0];
}

describe('a proxy user', () => {
  test('has its own credentials, the given terms, and an event for each change', async () => {
    const plan = await world.plan('acct_a');
    const user = await one(plan, {
      name: '  Shop ',
      dailyLimitBytes: String(2n * GB),
      countries: ['Germany', 'UK', 'de'],
      targets: ['*.Example.com'],
      clients: ['203.0.113.0/24'],
    });
    expect(user).toMatchObject({
      name: 'Shop',
      state: 'ACTIVE',
      dailyLimitBytes: '2000000000',
      countries: ['de', 'gb'],
      targets: ['example.com'],
      clients: ['203.0.113.0/24'],
    });
    expect(user.username).toMatch(/^[0-9a-z]{12}$/);
    const changed = await world.ask(owner, CHANGE, { id: user.id, input: { name: 'Shop 2', dailyLimitBytes: null, paused: true } });
    expect(changed.data).toEqual({
      proxyUserChange: { name: 'Shop 2', state: 'PAUSED', dailyLimitBytes: null, countries: ['de', 'gb'], resumesAt: null },
    });
    expect((await world.events(plan.id)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['proxy_user.created', 'proxy_user.changed']),
    );
  });

  test.each([
    [{ name: '' }, 'parameter_invalid'],
    [{ name: 'x', dailyLimitBytes: '999999' }, 'parameter_invalid'],
    [{ name: 'x', countries: ['Atlantis'] }, 'pool_unknown'],
    [{ name: 'x', targets: ['not a host'] }, 'parameter_invalid'],
    [{ name: 'x', clients: ['203.0.113.0/4'] }, 'parameter_invalid'],
  ])('is refused with %j', async (terms, code) => {
    expect(codesOf(await create(await world.plan('acct_a'), [terms]))).toEqual([code]);
  });

  test('is out of reach for another account and for a key that may only read', async () => {
    const plan = await world.plan('acct_a');
    const user = await one(plan);
    const stranger = sessionOf('acct_b');
    const PASSWORD = 'query ($id: ID!) { proxyUser(id: $id) { password } }';
    expect(codesOf(await create(plan, [{ name: 'x' }], stranger))).toEqual(['plan_not_found']);
    expect(codesOf(await world.ask(stranger, CHANGE, { id: user.id, input: { paused: true } }))).toEqual(['proxy_user_not_found']);
    const reader = keyOf('acct_a', ['read']);
    expect(codesOf(await world.ask(reader, PASSWORD, { id: user.id }))).toEqual(['forbidden']);
    expect(codesOf(await world.ask(reader, CHANGE, { id: user.id, input: {} }))).toEqual(['forbidden']);
    expect((await world.ask(keyOf('acct_a'), PASSWORD, { id: user.id })).data).toEqual({ proxyUser: { password: user.password } });
  });

  test('is found among all plans of its owner, and of nobody else', async () => {
    const [first, second] = [await world.plan('acct_find'), await world.plan('acct_find')];
    const viewer = sessionOf('acct_find');
    await create(first, [{ name: 'Shop in Bonn' }, { name: 'Office' }], viewer);
    await create(second, [{ name: 'Shop in Ulm' }], viewer);
    const FIND = 'query ($search: String!, $first: Int! = 10) { proxyUsers(search: $search, first: $first) { planId name username } }';
    const find = async (search: string, by = viewer) =>
      ((await world.ask(by, FIND, { search })).data as unknown as { proxyUsers: { planId: string; name: string; username: string }[] })
        .proxyUsers;
    expect((await find(' SHOP ')).map(({ planId, name }) => [planId, name])).toEqual([
      [second.id, 'Shop in Ulm'],
      [first.id, 'Shop in Bonn'],
    ]);
    const [office] = await find('office');
    expect(await find(office?.username ?? '')).toEqual([office]);
    expect(await find('shop', sessionOf('acct_other'))).toEqual([]);
    expect(codesOf(await world.ask(viewer, FIND, { search: 'shop', first: 101 }))).toEqual(['limit_invalid']);
  });

  test('is one of at most 10,000, with pages and search', async () => {
    const plan = await world.plan('acct_c');
    const viewer = sessionOf('acct_c');
    for (let batch = 0; batch < 20; batch++) {
      const users = Array.from({ length: 500 }, (_, index) => ({ name: `user ${batch * 500 + index}` }));
      expect(codesOf(await create(plan, users, viewer))).toEqual([]);
    }
    expect(codesOf(await create(plan, [{ name: 'one more' }], viewer))).toEqual(['proxy_users_full']);
    const list = async (page: number, search = '') => {
      const { data } = await world.ask(viewer, LIST, { plan: plan.id, page, search });
      return (data as unknown as { residentialPlan: { users: object } }).residentialPlan.users;
    };
    expect(await list(100)).toMatchObject({ total: 10_000, pageCount: 100, items: { length: 100 } });
    expect(await list(1, 'USER 999')).toMatchObject({ total: 11, items: expect.arrayContaining([{ name: 'user 9990' }]) });
  }, 60_000);

  test('has sums that an audit compares with the ledger and rebuilds if they differ', async () => {
    const plan = await world.plan('acct_a', 'PREMIUM', 50n * GB);
    const users = [await one(plan), await one(plan, { monthlyLimitBytes: String(3n * GB) })];
    await world.report([
      world.line(plan, { downBytes: 7n }),
      ...users.map((user, index) => world.line(plan, { line: index + 1, username: user.username, downBytes: 3n * GB })),
    ]);
    const { data } = await world.ask(
      owner,
      'query ($id: ID!) { residentialPlan(id: $id) { breakdown(by: USER) { totalBytes shares { value totalBytes } } users { items { state usedBytes usedMonthBytes resumesAt } } } }',
      { id: plan.id },
    );
    expect(data).toMatchObject({
      residentialPlan: {
        breakdown: { totalBytes: '6000000007', shares: expect.arrayContaining([{ value: null, totalBytes: '7' }]) },
        users: {
          items: [
            { state: 'MONTHLY_LIMIT', usedBytes: '3000000000', usedMonthBytes: '3000000000', resumesAt: '2026-02-01T00:00:00.000Z' },
            { state: 'ACTIVE', usedBytes: '3000000000', resumesAt: null },
          ],
        },
      },
    });
    expect((await verifyUsage(world.context())).differences).toEqual([]);
    await setRows(world.query, 'residential.proxy_user', { up_bytes: 1 }, { id: users[0]?.id ?? '' });
    expect((await verifyUsage(world.context())).differences).toMatchObject([{ what: 'user', planId: plan.id, of: users[0]?.id }]);
    await rebuildUsage(world.context(), [plan.id]);
    expect((await verifyUsage(world.context())).differences).toEqual([]);
  });
});

/** Fetches the page of a proxy user from its route, as a gateway serves it. */
async function read(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const route = createUserPageRoute({
    async ask(document, variables, viewer) {
      const result = await world.ask(viewer as never, document, variables as Record<string, unknown>);
      const failure = failureOf(result as never);
      if (failure) throw failure;
      return result.data as never;
    },
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://door');
    const call = { requestId: 'req_door', address: '127.0.0.1', url, started: 0, logFields: {} };
    Promise.resolve(route.handle(request, response, call)).catch((error: unknown) =>
      route.refuse?.(toFailure(error), request, response, call as never),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });
  const text = await answer.text();
  server.close();
  server.closeAllConnections();
  return { status: answer.status, text };
}

test('the page of a user shows its use, without the password, to anybody who has the address, until it is revoked', async () => {
  const plan = await world.plan('acct_a');
  const user = await one(plan, { name: '<b>Shop</b>', dailyLimitBytes: String(GB) });
  await world.use(plan, 250n * MB, { username: user.username });
  const { data } = await world.ask(owner, 'mutation ($id: ID!) { proxyUserMakePage(id: $id) { url } }', { id: user.id });
  const { pathname } = new URL((data as unknown as { proxyUserMakePage: { url: string } }).proxyUserMakePage.url);
  const page = await read(pathname, { 'accept-language': 'de' });
  expect(page.status).toBe(200);
  expect(page.text).toContain('250 MB von 1 GB');
  expect(page.text).toContain('&lt;b&gt;Shop&lt;/b&gt;');
  expect(page.text).not.toContain(user.password);
  expect(JSON.parse((await read(`${pathname}.json`)).text)).toMatchObject({ used_today_gb: 0.25, daily_limit_gb: 1, state: 'active' });
  await world.ask(owner, 'mutation ($id: ID!) { proxyUserRevokePage(id: $id) { pageMadeAt } }', { id: user.id });
  expect((await read(pathname)).status).toBe(404);
});
