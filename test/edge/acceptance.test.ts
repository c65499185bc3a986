import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB, MB } from '#platform/data-size.ts';
import type { Edge } from '../../edge/edge.ts';
import { enrolEdge, revokeEdge } from '../../subgraphs/residential/edges/services/edges.ts';
import { reapLeases } from '../../subgraphs/residential/leases/services/leases.ts';
import { resetAuthentication, setDailyLimit } from '../../subgraphs/residential/plans/services/plan-settings.ts';
import { sessionOf } from '../kit/platform.ts';
import { connectHead, openClient } from './world.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';

let world: PlatformWorld;
let own: Edge;
let far: Edge;
beforeAll(async () => {
  world = await startPlatformWorld();
  own = await world.localEdge('own');
  far = await world.remoteEdge('far');
});
afterAll(() => world.close());

const port = (edge: Edge): number => edge.ports[0] as number;
const settle = () => Promise.all([own, far].map((edge) => edge.plans.leases.flush()));
const allThe = (value: bigint): bigint[] => Array.from({ length: 5 }, () => value);

test('a package sold on two nodes, one in the process and one over HTTP, ends at its last byte; every sum agrees', async () => {
  const plan = await world.residential.plan('acct_1', 'PREMIUM', 60n * MB);
  const clients = await Promise.all([own, far, own, far].map((edge) => world.tunnel(port(edge), plan)));
  for (const client of clients) client.write('g');
  const received = await Promise.all(clients.map(async (client) => (await client.ended()).length));
  await settle();
  expect(received.reduce((sum, length) => sum + length, 0) + clients.length).toBe(Number(60n * MB));
  expect(await world.sums(plan)).toEqual(allThe(60n * MB));
  expect(await world.openLeases(plan)).toBe(0);
  const refused = await openClient(port(far));
  refused.write(connectHead('example.com:80', plan.username, world.passwordOf(plan)));
  expect((await refused.ended()).toString()).toMatch(/^HTTP\/1\.1 402 /);
});

test('Reset Proxy Authentication ends open tunnels on both nodes, busy and idle', async () => {
  const plan = await world.residential.plan('acct_2');
  const password = world.passwordOf(plan);
  const tunnels = await Promise.all([own, far, own, far].map((edge) => world.tunnel(port(edge), plan)));
  for (const busy of tunnels.slice(0, 2)) {
    busy.write('g');
    await busy.until(1_000_000);
  }
  await resetAuthentication(world.residential.as(sessionOf('acct_2')), plan.id);
  await Promise.all(tunnels.map((tunnel) => tunnel.ended()));
  for (const edge of [own, far]) {
    const old = await openClient(port(edge));
    old.write(connectHead('example.com:80', plan.username, password));
    expect((await old.ended()).toString()).toMatch(/^HTTP\/1\.1 407 /);
    await world.tunnel(port(edge), await world.residential.planNow(plan.id));
  }
});

test('a Daily Usage Limit that is reached ends tunnels on both nodes; removed, new ones open at once', async () => {
  const plan = await world.residential.plan('acct_3');
  await world.residential.use(plan, GB - 10n * MB);
  await setDailyLimit(world.residential.as(sessionOf('acct_3')), plan.id, GB);
  const [busy, idle] = [await world.tunnel(port(own), plan), await world.tunnel(port(far), plan)];
  busy.write('g');
  const received = (await busy.ended()).length;
  await idle.ended();
  await settle();
  expect(received + 1).toBe(Number(10n * MB));
  const refused = await openClient(port(far));
  refused.write(connectHead('example.com:80', plan.username, world.passwordOf(plan)));
  expect((await refused.ended()).toString()).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: 43200\r\n/);
  await setDailyLimit(world.residential.as(sessionOf('acct_3')), plan.id, null);
  await world.tunnel(port(own), plan);
});

test('while the platform is away a tunnel goes on within its lease, pauses, and goes on when it is back; nothing is lost', async () => {
  const plan = await world.residential.plan('acct_4');
  const client = await world.tunnel(port(far), plan);
  client.write('g');
  await client.until(1_000_000);
  await world.hangUp();
  const meter = [...far.plans.meters()].find(({ facts }) => facts.planId === plan.id) ?? expect.unreachable();
  while (!meter.starved) await new Promise((done) => setImmediate(done));
  const before = client.received.length;
  await world.listen();
  await client.until(before + 5_000_000);
  client.socket.destroy();
  await far.plans.leases.flush();
  while (meter.flows.size > 0) await new Promise((done) => setImmediate(done));
  await far.plans.leases.flush();
  const [used, ...others] = await world.sums(plan);
  expect(others).toEqual(Array.from({ length: 4 }, () => used));
  expect(used).toBeGreaterThan(BigInt(before + 5_000_000));
});

test('a node that is killed loses at most what one tick carried; after its restart it reports the rest and returns its leases', async () => {
  const plan = await world.residential.plan('acct_5');
  const key = await enrolEdge(world.residential.context(), 'mortal');
  const first = await world.childEdge(key, 'mortal');
  const client = await world.tunnel(first.port, plan);
  client.write('g');
  await client.until(30_000_000);
  await first.kill('SIGKILL');
  const received = (await client.ended()).length;
  const heard = await world.used(plan);
  const second = await world.childEdge(key, 'mortal');
  await second.kill('SIGTERM');
  const used = await world.used(plan);
  expect(used).toBeGreaterThanOrEqual(heard);
  expect(used).toBeGreaterThan(0n);
  // Never more than was really forwarded; the last part may have been in the node's own sockets.
  expect(Number(used)).toBeLessThan(received + 16 * 1_048_576);
  expect(new Set(await world.sums(plan)).size).toBe(1);
  // A lease whose grant never arrived is sold again after its end and the margin.
  world.residential.clock.advance(71_000);
  await reapLeases(world.residential.context());
  expect(await world.openLeases(plan)).toBe(0);
});

test('a node with a revoked or unknown key is told nothing', async () => {
  const key = await enrolEdge(world.residential.context(), 'gone');
  await revokeEdge(world.residential.context(), 'gone');
  for (const headers of [{ Authorization: `Bearer ${key}` }, {}] as Record<string, string>[])
    for (const path of ['sync', 'plan?username=x', 'feed'])
      expect((await fetch(`${world.url()}/edge/${path}`, { method: path === 'sync' ? 'POST' : 'GET', headers })).status).toBe(401);
});
