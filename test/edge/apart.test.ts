// Proxy nodes with residential and static in separate processes: the same paths, the same lines.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { type ServedSubgraph, serveSubgraph } from '#platform/serve.ts';
import { signViewer } from '#platform/identity.ts';
import { createEdgePasses } from '../../edge/protocol/passes.ts';
import { createEdgeRoutes } from '../../edge/protocol/routes.ts';
import { createPlansControl } from '../../subgraphs/residential/edge-control.ts';
import { createNodePass } from '../../edge/node-pass.ts';
import { asOne } from '../../edge/worker-sums.ts';
import { remoteControlPlane } from '../../edge/remote-control-plane.ts';
import { passedOnStaticPlans } from '../../subgraphs/residential/leases/providers/static-plans.ts';
import { enrolEdge, revokeEdge } from '../../subgraphs/residential/edges/services/edges.ts';
import { createStaticPlansControl } from '../../subgraphs/static/edge-control.ts';
import { networksOfPlans } from '../../subgraphs/static/plans/entities/plan-network.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { addNetwork } from '../../subgraphs/static/plans/services/plan-networks.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { sessionOf } from '../kit/platform.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';

let world: PlatformWorld;
let statics: ServedSubgraph;
let residential: ServedSubgraph;
/** A residential that does not know static's address. */
let alone: ServedSubgraph;
/** How many contexts the nodes' requests have created. */
let contexts = 0;
beforeAll(async () => {
  world = await startPlatformWorld();
  const { clock, secrets, notifications } = world.residential.platform;
  const options = { port: 0, host: '127.0.0.1', secret: secrets.identity, clock, log: silentLog };
  const passes = createEdgePasses(secrets.edges, clock);
  const staticPlans = createStaticPlansControl({ context: () => world.statics.systemContext('test'), notifications });
  statics = await serveSubgraph(world.statics, { ...options, routes: createEdgeRoutes({ staticPlans, passes }) });
  const plans = createPlansControl({ context: () => (contexts++, world.residential.context()), notifications });
  const serveResidential = (url: string | undefined) =>
    serveSubgraph(world.residential.subgraph, {
      ...options,
      routes: createEdgeRoutes({ plans, staticPlans: passedOnStaticPlans({ url, passes, notifications }), passes }),
    });
  residential = await serveResidential(statics.url);
  alone = await serveResidential(undefined);
  await importInventory(world.statics.systemContext('test'), 'ip,port,product,location\n127.0.0.71,8000,isp-northline,Here');
});
afterAll(async () => {
  await residential.close();
  await alone.close();
  await statics.close();
  await world.close();
});

