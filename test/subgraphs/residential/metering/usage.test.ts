import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE, after } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { DIMENSIONS } from '../../../../subgraphs/residential/metering/entities/usage-breakdown.ts';
import { syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { explainUsage } from '../../../../subgraphs/residential/metering/services/explain-usage.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
  await enrolOwnEdge(world.context(), 'node');
});
afterAll(() => world?.close());

const owner = sessionOf('acct_a');
const SHARES = `query ($id: ID!, $by: UsageDimension!, $from: DateTime, $to: DateTime, $limit: Int) {
  residentialPlan(id: $id) { breakdown(by: $by, from: $from, to: $to, limit: $limit) {
    totalBytes shares { value upBytes downBytes totalBytes } others { values upBytes downBytes totalBytes } } } }`;
interface Breakdown {
  totalBytes: string;
  shares: { value: string | null; upBytes: string; downBytes: string; totalBytes: string }[];
  others: { values: number; totalBytes: string };
}
const planOf = <Shape>(data: unknown): Shape => (data as { residentialPlan: Shape }).residentialPlan;

async function breakdown(plan: Plan, by: string, over: Record<string, unknown> = {}): Promise<Breakdown> {
  const { data, errors } = await world.ask(owner, SHARES, { id: plan.id, by, limit: 100, ...over });
  expect(errors).toBeUndefined();
  return planOf<{ breakdown: Breakdown }>(data).breakdown;
}
const pairs = ({ shares }: Breakdown) => shares.map(({ value, totalBytes }) => [value, totalBytes]);

/** Takes a lease of the plan, spends it on one origin, and reports it twice. */
async function spend(
  plan: Plan,
  up: number,
  down: number,
  origin: { session: string | null; host: string; client: string; country: string },
) {
  const wants = [{ planId: plan.id, epoch: plan.credentialEpoch, bytes: up + down, starved: false }];
  const [granted] = (await syncLeases(world.context(), 'node', { reports: [], wants })).grants;
  const report = { lease: granted?.lease ?? '', parts: [{ ...origin, up, down }], final: true };
  for (let repeat = 0; repeat < 2; repeat++) await syncLeases(world.context(), 'node', { reports: [report], wants: [] });
}

