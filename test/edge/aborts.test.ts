// A customer who breaks off a download pays for what arrived, not for bytes in buffers of the node and its system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { certify } from '../kit/certificate.ts';
import type { MemoryPlan } from './memory-ledger.ts';
import { connectTo, readPart, startDownloads } from './partial-download.ts';
import { PUBLIC, type Target, type World, connectHead, proxyLine, startWorld } from './world.ts';

/** Bytes beyond what the customer's program has read: those in its own system's buffers have arrived. */
const ALLOWANCE = 256 * 1_024;
const MEGABYTE = 1_000_000;

let world: World;
let source: Target;

beforeEach(async () => {
  world = await startWorld();
  source = await startDownloads();
  world.route('source.example', [PUBLIC], source.endpoint);
});
afterEach(async () => {
  await world.close();
  await source.close();
});

const tunnelTo = (username: string) => connectHead(`source.example:${source.endpoint.port}`, username);
const get = (username: string, length: number) =>
  `GET http://source.example:${source.endpoint.port}/${length} HTTP/1.1\r\nHost: source.example\r\n${proxyLine(username)}\r\n`;

/** Fills all buffers. */
async function stuffed(edge = world.edge): Promise<void> {
  let before = -1;
  await expect
    .poll(() => {
      const now = edge.figures().downBytes;
      const isStill = now === before;
      before = now;
      return isStill;
    })
    .toBe(true);
  await edge.plans.leases.flush();
}

/** The bytes charged, once nothing is open or on its way to the ledger. */
async function settled(plan: MemoryPlan, edge = world.edge): Promise<number> {
  await expect.poll(() => edge.figures().connections).toBe(0);
  await edge.plans.leases.flush();
  return Number(plan.usedBytes);
}

function expectArrived(charged: number, received: number): void {
  expect(charged).toBeGreaterThanOrEqual(received);
  expect(charged).toBeLessThanOrEqual(Math.max(received + ALLOWANCE, received * 1.02));
}

test.each([
  ['at once', 100_000],
  ['halfway', 10 * MEGABYTE],
  ['near the end', 19.8 * MEGABYTE],
])('a tunnel that its customer breaks off %s is charged what arrived', async (_, wanted) => {
  const plan = world.ledger.plan();
  const socket = connectTo(world.port);
  const received = await readPart(socket, tunnelTo(plan.username), String(20 * MEGABYTE), wanted);
  await stuffed();
  socket.destroy();
  expectArrived(await settled(plan), received);
});

test('a request in absolute form that is broken off is charged what arrived', async () => {
  const plan = world.ledger.plan();
  const socket = connectTo(world.port);
  const received = await readPart(socket, get(plan.username, 20 * MEGABYTE), '', 100_000);
  await stuffed();
  socket.destroy();
  expectArrived(await settled(plan), received);
});

test('bytes that a target sent before it ended are charged only if they arrive', async () => {
  const plan = world.ledger.plan();
  const socket = connectTo(world.port);
  const received = await readPart(socket, tunnelTo(plan.username), String(2 * MEGABYTE), 100_000);
  await stuffed();
  socket.destroy();
  expectArrived(await settled(plan), received);
});

test('a spent lease waits for what arrives of it, and the ledger keeps it meanwhile', async () => {
  const plan = world.ledger.plan({ totalBytes: BigInt(3 * MEGABYTE) });
  const socket = connectTo(world.port);
  const received = await readPart(socket, tunnelTo(plan.username), String(20 * MEGABYTE), 100_000);
  await stuffed();
  // The rest of the package is in buffers: neither used up nor available.
  expect(Number(plan.usedBytes)).toBeLessThan(received + ALLOWANCE);
  expect(Number(plan.usedBytes + world.ledger.leasedBytes(plan))).toBe(3 * MEGABYTE);
  socket.destroy();
  expectArrived(await settled(plan), received);
  const next = await world.client();
  next.write(tunnelTo(plan.username));
  await next.until('200 Connection established');
});

test('the same holds where customers speak TLS to the proxy', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'egress-aborts-'));
  const plan = world.ledger.plan();
  const edge = await world.another({ secure: { ...certify(directory, 'proxy.example'), listen: [{ address: '127.0.0.1', port: 0 }] } });
  const raw = connectTo(edge.ports[1] as number);
  const received = await readPart(
    connectTls({ socket: raw, rejectUnauthorized: false }),
    tunnelTo(plan.username),
    String(20 * MEGABYTE),
    100_000,
    { raw },
  );
  await stuffed(edge);
  raw.destroy();
  expectArrived(await settled(plan, edge), received);
  rmSync(directory, { recursive: true });
});

test('a customer who reads everything is charged for everything, however late', async () => {
  const plan = world.ledger.plan();
  const socket = connectTo(world.port);
  const asked = String(5 * MEGABYTE);
  await readPart(socket, tunnelTo(plan.username), asked, 100_000);
  await stuffed();
  socket.resume();
  await new Promise((done) => socket.once('end', done));
  socket.destroy();
  expect(await settled(plan)).toBe(5 * MEGABYTE + asked.length);
});
