// Floods of WebSockets with a valid key that disconnect at once: the memory and CPU that the gateway needs afterwards.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type BenchWorld, type Served, openBenchWorld } from '../../bench/world.ts';
import { SCALE, say, scaled } from '../scale.ts';

const CONNECTS = scaled(6_000, 400);
const CONCURRENCY = 20;
/** The number of addresses of the flood: one may open 600 connections at once. */
const ADDRESSES = 40;
/** V8 returns memory late; the leak that this guards against took 2 GB. */
const MORE_MB = 200;
const QUIET_MS = SCALE < 1 ? 1_000 : 5_000;

let world: BenchWorld;
let egress: Served;
let authorization: string;
let keys: string[];
beforeAll(async () => {
  world = await openBenchWorld();
  // Each caller may open 300 connections at once.
  egress = await world.serve('./serve-egress.ts', { ACCOUNTS: '40' });
  keys = (egress.ready['accounts'] as { authorization: string }[]).map((account) => account.authorization);
  [authorization = ''] = keys;
});
afterAll(() => world.close());

/** Resident megabytes of the server. */
const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${egress.pid}/status`, 'utf8'))?.[1]) / 1_024;
/** CPU seconds of the server; /proc counts in hundredths. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${egress.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${egress.url}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
}

/** Authenticates and disconnects. Resolves with the result. */
const visit = (index: number, given: string) =>
  new Promise<string>((resolve) => {
    const socket = new WebSocket(`${egress.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      localAddress: `127.0.60.${1 + (index % ADDRESSES)}`,
      headers: { 'user-agent': 'x'.repeat(8_000) },
    });
    socket.on('error', () => {});
    socket.once('unexpected-response', (_request, { statusCode }) => resolve(`answered ${statusCode}`));
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: given } }), () => {
        socket.terminate();
        resolve('left');
      }),
    );
    socket.once('close', () => resolve('closed'));
  });

async function flood(count: number, given: (index: number) => string): Promise<Record<string, number>> {
  const ways: Record<string, number> = {};
  for (let index = 0; index < count; index += CONCURRENCY)
    for (const way of await Promise.all(Array.from({ length: CONCURRENCY }, (_, place) => visit(index + place, given(index + place)))))
      ways[way] = (ways[way] ?? 0) + 1;
  return ways;
}

test('nothing stays of thousands of sockets that left while they were let in', async () => {
  await flood(400, (index) => keys[index % keys.length] ?? '');
  await pause(QUIET_MS);
  const before = residentMb();
  const began = performance.now();
  const ways = await flood(CONNECTS, (index) => (index % 2 ? (keys[index % keys.length] ?? '') : `Bearer${' '.repeat(15_000 - index)}x`));
  const took = (performance.now() - began) / 1_000;
  await expect.poll(() => figure('egress_sockets{route="graphql"}'), { timeout: 10_000 }).toBe(0);
  const cpu = cpuSeconds();
  await pause(QUIET_MS);
  const idle = ((cpuSeconds() - cpu) / QUIET_MS) * 100_000;
  const more = residentMb() - before;
  say(
    `${CONNECTS} connects in ${took.toFixed(0)} s (${JSON.stringify(ways)}): ${more.toFixed(0)} MB more, ${idle.toFixed(0)} % of a core afterwards`,
  );
  expect(more).toBeLessThan(MORE_MB);
  expect(idle).toBeLessThan(20);
});

test('one key from one address is slowed down, and its owner is let in from elsewhere', async () => {
  const count = scaled(1_200, 700);
  let refused = 0;
  for (let index = 0; index < count; index += CONCURRENCY) {
    const ways = await Promise.all(Array.from({ length: CONCURRENCY }, () => visit(100 * ADDRESSES, authorization)));
    refused += ways.filter((way) => way === 'answered 429').length;
  }
  say(`${count} connects of one address: ${refused} refused`);
  expect(refused).toBeGreaterThan(0);
  const socket = new WebSocket(`${egress.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { localAddress: '127.0.61.1' });
  const said = new Promise<string>((resolve) => {
    socket.once('message', (data) => resolve(String(data)));
    socket.once('close', (code, reason) => resolve(`${code} ${String(reason)}`));
  });
  socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: keys[1] } })));
  expect(await said).toContain('connection_ack');
  socket.terminate();
});
