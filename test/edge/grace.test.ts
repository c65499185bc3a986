// A node with a grace while the platform does not answer: what it serves, for how long, how much, and which changes reach it late.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { openJournal } from '../../edge/journal.ts';
import type { MemoryPlan } from './memory-ledger.ts';
import { PUBLIC, type Client, type Target, type World, connectHead, startEcho, startTarget, startWorld } from './world.ts';

const GRACE_MS = 5 * MINUTE;
/** Longer than the interval of beats. */
const MOMENT_MS = 2 * SECOND;

let now: number;
let world: World;
let echo: Target;
let directory: string;
const start = async (graceMs: number) => {
  world = await startWorld({
    monotonic: () => now,
    limits: { graceMs, tickMs: 20, leaseWaitMs: 200 },
    journalFile: join(directory, 'journal'),
  });
  world.route('echo.example', [PUBLIC], echo.endpoint);
};
beforeEach(async () => {
  now = 1_000_000;
  directory = mkdtempSync(join(tmpdir(), 'egress-grace-'));
  echo = await startEcho();
});
afterEach(async () => {
  await world.close();
  await echo.close();
  rmSync(directory, { recursive: true });
});

/** The answer to a log-in, and the connection after it. */
async function open(plan: MemoryPlan, password?: string): Promise<{ status: string; client: Client }> {
  const client = await world.client();
  client.write(connectHead(`echo.example:${echo.endpoint.port}`, plan.username, password));
  const answer = (await client.until('\r\n\r\n')).toString();
  client.skip(answer.indexOf('\r\n\r\n') + 4);
  return { status: answer.slice(9, 12), client };
}
async function echoes(client: Client, text: string): Promise<void> {
  client.write(text);
  await client.until(text.length);
  client.skip();
}
/** Resolves when an exchange with the ledger has started and ended, and a beat has arrived since. */
async function heard(): Promise<void> {
  await world.edge.plans.leases.flush();
  world.ledger.comeBack();
}
const standing = () => world.edge.standing();

test('without a grace a cut-off node serves nobody anew, and what is open for as long as a lease is good', async () => {
  await start(0);
  const plan = world.ledger.plan();
  const { client } = await open(plan);
  await echoes(client, 'one');
  await heard();
  world.ledger.cutOff();
  now += MOMENT_MS;
  expect(standing()).toEqual({ feed: false, platform: false, listening: true });
  await echoes(client, 'two');
  expect((await open(plan)).status).toBe('503');
  now += world.ledger.validMs;
  client.write('three');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(client.received.length).toBe(0);
});