test('a node works with a residential that runs alone, and hears of static lines through it', async () => {
  const origin = new URL(residential.url).origin;
  const key = await enrolEdge(world.residential.context(), 'apart');
  const node = remoteControlPlane({ url: origin, key, log: silentLog });
  const plan = await world.residential.plan('acct_1');
  expect((await node.plan(plan.username))?.planId).toBe(plan.id);
  const heard = Promise.withResolvers<string | undefined>();
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

test('the networks of static plans that were in use are told to static, whichever address a node knows; a report stands without it', async () => {
  const key = await enrolEdge(world.residential.context(), 'telling');
  const near = remoteControlPlane({ url: new URL(residential.url).origin, key, log: silentLog });
  const both = remoteControlPlane({ url: new URL(alone.url).origin, staticUrl: new URL(statics.url).origin, key, log: silentLog });
  const nobody = remoteControlPlane({ url: new URL(alone.url).origin, staticUrl: 'http://127.0.0.1:9', key, log: silentLog });
  const owner = world.statics.context(sessionOf('acct_1'));
  const [planId = ''] = (await near.staticPlans()).map((plan) => plan.planId);
  for (const [index, node] of [near, both, nobody].entries()) {
    await addNetwork(owner, planId, { network: `203.0.113.${index}` });
    const id = (await networksOfPlans(owner.em, [planId])).at(-1)?.id ?? '';
    expect(await node.report({ ...asOne([]), staticNetworksUsed: [id] })).toEqual({ draining: false });
  }
  const used = (await networksOfPlans(owner.em, [planId])).map(({ usedAt }) => usedAt !== null);
  expect(used).toEqual([true, true, false]);
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
  // The others still get beats.
  for (const reader of others) expect((await reader.read()).done).toBe(false);
  for (const reader of others) await reader.cancel();
});

test('what nodes ask is answered to enrolled nodes only, by static to those with a pass', async () => {
  const origin = new URL(residential.url).origin;
  for (const path of ['/edge/plan?username=x', '/edge/static-plans', '/edge/feed'])
    expect((await fetch(origin + path, { headers: { Authorization: 'Bearer egress_edge_wrong' } })).status).toBe(401);
  const plans = new URL('/edge/static-plans', statics.url);
  expect((await fetch(plans)).status).toBe(401);
  const { clock, secrets } = world.residential.platform;
  const customer = signViewer(sessionOf('acct_1'), secrets.identity, clock, { audience: 'static', content: '/edge/static-plans' });
  expect((await fetch(plans, { headers: { 'egress-viewer': customer } })).status).toBe(401);
  const key = await enrolEdge(world.residential.context(), 'asking');
  const ask = async (address: string, token: string) => (await fetch(address, { headers: { Authorization: `Bearer ${token}` } })).status;
  expect(await ask(plans.href, key)).toBe(401);
  const { pass } = (await (await fetch(`${origin}/edge/pass`, { headers: { Authorization: `Bearer ${key}` } })).json()) as { pass: string };
  expect(await ask(plans.href, pass)).toBe(200);
  expect(await ask(plans.href, pass.replace('asking', 'others'))).toBe(401);
  expect(
    await ask(
      plans.href,
      pass.replace(/\.\d+\./, (until) => `.9${until.slice(1)}`),
    ),
  ).toBe(401);
  // A pass is not a key: leases, sessions and further passes need the key.
  for (const path of ['/edge/plan?username=x', '/edge/pass']) expect(await ask(origin + path, pass)).toBe(401);
  await revokeEdge(world.residential.context(), 'asking');
  expect(await ask(`${origin}/edge/pass`, key)).toBe(401);
  clock.advance(59_000);
  expect(await ask(plans.href, pass)).toBe(200);
  clock.advance(1_000);
  expect(await ask(plans.href, pass)).toBe(401);
});

test("a node that was given static's address asks static itself, and hears of its plans there", async () => {
  const key = await enrolEdge(world.residential.context(), 'of-two');
  const node = remoteControlPlane({ url: new URL(alone.url).origin, staticUrl: new URL(statics.url).origin, key, log: silentLog });
  const plan = await world.residential.plan('acct_1');
  expect((await node.plan(plan.username))?.planId).toBe(plan.id);
  const [served] = await node.staticPlans();
  expect(served?.endpoints).toMatchObject([{ address: '127.0.0.71', port: 8000 }]);
  const beat = Promise.withResolvers<void>();
  const stands = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<string>();
  const stop = node.follow({
    changed: () => {},
    // The feed is connected: changes before that may have been missed.
    staticChanged: (planId) => (planId === undefined ? stands.resolve() : heard.resolve(planId)),
    beat: beat.resolve,
    lost: () => {},
  });
  await Promise.all([beat.promise, stands.promise]);
  await world.residential.query(`select pg_notify('egress_static_lines', $1)`, [served?.planId]);
  expect(await heard.promise).toBe(served?.planId);
  stop();
});

test('a node uses a pass for half of its validity, and to its end while the platform does not answer', async () => {
  let now = 0;
  let asked = 0;
  let away = false;
  const pass = createNodePass(
    {
      call: async () => {
        if (away) throw new Error('away');
        return { pass: `pass ${++asked}`, validMs: 60_000 };
      },
    },
    () => now,
  );
  expect(await Promise.all([pass.token(), pass.token()])).toEqual(['pass 1', 'pass 1']);
  now = 29_999;
  expect(await pass.token()).toBe('pass 1');
  now = 30_000;
  expect(await pass.token()).toBe('pass 2');
  away = true;
  now = 89_999;
  expect(await pass.token()).toBe('pass 2');
  now = 90_000;
  await expect(pass.token()).rejects.toThrow('away');
  away = false;
  expect(await pass.token()).toBe('pass 3');
  pass.forget();
  expect(await pass.token()).toBe('pass 4');
});
