// The embedded database is killed again and again during reads and reports, and its disk is filled. Acknowledged reports are kept to the byte, the only
// refusal is "come again", and everything works again within seconds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { watchEmbeddedPostgres } from '#platform/embedded-watch.ts';
import { silentLog } from '#platform/log.ts';
import { signReport } from '../../../sandbox/network/report.ts';
import type { SeededAccount } from '../../kit/seed.ts';
import { mountSmallDisk } from '../../kit/small-disk.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { SCALE, say, scaled } from '../scale.ts';

const KILLS = scaled(60);
const FILLS = scaled(5);
/** Generous, for a machine with other work; on an idle one it takes less than two seconds. */
const BACK_MS = 30_000;
const NETWORK_SECRET = 'a secret of the network of this proof';
const REPORT = { upBytes: 1_000, downBytes: 2_000 };

const disk = SCALE < 1 ? undefined : mountSmallDisk(300);
let directory: string;
let postgres: EmbeddedPostgres;
let watch: ReturnType<typeof watchEmbeddedPostgres>;
let stack: Stack;
let owner: SeededAccount;
let plan: { id: string; username: string };
const keys: string[] = [];

beforeAll(async () => {
  if (SCALE < 1) return;
  directory = disk?.path ?? mkdtempSync(join(tmpdir(), 'egress-life-'));
  postgres = await openEmbeddedPostgres(join(directory, 'postgres'));
  // With the usual times, a database that dies every few seconds would count as broken and be restarted with a growing backoff.
  watch = watchEmbeddedPostgres(postgres, silentLog, { first: 250, max: 15_000, stood: 500 });
  stack = await startStack({ databaseUrl: postgres.url, environment: { USAGE_SOURCES: `life=${NETWORK_SECRET}` } });
  owner = await stack.seed.account();
  plan = await owner.residentialPlan({ gigabytes: 100 });
  for (let key = 0; key < KEYS; key++) keys.push((await owner.apiKey()).authorization);
});
afterAll(async () => {
  if (SCALE < 1) return;
  disk?.free();
  await stack?.close();
  await watch.stop();
  await postgres.stop();
  if (disk) disk.remove();
  else rmSync(directory, { recursive: true });
});

/** Each key is limited to 120 requests a minute, so this many are used in turn. */
const KEYS = 20;
let turn = 0;

/** The used bytes, or the code of the refusal. */
async function used(): Promise<number | string> {
  const headers = { authorization: keys[turn++ % keys.length] ?? '' };
  const response = await fetch(`${stack.url}/v1/residential/${plan.id}/usage`, { headers });
  const { data, meta } = (await response.json()) as { data: { used_data: number } | null; meta?: { code?: string } };
  return data ? Math.round(data.used_data * 1_000_000_000) : (meta?.code ?? `status ${response.status}`);
}

/** The process id of the running server; '' when none runs. */
function postmaster(): string {
  try {
    return readFileSync(join(postgres.directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  } catch {
    return '';
  }
}

/** Whether the report of a network was accepted. */
async function report(id: string): Promise<boolean> {
  const now = stack.clock.now();
  const lines = [{ line: 0, username: plan.username, up_bytes: REPORT.upBytes, down_bytes: REPORT.downBytes, at: now.toISOString() }];
  const body = JSON.stringify({ source: 'life', report_id: id, lines });
  const headers = { 'egress-signature': signReport(body, NETWORK_SECRET, Math.floor(now.getTime() / 1_000)) };
  try {
    const response = await fetch(`${stack.url}/usage-reports`, { method: 'POST', body, headers });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Milliseconds until the platform answers; counts all answers until then. */
async function untilBack(said: Map<string, number>): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const answer = await used();
    if (typeof answer !== 'string') return performance.now() - begun;
    said.set(answer, (said.get(answer) ?? 0) + 1);
    if (performance.now() - begun > BACK_MS) throw new Error(`not back after ${BACK_MS} ms: ${answer}`);
    await pause(50);
  }
}

// A single kill and a single full disk are covered in test/process.
test.skipIf(SCALE < 1)('acknowledged reports survive every kill and a full disk', async () => {
  const said = new Map<string, number>();
  let running = true;
  let acknowledged = 0;
  const write = async (_: unknown, writer: number) => {
    for (let number = 0; running; number++) {
      // A network repeats a report under the same id until it is acknowledged.
      while (!(await report(`${writer}-${number}`))) await pause(50);
      acknowledged++;
    }
  };
  const writers = Array.from({ length: 4 }, write);

  const backs: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const before = acknowledged;
    while (acknowledged < before + 4) await pause(10);
    const killed = postmaster();
    process.kill(Number(killed), 'SIGKILL');
    // Sometimes it is back before a read fails.
    while (postmaster() === killed) await pause(20);
    backs.push(await untilBack(said));
  }
  const sorted = backs.toSorted((one, other) => one - other);
  say(
    `${KILLS} kills: back after ${((sorted[sorted.length >> 1] ?? 0) / 1_000).toFixed(1)} s, at most ${((sorted.at(-1) ?? 0) / 1_000).toFixed(1)} s`,
  );

  for (let fill = 0; fill < FILLS && disk; fill++) {
    disk.fill();
    await pause(3_000);
    disk.free();
    await untilBack(said);
    const before = acknowledged;
    while (acknowledged < before + 4) await pause(10);
  }
  say(disk ? `${FILLS} times a full disk and room again` : 'no full disk: only where a file system may be mounted');

  running = false;
  await Promise.all(writers);
  await stack.settle();
  const bytes = await used();
  say(
    `${acknowledged} reports acknowledged, ${String(bytes)} bytes counted; refusals meanwhile: ${JSON.stringify(Object.fromEntries(said))}`,
  );
  expect(bytes).toBe(acknowledged * (REPORT.upBytes + REPORT.downBytes));
  expect([...said.keys()].filter((code) => code !== 'overloaded')).toEqual([]);
});
