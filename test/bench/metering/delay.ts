// The delay from a network's report to a subscriber's update, at a thousand reports a second, sent at fixed times whatever the answers.
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { receiveUsageReport } from '../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { watchUsage } from '../../../subgraphs/residential/metering/services/watch-usage.ts';
import { type Residential, makePlans, planAt } from './residential.ts';

const PLANS = 1_000;
/** Per plan: ten thousand in all. */
const SUBSCRIBERS = 10;
const PER_SECOND = 1_000;
const TICK_MS = 5;
/** A subscriber gets at most four updates of a plan per second. */
const GAP_MS = 250;

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

export async function measureDelay(world: Residential, databaseUrl: string, short: boolean): Promise<void> {
  const seconds = short ? 3 : 20;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await makePlans((sql, values) => client.query(sql, values), PLANS, 1);
  await client.end();
  const plans = Array.from({ length: PLANS }, (_, place) => planAt(place, PLANS));
  /** Send times of each plan's reports; each report is of one byte. */
  const sentAt = plans.map((): number[] => []);
  const delays: number[] = [];
  const abort = new AbortController();
  const watch = ({ id, accountId }: (typeof plans)[number]) => {
    const viewer = { kind: 'session' as const, accountId, sessionId: 'sess', staff: false, address: '', userAgent: '', requestId: 'req' };
    return watchUsage(world.subgraph.context(viewer, abort.signal), id);
  };
  const follow = async (figures: Awaited<ReturnType<typeof watch>>, times: readonly number[]) => {
    let seen = 0;
    for await (const { downBytes } of figures) {
      const now = performance.now();
      for (; seen < Number(downBytes); seen++) delays.push(now - (times[seen] ?? now));
    }
  };
  const followers: Promise<void>[] = [];
  for (const [place, plan] of plans.entries())
    for (const figures of await Promise.all(Array.from({ length: SUBSCRIBERS }, () => watch(plan))))
      followers.push(follow(figures, sentAt[place] ?? []));
  const total = PER_SECOND * seconds;
  const started = performance.now();
  const sending: Promise<unknown>[] = [];
  for (let sent = 0; sent < total; await pause(TICK_MS)) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1_000) * PER_SECOND));
    for (; sent < due; sent++) {
      const place = (sent * 617) % PLANS;
      sentAt[place]?.push(performance.now());
      const line = { line: 0, username: plans[place]?.username ?? '', upBytes: 0n, downBytes: 1n, at: world.platform.clock.now() };
      sending.push(receiveUsageReport(world.context(), { source: 'bench', reportId: String(sent), lines: [line] }));
    }
  }
  await Promise.all(sending);
  for (let waits = 0; delays.length < total * SUBSCRIBERS && waits < 100; waits++) await pause(GAP_MS / 5);
  abort.abort();
  await Promise.all(followers);
  const missing = total * SUBSCRIBERS - delays.length;
  if (missing !== 0) throw new Error(`${missing} of ${total} reports to ${SUBSCRIBERS} subscribers each were never seen`);
  const figures = [0.5, 0.99].map((share) => `p${share * 100} ${percentile(delays, share).toFixed(0)} ms`);
  console.log(
    `  report to subscriber at ${PER_SECOND} reports/s, ${PLANS * SUBSCRIBERS} subscribers of ${PLANS} plans: ${figures.join(', ')} (goal: within a second)`,
  );
}
