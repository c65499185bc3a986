// Every dependency of the platform hangs in turn while customers read over REST: each request is answered, and a table shows how.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type TestDatabase, createTestDatabase } from '../../kit/database.ts';
import { freePorts } from '../../kit/ports.ts';
import { type Relay, startRelay } from '../../kit/relay.ts';
import type { SeededAccount } from '../../kit/seed.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { stall } from '../../../sandbox/stall.ts';
import { SCALE, say, scaled } from '../scale.ts';
import { processorOf, savedMeansOf } from '../../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';

/** Duration of one stall. */
const SECONDS = scaled(30, 0.5);
const EVERY_MS = 20;
/** The gateway's timeout for a connection without traffic: later answers would never have come. */
const ANSWERED_MS = 15_000;
const KEYS = 40;

let database: TestDatabase;
let relay: Relay;
let stack: Stack;
let redis: ChildProcess | undefined;
let owner: SeededAccount;
let keys: string[];

beforeAll(async () => {
  relay = await startRelay(inject('postgresUrl').replace(/^postgres(ql)?:/, 'http:'));
  database = await createTestDatabase();
  let redisUrl: string | undefined;
  // Debian: the package redis-server.
  if (spawnSync('redis-server', ['--version']).status === 0) {
    const port = await freePorts(1);
    redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise<void>((ready) => redis?.stdout?.on('data', (text) => String(text).includes('Ready to accept') && ready()));
    redisUrl = `redis://127.0.0.1:${port}`;
  } else say('redis-server is not installed: left out');
  stack = await startStack({ databaseUrl: relay.through(database.url), ...(redisUrl && { environment: { REDIS_URL: redisUrl } }) });
  owner = await stack.seed.account();
  await owner.residentialPlan();
  // Each key is limited to 120 requests a minute.
  keys = await Promise.all(Array.from({ length: KEYS }, async () => (await owner.apiKey()).authorization));
});
afterAll(async () => {
  redis?.kill('SIGCONT');
  relay.cut();
  relay.mend();
  await stack.close();
  redis?.kill('SIGKILL');
  await relay.close();
  await database.drop();
});

interface Row {
  part: string;
  asked: number;
  right: number;
  refused: number;
  wrong: number;
  p99: number;
  slowest: number;
}

let turn = 0;
async function read(): Promise<{ status: number; told: boolean; ms: number }> {
  const began = performance.now();
  const authorization = keys[turn++ % keys.length] ?? '';
  const answer = await fetch(`${stack.url}/v1/residential`, { headers: { authorization }, signal: AbortSignal.timeout(20_000) }).catch(
    () => undefined,
  );
  await answer?.arrayBuffer().catch(() => undefined);
  return { status: answer?.status ?? 0, told: answer?.headers.has('retry-after') ?? false, ms: performance.now() - began };
}

/** Reads at a steady rate, without waiting for earlier reads, while the dependency hangs. */
async function readsDuring(part: string, stalls: () => void, mends: () => void): Promise<Row> {
  stalls();
  const until = performance.now() + SECONDS * 1_000;
  const reads: ReturnType<typeof read>[] = [];
  while (performance.now() < until && reads.length < 100 * KEYS) {
    reads.push(read());
    await new Promise((next) => setTimeout(next, EVERY_MS));
  }
  const answers = await Promise.all(reads);
  mends();
  const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const right = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status, told }) => (status === 503 || status === 429) && told).length;
  const row = {
    part,
    asked: answers.length,
    right,
    refused,
    wrong: answers.length - right - refused,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    slowest: times.at(-1) ?? 0,
  };
  const share = ((100 * right) / row.asked).toFixed(0);
  say(
    `${part}: ${row.asked} reads, ${share} % right, ${refused} told to come again, ${row.wrong} wrong or unanswered, p99 ${row.p99.toFixed(0)} ms, slowest ${row.slowest.toFixed(0)} ms`,
  );
  return row;
}

test('every part stalled in turn: every read is answered, and only a database that hangs refuses any', async () => {
  const { urls } = stack.sandbox;
  const { accounts, compute } = stack.subgraphs;
  const vendor = (name: keyof typeof urls, busy: () => Promise<unknown>[]) => ({
    part: `${name} hangs`,
    stalls() {
      stall(urls[name], 'silent');
      // Calls that are waiting meanwhile.
      for (const call of busy()) call.catch(() => {});
    },
    mends: () => stall(urls[name], undefined),
  });
  const outside = accounts.systemContext('prove').providers;
  const { datacenter, reverseDns } = compute.systemContext('prove').providers;
  const many = (call: () => Promise<unknown> | undefined) => () => Array.from({ length: 20 }, async () => call());
  const parts = [
    { part: 'nothing', stalls() {}, mends() {} },
    vendor(
      'card',
      many(() => savedMeansOf(outside, 'CARD').list('cus_none')),
    ),
    vendor(
      'crypto',
      many(() => processorOf(outside, 'CRYPTO').lookUp('none')),
    ),
    vendor(
      'chat',
      many(() => outside.chat?.personOf('code', 'verifier')),
    ),
    vendor(
      'smtp',
      many(() => outside.mailer.send('a@example.com', { subject: 's', text: 't', html: 'h' }, 'key')),
    ),
    vendor(
      'hypervisor',
      many(async () => (await datacenter?.clusters.of())?.hypervisor.machines()),
    ),
    vendor(
      'names',
      many(() => reverseDns?.set('127.80.0.10', 'a.example')),
    ),
    ...(redis ? [{ part: 'Redis is stopped', stalls: () => void redis?.kill('SIGSTOP'), mends: () => void redis?.kill('SIGCONT') }] : []),
    // Every read then waits for seconds; test/faults/database-away.test.ts covers it briefly.
    ...(SCALE < 1 ? [] : [{ part: 'PostgreSQL hangs', stalls: () => relay.hang(), mends: () => relay.mend() }]),
  ];
  const rows: Row[] = [];
  for (const { part, stalls, mends } of parts) rows.push(await readsDuring(part, stalls, mends));
  expect(rows.filter(({ wrong }) => wrong > 0)).toEqual([]);
  expect(rows.filter(({ slowest }) => slowest > ANSWERED_MS)).toEqual([]);
  expect(rows.filter(({ part, right, asked }) => part !== 'PostgreSQL hangs' && right < asked).map(({ part }) => part)).toEqual([]);
  const began = performance.now();
  while ((await read()).status !== 200) if (performance.now() - began > 30_000) throw new Error('it does not come back');
  say(`after PostgreSQL answers again the first right read comes within ${(performance.now() - began).toFixed(0)} ms`);
});
