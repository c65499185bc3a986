// A suspended account on proxy nodes, within the platform's process and elsewhere: open connections are cut, new ones are refused with the reason.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendEvents } from '#platform/events.ts';
import { unseal } from '#platform/sealing.ts';
import type { Edge } from '../../edge/edge.ts';
import type { Plan } from '../../subgraphs/residential/plans/domain/plan.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { freePorts } from '../kit/ports.ts';
import { rowOf } from '../kit/tables.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';
import { type Client, connectHead, openClient } from './world.ts';

let world: PlatformWorld;
let near: Edge;
let far: Edge;
let plan: Plan;
let staticPort: number;
let line: { username: string; password: string };
beforeAll(async () => {
  world = await startPlatformWorld();
  const { platform } = world.residential;
  [near, far] = [await world.localEdge('near'), await world.remoteEdge('far')];
  plan = await world.residential.plan('acct_1');
  staticPort = await freePorts(1);
  const ctx = () => world.statics.systemContext('test');
  await importInventory(ctx(), ['ip,port,product,location', `127.0.0.61,${staticPort},isp-northline,Here`].join('\n'));
  const id = await createPlan(ctx(), {
    orderId: 'ord_1',
    accountId: 'acct_1',
    subscriptionId: 'sub_1',
    productId: 'isp-northline',
    quantity: 1,
    billing: { version: 1, periodStart: now(), periodEnd: new Date(now().getTime() + 30 * 86_400_000) },
  });
  await platform.queue.drain();
  const row = await rowOf<{ username: string; password_sealed: Buffer }>(world.residential.query, 'static.plan', { id });
  if (!row) throw new Error('no plan');
  line = { username: row.username, password: unseal(row.password_sealed, platform.secrets.sealing, id) };
});
afterAll(() => world.close());

const now = () => world.residential.clock.now();
const target = () => `${world.source.endpoint.address}:${world.source.endpoint.port}`;
async function tell(type: 'account.suspended' | 'account.restored'): Promise<void> {
  const event = { type, at: now(), accountId: 'acct_1', subject: 'acct_1', data: { reason: 'A test.' } };
  await appendEvents(world.statics.systemContext('test').em, event);
}
async function askStatic() {
  const client = await openClient(staticPort, '127.0.0.61');
  client.write(connectHead(target(), line.username, line.password));
  return client;
}
const headOf = async (client: Client) => (await client.until('\r\n\r\n')).toString();
async function untilOpen(ask: () => Promise<Client>): Promise<void> {
  while (!(await headOf(await ask())).includes(' 200 ')) await new Promise((done) => setTimeout(done, 5));
}
const askResidential = async (edge: Edge) => {
  const client = await openClient(edge.ports[0] ?? 0);
  client.write(connectHead(target(), `${plan.username}-country-any`, world.passwordOf(plan)));
  return client;
};

test('tunnels that run are cut, residential and static, near and far, and new ones are refused with the reason', async () => {
  await untilOpen(askStatic);
  const open = [await world.tunnel(near.ports[0] ?? 0, plan), await world.tunnel(far.ports[0] ?? 0, plan), await askStatic()];
  for (const client of open) client.write('go');
  await headOf(open[2] ?? expect.unreachable());
  await tell('account.suspended');
  await Promise.all(open.map((client) => client.ended()));
  for (const ask of [() => askResidential(near), () => askResidential(far), askStatic])
    expect((await (await ask()).ended()).toString()).toMatch(/^HTTP\/1\.1 403 [^]*details="account_suspended"/);
});

test('a plan that is bought meanwhile is refused as well', async () => {
  const bought = await world.residential.plan('acct_1');
  const client = await openClient(near.ports[0] ?? 0);
  client.write(connectHead(target(), `${bought.username}-country-any`, world.passwordOf(bought)));
  expect((await client.ended()).toString()).toMatch(/details="account_suspended"/);
});

test('restored, everything works again, and no byte was lost or given away', async () => {
  const before = await world.sums(plan);
  await tell('account.restored');
  for (const ask of [() => askResidential(near), () => askResidential(far), askStatic]) await untilOpen(ask);
  expect(new Set(before.slice(0, 4)).size).toBe(1);
});

test('what was bought stands still while its payment is disputed, and nothing else; restoring the account does not release it', async () => {
  const other = await world.residential.plan('acct_1');
  const freeze = async (type: 'purchase.frozen' | 'purchase.thawed') => {
    const { em } = world.statics.systemContext('test');
    for (const [seller, orderId] of [
      ['residential', plan.orderId],
      ['static', 'ord_1'],
    ] as const)
      await appendEvents(em, { type, at: now(), accountId: 'acct_1', subject: orderId, data: { seller, orderId } });
  };
  const open = [await world.tunnel(near.ports[0] ?? 0, plan), await askStatic()];
  for (const client of open) client.write('go');
  await headOf(open[1] ?? expect.unreachable());
  await freeze('purchase.frozen');
  await Promise.all(open.map((client) => client.ended()));
  await tell('account.suspended');
  await tell('account.restored');
  await untilOpen(async () => {
    const client = await openClient(near.ports[0] ?? 0);
    client.write(connectHead(target(), `${other.username}-country-any`, world.passwordOf(other)));
    return client;
  });
  for (const ask of [() => askResidential(near), askStatic]) expect((await (await ask()).ended()).toString()).toMatch(/^HTTP\/1\.1 403 /);
  await freeze('purchase.thawed');
  for (const ask of [() => askResidential(near), askStatic]) await untilOpen(ask);
});
