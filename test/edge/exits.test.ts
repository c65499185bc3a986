import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { MINUTE, TestClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createDialler } from '../../edge/dial.ts';
import { type ExitFault, createExitHealth } from '../../edge/exit-health.ts';
import type { Exit, ExitDefinition } from '../../edge/exit.ts';
import { createExitPools } from '../../edge/exits.ts';
import { readLineTarget } from '../../edge/protocol/line-username.ts';
import { openSessionStore } from '../../edge/session-store.ts';
import { portsBeside } from '../../edge/source-ports.ts';
import { PRODUCTS, PUBLIC, type Target, type World, connectHead, localExit, startEcho, startTarget, startWorld } from './world.ts';

const line = (parts: string) => readLineTarget(`user${parts}`, [5, 30, 60]);
const counts = (ids: readonly string[]): Record<string, number> =>
  ids.reduce<Record<string, number>>((sums, id) => ({ ...sums, [id]: (sums[id] ?? 0) + 1 }), {});

/** The pools of a single node without claims: every choice is made synchronously. */
function pooled(...options: Parameters<typeof createExitPools>) {
  const pools = createExitPools(...options);
  return {
    all: pools.all,
    sessions: () => pools.sessions(),
    sweep: () => pools.sweep(),
    pick: (...wanted: Parameters<typeof pools.pick>): Exit => {
      const picked = pools.pick(...wanted);
      return picked instanceof Promise ? expect.unreachable() : picked.exit;
    },
  };
}

test('rotating lines are spread evenly by weight, and never get the same exit twice in a row', () => {
  const pools = pooled([localExit(1), localExit(2), localExit(3), localExit(4, { weight: 2 })]);
  const picked = Array.from({ length: 5_000 }, () => pools.pick('plan', 'PREMIUM', line('-country-de')).definition.id);
  expect(picked.every((id, index) => id !== picked[index - 1])).toBe(true);
  const sums = counts(picked);
  for (const id of ['exit-1', 'exit-2', 'exit-3']) expect(sums[id]).toBeGreaterThan(950);
  expect(sums['exit-4']).toBeGreaterThan(1_850);
});

test('an exit serves its products and its place only', () => {
  const pools = pooled([
    localExit(1, { products: ['MOBILE'], country: 'us', state: 'new_york', city: 'buffalo' }),
    localExit(2, { products: ['PREMIUM'], country: 'us', state: 'new_york', city: 'new_york_city' }),
    localExit(3, { products: ['PREMIUM'], country: 'fr' }),
    localExit(4, { products: ['PREMIUM'], country: 'jp' }),
  ]);
  const ids = (parts: string, product: 'MOBILE' | 'PREMIUM' = 'PREMIUM') =>
    [...new Set(Array.from({ length: 40 }, () => pools.pick('plan', product, line(parts)).definition.id))].sort();
  expect(ids('-country-any')).toEqual(['exit-2', 'exit-3', 'exit-4']);
  expect(ids('-country-any', 'MOBILE')).toEqual(['exit-1']);
  expect(ids('-country-eu')).toEqual(['exit-3']);
  expect(ids('-country-us-state-new_york-city-new_york_city')).toEqual(['exit-2']);
  expect(() => ids('-country-us-city-buffalo')).toThrow(expect.objectContaining({ code: 'exit_unavailable' }));
});

test('a line that carries datagrams gets an address of the node, whatever else the place has', () => {
  const parent = {
    id: 'parent',
    kind: 'parent',
    protocol: 'socks5',
    host: '127.0.0.1',
    port: 1,
    products: ['PREMIUM'],
    country: 'de',
    weight: 50,
  };
  const pools = pooled([parent as ExitDefinition, localExit(1)]);
  for (const parts of ['-country-de', '-country-de-session-1-sessionttl-30']) {
    const picked = Array.from({ length: 20 }, () => pools.pick('plan', 'PREMIUM', line(parts), { local: true }).definition.id);
    expect(new Set(picked), parts).toEqual(new Set(['exit-1']));
  }
});

test('a sticky session keeps its exit for its lifetime, idle or not, and begins elsewhere afterwards', () => {
  let now = 0;
  const pools = pooled(
    Array.from({ length: 20 }, (_, index) => localExit(index + 1)),
    () => now,
  );
  const sticky = line('-country-de-session-12345678-sessionttl-30');
  const first = pools.pick('plan', 'PREMIUM', sticky);
  now += 29 * MINUTE + 59_000;
  pools.sweep();
  expect(pools.pick('plan', 'PREMIUM', sticky)).toBe(first);
  now += 2_000;
  const second = pools.pick('plan', 'PREMIUM', sticky);
  now += 29 * MINUTE;
  expect(pools.pick('plan', 'PREMIUM', sticky)).toBe(second);
});

