// After a crash of its embedded database a platform recovers by itself: requests, deliveries, jobs and open pages.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { watchEmbeddedPostgres } from '#platform/embedded-watch.ts';
import { silentLog } from '#platform/log.ts';
import { plansById } from '../../subgraphs/residential/plans/entities/plan.ts';
import { buyPackage } from '../kit/purchase.ts';
import { type Stack, startStack } from '../kit/stack.ts';

let directory: string;
let postgres: EmbeddedPostgres;
let watch: ReturnType<typeof watchEmbeddedPostgres>;
let stack: Stack;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-killed-'));
  postgres = await openEmbeddedPostgres(directory);
  watch = watchEmbeddedPostgres(postgres, silentLog);
  stack = await startStack({ databaseUrl: postgres.url });
});
afterAll(async () => {
  await stack?.close();
  await watch.stop();
  await postgres.stop();
  rmSync(directory, { recursive: true });
});

test('after its postmaster was killed, everything goes on without a restart', async () => {
  const buyer = await stack.seed.account();
  const { authorization } = await buyer.apiKey();
  const { planId } = await buyPackage(stack, buyer);
  const read = () => fetch(`${stack.url}/v1/residential/${planId}/usage`, { headers: { authorization } });
  const figures: string[] = [];
  const client = createClient({
    url: `${stack.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
  });
  client.subscribe<{ residentialUsageChanged: { usedBytes: string } }>(
    { query: 'subscription ($plan: ID!) { residentialUsageChanged(planId: $plan) { usedBytes } }', variables: { plan: planId } },
    { next: ({ data }) => void figures.push(data?.residentialUsageChanged.usedBytes ?? ''), error: () => {}, complete: () => {} },
  );
  await expect.poll(() => figures.length).toBeGreaterThan(0);

  process.kill(Number(readFileSync(join(postgres.directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  await expect.poll(async () => (await read()).status, { interval: 5 }).not.toBe(200);
  const refused = await read();
  // The database may be back by now: then this request was answered.
  expect([200, 503]).toContain(refused.status);
  if (refused.status === 503) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe(200);

  await expect.poll(async () => (await fetch(`${stack.url}/health/ready`)).status, { timeout: 20_000 }).toBe(200);
  expect((await buyPackage(stack, buyer)).status).toBe('FULFILLED');
  const [{ username } = { username: '' }] = await plansById(
    stack.subgraphs.residential.systemContext('test').em,
    [planId],
    stack.clock.now(),
  );
  await stack.sandbox.network.report({ username, upBytes: 1_000_000, downBytes: 2_000_000 });
  await expect.poll(() => figures.at(-1), { timeout: 20_000 }).toBe('3000000');
  await client.dispose();
}, 90_000);
