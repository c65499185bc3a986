// The same reads on a small and a large installation: usage, statistics of 30 days, listings. Goal: p99 of the large one at most 1.5 times that of
// the small one.
import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '#platform/migrate.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import type { Viewer } from '#platform/identity.ts';
import { percentile } from './delay.ts';
import { type Residential, makePlans, openResidential, planAt } from './residential.ts';
import { median } from '../world.ts';

const PER_ACCOUNT = 3;
/** SCALE=0.1 fills a tenth; filling everything takes a quarter of an hour. */
const LARGE = Math.round(1_000_000 * Number(process.env['SCALE'] ?? 1));
const DAYS = 10;

const READS = {
  usage: '{ residentialPlan(id: "PLAN") { usage { totalBytes usedBytes status } username } }',
  statistics: '{ residentialPlan(id: "PLAN") { days(last: 30) { on totalBytes } } }',
  listings: '{ residentialPlans { id status username totalBytes } }',
};
type Read = keyof typeof READS;

const DAY_ROWS = `insert into residential.usage_day (plan_id, day, up_bytes, down_bytes)
  select 'plan_' || lpad(n::text, 26, '0'), current_date - d, 1000000, 50000000 from generate_series($1::int, $2::int) n, generate_series(0, $3::int - 1) d`;
const PLAN_BATCH_SIZE = 100_000;

/** p99 in milliseconds of sequential reads of accounts that were not read before. */
async function readAll({ subgraph, platform }: Residential, accounts: number, count: number): Promise<Record<Read, number>> {
  const runner = createSubgraphRunner(subgraph, platform.log);
  const taken: Record<Read, number[]> = { usage: [], statistics: [], listings: [] };
  for (let index = 0; index < count; index++) {
    const plan = planAt(randomInt(accounts * PER_ACCOUNT), accounts);
    const viewer: Viewer = {
      kind: 'session',
      accountId: plan.accountId,
      sessionId: 'sess',
      staff: false,
      address: '',
      userAgent: '',
      requestId: 'req',
    };
    for (const [name, query] of Object.entries(READS)) {
      const started = performance.now();
      const { errors } = await runner.execute({ query: query.replace('PLAN', plan.id) }, viewer);
      taken[name as Read].push(performance.now() - started);
      if (errors) throw new Error(String(errors[0]));
    }
  }
  return {
    usage: percentile(taken.usage, 0.99),
    statistics: percentile(taken.statistics, 0.99),
    listings: percentile(taken.listings, 0.99),
  };
}

async function fill(databaseUrl: string, accounts: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Filling is not measured, so it need neither be durable nor check foreign keys.
    await client.query('set synchronous_commit = off');
    await client.query('set session_replication_role = replica');
    await makePlans((sql, values) => client.query(sql, values), accounts, PER_ACCOUNT);
    const plans = accounts * PER_ACCOUNT;
    for (let first = 0; first < plans; first += PLAN_BATCH_SIZE)
      await client.query(DAY_ROWS, [first, Math.min(plans, first + PLAN_BATCH_SIZE) - 1, DAYS]);
    await client.query('vacuum analyze residential.plan');
    await client.query('vacuum analyze residential.usage_day');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Creates a second database on the same server, so that both sizes are read alternately. */
async function another(databaseUrl: string): Promise<string> {
  const name = `${new URL(databaseUrl).pathname.slice(1)}_large`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

export async function measureScale(few: Residential, databaseUrl: string, short: boolean): Promise<void> {
  const [small, large, rounds, count] = short ? [100, 2_000, 1, 100] : [1_000, LARGE, 3, 2_000];
  const largeUrl = await another(databaseUrl);
  const many = await openResidential(largeUrl);
  try {
    await fill(databaseUrl, small);
    await fill(largeUrl, large);
    const [ours, theirs]: [Record<Read, number>[], Record<Read, number>[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const [a, b] = [await readAll(few, small, count), await readAll(many, large, count)];
      // The first round is a warm-up that fills the caches, as on a running installation.
      if (round > 0) {
        ours.push(a);
        theirs.push(b);
      }
    }
    for (const name of Object.keys(READS) as Read[]) {
      const ratio = median(theirs.map((taken, index) => taken[name] / (ours[index]?.[name] ?? Number.NaN)));
      const of = (taken: Record<Read, number>[]) => median(taken.map((each) => each[name])).toFixed(2);
      console.log(
        `  ${name}: p99 ${of(ours)} ms with ${small} accounts, ${of(theirs)} ms with ${large} accounts, ${large * PER_ACCOUNT} plans and ${large * PER_ACCOUNT * DAYS} day rows: ratio ${ratio.toFixed(2)} (goal 1.50)`,
      );
    }
  } finally {
    await many.close();
  }
}
