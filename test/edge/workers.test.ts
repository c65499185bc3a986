// A node with two workers: what one worker knows or counts must hold for the other.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { adoptJournals, openJournal } from '../../edge/journal.ts';
import { STATUS_MESSAGE } from '../../edge/protocol/messages.ts';
import { asOne } from '../../edge/worker-sums.ts';
import { type Workers, startWorkers } from '../../edge/workers.ts';
import { freePorts } from '../kit/ports.ts';
import { MemoryLedger, fingerprint } from './memory-ledger.ts';
import { type Client, type Target, connectHead, localExit, openClient, startTarget } from './world.ts';

let ledger: MemoryLedger;
/** Sends endlessly after `g`; echoes any other first input. */
let source: Target;
let received: number;
let workers: Workers;
let port: number;
let directory: string;
const CHUNK = Buffer.alloc(65_536, 1);
const start = () =>
  startWorkers({
    count: 2,
    controlPlane: ledger.controlPlane(),
    log: silentLog,
    logLevel: 'silent',
    exits: [localExit(11), localExit(12), localExit(13), localExit(14)],
    listen: [{ address: '127.0.0.1', port }],
    demoTarget: source.endpoint,
    journalFile: join(directory, 'journal'),
    sessionsFile: join(directory, 'sessions'),
    limits: { connectionsPerPlan: 20, tickMs: 100 },
  });
beforeEach(async () => {
  ledger = new MemoryLedger();
  received = 0;
  source = await startTarget((socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.writable && socket.write(CHUNK));
    };
    socket.on('data', (bytes) => (received += bytes.length));
    socket.on('end', () => socket.end());
    socket.once('data', (bytes) => {
      if (String(bytes) !== 'g') return void socket.write(bytes);
      socket.on('drain', pour);
      pour();
    });
  });
  port = await freePorts(1);
  directory = mkdtempSync(join(tmpdir(), 'egress-workers-'));
  workers = await start();
});
afterEach(async () => {
  await workers.end(0);
  await source.close();
  ledger.close();
  rmSync(directory, { recursive: true });
});

const target = () => `${source.endpoint.address}:${source.endpoint.port}`;
async function ask(line: string, password?: string): Promise<{ client: Client; head: string }> {
  const client = await openClient(port);
  client.write(connectHead(target(), line, password));
  const head = (await client.until('\r\n\r\n')).toString('latin1');
  client.skip(head.indexOf('\r\n\r\n') + 4);
  return { client, head };
}

test('a package that is used up through both workers ends at its last byte, and every byte is counted once', async () => {
  const plan = ledger.plan({ totalBytes: 30_000_000n });
  const tunnels = await Promise.all(Array.from({ length: 12 }, () => ask('user1-country-de')));
  for (const { client } of tunnels) client.write('g');
  const ended = await Promise.all(tunnels.map(async ({ client }) => (await client.ended()).length));
  await expect.poll(() => plan.usedBytes).toBe(30_000_000n);
  expect(ended.reduce((sum, length) => sum + length, 0) + received).toBe(30_000_000);
  expect((await ask('user1-country-de')).head).toMatch(/^HTTP\/1\.1 402 /);
  await expect.poll(() => workers.figures().upBytes + workers.figures().downBytes).toBe(30_000_000);
});

test('the limit of connections of a plan holds for both workers together', async () => {
  ledger.plan();
  const asked = await Promise.all(Array.from({ length: 40 }, () => ask('user1-country-de')));
  const open = asked.filter(({ head }) => head.includes(' 200 '));
  expect(open).toHaveLength(20);
  for (const { head } of asked) expect(head).toMatch(/^HTTP\/1\.1 (?:200|429) /);
  for (const { client } of open.splice(0, 5)) client.socket.destroy();
  await expect.poll(async () => (await ask('user1-country-de')).head, { timeout: 5_000 }).toContain(' 200 ');
});

