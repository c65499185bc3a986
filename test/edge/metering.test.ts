import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal } from '../../edge/journal.ts';
import { PASSWORD } from './memory-ledger.ts';
import { PUBLIC, type Client, type Target, type World, connectHead, openClient, startEcho, startTarget, startWorld } from './world.ts';

let world: World;
let echo: Target;
let source: Target;
beforeEach(async () => {
  world = await startWorld();
  echo = await startEcho();
  world.route('echo.example', [PUBLIC], echo.endpoint);
  // A target that sends endlessly.
  source = await startTarget((socket) => {
    const chunk = Buffer.alloc(65_536, 1);
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', pour);
    socket.once('data', pour);
  });
  world.route('source.example', ['93.184.215.15'], source.endpoint);
});
afterEach(async () => {
  await world.close();
  await echo.close();
  await source.close();
});

async function tunnel(host: 'echo' | 'source', username: string, port = world.port, password?: string): Promise<Client> {
  const client = await world.client(port);
  client.write(connectHead(`${host}.example:${(host === 'echo' ? echo : source).endpoint.port}`, username, password));
  client.skip((await client.until('\r\n\r\n')).indexOf('\r\n\r\n') + 4);
  return client;
}

test('a package that is used up stops at its last byte, in all tunnels together, and the next is 402', async () => {
  const plan = world.ledger.plan({ totalBytes: 30_000_000n });
  const clients = await Promise.all([1, 2, 3, 4].map(() => tunnel('source', plan.username)));
  for (const client of clients) client.write('g');
  const lengths = await Promise.all(clients.map(async (client) => (await client.ended()).length));
  await world.edge.plans.leases.flush();
  expect(lengths.reduce((sum, length) => sum + length, 0) + clients.length).toBe(30_000_000);
  expect(plan.usedBytes).toBe(30_000_000n);
  expect(world.ledger.leasedBytes(plan)).toBe(0n);
  const refused = await world.client();
  refused.write(connectHead(`echo.example:${echo.endpoint.port}`, plan.username));
  expect((await refused.ended()).toString()).toMatch(/^HTTP\/1\.1 402 /);
});

test('two nodes sell one package once', async () => {
  const plan = world.ledger.plan({ totalBytes: 50_000_000n });
  const other = await world.another();
  const clients = await Promise.all(
    [world.port, other.ports[0] as number, world.port, other.ports[0] as number].map((port) => tunnel('source', plan.username, port)),
  );
  for (const client of clients) client.write('g');
  const lengths = await Promise.all(clients.map(async (client) => (await client.ended()).length));
  await Promise.all([world.edge.plans.leases.flush(), other.plans.leases.flush()]);
  expect(lengths.reduce((sum, length) => sum + length, 0) + clients.length).toBe(50_000_000);
  expect(plan.usedBytes).toBe(50_000_000n);
});

test('a reset of the password ends open tunnels on every node, busy and idle; the old password is refused, the new one works', async () => {
  const plan = world.ledger.plan();
  const other = await world.another();
  const busy = await tunnel('source', plan.username);
  busy.write('g');
  await busy.until(1_000_000);
  const idle = await tunnel('echo', plan.username, other.ports[0]);
  world.ledger.reset(plan, 'a-new-password');
  await Promise.all([busy.ended(), idle.ended()]);
  const old = await world.client();
  old.write(connectHead(`echo.example:${echo.endpoint.port}`, plan.username));
  expect((await old.ended()).toString()).toMatch(/^HTTP\/1\.1 407 /);
  const fresh = await tunnel('echo', plan.username, world.port, 'a-new-password');
  fresh.write('ping');
  expect((await fresh.until(4)).toString()).toBe('ping');
});

