// The proxy node and the ledger under abuse: outdated tools and guessers behind one address with good customers, and networks that send impossible reports.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import { createAttempts } from '../../../edge/attempts.ts';
import type { Edge } from '../../../edge/edge.ts';
import type { UsageLine } from '../../../subgraphs/residential/metering/domain/usage-report.ts';
import { verifyUsage } from '../../../subgraphs/residential/metering/services/verify-usage.ts';
import { PASSWORD } from '../../edge/memory-ledger.ts';
import { PUBLIC, type Target, type World, connectHead, openClient, startEcho, startWorld } from '../../edge/world.ts';
import { startResidential } from '../../subgraphs/residential/world.ts';
import { SCALE, say, scaled } from '../scale.ts';

let world: World;
let echo: Target;
let edge: Edge;
/** In the short form delays of answers are a tenth. */
/** Concurrent reports. */
const NETWORKS = 16;
const PACE = SCALE < 1 ? 0.1 : 1;
/** How many names the node asked the platform for. */
let asked = 0;
beforeAll(async () => {
  world = await startWorld();
  echo = await startEcho();
  world.route('target.example', [PUBLIC], echo.endpoint);
  const platform = world.ledger.controlPlane();
  const attempts = createAttempts(undefined, (milliseconds) => pause(milliseconds * PACE));
  edge = await world.another({ attempts, controlPlane: { ...platform, plan: (name) => (asked++, platform.plan(name)) } });
});
afterAll(async () => {
  await echo.close();
  await world.close();
});

/** Status of a log-in, from the one address of this machine; undefined: the node closed the connection. */
async function logIn(username: string, password: string): Promise<string | undefined> {
  const client = await openClient(edge.ports[0] as number);
  client.write(connectHead(`target.example:${echo.endpoint.port}`, username, password));
  const head = await client.until('\r\n\r\n').then(String, () => '');
  client.socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(head)?.[1];
}
const tally = (answers: readonly (string | undefined)[]) =>
  Object.fromEntries([...Map.groupBy(answers, String)].map(([status, all]) => [status, all.length]));

/** Asks `perSecond` times a second until the time is over; resolves with the answers. */
async function keepAsking(perSecond: number, milliseconds: number, ask: () => Promise<string | undefined>) {
  const answers: Promise<string | undefined>[] = [];
  for (const end = performance.now() + milliseconds; performance.now() < end; await pause(1_000 / perSecond)) answers.push(ask());
  return Promise.all(answers);
}

test('who goes on with an old or a wrong password shuts nobody out who has the right one, at the same address', async () => {
  const milliseconds = scaled(100_000, 1_000);
  const [plan, other] = [world.ledger.plan(), world.ledger.plan()];
  world.ledger.reset(plan, 'a-new-password');
  await Promise.all(Array.from({ length: 30 }, () => logIn(plan.username, 'a-mistyped-one')));
  const [good, others, stale, wrong] = await Promise.all([
    keepAsking(10, milliseconds, () => logIn(plan.username, 'a-new-password')),
    keepAsking(10, milliseconds, () => logIn(other.username, PASSWORD)),
    keepAsking(10, milliseconds, () => logIn(plan.username, PASSWORD)),
    keepAsking(10, milliseconds, () => logIn(plan.username, 'a-mistyped-one')),
  ]);
  say(
    `right ${JSON.stringify(tally([...good, ...others]))}, of before a reset ${JSON.stringify(tally(stale))}, wrong ${JSON.stringify(tally(wrong))}`,
  );
  expect([...good, ...others].filter((status) => status !== '200')).toEqual([]);
  expect(new Set(stale)).toEqual(new Set(['407']));
  expect(new Set(wrong)).toEqual(new Set(['429']));
});

