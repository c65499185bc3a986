// What a node reports to the ledger when there is much to report, or when the ledger does not answer.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { type ExitName, keyed } from '../../edge/protocol/origin.ts';
import type { LeaseReport, SyncAnswer, SyncRequest } from '../../edge/protocol/control-plane.ts';
import type { Journal } from '../../edge/journal.ts';
import { LeaseClient } from '../../edge/lease-client.ts';
import { EDGE_LIMITS } from '../../edge/limits.ts';
import type { PlanMeter } from '../../edge/plan-meter.ts';
import { MemoryLedger, type MemoryPlan } from './memory-ledger.ts';

const MB = 1_048_576;
let ledger: MemoryLedger;
let client: LeaseClient;
let told: SyncRequest[];
let journalled: LeaseReport[];
/** If set, the ledger answers only after it resolves. */
let answers: Promise<void> | undefined;
/** Called during an exchange. */
let meanwhile: () => void;

beforeEach(() => {
  ledger = new MemoryLedger();
  told = [];
  journalled = [];
  answers = undefined;
  meanwhile = () => {};
  const journal: Journal = { inherited: [], write: (reports) => void journalled.push(...reports), settle: () => {}, close: () => {} };
  const sync = async (request: SyncRequest): Promise<SyncAnswer> => {
    told.push(request);
    meanwhile();
    await answers;
    return ledger.sync(request);
  };
  const limits = { ...EDGE_LIMITS, tickMs: 20 };
  const monotonic = () => performance.now();
  client = new LeaseClient({
    controlPlane: { sync },
    journal,
    limits,
    log: silentLog,
    monotonic,
    carried: { up: 0, down: 0 },
    revoked: () => {},
  });
});
afterEach(async () => {
  await client.close();
  ledger.close();
});

const meterOf = async (plan: MemoryPlan): Promise<PlanMeter> => {
  const facts = await ledger.controlPlane().plan(plan.username);
  if (!facts) throw new Error('no plan');
  return client.meter(facts);
};
const spend = (meter: PlanMeter, host: string, bytes: number, exit?: ExitName): number =>
  meter.take(
    { origin: keyed({ country: 'de', session: null, host, client: '127.0.0.1' }, exit), lease: undefined, part: undefined },
    bytes,
    true,
  );

test('more plans than one exchange holds are all heard in one round, those that were left out first', async () => {
  const meters = await Promise.all(Array.from({ length: 2_500 }, () => meterOf(ledger.plan())));
  await Promise.all(meters.map((meter) => meter.ready(10_000)));
  await client.flush();
  told = [];
  const spendAll = () => {
    for (const meter of meters) expect(spend(meter, 'a.example', 10)).toBe(10);
  };
  // All plans are always busy: those that were reported have something new at once.
  meanwhile = () => told.length < 4 && spendAll();
  spendAll();
  await expect.poll(() => told.flatMap(({ reports }) => reports).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(2_500);
  const inOrder = told.flatMap(({ reports }) => reports.map(({ lease }) => lease));
  expect(new Set(inOrder.slice(0, 2_500)).size).toBe(2_500);
  for (const { reports } of told) expect(reports.length).toBeLessThanOrEqual(2_000);
  await expect.poll(() => [...ledger.plans.values()].every(({ usedBytes }) => usedBytes === 40n), { timeout: 15_000 }).toBe(true);
});

test('single bytes to very many targets cost few parts; what is beyond is counted by its country, to the byte', async () => {
  const plan = ledger.plan();
  const meter = await meterOf(plan);
  await meter.ready(1_000);
  const granted = meter.left;
  for (let number = 0; number < 5_000; number++) expect(spend(meter, `host-${number}.example`, 1)).toBe(1);
  expect(spend(meter, 'host-7.example', 3)).toBe(3);
  await client.flush();
  const parts = ledger.breakdown(plan);
  expect(granted).toBe(MB);
  expect(parts.size).toBe(1_025);
  expect(parts.get('de||host-7.example|127.0.0.1')?.up).toBe(4n);
  expect(parts.get('de|||')?.up).toBe(5_000n - 1_024n);
  expect(plan.usedBytes).toBe(5_003n);
});

test('exits are told with what is new of each, again while nobody answers, and never more of them than a lease has parts', async () => {
  const meter = await meterOf(ledger.plan());
  await meter.ready(1_000);
  const [one, other] = [{ id: 'fra-1', address: '192.0.2.1' }, { id: 'fra-2' }];
  const reportedExits = () => told.at(-1)?.reports[0]?.parts[0]?.exits;
  spend(meter, 'a.example', 100, one);
  spend(meter, 'a.example', 20, other);
  const lost = Promise.withResolvers<void>();
  answers = lost.promise;
  const first = client.flush();
  await expect.poll(reportedExits).toEqual([
    { ...one, up: 100, down: 0 },
    { ...other, up: 20, down: 0 },
  ]);
  lost.reject(new Error('nobody answers'));
  await first;
  answers = undefined;
  spend(meter, 'a.example', 3, other);
  await client.flush();
  expect(reportedExits()).toEqual([
    { ...one, up: 100, down: 0 },
    { ...other, up: 23, down: 0 },
  ]);
  spend(meter, 'a.example', 4, one);
  await client.flush();
  expect(told.at(-1)?.reports[0]?.parts).toMatchObject([{ up: 127, exits: [{ ...one, up: 4, down: 0 }] }]);
  for (let number = 0; number < 5_000; number++) expect(spend(meter, 'a.example', 1, { id: `x-${number}` })).toBe(1);
  await client.flush();
  expect(told.at(-1)?.reports[0]?.parts[0]?.up).toBe(5_127);
  expect(reportedExits()).toHaveLength(2_046);
});

test('an exchange that hangs does not keep the journal from being written at every tick', async () => {
  const meter = await meterOf(ledger.plan());
  await meter.ready(1_000);
  const released = Promise.withResolvers<void>();
  answers = released.promise;
  spend(meter, 'a.example', 100);
  await expect.poll(() => told.some(({ reports }) => reports.length > 0)).toBe(true);
  spend(meter, 'a.example', 900);
  await expect.poll(() => journalled.at(-1)?.parts[0]?.up).toBe(1_000);
  expect(told.at(-1)?.reports[0]?.parts[0]?.up).toBe(100);
  released.resolve();
});
