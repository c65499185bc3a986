import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import { appendEvents } from '#platform/events.ts';
import { unseal } from '#platform/sealing.ts';
import type { Edge } from '../../edge/edge.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { rotatePassword, setAllowedAddresses } from '../../subgraphs/static/plans/services/plan-settings.ts';
import { sessionOf } from '../kit/platform.ts';
import { freePorts } from '../kit/ports.ts';
import { staticTables } from '../subgraphs/static/tables.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';
import { connectHead, openClient } from './world.ts';

let world: PlatformWorld;
let edge: Edge;
let port: number;
let planId: string;
beforeAll(async () => {
  world = await startPlatformWorld();
  edge = await world.remoteEdge('far');
  port = await freePorts(1);
  const statics = () => world.statics.systemContext('test');
  await importInventory(
    statics(),
    ['ip,port,product,location', `127.0.0.41,${port},isp-northline,Here`, `127.0.0.42,${port},isp-northline,Here`].join('\n'),
  );
  planId = await createPlan(statics(), {
    orderId: 'ord_1',
    accountId: 'acct_1',
    subscriptionId: 'sub_1',
    productId: 'isp-northline',
    quantity: 2,
    billing: { version: 1, periodStart: now(), periodEnd: new Date(now().getTime() + 30 * 86_400_000) },
  });
});
afterAll(() => world.close());

const now = () => world.residential.clock.now();
const lines = async (): Promise<[host: string, username: string, password: string][]> =>
  (await staticTables(world.residential.query).linesOf(planId)).map(({ ip, username, password_sealed }) => [
    ip,
    username,
    unseal(password_sealed, world.residential.platform.secrets.sealing, planId),
  ]);
const target = () => `${world.source.endpoint.address}:${world.source.endpoint.port}`;
async function ask(host: string, username: string, password: string, from?: string) {
  const client = await openClient(port, host, from);
  client.write(connectHead(target(), username, password));
  return client;
}
async function tunnel(line: number) {
  const client = await ask(...((await lines())[line] ?? expect.unreachable()));
  await client.until(' 200 ');
  return client;
}
/** Resolves when `hold` is true; the proofs measure how soon that is. */
async function until(hold: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await hold())) await new Promise((done) => setTimeout(done, 5));
}
async function subscription(type: SubscriptionFact, version: number, status: 'ACTIVE' | 'UNPAID' | 'CANCELED'): Promise<void> {
  const end = new Date(now().getTime() + 30 * 86_400_000);
  const data = {
    seller: 'static',
    orderId: 'ord_1',
    version,
    status,
    currentPeriodStart: now().toISOString(),
    currentPeriodEnd: end.toISOString(),
    cancelAtPeriodEnd: false,
  };
  await appendEvents(world.statics.systemContext('test').em, { type, at: now(), accountId: 'acct_1', subject: 'sub_1', data });
  await world.statics.reader.drain();
}

test('a plan that is delivered works on a node far away, each line from exactly its address', async () => {
  await world.residential.platform.queue.drain();
  await until(() => edge.figures().staticLines === 2);
  for (const line of [0, 1]) {
    await tunnel(line);
    expect(world.source.sockets.at(-1)?.remoteAddress).toBe(['127.0.0.41', '127.0.0.42'][line]);
  }
});

test('another password ends the old one and its open tunnels', async () => {
  const open = await tunnel(0);
  const [host, username, old] = (await lines())[0] ?? expect.unreachable();
  await rotatePassword(world.statics.context(sessionOf('acct_1')), planId);
  await open.ended();
  expect((await (await ask(host, username, old)).ended()).toString()).toMatch(/^HTTP\/1\.1 407 [^]*details="proxy_password_replaced"/);
  await tunnel(0);
});

test('clients that the owner did not name are refused; the platform itself, which checks the lines, is not', async () => {
  const line = (await lines())[0] ?? expect.unreachable();
  const open = await ask(...line, '127.0.0.51');
  await open.until(' 200 ');
  await setAllowedAddresses(world.statics.context(sessionOf('acct_1')), planId, ['192.0.2.0/24']);
  await open.ended();
  expect((await (await ask(...line, '127.0.0.51')).ended()).toString()).toMatch(/^HTTP\/1\.1 403 /);
  await tunnel(0);
  await setAllowedAddresses(world.statics.context(sessionOf('acct_1')), planId, []);
  await until(async () => (await (await ask(...line, '127.0.0.51')).until('\r\n\r\n')).includes(' 200 '));
});

test('a suspended plan stops, open tunnels included; paid again it goes on; ended it listens nowhere', async () => {
  const open = await tunnel(1);
  await subscription('subscription.suspended', 2, 'UNPAID');
  await open.ended();
  const line = (await lines())[1] ?? expect.unreachable();
  expect((await (await ask(...line)).ended()).toString()).toMatch(/^HTTP\/1\.1 402 /);
  await subscription('subscription.resumed', 3, 'ACTIVE');
  await until(async () => (await (await ask(...line)).until('\r\n\r\n')).includes(' 200 '));
  await subscription('subscription.ended', 4, 'CANCELED');
  await until(() => edge.figures().staticLines === 0);
  await expect(openClient(port, line[0])).rejects.toThrow('ECONNREFUSED');
});