describe('with a grace', () => {
  test('known plans go on, old connections and new ones, until it is over; then nobody is served before the platform is back', async () => {
    await start(GRACE_MS);
    const plan = world.ledger.plan();
    const { client } = await open(plan);
    await echoes(client, 'one');
    await heard();
    world.ledger.cutOff();
    expect(standing()).toEqual({ feed: false, platform: true, listening: true });
    for (let passed = 0; passed < GRACE_MS - MINUTE; passed += MINUTE) {
      now += MINUTE;
      await echoes(client, 'on and on');
      const another = await open(plan);
      expect(another.status).toBe('200');
      await echoes(another.client, 'anew');
      another.client.socket.destroy();
    }
    expect((await open(world.ledger.plan())).status).toBe('503');
    now += MINUTE + SECOND;
    expect(standing()).toMatchObject({ platform: false });
    expect((await open(plan)).status).toBe('503');
    client.write('late');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.received.length).toBe(0);
    // The connection waited and was not lost; every carried byte is charged.
    world.ledger.comeBack();
    await client.until('late');
    await world.edge.plans.leases.flush();
    const { up, down } = [...world.ledger.breakdown(plan).values()].reduce((sum, part) => ({
      up: sum.up + part.up,
      down: sum.down + part.down,
    }));
    expect([up, down, plan.usedBytes]).toEqual([59n, 59n, 118n]);
  });

  test('a plan that rested for minutes before the outage goes on as well: its lease was kept and renewed', async () => {
    await start(GRACE_MS);
    const plan = world.ledger.plan();
    const { client } = await open(plan);
    await echoes(client, 'one');
    client.socket.destroy();
    let renewals = 0;
    world.ledger.onSync = ({ reports }) => void (renewals += reports.length);
    for (const before of [0, 1, 2]) {
      now += GRACE_MS / 4 + SECOND;
      await expect.poll(() => renewals, { timeout: 10_000 }).toBeGreaterThan(before);
      await heard();
    }
    world.ledger.cutOff();
    now += GRACE_MS * 0.7;
    // Longer idle than the grace: some ticks of the node pass, and none gives the lease back.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const again = await open(plan);
    expect(again.status).toBe('200');
    await echoes(again.client, 'still');
  });

  test('no more is carried than its leases hold, and what is left of the package bounds them', async () => {
    await start(GRACE_MS);
    const source = await startTarget((socket) => {
      const chunk = Buffer.alloc(65_536, 1);
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', pour);
      socket.once('data', pour);
    });
    world.route('source.example', ['93.184.215.15'], source.endpoint);
    const plan = world.ledger.plan({ totalBytes: 8_000_000n });
    const client = await world.client();
    client.write(connectHead(`source.example:${source.endpoint.port}`, plan.username));
    client.skip((await client.until('\r\n\r\n')).indexOf('\r\n\r\n') + 4);
    await heard();
    world.ledger.cutOff();
    const granted = [...world.ledger.leases.values()].reduce((sum, lease) => sum + lease.granted, 0n);
    client.write('g');
    await client.until(Number(granted) - 1);
    now += MINUTE;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.received.length).toBe(Number(granted) - 1);
    expect(granted).toBeLessThanOrEqual(plan.totalBytes / 2n);
    world.ledger.comeBack();
    // Exactly to the last byte.
    expect((await client.ended()).length).toBe(8_000_000 - 1);
    await world.edge.plans.leases.flush();
    expect(plan.usedBytes).toBe(8_000_000n);
    await source.close();
  });

  test('a password that was reset during the outage is honoured late, after the grace at the latest, and at once when the platform is back', async () => {
    await start(GRACE_MS);
    const plan = world.ledger.plan();
    const { client } = await open(plan);
    await echoes(client, 'one');
    await heard();
    const old = plan.password;
    world.ledger.cutOff();
    world.ledger.reset(plan, 'another-password');
    now += MINUTE;
    expect((await open(plan, old)).status).toBe('200');
    now += GRACE_MS - MINUTE;
    expect((await open(plan, old)).status).toBe('503');
    world.ledger.comeBack();
    await client.ended();
    expect((await open(plan, old)).status).toBe('407');
    expect((await open(plan, 'another-password')).status).toBe('200');
  });

  test('what is known to have changed is not believed, however long the grace', async () => {
    await start(GRACE_MS);
    const plan = world.ledger.plan();
    const { client } = await open(plan);
    await echoes(client, 'one');
    client.socket.destroy();
    await heard();
    await expect.poll(() => world.edge.figures().tunnels).toBe(0);
    world.ledger.announce(plan);
    world.ledger.cutOff();
    now += MOMENT_MS;
    expect((await open(plan)).status).toBe('503');
  });

  test('a lease that the ledger does not renew is spent for ten seconds more, though no news came', async () => {
    await start(GRACE_MS);
    const plan = world.ledger.plan();
    const { client } = await open(plan);
    await echoes(client, 'one');
    await heard();
    for (const lease of world.ledger.leases.values()) lease.open = false;
    await echoes(client, 'two');
    await world.edge.plans.leases.flush();
    now += 10 * SECOND + 1;
    const before = world.ledger.leases.size;
    await echoes(client, 'three');
    // With a new lease.
    expect(world.ledger.leases.size).toBeGreaterThan(before);
  });

  test('a node that was revoked has no grace: an answer is no outage', async () => {
    await start(GRACE_MS);
    const plan = world.ledger.plan();
    const { client } = await open(plan);
    await echoes(client, 'one');
    await heard();
    world.ledger.cutOff();
    now += MOMENT_MS;
    expect((await open(plan)).status).toBe('200');
    Object.assign(world.ledger, { away: false, unknown: true });
    await echoes(client, 'two');
    await world.edge.plans.leases.flush();
    now += 10 * SECOND + 1;
    await expect.poll(async () => (await open(plan)).status).toBe('503');
    client.write('three');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.received.length).toBe(0);
  });

  test('a node that dies in the outage has every byte in its journal', async () => {
    await start(GRACE_MS);
    const plan = world.ledger.plan();
    const { client } = await open(plan);
    await echoes(client, 'one');
    await heard();
    world.ledger.cutOff();
    now += MINUTE;
    await echoes(client, 'after a minute');
    const carried = BigInt(2 * ('one'.length + 'after a minute'.length));
    const file = join(directory, 'journal');
    const inherited = () => {
      const copy = `${file}.copy`;
      rmSync(copy, { force: true });
      // What a restarted node would read, while this one still runs.
      const { inherited: reports, close } = openJournal(copyOf(file, copy));
      close();
      return reports.flatMap(({ parts }) => parts).reduce((sum, { up, down }) => sum + BigInt(up + down), 0n);
    };
    await expect.poll(inherited).toBe(carried);
  });
});

function copyOf(from: string, to: string): string {
  copyFileSync(from, to);
  return to;
}
