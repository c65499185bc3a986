import { afterAll, beforeAll, expect, test } from 'vitest';
import { after } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import type { LeasePart } from '../../edge/protocol/control-plane.ts';
import type { Plan } from '../../subgraphs/residential/plans/domain/plan.ts';
import { enrolEdge, edgeOfKey, planFacts, revokeEdge } from '../../subgraphs/residential/edges/services/edges.ts';
import { reapLeases, syncLeases } from '../../subgraphs/residential/leases/services/leases.ts';
import { listOldPasswordUses } from '../../subgraphs/residential/plans/services/old-password-uses.ts';
import { resetAuthentication, setDailyLimit } from '../../subgraphs/residential/plans/services/plan-settings.ts';
import { sessionOf } from '../kit/platform.ts';
import { type ResidentialWorld, startResidential } from '../subgraphs/residential/world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
  await enrolEdge(world.context(), 'edge-1');
  await enrolEdge(world.context(), 'edge-2');
});
afterAll(() => world.close());

const MIB = 1_048_576n;
const part = (up: number, down: number, over: Partial<LeasePart> = {}): LeasePart => ({
  country: 'de',
  session: null,
  host: 'a.example',
  client: '192.0.2.1',
  up,
  down,
  ...over,
});
const want = (plan: Plan, bytes: bigint, epoch = plan.credentialEpoch) => ({
  planId: plan.id,
  epoch,
  bytes: Number(bytes),
  starved: false,
});

async function lease(plan: Plan, bytes: bigint, edge = 'edge-1') {
  const { grants } = await syncLeases(world.context(), edge, { reports: [], wants: [want(plan, bytes)] });
  return grants[0] ?? expect.unreachable();
}
const report = (id: string | undefined, parts: LeasePart[], final = false, edge = 'edge-1') =>
  syncLeases(world.context(), edge, { reports: [{ lease: id ?? '', parts, final }], wants: [] });

async function sums(plan: Plan) {
  const [entries, days] = [await world.tables.sumOfEntries(plan.id), await world.tables.sumOfDays(plan.id)];
  const now = await world.planNow(plan.id);
  return {
    plan: [now.upBytes, now.downBytes],
    entries: [BigInt(entries.up), BigInt(entries.down)],
    days: [BigInt(days.up), BigInt(days.down)],
    settled: BigInt(await world.tables.settledOf(plan.id)),
  };
}

test('a report counts its growth once in ledger, plan, day and parts, however often and in whatever order it comes', async () => {
  const plan = await world.plan('acct_1');
  const { lease: id } = await lease(plan, 100n * MIB);
  await report(id, [part(100, 200), part(5, 0, { host: 'b.example', session: '12345678' })]);
  await report(id, [part(1_000, 300)]);
  await report(id, [part(100, 200)]);
  await report(id, [part(1_000, 300)]);
  expect(await sums(plan)).toEqual({ plan: [1_005n, 300n], entries: [1_005n, 300n], days: [1_005n, 300n], settled: 1_305n });
  expect(await world.tables.usageBy(plan.id)).toEqual([
    { session: null, host: 'a.example', client: '192.0.2.1', country: 'de', up: 1_000 },
    { session: '12345678', host: 'b.example', client: '192.0.2.1', country: 'de', up: 5 },
  ]);
});

test('a report of more than was granted counts what was granted', async () => {
  const plan = await world.plan('acct_1');
  const { lease: id, bytes } = await lease(plan, MIB);
  await report(id, [part(bytes, 7)]);
  await report(id, [part(bytes, 9, { host: 'other.example' })], true);
  expect((await sums(plan)).settled).toBe(BigInt(bytes));
});

