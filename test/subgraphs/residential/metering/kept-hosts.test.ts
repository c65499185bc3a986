// What is kept of the hosts that were reached, as USAGE_HOSTS says: plain, hashed or off. Bytes are counted alike.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LeasePart } from '../../../../edge/protocol/control-plane.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import { keptHosts } from '../../../../subgraphs/residential/metering/providers/kept-host.ts';
import type { HostsKept } from '../../../../subgraphs/residential/plans/domain/hosts-kept.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential({ USAGE_HOSTS: 'hashed' });
  await enrolOwnEdge(world.context(), 'node');
});
afterAll(() => world.close());

/** As after a restart with another choice, or another master secret. */
function contextWith(kept: HostsKept, secret = 'a secret of the test') {
  const context = world.context();
  return { ...context, providers: { ...context.providers, hosts: keptHosts(kept, [secret]) } };
}

const part = (host: string, down: number): LeasePart => ({ country: 'de', session: null, host, client: '198.51.100.7', up: 0, down });

async function leaseOf(plan: Plan): Promise<string> {
  const wants = [{ planId: plan.id, epoch: plan.credentialEpoch, bytes: 1_000_000, starved: false }];
  return (await syncLeases(world.context(), 'node', { reports: [], wants })).grants[0]?.lease ?? expect.unreachable();
}
const report = (lease: string, parts: LeasePart[], context = world.context()) =>
  syncLeases(context, 'node', { reports: [{ lease, parts, final: false }], wants: [] });

const entriesOf = async (plan: Plan) =>
  (
    await rowsOf<{ host: string | null; down_bytes: string }>(
      world.query,
      'residential.usage_entry',
      { plan_id: plan.id },
      { orderBy: 'at, line' },
    )
  ).map(({ host, down_bytes }) => ({ host, bytes: Number(down_bytes) }));
const stored = async () =>
  JSON.stringify([await rowsOf(world.query, 'residential.lease_part'), await rowsOf(world.query, 'residential.usage_quarantine')]);

test('hashed: hosts are told apart and readable nowhere, and nodes and networks give the same host the same hash', async () => {
  const plan = await world.plan('acct_hashed');
  const lease = await leaseOf(plan);
  await report(lease, [part('a.example', 100), part('b.example', 7)]);
  await report(lease, [part('a.example', 150), part('b.example', 7)]);
  await world.use(plan, 3n, { host: 'A.example' });
  const entries = await entriesOf(plan);
  const [a, b] = [100, 7].map((counted) => entries.find(({ bytes }) => bytes === counted)?.host);
  expect(entries.map(({ bytes }) => bytes).toSorted()).toEqual([100, 3, 50, 7]);
  expect(entries.filter(({ host }) => host === a).map(({ bytes }) => bytes)).toEqual(expect.arrayContaining([100, 50, 3]));
  for (const hash of [a, b]) expect(hash).toMatch(/^~[\w-]{16}$/);
  expect(a).not.toBe(b);
  expect(await stored()).not.toContain('a.example');
  expect(await stored()).toContain('"host":"~');
});

test('off: no host is entered, and two hosts of one lease still count each', async () => {
  const plan = await world.plan('acct_off');
  const lease = await leaseOf(plan);
  const off = contextWith('off');
  await report(lease, [part('c.example', 100), part('d.example', 40)], off);
  await report(lease, [part('c.example', 110), part('d.example', 40)], off);
  expect((await entriesOf(plan)).map(({ host }) => host)).toEqual([null, null, null]);
  expect((await world.planNow(plan.id)).downBytes).toBe(150n);
  expect(await stored()).not.toContain('c.example');
});

test('another choice, or another secret, in the middle of a lease enters nothing again', async () => {
  const plan = await world.plan('acct_changed');
  const lease = await leaseOf(plan);
  let down = 0;
  for (const context of [
    contextWith('plain'),
    contextWith('hashed'),
    contextWith('hashed', 'a new secret'),
    contextWith('off'),
    contextWith('plain'),
  ])
    await report(lease, [part('e.example', (down += 100)), part('f.example', 5)], context);
  expect((await world.planNow(plan.id)).downBytes).toBe(505n);
  const other = await leaseOf(plan);
  for (const context of [contextWith('off'), contextWith('plain')]) await report(other, [part('e.example', 20)], context);
  expect((await world.planNow(plan.id)).downBytes).toBe(525n);
});