test('a restart neither moves a session nor gives it a second lifetime', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'edge-sessions-')), 'sessions');
  const clock = new TestClock();
  const definitions = Array.from({ length: 20 }, (_, index) => localExit(index + 1));
  const sticky = line('-country-de-session-12345678-sessionttl-30');
  const other = line('-country-de-session-87654321-sessionttl-30');
  let now = 0;
  const store = openSessionStore(file, clock);
  const before = pooled(definitions, () => now, store);
  before.pick('plan', 'PREMIUM', sticky);
  // The next session with this number is at another exit, which hashing alone would not find.
  now += 31 * MINUTE;
  clock.advance(31 * MINUTE);
  const exit = before.pick('plan', 'PREMIUM', sticky).definition.id;
  before.pick('plan', 'PREMIUM', other);
  store.close();
  appendFileSync(file, '["torn');
  clock.advance(20 * MINUTE);
  let later = 0;
  const after = pooled(definitions, () => later, openSessionStore(file, clock));
  expect(after.sessions()).toBe(2);
  expect(after.pick('plan', 'PREMIUM', sticky).definition.id).toBe(exit);
  later += 9 * MINUTE;
  expect(after.pick('plan', 'PREMIUM', sticky).definition.id).toBe(exit);
  later += 2 * MINUTE;
  after.sweep();
  expect(after.sessions()).toBe(0);
});

test('every node finds the same exit for a session, and sessions spread over the exits', () => {
  const definitions = Array.from({ length: 10 }, (_, index) => localExit(index + 1));
  const [one, other] = [pooled(definitions), pooled([...definitions].reverse())];
  const picks = Array.from({ length: 10_000 }, (_, number) => {
    const target = line(`-session-${10_000_000 + number}-sessionttl-60`);
    const exit = one.pick('plan', 'PREMIUM', target).definition.id;
    expect(other.pick('plan', 'PREMIUM', target).definition.id).toBe(exit);
    return exit;
  });
  for (const sum of Object.values(counts(picks))) expect(Math.abs(sum - 1_000)).toBeLessThan(200);
});

test('a session whose exit is gone fails with a reason, and moves only when its line says so', () => {
  const pools = pooled([localExit(1), localExit(2)]);
  const exit = pools.pick('plan', 'PREMIUM', line('-session-1-sessionttl-30'));
  exit.healthy = false;
  expect(() => pools.pick('plan', 'PREMIUM', line('-session-1-sessionttl-30'))).toThrow(expect.objectContaining({ code: 'exit_gone' }));
  expect(pools.pick('plan', 'PREMIUM', line('-session-1-sessionttl-30-onlost-switch'))).not.toBe(exit);
});

test('an exit at its capacity is left alone', () => {
  const pools = pooled([localExit(1, { capacity: 1 }), localExit(2)]);
  const full = pools.all[0];
  if (full) full.connections = 1;
  for (let count = 0; count < 10; count++) expect(pools.pick('plan', 'PREMIUM', line('')).definition.id).toBe('exit-2');
});

test('source ports lie outside the range of the kernel', () => {
  expect(portsBeside(32_768, 60_999)).toEqual({ from: 1_025, to: 32_767 });
  expect(portsBeside(1_024, 30_000)).toEqual({ from: 30_001, to: 65_535 });
  expect(portsBeside(1_024, 65_535)).toBeUndefined();
});

const faultAt = (host: string): ExitFault => ({ trouble: 'exit', host, place: 'de//', detail: 'it closed the connection' });

test('an exit that fails with three different targets goes; a probe that works puts it back, on trial', async () => {
  const pools = pooled([localExit(1)]);
  const exit = pools.all[0];
  if (!exit) throw new Error('no exit');
  const probed = Promise.withResolvers<void>();
  const health = createExitHealth(silentLog, { probe: async () => (probed.resolve(), true) });
  // A single target that always fails does not take the exit out.
  for (let times = 0; times < 10; times++) health.faulted(exit, faultAt('one.example'));
  health.faulted(exit, faultAt('two.example'));
  expect(exit.healthy).toBe(true);
  health.faulted(exit, faultAt('three.example'));
  expect(exit.healthy).toBe(false);
  await probed.promise;
  await new Promise((done) => setImmediate(done));
  expect(exit.healthy).toBe(true);
  health.faulted(exit, faultAt('four.example'));
  expect(exit.healthy).toBe(false);
  health.close();
});