test('what is leased and what is used never exceed what was sold: then nodes wait, and at last it is used up', async () => {
  const plan = await world.plan('acct_1', 'PREMIUM', 8n * MIB);
  const grants = [];
  for (let index = 0; index < 30; index++) grants.push(await lease(plan, 64n * MIB, index % 2 ? 'edge-2' : 'edge-1'));
  const granted = grants.filter(({ outcome }) => outcome === 'granted');
  expect(granted.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(Number(8n * MIB));
  expect(grants.at(-1)?.outcome).toBe('wait');
  // A grant is at most a quarter of what is left, or 1 MiB.
  expect(granted[0]?.bytes).toBe(Number(2n * MIB));
  await Promise.all(granted.map(({ lease: id, bytes }, index) => report(id, [part(0, bytes)], true, index % 2 ? 'edge-2' : 'edge-1')));
  expect((await lease(plan, MIB)).outcome).toBe('used_up');
  expect((await world.events(plan.id)).map(({ type }) => type)).toContain('residential_plan.expired');
  expect((await planFacts(world.context(), plan.username))?.status).toBe('EXPIRED');
});

test('an unspent lease comes back when it is final', async () => {
  const plan = await world.plan('acct_1', 'PREMIUM', MIB);
  const { lease: id } = await lease(plan, MIB);
  expect((await lease(plan, MIB, 'edge-2')).outcome).toBe('wait');
  await report(id, [part(1, 1)], true);
  expect((await lease(plan, MIB, 'edge-2')).bytes).toBe(Number(MIB) - 2);
});

test("a node's grace is kept for it: its leases are good for as long, end with their day, and are given up a minute after that", async () => {
  const plan = await world.plan('acct_1', 'PREMIUM', MIB);
  world.clock.set('2026-03-09T12:00:00Z');
  const graceMs = 300_000;
  const { grants } = await syncLeases(world.context(), 'edge-1', { reports: [], wants: [want(plan, MIB)], graceMs });
  const [grant] = grants;
  expect(grant).toMatchObject({ outcome: 'granted', validMs: graceMs });
  const report = { lease: grant?.lease ?? '', parts: [part(100, 0)], final: false };
  expect((await syncLeases(world.context(), 'edge-1', { reports: [report], wants: [], graceMs })).renewed).toMatchObject([
    { validMs: graceMs },
  ]);
  world.clock.set('2026-03-09T12:05:59Z');
  await reapLeases(world.context());
  expect((await lease(plan, MIB, 'edge-2')).outcome).toBe('wait');
  world.clock.set('2026-03-09T12:06:01Z');
  await reapLeases(world.context());
  expect((await lease(plan, MIB, 'edge-2')).bytes).toBe(Number(MIB) - 100);
  world.clock.set('2026-03-09T23:59:00Z');
  const other = await world.plan('acct_1');
  const late = await syncLeases(world.context(), 'edge-1', { reports: [], wants: [want(other, MIB)], graceMs });
  expect(late.grants[0]?.validMs).toBe(60_000);
});

test('a node touches its own leases only', async () => {
  const plan = await world.plan('acct_1');
  const { lease: id } = await lease(plan, MIB);
  const answer = await report(id, [part(500, 500)], true, 'edge-2');
  expect(answer.renewed).toEqual([]);
  expect((await sums(plan)).settled).toBe(0n);
  expect((await report(id, [part(1, 0)])).renewed).toEqual([{ lease: id, validMs: 10_000 }]);
});

test('a Daily Usage Limit holds in leases to the byte, also what was used before; reached, the plan is paused until 00:00 UTC', async () => {
  const plan = await world.plan('acct_2');
  world.clock.set('2026-03-10T23:59:55Z');
  await world.use(plan, GB - 3n * MIB);
  await setDailyLimit(world.as(sessionOf('acct_2')), plan.id, GB);
  const first = await lease(plan, 2n * MIB);
  const second = await lease(plan, 64n * MIB, 'edge-2');
  expect(first.bytes + second.bytes).toBe(Number(3n * MIB));
  // Not beyond the end of the day.
  expect(first.validMs).toBe(5_000);
  expect((await lease(plan, MIB)).outcome).toBe('wait');
  await report(first.lease, [part(0, first.bytes)], true);
  await report(second.lease, [part(0, second.bytes)], true, 'edge-2');
  expect(await lease(plan, MIB)).toMatchObject({ outcome: 'daily_limit', validMs: 5_000 });
  expect((await planFacts(world.context(), plan.username))?.status).toBe('PAUSED');
  world.clock.set('2026-03-11T00:00:00Z');
  expect((await lease(plan, MIB)).outcome).toBe('granted');
  expect((await planFacts(world.context(), plan.username))?.status).toBe('ACTIVE');
});

test('what is reported after midnight lies on the day of its lease, and the lease is not renewed', async () => {
  const plan = await world.plan('acct_1');
  world.clock.set('2026-04-01T23:59:59Z');
  const { lease: id } = await lease(plan, MIB);
  world.clock.set('2026-04-02T00:00:01Z');
  expect((await report(id, [part(0, 77)])).renewed).toEqual([]);
  const days = await world.tables.daysOf(plan.id);
  expect(days.map(({ day, down_bytes }) => ({ day, down_bytes }))).toEqual([{ day: '2026-04-01', down_bytes: 77 }]);
});

test('after a reset of the password nothing is granted or renewed under the old one, and what was spent still counts', async () => {
  const plan = await world.plan('acct_3');
  const { lease: id } = await lease(plan, MIB);
  await resetAuthentication(world.as(sessionOf('acct_3')), plan.id);
  expect((await report(id, [part(10, 0)])).renewed).toEqual([]);
  expect((await lease(plan, MIB)).outcome).toBe('revoked');
  expect((await sums(plan)).settled).toBe(10n);
  const facts = await planFacts(world.context(), plan.username);
  expect(facts?.epoch).toBe(plan.credentialEpoch + 1);
});

test('who still tries a password of before a reset is listed for its owner, the latest first', async () => {
  const plan = await world.plan('acct_old');
  expect((await planFacts(world.context(), plan.username))?.oldFingerprints).toEqual([]);
  for (let reset = 0; reset < 2; reset++) await resetAuthentication(world.as(sessionOf('acct_old')), plan.id);
  expect((await planFacts(world.context(), plan.username))?.oldFingerprints).toHaveLength(2);
  const tell = (client: string, tries: number) =>
    syncLeases(world.context(), 'edge-1', { reports: [], wants: [], oldPasswords: [{ planId: plan.id, client, tries }] });
  await tell('198.51.100.1', 3);
  world.clock.advance(60_000);
  await tell('198.51.100.2', 1);
  await tell('198.51.100.1', 2);
  await syncLeases(world.context(), 'edge-1', {
    reports: [],
    wants: [],
    oldPasswords: [{ planId: 'plan_gone', client: '198.51.100.3', tries: 1 }],
  });
  const at = world.clock.now();
  expect(await listOldPasswordUses(world.context(), plan, 10)).toEqual([
    { client: '198.51.100.1', tries: 5, firstAt: after(at, -60_000), lastAt: at },
    { client: '198.51.100.2', tries: 1, firstAt: at, lastAt: at },
  ]);
});

test('a lost lease is sold again after its end and a margin; a report that comes later still counts', async () => {
  const plan = await world.plan('acct_1', 'PREMIUM', MIB);
  const { lease: id } = await lease(plan, MIB);
  world.clock.advance(69_000);
  await reapLeases(world.context());
  expect((await lease(plan, MIB, 'edge-2')).outcome).toBe('wait');
  world.clock.advance(2_000);
  await world.platform.queue.runNow('residential.leases-reap');
  const again = await lease(plan, MIB, 'edge-2');
  expect(again.bytes).toBe(Number(MIB));
  await report(id, [part(0, 1_000)], true);
  await report(again.lease, [part(0, again.bytes)], true, 'edge-2');
  // Over-use of exactly the bytes that the lost node had not reported.
  expect((await sums(plan)).plan).toEqual([0n, MIB + 1_000n]);
});

test('exchanges of many nodes on the same plans at once neither deadlock nor lose a byte', async () => {
  const plans = await Promise.all([1, 2, 3, 4].map(() => world.plan('acct_4')));
  await Promise.all(
    ['edge-1', 'edge-2'].flatMap((edge) =>
      Array.from({ length: 8 }, async (_, round) => {
        const order = round % 2 ? plans : [...plans].reverse();
        const { grants } = await syncLeases(world.context(), edge, { reports: [], wants: order.map((plan) => want(plan, MIB)) });
        await syncLeases(world.context(), edge, {
          reports: grants.map(({ lease: id }) => ({
            lease: id ?? '',
            parts: [part(round, 1_000, { host: `h${round}.example` })],
            final: true,
          })),
          wants: [],
        });
      }),
    ),
  );
  for (const plan of plans)
    expect(await sums(plan)).toEqual({ plan: [56n, 16_000n], entries: [56n, 16_000n], days: [56n, 16_000n], settled: 16_056n });
});

test('every change that nodes must hear of is told when it is committed', async () => {
  const plan = await world.plan('acct_5');
  const heard: unknown[] = [];
  // Notifications of other tests' plans may still arrive.
  const stop = await world.platform.notifications.listen('egress_plan_change', (payload) => {
    const news = JSON.parse(payload ?? 'null') as { planId: string } | null;
    if (news?.planId === plan.id) heard.push(news);
  });
  const next = async (count: number) => {
    while (heard.length < count) await world.query('select 1');
  };
  await world.use(plan, 1_000n);
  await resetAuthentication(world.as(sessionOf('acct_5')), plan.id);
  await next(1);
  await setDailyLimit(world.as(sessionOf('acct_5')), plan.id, GB);
  await next(2);
  await world.use(plan, GB);
  await next(3);
  stop();
  expect(heard).toEqual([1, 2, 3].map(() => ({ planId: plan.id, epoch: plan.credentialEpoch + 1 })));
});

test('a node is known by its key until that is revoked; a name is taken once', async () => {
  const key = await enrolEdge(world.context(), 'edge-3');
  expect(await edgeOfKey(world.context(), key)).toBe('edge-3');
  await expect(enrolEdge(world.context(), 'edge-3')).rejects.toMatchObject({ code: 'parameter_invalid' });
  expect(await revokeEdge(world.context(), 'edge-3')).toBe(true);
  for (const wrong of [key, '', 'egress_edge_x'])
    await expect(edgeOfKey(world.context(), wrong)).rejects.toMatchObject({ code: 'edge_unknown' });
});
