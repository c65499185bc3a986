// Ten million lines, a million of them distinct: repeated, reordered, split, up to seven days late, many at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type UsageDimension, breakdownOf } from '../../../subgraphs/residential/metering/entities/usage-breakdown.ts';
import { verifyUsage } from '../../../subgraphs/residential/metering/services/verify-usage.ts';
import { type ResidentialWorld, startResidential } from '../../subgraphs/residential/world.ts';
import { SCALE } from '../scale.ts';
import { type Network, deliveriesOf, expectedOf, lineOf } from './reports.ts';

const TIMES = 10;
const LINES = 1_000;
const PLANS = 200;
const CONCURRENCY = 16;

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

test('totals, days and every breakdown are exact to the byte', async () => {
  const plans = [];
  for (let place = 0; place < PLANS; place++) plans.push(await world.plan(`acct_${place}`, 'MOBILE', 10n ** 17n));
  const network: Network = {
    usernames: plans.map(({ username }) => username),
    reports: Math.round(1_000 * SCALE),
    lines: LINES,
    now: world.clock.now(),
  };
  const deliveries = deliveriesOf(network, TIMES, 1);
  const [count, told] = [deliveries.length, deliveries.reduce((sum, { lines }) => sum + lines.length, 0)];
  const started = performance.now();
  const sums = { counted: 0, repeated: 0, unknown: 0 };
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let next = deliveries.pop(); next; next = deliveries.pop()) {
        const { report, lines } = next;
        const receipt = await world.report(
          lines.map((line) => lineOf(network, report, line)),
          'prove',
          `report-${report}`,
        );
        sums.counted += receipt.counted;
        sums.repeated += receipt.repeated;
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  const distinct = network.reports * LINES;
  expect(told).toBe(distinct * TIMES);
  expect(sums).toEqual({ counted: distinct, repeated: told - distinct, unknown: 0 });

  const expected = expectedOf(network);
  const days = await world.query<{ username: string; day: string; bytes: string }>(
    `select username, day::text, (d.up_bytes + d.down_bytes)::text as bytes from residential.usage_day d join residential.plan p on p.id = d.plan_id`,
  );
  expect(new Map(days.map(({ username, day, bytes }) => [`${username} ${day}`, BigInt(bytes)]))).toEqual(expected.days);
  const parts = new Map<string, bigint>();
  for (const plan of plans) {
    const span = { from: new Date(0), to: new Date('2100-01-01T00:00:00Z') };
    for (const by of ['COUNTRY', 'SESSION', 'HOST', 'CLIENT'] satisfies UsageDimension[]) {
      const { shares, others } = await breakdownOf(world.context().em, [plan], by, span, 10_000);
      expect(others.values).toBe(0);
      for (const { value, upBytes, downBytes } of shares)
        parts.set(`${plan.username} ${by.toLowerCase()} ${value ?? '-'}`, upBytes + downBytes);
    }
  }
  expect(parts).toEqual(expected.parts);
  const audit = await verifyUsage(world.context());
  expect(audit.differences).toEqual([]);
  expect(audit.entries).toBe(BigInt(distinct));
  console.log(
    `  ${told} lines in ${count} deliveries, ${distinct} of them distinct, in ${seconds.toFixed(0)} s: ${days.length} days and ${parts.size} parts exact to the byte`,
  );
});
