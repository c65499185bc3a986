import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Edge } from '../../edge/edge.ts';
import { sessionOf } from '../kit/platform.ts';
import { codesOf } from '../subgraphs/residential/world.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';
import { connectHead, openClient } from './world.ts';

let world: PlatformWorld;
let far: Edge;
beforeAll(async () => {
  world = await startPlatformWorld();
  far = await world.remoteEdge('far-1', { version: '9.9' });
  await world.localEdge('own');
});
afterAll(() => world.close());

const desk = sessionOf('acct_desk', true);
const ask = (query: string, viewer: Viewer = desk) => world.residential.ask(viewer, query);
const FIELDS = `id state own version connections tunnels plans upBytes downBytes todayBytes endpoints exitCount healthyExitCount
  refusals { code message count } exits { id country healthy opened } leases { plan { id } grantedBytes settledBytes }
  availableActions { action allowed reason }`;
const edgeNamed = async (id: string): Promise<Record<string, any>> => {
  const { data, errors } = await ask(`{ supportEdge(id: "${id}") { ${FIELDS} } }`);
  expect(errors).toBeUndefined();
  return data?.['supportEdge'] as Record<string, any>;
};

test('support sees every node: what it carries, refuses, holds, and its exits', async () => {
  const plan = await world.residential.plan('acct_1');
  const client = await world.tunnel(far.ports[0] as number, plan);
  client.write('g');
  await client.until(100_000);
  const refused = await openClient(far.ports[0] as number);
  refused.write(connectHead('10.0.0.1:80', plan.username, world.passwordOf(plan)));
  await refused.ended();
  await far.plans.leases.flush();
  await far.sendStatus();
  const edge = await edgeNamed('far-1');
  expect(edge).toMatchObject({
    state: 'ONLINE',
    own: false,
    version: '9.9',
    plans: 1,
    tunnels: 1,
    endpoints: [`127.0.0.1:${far.ports[0]}`],
    exitCount: 2,
    healthyExitCount: 2,
    refusals: [{ code: 'target_address_forbidden', message: 'The target address is not on the public internet.', count: 1 }],
  });
  expect(Number(edge['downBytes'])).toBeGreaterThanOrEqual(100_000);
  expect(Number(edge['todayBytes'])).toBeGreaterThanOrEqual(100_000);
  expect(edge['leases'][0]).toMatchObject({ plan: { id: plan.id } });
  expect(edge['exits'].reduce((sum: number, { opened }: { opened: number }) => sum + opened, 0)).toBe(1);
  const { data } = await ask('{ supportEdges { id state own } }');
  expect(data?.['supportEdges']).toEqual(
    expect.arrayContaining([
      { id: 'far-1', state: 'ONLINE', own: false },
      { id: 'own', state: 'NEW', own: true },
    ]),
  );
});

test('a drained node refuses new connections from its next report on, and takes them again when it is resumed', async () => {
  const { data } = await ask(
    'mutation { supportEdgeDrain(id: "far-1") { state drainingSince availableActions { action allowed reason } } }',
  );
  expect(data?.['supportEdgeDrain']).toMatchObject({ state: 'DRAINING' });
  await far.sendStatus();
  await expect(openClient(far.ports[0] as number)).rejects.toThrow('ECONNREFUSED');
  expect(codesOf(await ask('mutation { supportEdgeDrain(id: "far-1") { id } }'))).toEqual(['action_not_allowed']);
  await ask('mutation { supportEdgeResume(id: "far-1") { id } }');
  await far.sendStatus();
  await expect.poll(() => openClient(far.ports[0] as number).then(Boolean, () => false)).toBe(true);
});

test('a node that is enrolled from the desk works with the key that is shown once, until it is revoked', async () => {
  const { data } = await ask('mutation { supportEdgeEnrol(id: "fra-9") { key edge { id state } } }');
  const { key, edge } = (data ?? expect.unreachable())['supportEdgeEnrol'] as { key: string; edge: object };
  expect(edge).toEqual({ id: 'fra-9', state: 'NEW' });
  const status = () => fetch(`${world.url()}/edge/plan?username=x`, { headers: { Authorization: `Bearer ${key}` } });
  expect((await status()).status).toBe(200);
  expect(codesOf(await ask('mutation { supportEdgeEnrol(id: "fra-9") { key } }'))).toEqual(['parameter_invalid']);
  expect(codesOf(await ask('mutation { supportEdgeEnrol(id: "Not An Id") { key } }'))).toEqual(['parameter_invalid']);
  expect((await ask('mutation { supportEdgeRevoke(id: "fra-9") { state } }')).data).toEqual({ supportEdgeRevoke: { state: 'REVOKED' } });
  expect((await status()).status).toBe(401);
  expect(codesOf(await ask('mutation { supportEdgeRevoke(id: "own") { id } }'))).toEqual(['action_not_allowed']);
  expect(codesOf(await ask('mutation { supportEdgeDrain(id: "nobody") { id } }'))).toEqual(['edge_not_found']);
});

test('a subscriber gets a node’s new report, and a change that support made', async () => {
  const watching = await world.residential.subscribe(desk, 'subscription { supportEdgeChanged { id state } }');
  if (!(Symbol.asyncIterator in watching)) return expect.unreachable();
  const next = watching.next();
  await ask('mutation { supportEdgeDrain(id: "far-1") { id } }');
  expect((await next).value?.data).toEqual({ supportEdgeChanged: { id: 'far-1', state: 'DRAINING' } });
  const after = watching.next();
  await far.sendStatus();
  expect((await after).value?.data).toEqual({ supportEdgeChanged: { id: 'far-1', state: 'DRAINING' } });
  await watching.return?.();
});

test('a node that has not reported for a while is shown as silent', async () => {
  world.residential.clock.advance(60 * SECOND);
  expect((await edgeNamed('far-1'))['state']).toBe('SILENT');
});

test('customers see nothing of it', async () => {
  for (const query of [
    '{ supportEdges { id } }',
    '{ supportEdge(id: "far-1") { id } }',
    'mutation { supportEdgeDrain(id: "far-1") { id } }',
  ])
    expect(codesOf(await ask(query, sessionOf('acct_1')))).toEqual(['forbidden']);
});