test('a flood of guesses is slowed, costs the platform little and the node no memory, and good lines pass beside it', async () => {
  const milliseconds = scaled(60_000, 1_000);
  const guessers = 200;
  const plan = world.ledger.plan();
  expect(await logIn(plan.username, PASSWORD)).toBe('200');
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const askedBefore = asked;
  const end = performance.now() + milliseconds;
  let guesses = 0;
  const guess = async () => {
    while (performance.now() < end) {
      await logIn(plan.username, `guess-${guesses++}`);
    }
  };
  const flood = Promise.all(Array.from({ length: guessers }, guess));
  const waits: number[] = [];
  const good = await keepAsking(20, milliseconds, async () => {
    const began = performance.now();
    const status = await logIn(plan.username, PASSWORD);
    waits.push(performance.now() - began);
    return status;
  });
  await flood;
  // Answers after the first twenty guesses are delayed: 1, 2, 4, then 5 s.
  const bound = 20 + guessers * (Math.ceil(milliseconds / (5_000 * PACE)) + 1);
  await Promise.all(Array.from({ length: 300 }, (_, index) => logIn(`nobody${index}`, 'x')));
  global.gc?.();
  const grown = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
  say(
    `${guesses} guesses judged in ${(milliseconds / 1_000).toFixed(1)} s by ${guessers} guessers at once (bound ${bound}), ${asked - askedBefore} names asked for; ` +
      `good lines ${JSON.stringify(tally(good))}, p99 ${p99.toFixed(0)} ms; heap grown by ${grown.toFixed(1)} MiB`,
  );
  expect(good.filter((status) => status !== '200')).toEqual([]);
  expect(guesses).toBeLessThanOrEqual(bound);
  expect(p99).toBeLessThan(1_000);
  expect(grown).toBeLessThan(64);
});

test('a storm of reports that cannot be true leaves every neighbour counted exactly, and sums that agree', async () => {
  const residential = await startResidential();
  try {
    const plans = await Promise.all(Array.from({ length: 8 }, () => residential.plan('acct_good', 'MOBILE', 1_000n * GB)));
    const poisoned = await residential.plan('acct_poisoned', 'MOBILE', 10n * GB);
    residential.clock.advance(HOUR);
    const at = residential.clock.now();
    const bad: Partial<UsageLine>[] = [
      { downBytes: 10n ** 18n - 1n, upBytes: 10n ** 18n - 1n },
      { downBytes: 10n ** 15n },
      { downBytes: 12n * GB },
      { downBytes: -1n },
      { at: new Date(at.getTime() + 2 * HOUR) },
      { at: new Date(at.getTime() - 91 * 24 * HOUR) },
      { line: -1 },
      { username: 'nobody' },
      { username: '' },
    ];
    const reports = scaled(2_000, 40);
    const linesOf = (report: number): UsageLine[] =>
      Array.from({ length: 40 }, (_, line) => {
        const good = line % 2 === 0;
        const plan = plans[(report + line) % plans.length] ?? poisoned;
        const fault = good ? {} : bad[(report + line) % bad.length];
        return { line, username: good ? plan.username : poisoned.username, upBytes: 7n, downBytes: 1_001n, at, ...fault };
      });
    const receipts: Awaited<ReturnType<typeof residential.report>>[] = [];
    // More at once would only wait for a database connection: a gateway tells networks to come again.
    let next = 0;
    const network = async () => {
      while (next < reports) {
        const report = next++;
        receipts.push(await residential.report(linesOf(report), 'storm', `r${report}`));
      }
    };
    await Promise.all(Array.from({ length: NETWORKS }, network));
    const counted = receipts.reduce((sum, receipt) => sum + receipt.counted, 0);
    const held = receipts.reduce((sum, { quarantined }) => sum + quarantined, 0);
    const refused = receipts.reduce((sum, receipt) => sum + receipt.refused.length, 0);
    const now = await Promise.all(plans.map(({ id }) => residential.planNow(id)));
    const bytes = now.reduce((sum, { upBytes, downBytes }) => sum + upBytes + downBytes, 0n);
    const { differences } = await verifyUsage(residential.context());
    say(
      `${reports} reports: ${counted} lines counted, ${held} held back, ${refused} refused; neighbours ${bytes} bytes, differences ${differences.length}`,
    );
    expect(bytes).toBe(BigInt(reports) * 20n * 1_008n);
    expect(counted).toBe(reports * 20);
    expect((await residential.planNow(poisoned.id)).downBytes).toBe(0n);
    expect(differences).toEqual([]);
  } finally {
    await residential.close();
  }
});