test('a sticky session is at one exit, whichever worker takes the connection; a reset of the password ends both', async () => {
  const plan = ledger.plan();
  const tunnels = await Promise.all(Array.from({ length: 16 }, () => ask('user1-country-de-session-5-sessionttl-30')));
  expect(new Set(source.sockets.map(({ remoteAddress }) => remoteAddress)).size).toBe(1);
  ledger.reset(plan, 'another');
  await Promise.all(tunnels.map(({ client }) => client.ended()));
  expect((await ask('user1-country-de')).head).toMatch(/^HTTP\/1\.1 407 /);
  expect((await ask('user1-country-de', 'another')).head).toContain(' 200 ');
});

test('static addresses are served by both', async () => {
  const line = { address: '127.0.0.61', port: await freePorts(1) };
  ledger.setStatic('static_1', {
    planId: 'static_1',
    username: 'isp',
    fingerprint: fingerprint('secret'),
    open: true,
    allowedClients: [],
    endpoints: [line],
  });
  await expect.poll(() => workers.figures().staticLines, { timeout: 3_000 }).toBe(1);
  for (let count = 0; count < 8; count++) {
    const client = await openClient(line.port, line.address);
    client.write(connectHead(target(), 'isp', 'secret'));
    await client.until(' 200 ');
    expect(source.sockets.at(-1)?.remoteAddress).toBe(line.address);
  }
});

test('a worker that dies is replaced; its connections do not count any more, and what it had spent is reported', async () => {
  const plan = ledger.plan();
  const tunnels = await Promise.all(Array.from({ length: 20 }, () => ask('user1-country-de')));
  // Let requests finish first: a lease granted to a dying worker would come back only when it is reaped.
  for (const { client } of tunnels) client.write('?');
  await Promise.all(tunnels.map(({ client }) => client.until(1)));
  await expect.poll(() => plan.usedBytes).toBe(40n);
  const dying = workers.threads[0];
  await dying?.terminate();
  await expect.poll(() => workers.threads[0] !== dying && workers.figures().plans > 0, { timeout: 5_000 }).toBe(true);
  for (const { client } of tunnels) client.socket.resetAndDestroy();
  await expect.poll(() => workers.figures().connections, { timeout: 5_000 }).toBe(0);
  const again = await Promise.all(Array.from({ length: 20 }, () => ask('user1-country-de')));
  expect(again.filter(({ head }) => head.includes(' 200 '))).toHaveLength(20);
  for (const { client } of again) client.socket.destroy();
  await workers.end(0);
  // All leases are settled, those of the dead worker by its successor.
  expect(ledger.leasedBytes(plan)).toBe(0n);
  workers = await start();
});

test('drained, it takes nothing new, waits for what is open, and gives everything back', async () => {
  const plan = ledger.plan();
  const { client } = await ask('user1-country-de');
  const ended = workers.end(5_000);
  await expect
    .poll(() =>
      openClient(port).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
  client.write('g');
  await client.until(1_000);
  client.socket.destroy();
  await ended;
  expect(ledger.leasedBytes(plan)).toBe(0n);
  workers = await start();
});

test('journals of workers that no longer exist are taken over', () => {
  const stem = join(directory, 'old', 'journal');
  const part = { country: 'de', session: null, host: 'a.example', client: '127.0.0.1', up: 1, down: 2 };
  for (const [index, file] of [stem, `${stem}-0`, `${stem}-5`].entries()) {
    const journal = openJournal(file);
    journal.write([{ lease: String(index), parts: [part], final: false }]);
    journal.close();
  }
  adoptJournals(stem, [`${stem}-0`, `${stem}-1`]);
  expect(readdirSync(join(directory, 'old'))).toEqual(['journal-0']);
  const journal = openJournal(`${stem}-0`);
  expect(journal.inherited.map(({ lease }) => lease).toSorted()).toEqual(['0', '1', '2']);
  journal.close();
});

test('a report before any worker has told of itself is one that the platform takes', () => {
  expect(STATUS_MESSAGE.safeParse(JSON.parse(JSON.stringify(asOne([])))).error).toBeUndefined();
});
