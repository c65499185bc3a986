// The database's machine dies while customers buy, and its standby takes over: nothing acknowledged is lost. The standby is synchronous, so a commit is
// acknowledged when both have it. Clients reach the primary through a relay, which stands for HAProxy or a floating address.
import { randomInt } from 'node:crypto';
import { type Socket, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { withClient } from '#platform/database-client.ts';
import { type Cluster, createCluster, createStandby, installedServer } from '../../kit/cluster.ts';
import { freePorts } from '../../kit/ports.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { runChild } from '../../kit/child.ts';
import { say, scaled } from '../scale.ts';
import { type Buyers, startBuyers } from './buyers.ts';

const BACK_MS = 5_000;
const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

/** A relay to one server, then to another; the switch disconnects clients of the first. */
async function startDoor(port: number): Promise<{ url(of: Cluster): string; lead(to: Cluster | undefined): void; close(): void }> {
  let target: number | undefined;
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (target === undefined) return void near.destroy();
    const far = keep(connect(target, '127.0.0.1'));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: ({ url }) => url.replace(/:\d+\//, `:${port}/`),
    lead(to) {
      target = to?.port;
      for (const socket of open) socket.destroy();
    },
    close: () => void server.close(),
  };
}

/** From now on commits wait for the standby with this name. */
async function waitFor(primary: Cluster, name: string): Promise<void> {
  await withClient(primary.url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`);
    await client.query('select pg_reload_conf()');
    const state = async () => (await client.query<{ state: string }>('select sync_state as state from pg_stat_replication')).rows;
    await expect.poll(state, { timeout: 30_000 }).toEqual([{ state: 'sync' }]);
  });
}

async function lost(primary: Cluster, buyers: Buyers): Promise<string[]> {
  const found = await withClient(primary.url, async (client) => {
    const { rows } = await client.query<{ id: string; status: string }>('select id, status from accounts.customer_order');
    return new Map(rows.map(({ id, status }) => [id, status]));
  });
  return [...[...buyers.placed].filter((id) => !found.has(id)), ...[...buyers.fulfilled].filter((id) => found.get(id) !== 'FULFILLED')];
}

const absent = installedServer() === undefined;
if (absent) say('skipped: PostgreSQL is not installed (Debian: postgresql)');

test.skipIf(absent)('a synchronous standby takes over again and again, and nothing that was acknowledged is lost', async () => {
  const times = scaled(50);
  let primary = await createCluster();
  undo.push(() => primary.remove());
  await primary.start();
  const door = await startDoor(await freePorts(1));
  undo.push(door.close);
  let standby = await createStandby(primary, 'standby');
  undo.push(() => standby.remove());
  await waitFor(primary, 'standby');
  door.lead(primary);
  const stack: Stack = await startStack({ databaseUrl: door.url(primary) });
  undo.push(() => stack.close());
  const buyers = await startBuyers(stack, 4);
  undo.push(() => buyers.stop());
  const away: number[] = [];
  for (let time = 0; time < times; time++) {
    await buyers.more(2);
    await pause(randomInt(400));
    const old = primary;
    const began = performance.now();
    old.kill();
    door.lead(undefined);
    await standby.promote();
    primary = standby;
    // Without a standby it does not wait for one, as operators configure it too, to keep selling.
    await withClient(primary.url, async (client) => {
      await client.query('alter system reset synchronous_standby_names');
      await client.query('select pg_reload_conf()');
    });
    door.lead(primary);
    const promoted = performance.now();
    await buyers.more(1);
    away.push(performance.now() - promoted);
    expect(await lost(primary, buyers)).toEqual([]);
    say(
      `fail-over ${time + 1}: promoted after ${Math.round(promoted - began)} ms, the next purchase ${Math.round(away.at(-1) ?? 0)} ms later`,
    );
    standby = await createStandby(primary, 'standby');
    await waitFor(primary, 'standby');
    await old.remove();
  }
  await buyers.stop();
  await stack.settle();
  expect(await lost(primary, buyers)).toEqual([]);
  expect(buyers.faults).toEqual([]);
  const books = runChild('subgraphs/accounts/commands/verify-books.ts', {
    DATABASE_URL: primary.url,
    // The stack's secret is a file in this folder.
    DATA_DIR: stack.platform.config.DATA_DIR,
  });
  expect(await books.ended, books.text()).toBe(0);
  say(`${buyers.placed.size} orders were told, ${buyers.fulfilled.size} of them delivered; 0 lost in ${times} fail-overs`);
  if (times > 1) expect(away.toSorted((a, b) => a - b)[Math.floor(away.length / 2)]).toBeLessThan(BACK_MS);
});
