// The end of a plan's validity on proxy nodes, within the platform's process and elsewhere.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Edge } from '../../edge/edge.ts';
import { verifyUsage } from '../../subgraphs/residential/metering/services/verify-usage.ts';
import { usedBytes } from '../../subgraphs/residential/plans/domain/plan.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';
import { connectHead, openClient } from './world.ts';

let world: PlatformWorld;
let near: Edge;
let far: Edge;
beforeAll(async () => {
  world = await startPlatformWorld();
  [near, far] = [await world.localEdge('near'), await world.remoteEdge('far')];
});
afterAll(() => world?.close());

test('tunnels that run are cut, near and far, new ones are refused, and bought is used and lapsed to the byte', async () => {
  const { residential } = world;
  const plan = await residential.plan('acct_1', 'PREMIUM', 10_000_000_000n, 1);
  const open = [await world.tunnel(near.ports[0] ?? 0, plan), await world.tunnel(far.ports[0] ?? 0, plan)];
  for (const client of open) client.write('go');
  residential.clock.set(plan.validUntil as Date);
  await residential.platform.queue.runNow('residential.plans-lapse');
  await Promise.all(open.map((client) => client.ended()));
  for (const edge of [near, far]) {
    const client = await openClient(edge.ports[0] ?? 0);
    client.write(connectHead(`127.0.0.1:${world.source.endpoint.port}`, `${plan.username}-country-any`, world.passwordOf(plan)));
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 402 [^]*details="bandwidth_used_up"/);
  }
  await expect.poll(async () => usedBytes(await residential.planNow(plan.id))).toBeGreaterThan(0n);
  const now = await residential.planNow(plan.id);
  expect(now.lapsedBytes).toBe(now.totalBytes - usedBytes(now));
  expect((await verifyUsage(residential.context())).differences).toEqual([]);
});
