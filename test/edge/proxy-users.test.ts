// Proxy users with real nodes and the real ledger: their limits hold exactly on several nodes, and their use counts for the plan.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MB } from '#platform/data-size.ts';
import { unseal } from '#platform/sealing.ts';
import type { Edge } from '../../edge/edge.ts';
import { setDailyLimit } from '../../subgraphs/residential/plans/services/plan-settings.ts';
import type { Plan } from '../../subgraphs/residential/plans/domain/plan.ts';
import { type ProxyUser, userBytes } from '../../subgraphs/residential/users/domain/proxy-user.ts';
import type { UserTermsInput } from '../../subgraphs/residential/users/domain/user-terms.ts';
import {
  changeProxyUser,
  createProxyUsers,
  readProxyUser,
  removeProxyUser,
  renewProxyUser,
  resetUserPassword,
} from '../../subgraphs/residential/users/services/proxy-users.ts';
import { sessionOf } from '../kit/platform.ts';
import { type Client, connectHead, openClient } from './world.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';

let world: PlatformWorld;
let nodes: Edge[];
beforeAll(async () => {
  world = await startPlatformWorld();
  nodes = [await world.localEdge('own'), ...(await Promise.all(['far-1', 'far-2', 'far-3'].map((id) => world.remoteEdge(id))))];
});
afterAll(() => world.close());

const port = (edge: Edge | undefined): number => edge?.ports[0] as number;
const settle = () => Promise.all(nodes.map((edge) => edge.plans.leases.flush()));
const as = (plan: Plan) => world.residential.as(sessionOf(plan.accountId));
const userOf = async (plan: Plan, terms: UserTermsInput = {}): Promise<ProxyUser> => {
  const [user] = await createProxyUsers(as(plan), plan.id, [{ name: 'Shop', ...terms }]);
  return user as ProxyUser;
};
const passwordOf = (user: ProxyUser): string => unseal(user.passwordSealed, world.residential.platform.secrets.sealing, user.id);

async function ask(node: Edge | undefined, user: ProxyUser, country = 'any', host?: string, from?: string): Promise<Client> {
  const client = await openClient(port(node), '127.0.0.1', from);
  const target = host ?? `${world.source.endpoint.address}:${world.source.endpoint.port}`;
  client.write(connectHead(target, `${user.username}-country-${country}`, passwordOf(user)));
  return client;
}
async function tunnel(node: Edge | undefined, user: ProxyUser): Promise<Client> {
  const client = await ask(node, user);
  client.skip((await client.until('\r\n\r\n')).indexOf('\r\n\r\n') + 4);
  return client;
}
const refusal = async (client: Client): Promise<string> => (await client.ended()).toString();

test('a daily limit of a user ends at its last byte, on four nodes at once; plan, days, ledger and leases have the same bytes', async () => {
  const plan = await world.residential.plan('acct_1', 'PREMIUM', 900n * MB);
  const user = await userOf(plan, { dailyLimitBytes: 40n * MB });
  const clients = await Promise.all([...nodes, ...nodes].map((node) => tunnel(node, user)));
  for (const client of clients) client.write('g');
  const received = await Promise.all(clients.map(async (client) => (await client.ended()).length));
  await settle();
  expect(received.reduce((sum, length) => sum + length, 0) + clients.length).toBe(Number(40n * MB));
  expect(await world.sums(plan)).toEqual(Array.from({ length: 5 }, () => 40n * MB));
  expect(await readProxyUser(as(plan), user.id)).toMatchObject({ usedTodayBytes: 40n * MB, usedMonthBytes: 40n * MB });
  expect(await refusal(await ask(nodes[2], user))).toMatch(
    /^HTTP\/1\.1 429 [^]*X-Proxy-Error: proxy_user_limit_reached\r\nRetry-After: 43200\r\n/,
  );
  // The plan itself goes on, and so does the user when its limit is raised.
  await world.tunnel(port(nodes[1]), plan);
  await changeProxyUser(as(plan), user.id, { dailyLimitBytes: 50n * MB });
  await tunnel(nodes[2], user);
});

test('users and the plan itself share the package to its last byte, and what each used sums to it', async () => {
  const plan = await world.residential.plan('acct_2', 'PREMIUM', 60n * MB);
  const users = await createProxyUsers(as(plan), plan.id, [{ name: 'A' }, { name: 'B', totalLimitBytes: 10n * MB }]);
  const clients = await Promise.all([
    ...users.flatMap((user) => nodes.map((node) => tunnel(node, user))),
    world.tunnel(port(nodes[0]), plan),
  ]);
  for (const client of clients) client.write('g');
  await Promise.all(clients.map((client) => client.ended()));
  await settle();
  expect(await world.sums(plan)).toEqual(Array.from({ length: 5 }, () => 60n * MB));
  const { data } = await world.residential.ask(
    sessionOf('acct_2'),
    'query ($id: ID!) { residentialPlan(id: $id) { breakdown(by: USER) { totalBytes shares { value totalBytes } } users { total items { id usedBytes state days(last: 1) { totalBytes } } } } }',
    { id: plan.id },
  );
  const { breakdown, users: page } = (
    data as {
      residentialPlan: {
        breakdown: { totalBytes: string; shares: { value: string | null; totalBytes: string }[] };
        users: { items: { id: string; usedBytes: string; state: string; days: { totalBytes: string }[] }[] };
      };
    }
  ).residentialPlan;
  expect(breakdown.totalBytes).toBe(String(60n * MB));
  for (const { id, usedBytes, days } of page.items) {
    expect(breakdown.shares.find(({ value }) => value === id)?.totalBytes ?? '0').toBe(usedBytes);
    expect(days).toEqual([{ totalBytes: usedBytes }]);
  }
  const limited = await readProxyUser(as(plan), (users[1] as ProxyUser).id);
  expect(userBytes(limited)).toBeLessThanOrEqual(10n * MB);
});