let world: World | undefined;
const targets: Target[] = [];
afterEach(async () => {
  await world?.close();
  for (const target of targets.splice(0)) await target.close();
});
const keep = (target: Target): Target => (targets.push(target), target);

test("the target sees the exit's address, and a rotating line another one each time", async () => {
  const echo = keep(await startEcho());
  world = await startWorld();
  world.route('target.example', [PUBLIC], echo.endpoint);
  const plan = world.ledger.plan();
  for (let count = 0; count < 6; count++) {
    const client = await world.client();
    client.write(connectHead(`target.example:${echo.endpoint.port}`, `${plan.username}-country-de`));
    await client.until('\r\n\r\n');
  }
  const seen = echo.sockets.map(({ remoteAddress }) => remoteAddress);
  expect(world.dialled.map(({ exit }) => `127.0.0.${exit.slice(5)}`)).toEqual(seen);
  expect(new Set(seen).size).toBe(3);
  expect(seen.every((address, index) => address !== seen[index - 1])).toBe(true);
});

test('a rotating line does not notice a dead exit; a sticky one is told', async () => {
  const echo = keep(await startEcho());
  world = await startWorld({ exits: [localExit(11, { address: '192.0.2.55' } as Partial<ExitDefinition>), localExit(12)] });
  world.route('target.example', [PUBLIC], echo.endpoint);
  const plan = world.ledger.plan();
  for (let count = 0; count < 4; count++) {
    const client = await world.client();
    client.write(connectHead(`target.example:${echo.endpoint.port}`, plan.username));
    expect((await client.until('\r\n\r\n')).toString()).toContain(' 200 ');
  }
  const told = new Set<string>();
  for (let session = 0; session < 12; session++) {
    const client = await world.client();
    client.write(connectHead(`target.example:${echo.endpoint.port}`, `${plan.username}-session-${session}`));
    told.add((await client.until('\r\n\r\n')).toString().slice(9, 12));
  }
  expect(told.has('200')).toBe(true);
});

test('leaves through parent proxies: HTTP and SOCKS5, with their credentials, by the judged address', async () => {
  const echo = keep(await startEcho());
  const heads: string[] = [];
  const httpParent = keep(
    await startTarget((socket) => {
      socket.once('data', (bytes: Buffer) => {
        heads.push(bytes.toString());
        socket.write('HTTP/1.1 200 OK\r\nX: y\r\n\r\nearly');
        socket.pipe(socket);
      });
    }),
  );
  const requests: Buffer[] = [];
  const socksParent = keep(
    await startTarget((socket) => {
      const answers = [Buffer.from([5, 2]), Buffer.from([1, 0]), Buffer.from([5, 0, 0, 1, 1, 2, 3, 4, 0, 80])];
      socket.on('data', (bytes: Buffer) => {
        const answer = answers.shift();
        if (answer) requests.push(bytes);
        socket.write(answer ?? bytes);
      });
    }),
  );
  const login = { username: 'me', password: 'pw', products: PRODUCTS };
  // The parents are on loopback, so requests for public addresses reach nothing else.
  world = await startWorld({
    exits: [
      { id: 'http', kind: 'http', host: '127.0.0.1', port: httpParent.endpoint.port, country: 'us', ...login },
      { id: 'socks', kind: 'socks5', host: '127.0.0.1', port: socksParent.endpoint.port, country: 'fr', ...login },
    ],
    dial: createDialler({ next: () => undefined }),
  });
  world.route('target.example', [PUBLIC], echo.endpoint);
  const { port } = echo.endpoint;
  const plan = world.ledger.plan();
  const first = await world.client();
  first.write(connectHead(`target.example:${port}`, `${plan.username}-country-us`));
  first.write('hello');
  expect((await first.until('hello')).toString()).toContain('\r\n\r\nearly');
  expect(heads).toEqual([`CONNECT ${PUBLIC}:${port} HTTP/1.1\r\nHost: ${PUBLIC}:${port}\r\nProxy-Authorization: Basic bWU6cHc=\r\n\r\n`]);
  const second = await world.client();
  second.write(`${connectHead(`target.example:${port}`, `${plan.username}-country-fr`)}hello`);
  expect((await second.until('hello')).toString()).toContain(' 200 ');
  expect(requests).toEqual([
    Buffer.from([5, 1, 2]),
    Buffer.from('\x01\x02me\x02pw'),
    Buffer.from([5, 1, 0, 1, 93, 184, 215, 14, port >> 8, port & 255]),
  ]);
});