test('addresses that use a password from before a reset are reported to the platform; those that guess are not', async () => {
  const plan = world.ledger.plan();
  world.ledger.reset(plan, 'a-new-password');
  const told: unknown[] = [];
  const done = new Promise<void>((resolve) => {
    world.ledger.onSync = ({ oldPasswords }) => {
      told.push(...(oldPasswords ?? []));
      if (told.length > 0) resolve();
    };
  });
  for (const password of ['a-guess', PASSWORD, PASSWORD]) {
    const client = await world.client();
    client.write(connectHead(`echo.example:${echo.endpoint.port}`, plan.username, password));
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 407 /);
  }
  await done;
  world.ledger.onSync = undefined;
  expect(told).toEqual([{ planId: plan.planId, client: '127.0.0.1', tries: 2 }]);
});

test('a Daily Usage Limit stops at its last byte; raised, it lets more through at once', async () => {
  const plan = world.ledger.plan({ dailyLimitBytes: 5_000_000n });
  const first = await tunnel('source', plan.username);
  first.write('g');
  expect((await first.ended()).length).toBe(4_999_999);
  const refused = await world.client();
  refused.write(connectHead(`echo.example:${echo.endpoint.port}`, plan.username));
  expect((await refused.ended()).toString()).toMatch(/^HTTP\/1\.1 429 /);
  world.ledger.change(plan, { dailyLimitBytes: 9_000_000n });
  const second = await tunnel('source', plan.username);
  second.write('g');
  expect((await second.ended()).length).toBe(3_999_999);
  expect(plan.usedBytes).toBe(9_000_000n);
});

test('a limit set below what was used already ends open tunnels, also those that carry nothing', async () => {
  const plan = world.ledger.plan();
  const busy = await tunnel('source', plan.username);
  busy.write('g');
  const idle = await tunnel('echo', plan.username);
  await busy.until(2_000_000);
  await world.edge.plans.leases.flush();
  world.ledger.change(plan, { dailyLimitBytes: 1_000_000n });
  await Promise.all([busy.ended(), idle.ended()]);
  await world.edge.plans.leases.flush();
  expect(world.ledger.leasedBytes(plan)).toBe(0n);
});

test('while the ledger does not answer, a tunnel goes on within its lease, then pauses, and goes on when the ledger is back', async () => {
  const plan = world.ledger.plan();
  const client = await tunnel('source', plan.username);
  world.ledger.cutOff();
  client.write('g');
  const granted = [...world.ledger.leases.values()].reduce((sum, lease) => sum + lease.granted, 0n);
  await client.until(Number(granted) - 1);
  const stranger = await world.client();
  const unknown = world.ledger.plan();
  stranger.write(connectHead(`echo.example:${echo.endpoint.port}`, unknown.username));
  expect((await stranger.ended()).toString()).toMatch(/^HTTP\/1\.1 503 [^]*details="metering_unavailable"[^]*Retry-After: 1\r\n/);
  expect(client.received.length).toBe(Number(granted) - 1);
  world.ledger.comeBack();
  await client.until(Number(granted) + 5_000_000);
  client.socket.destroy();
});

test('a lease that was not renewed in time is not spent any more', async () => {
  let now = 0;
  await world.close();
  world = await startWorld({ monotonic: () => now, limits: { tickMs: 3_600_000 } });
  world.route('echo.example', [PUBLIC], echo.endpoint);
  const plan = world.ledger.plan();
  const client = await tunnel('echo', plan.username);
  client.write('one');
  await client.until(3);
  expect(world.ledger.leases.size).toBe(1);
  now += world.ledger.validMs + 1;
  client.write('two');
  await client.until(6);
  expect(world.ledger.leases.size).toBe(2);
  await world.edge.plans.leases.flush();
  expect([...world.ledger.leases.values()].map(({ settled }) => settled)).toEqual([6n, 6n]);
});

