// Proxy nodes where residential and static run in processes of their own: the same paths, the same lines.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { type ServedSubgraph, serveSubgraph } from '#platform/serve.ts';
import { signViewer } from '#platform/identity.ts';
import { createEdgeRoutes } from '../../subgraphs/residential/edge-control.ts';
import { remoteControlPlane } from '../../edge/remote-control-plane.ts';
import { remoteStaticLines } from '../../subgraphs/residential/leases/providers/static-lines.ts';
import { enrolEdge } from '../../subgraphs/residential/leases/services/edges.ts';
import { createEdgeLines, createEdgeLinesRoute } from '../../subgraphs/static/edge-lines.ts';
import { createPlan } from '../../subgraphs/static/delivery/services/create-plan.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { sessionOf } from '../kit/platform.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';

let world: PlatformWorld;
let statics: ServedSubgraph;
let residential: ServedSubgraph;
/** Contexts that nodes' questions took. */
let contexts = 0;
beforeAll(async () => {
  world = await startPlatformWorld();
  const { clock, secrets, notifications } = world.residential.platform;
  const options = { port: 0, host: '127.0.0.1', secret: secrets.identity, clock, log: silentLog };
  const lines = createEdgeLines({ context: () => world.statics.systemContext('test'), notifications });
  statics = await serveSubgraph(world.statics, { ...options, routes: [createEdgeLinesRoute(lines, secrets.identity, clock)] });
  const staticLines = remoteStaticLines({ url: statics.url, secret: secrets.identity, clock, notifications });
  residential = await serveSubgraph(world.residential.subgraph, {
    ...options,
    routes: createEdgeRoutes({ context: () => (contexts++, world.residential.context()), notifications, staticLines }),
  });
  await importInventory(world.statics.systemContext('test'), 'ip,port,product,location\n127.0.0.71,8000,isp-northline,Here');
});
afterAll(async () => {
  await residential.close();
  await statics.close();
  await world.close();
});

test('a node works with a residential that runs alone, and hears of static lines through it', async () => {
  const origin = new URL(residential.url).origin;
  const key = await enrolEdge(world.residential.context(), 'apart');
  const node = remoteControlPlane({ url: origin, key, log: silentLog });
  const plan = await world.residential.plan('acct_1');
  expect((await node.plan(plan.username))?.planId).toBe(plan.id);
  const heard = Promise.withResolvers<string>();
  const beat = Promise.withResolvers<void>();
  const stop = node.follow({ changed: () => {}, staticChanged: heard.resolve, beat: beat.resolve, lost: () => {} });
  await beat.promise;
  const planId = await createPlan(world.statics.systemContext('test'), {
    orderId: 'ord_1',
    accountId: 'acct_1',
    subscriptionId: 'sub_1',
    productId: 'isp-northline',
    quantity: 1,
  });
  await world.residential.platform.queue.drain();
  expect(await heard.promise).toBe(planId);
  const [served, ...others] = await node.staticPlans([planId]);
  expect([served?.endpoints, served?.open, served?.fingerprint.length, others]).toEqual([
    [{ address: '127.0.0.71', port: 8000 }],
    true,
    32,
    [],
  ]);
  expect(await node.staticPlans()).toHaveLength(1);
  expect(await node.staticPlans(['isp_nobody'])).toEqual([]);
  stop();
});

test('a flood of names that nobody has costs the platform few questions, and a plan among them is found', async () => {
  const key = await enrolEdge(world.residential.context(), 'flooded');
  const node = remoteControlPlane({ url: new URL(residential.url).origin, key, log: silentLog });
  const plan = await world.residential.plan('acct_1');
  const before = contexts;
  const names = [...Array.from({ length: 500 }, (_, index) => `nobody${index}`), plan.username];
  const found = await Promise.all(names.map((name) => node.plan(name)));
  expect(found.filter(Boolean).map((facts) => facts?.planId)).toEqual([plan.id]);
  expect(contexts - before).toBeLessThan(40);
  const far = remoteControlPlane({ url: 'http://127.0.0.1:9', key, log: silentLog });
  const lost = await Promise.allSettled(names.map((name) => far.plan(name)));
  expect(new Set(lost.map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('a node holds three feeds: one more ends the oldest', async () => {
  const origin = new URL(residential.url).origin;
  const key = await enrolEdge(world.residential.context(), 'restless');
  const feeds: ReadableStreamDefaultReader<Uint8Array>[] = [];
  for (let count = 0; count < 5; count++) {
    const { body } = await fetch(`${origin}/edge/feed`, { headers: { Authorization: `Bearer ${key}` } });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    // Its first beat.
    await reader.read();
    feeds.push(reader);
  }
  const [first, second, ...others] = feeds;
  const end = async (reader: typeof first) => {
    for (;;) if ((await reader?.read())?.done) return;
  };
  await expect(end(first)).rejects.toThrow();
  await expect(end(second)).rejects.toThrow();
  // These go on beating.
  for (const reader of others) expect((await reader.read()).done).toBe(false);
  for (const reader of others) await reader.cancel();
});

test('what nodes ask is answered to enrolled nodes only, and static tells its lines to the platform alone', async () => {
  const origin = new URL(residential.url).origin;
  for (const path of ['/edge/plan?username=x', '/edge/static-plans', '/edge/feed'])
    expect((await fetch(origin + path, { headers: { Authorization: 'Bearer egress_edge_wrong' } })).status).toBe(401);
  const lines = new URL('/edge-lines', statics.url);
  expect((await fetch(lines)).status).toBe(401);
  const { clock, secrets } = world.residential.platform;
  const customer = signViewer(sessionOf('acct_1'), secrets.identity, clock, { audience: 'static', content: '/edge-lines' });
  expect((await fetch(lines, { headers: { 'egress-viewer': customer } })).status).toBe(403);
});