describe('a breakdown', () => {
  test('adds up to the plan exactly, from reports of networks and leases of nodes, in every dimension and for every span', async () => {
    const word = (...words: string[]) => fc.constantFrom(...words, null);
    const use = fc.record({
      up: fc.integer({ min: 0, max: 90_000 }),
      down: fc.integer({ min: 1, max: 90_000 }),
      minutesAgo: fc.integer({ min: 0, max: 5_000 }),
      country: word('us', 'de', 'jp'),
      session: word('00000001', '12345678', 'mine'),
      host: word('a.test', 'b.test'),
      client: word('192.0.2.1', '192.0.2.2'),
      leased: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(use, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (uses, limit) => {
        const plan = await world.plan('acct_a');
        for (const { up, down, minutesAgo, leased, country, session, host, client } of uses) {
          if (leased) await spend(plan, up, down, { session, country: country ?? 'any', host: host ?? 'c.test', client: client ?? '::1' });
          else
            await world.use(plan, BigInt(down), {
              upBytes: BigInt(up),
              at: after(world.clock.now(), -minutesAgo * MINUTE),
              country,
              session,
              host,
              client,
            });
        }
        const now = await world.planNow(plan.id);
        const cut = after(world.clock.now(), -2_500 * MINUTE).toISOString();
        for (const by of DIMENSIONS) {
          const whole = await breakdown(plan, by, { limit });
          expect(whole.totalBytes).toBe(String(now.upBytes + now.downBytes));
          expect(whole.shares.length).toBeLessThanOrEqual(limit);
          const parts = [await breakdown(plan, by, { to: cut, limit }), await breakdown(plan, by, { from: cut, limit })];
          expect(String(parts.reduce((sum, { totalBytes }) => sum + BigInt(totalBytes), 0n))).toBe(whole.totalBytes);
        }
      }),
      { numRuns: 8 },
    );
  });

  test('has up and down apart, the largest first, and everything beyond the limit as one sum', async () => {
    const plan = await world.plan('acct_a');
    await spend(plan, 1, 9, { session: '7', host: 'a.test', client: '192.0.2.1', country: 'us' });
    await spend(plan, 2, 20, { session: null, host: 'b.test', client: '192.0.2.1', country: 'us' });
    await world.use(plan, 5n);
    expect(await breakdown(plan, 'HOST', { limit: 2 })).toEqual({
      totalBytes: '37',
      shares: [
        { value: 'b.test', upBytes: '2', downBytes: '20', totalBytes: '22' },
        { value: 'a.test', upBytes: '1', downBytes: '9', totalBytes: '10' },
      ],
      others: { values: 1, upBytes: '0', downBytes: '5', totalBytes: '5' },
    });
    expect(pairs(await breakdown(plan, 'SESSION'))).toEqual([
      [null, '27'],
      ['7', '10'],
    ]);
    expect(pairs(await breakdown(plan, 'CLIENT'))).toEqual([
      ['192.0.2.1', '32'],
      [null, '5'],
    ]);
  });

  test('knows the batch and the API key of every sticky line', async () => {
    const plan = await world.plan('acct_a');
    const GENERATE = `query ($id: ID!, $session: ProxySession!) { residentialProxies(planId: $id,
      input: { targeting: { pool: "US" }, session: $session, quantity: 3 }) { id lines } }`;
    const generate = async (viewer = owner, session = 'STICKY') => {
      const { data } = await world.ask(viewer, GENERATE, { id: plan.id, session });
      return data?.['residentialProxies'] as { id: string; lines: string[] };
    };
    const first = await generate();
    await generate(owner, 'ROTATING');
    const second = await generate(keyOf('acct_a'));
    for (const [{ lines }, bytes] of [
      [first, 10n],
      [second, 100n],
    ] as const)
      for (const line of lines) await world.use(plan, bytes, { username: line.split(':')[2] ?? '' });
    await world.use(plan, 7n, { session: 'of-my-own' });
    expect(pairs(await breakdown(plan, 'BATCH'))).toEqual([
      [second.id, '300'],
      [first.id, '30'],
      [null, '7'],
    ]);
    expect(pairs(await breakdown(plan, 'API_KEY'))).toEqual([
      ['key_test', '300'],
      [null, '37'],
    ]);
  });

  test('by days and hours uses UTC, in order', async () => {
    const plan = await world.plan('acct_a');
    await world.use(plan, 1n, { at: new Date('2026-01-14T23:59:59.999Z') });
    await world.use(plan, 2n, { at: new Date('2026-01-15T00:00:00Z') });
    await world.use(plan, 4n, { at: new Date('2026-01-15T01:00:00Z') });
    expect(pairs(await breakdown(plan, 'DAY'))).toEqual([
      ['2026-01-14', '1'],
      ['2026-01-15', '6'],
    ]);
    expect(pairs(await breakdown(plan, 'HOUR', { from: '2026-01-15T00:00:00Z', to: '2026-01-15T01:00:00Z' }))).toEqual([
      ['2026-01-15T00:00:00Z', '2'],
    ]);
  });

  test('is refused with the reason, and says nothing of another account’s plan', async () => {
    const plan = await world.plan('acct_a');
    for (const over of [{ limit: 0 }, { limit: 10_001 }, { from: '2026-01-15T00:00:00Z', to: '2026-01-15T00:00:00Z' }])
      expect(codesOf(await world.ask(owner, SHARES, { id: plan.id, by: 'HOST', limit: 5, ...over }))).toEqual(['parameter_invalid']);
    expect(codesOf(await world.ask(sessionOf('acct_b'), SHARES, { id: plan.id, by: 'HOST', limit: 5 }))).toEqual(['plan_not_found']);
  });
});

test('hours are the last 48, zero-filled, the present one last', async () => {
  const plan = await world.plan('acct_a');
  await world.use(plan, 3n, { upBytes: 1n });
  await world.use(plan, 5n, { at: after(world.clock.now(), -47 * HOUR) });
  await world.use(plan, 9n, { at: after(world.clock.now(), -48 * HOUR) });
  const HOURS =
    'query ($id: ID!, $last: Int! = 48) { residentialPlan(id: $id) { hours(last: $last) { at upBytes downBytes totalBytes } } }';
  const { data } = await world.ask(owner, HOURS, { id: plan.id });
  const { hours } = planOf<{ hours: { at: string; totalBytes: string }[] }>(data);
  expect(hours).toHaveLength(48);
  expect(hours.at(-1)).toEqual({ at: '2026-01-15T12:00:00.000Z', upBytes: '1', downBytes: '3', totalBytes: '4' });
  expect(hours[0]).toMatchObject({ at: '2026-01-13T13:00:00.000Z', totalBytes: '5' });
  expect(hours.slice(1, -1).every(({ totalBytes }) => totalBytes === '0')).toBe(true);
  for (const last of [0, 49]) expect(codesOf(await world.ask(owner, HOURS, { id: plan.id, last }))).toEqual(['parameter_invalid']);
});

test('an explanation names the new address, host and country, and what grew', async () => {
  const plan = await world.plan('acct_a', 'PREMIUM', 100n * GB);
  const usual = { country: 'us', host: 'shop.test', client: '192.0.2.1', session: '1' };
  const yesterday = after(world.clock.now(), -24 * HOUR);
  await world.use(plan, 1n * GB, { ...usual, at: after(yesterday, -HOUR) });
  await world.use(plan, 2n * GB, { ...usual, at: after(yesterday, HOUR) });
  await world.use(plan, 5n * GB, { country: 'de', host: 'video.test', client: '203.0.113.9', session: '1', at: after(yesterday, HOUR) });
  const EXPLAIN = `query ($id: ID!, $from: DateTime!, $to: DateTime!) { residentialPlan(id: $id) { explanation(from: $from, to: $to) {
    bytes bytesBefore findings { by value isNew bytes bytesBefore addedBytes } } } }`;
  const span = { from: yesterday.toISOString(), to: world.clock.now().toISOString() };
  const { data } = await world.ask(owner, EXPLAIN, { id: plan.id, ...span });
  const { explanation } = planOf<{ explanation: { findings: { by: string; value: string; isNew: boolean; addedBytes: string }[] } }>(data);
  expect(explanation).toMatchObject({ bytes: String(7n * GB), bytesBefore: String(1n * GB) });
  expect(explanation.findings.map(({ by, value, isNew, addedBytes }) => [by, value, isNew, BigInt(addedBytes) / GB])).toEqual([
    ['SESSION', '1', false, 6n],
    ['CLIENT', '203.0.113.9', true, 5n],
    ['HOST', 'video.test', true, 5n],
    ['COUNTRY', 'de', true, 5n],
    ['CLIENT', '192.0.2.1', false, 1n],
    ['HOST', 'shop.test', false, 1n],
    ['COUNTRY', 'us', false, 1n],
  ]);
  expect(codesOf(await world.ask(owner, EXPLAIN, { id: plan.id, from: '2025-01-01T00:00:00Z', to: span.to }))).toEqual([
    'parameter_invalid',
  ]);
});

test('an explanation has the bytes sent to a host that sent nothing back', async () => {
  const plan = await world.plan('acct_a');
  const at = after(world.clock.now(), -HOUR);
  const sent = (session: string, upBytes: bigint, downBytes: bigint, host = 'broken.test') =>
    world.use(plan, downBytes, { at, upBytes, host, session, client: '192.0.2.1', country: 'us' });
  await sent('1', 700n, 0n);
  await sent('2', 300n, 0n);
  // The host has answered this session in the end, so it does not count as failed.
  await sent('3', 5_000n, 0n);
  await sent('3', 0n, 9n);
  await sent('1', 80n, 0n, 'slow.test');
  await sent('1', 50n, 0n, 'broken.test');
  const span = { from: after(at, -HOUR), to: world.clock.now() };
  const { findings } = await explainUsage(world.context(), plan, span);
  expect(findings.filter(({ by }) => by === 'UNANSWERED').map(({ value, bytes, bytesBefore }) => [value, bytes, bytesBefore])).toEqual([
    ['broken.test', 1_050n, 0n],
    ['slow.test', 80n, 0n],
  ]);
  expect(findings.filter(({ by }) => by === 'RETRIED').map(({ value, bytes }) => [value, bytes])).toEqual([['1', 750n]]);
});