test('bytes are told by session, host, country and client, and the parts sum to the whole', async () => {
  const plan = world.ledger.plan();
  const sizes = { '-country-de-session-11111111-sessionttl-30': 1_000, '-country-any': 2_000, '-country-de': 3_000 };
  for (const [parts, size] of Object.entries(sizes)) {
    const client = await tunnel('echo', plan.username + parts);
    client.write('x'.repeat(size));
    await client.until(size);
  }
  await world.edge.plans.leases.flush();
  const breakdown = Object.fromEntries([...world.ledger.breakdown(plan)].map(([key, { up, down }]) => [key, [up, down]]));
  expect(breakdown).toEqual({
    'de|11111111|echo.example|127.0.0.1': [1_000n, 1_000n],
    'any||echo.example|127.0.0.1': [2_000n, 2_000n],
    'de||echo.example|127.0.0.1': [3_000n, 3_000n],
  });
  expect(plan.usedBytes).toBe(12_000n);
});

test('connections of one plan are limited, and a closed one makes room', async () => {
  await world.close();
  world = await startWorld({ limits: { connectionsPerPlan: 2 } });
  world.route('echo.example', [PUBLIC], echo.endpoint);
  const plan = world.ledger.plan();
  const [first] = [await tunnel('echo', plan.username), await tunnel('echo', plan.username)];
  const third = await world.client();
  third.write(connectHead(`echo.example:${echo.endpoint.port}`, plan.username));
  expect((await third.ended()).toString()).toMatch(/^HTTP\/1\.1 429 [^]*error=connection_limit_reached/);
  first.socket.end();
  await first.ended();
  await tunnel('echo', plan.username);
});

test('an IPv6 customer is counted for its /64 and its /48, and is let in only where both have room', async () => {
  const asked: [string, number][] = [];
  const inside = new Map<string, number>();
  const enter = (key: string, limit: number) => {
    if (key.startsWith('plan')) return true;
    asked.push([key, limit]);
    if ((inside.get(key) ?? 0) >= limit) return false;
    inside.set(key, (inside.get(key) ?? 0) + 1);
    return true;
  };
  const leave = (key: string) => void inside.set(key, (inside.get(key) ?? 0) - 1);
  const edge = await world.another({
    listen: [{ address: '::1', port: 0 }],
    counter: { enter, leave },
    limits: { connectionsPerAddress: 3, connectionsPerSite: 2 },
  });
  const connected = () => openClient(edge.ports[0] as number, '::1', '::1');
  const clients = [await connected(), await connected()];
  await expect.poll(() => edge.figures().connections).toBe(2);
  const third = await connected();
  expect(String(await third.ended())).toBe('');
  expect(asked.slice(0, 2)).toEqual([
    ['0:0:0:0::/64', 3],
    ['0:0:0::/48', 2],
  ]);
  for (const { socket } of [...clients, third]) socket.destroy();
  await expect.poll(() => [...inside.values()]).toEqual([0, 0]);
});

test('a node that was killed reports from its journal after its restart, once', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'edge-journal-'));
  const file = join(directory, 'journal');
  const part = { country: 'de', session: null, host: 'a.example', client: '127.0.0.1' };
  const killed = openJournal(file);
  killed.write([
    { lease: '1', parts: [{ ...part, up: 1, down: 2 }], final: false },
    { lease: '2', parts: [{ ...part, up: 5, down: 5 }], final: true },
  ]);
  killed.write([
    {
      lease: '1',
      parts: [
        { ...part, up: 10, down: 20 },
        { ...part, host: 'b.example', up: 3, down: 0 },
      ],
      final: false,
    },
  ]);
  killed.settle(['2']);
  const next = openJournal(file);
  expect(next.inherited).toEqual([
    {
      lease: '1',
      parts: [
        { ...part, up: 10, down: 20 },
        { ...part, host: 'b.example', up: 3, down: 0 },
      ],
      final: true,
    },
  ]);
  next.settle(['1']);
  expect(openJournal(file).inherited).toEqual([]);
  rmSync(directory, { recursive: true });
});