test('a user that is paused, removed or given another password is cut off on every node; the plan and its other users are not', async () => {
  const plan = await world.residential.plan('acct_3');
  const users = await createProxyUsers(as(plan), plan.id, [{ name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'stays' }]);
  const [paused, removed, reset, stays] = users as [ProxyUser, ProxyUser, ProxyUser, ProxyUser];
  const own = await world.tunnel(port(nodes[1]), plan);
  const open = await Promise.all(users.map((user) => Promise.all(nodes.map((node) => tunnel(node, user)))));
  await changeProxyUser(as(plan), paused.id, { paused: true });
  await removeProxyUser(as(plan), removed.id);
  await resetUserPassword(as(plan), reset.id);
  for (const client of open.slice(0, 3).flat()) await client.ended();
  for (const client of [own, ...(open[3] as Client[])]) {
    client.write('g');
    await client.until(1_000);
    client.socket.destroy();
  }
  expect(await refusal(await ask(nodes[3], paused))).toMatch(/^HTTP\/1\.1 403 [^]*proxy_user_paused/);
  expect(await refusal(await ask(nodes[3], removed))).toMatch(/^HTTP\/1\.1 407 /);
  expect(await refusal(await ask(nodes[3], reset))).toMatch(/^HTTP\/1\.1 407 /);
  await tunnel(nodes[3], await readProxyUser(as(plan), reset.id));
  await tunnel(nodes[0], stays);
});

test('a limit of the plan stops its users too, within a second, and a new allowance lets a used up user go on', async () => {
  const plan = await world.residential.plan('acct_4', 'PREMIUM', 5_000n * MB);
  const user = await userOf(plan, { totalLimitBytes: 3n * MB });
  const client = await tunnel(nodes[1], user);
  client.write('g');
  await client.ended();
  await settle();
  expect(await refusal(await ask(nodes[2], user))).toMatch(/^HTTP\/1\.1 402 [^]*proxy_user_used_up/);
  await renewProxyUser(as(plan), user.id);
  const again = await tunnel(nodes[2], user);
  await world.residential.use(plan, 1_000n * MB);
  await setDailyLimit(as(plan), plan.id, 1_000n * MB);
  await again.ended();
  expect(await refusal(await ask(nodes[1], user))).toMatch(/^HTTP\/1\.1 429 [^]*daily_limit_reached/);
});

test('lines of a user are for its places, targets and addresses alone, also those that are open when it is changed', async () => {
  const plan = await world.residential.plan('acct_5');
  const { address } = world.source.endpoint;
  const user = await userOf(plan, { countries: ['Germany'], targets: [address, 'example.com'], clients: ['127.0.0.2/31'] });
  const good = await ask(nodes[1], user, 'de', undefined, '127.0.0.3');
  expect((await good.until('\r\n\r\n')).toString()).toMatch(/^HTTP\/1\.1 200 /);
  expect(await refusal(await ask(nodes[1], user, 'de'))).toMatch(/403 [^]*client_not_allowed/);
  expect(await refusal(await ask(nodes[1], user, 'any', undefined, '127.0.0.2'))).toMatch(/403 [^]*proxy_place_not_allowed/);
  expect(await refusal(await ask(nodes[1], user, 'de', 'badexample.com:443', '127.0.0.2'))).toMatch(/403 [^]*proxy_target_not_allowed/);
  await changeProxyUser(as(plan), user.id, { clients: ['127.0.0.9'] });
  await good.ended();
  await changeProxyUser(as(plan), user.id, { clients: null, countries: [], targets: null });
  await tunnel(nodes[1], user);
});

test("what a network reports of a user is the plan's and the user's", async () => {
  const plan = await world.residential.plan('acct_6');
  const user = await userOf(plan, { monthlyLimitBytes: 5n * MB });
  await world.residential.report([world.residential.line(plan, { username: `${user.username}-country-de`, downBytes: 5n * MB })]);
  expect(await world.used(plan)).toBe(5n * MB);
  expect(await readProxyUser(as(plan), user.id)).toMatchObject({ usedMonthBytes: 5n * MB });
  expect(await refusal(await ask(nodes[1], user))).toMatch(/429 [^]*proxy_user_limit_reached\r\nRetry-After: 1425600\r\n/);
});
