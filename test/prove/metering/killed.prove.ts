// kill -9 of collectors and of the database during ingestion: everything acknowledged is stored, and nothing twice.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/migrate.ts';
import { verifyUsage } from '../../../subgraphs/residential/metering/services/verify-usage.ts';
import { makePlans, openResidential, planAt } from '../../bench/metering/residential.ts';
import { chance } from '../../kit/chance.ts';
import { scaled } from '../scale.ts';
import { type Delivery, type Network, deliveriesOf, expectedOf } from './reports.ts';

const KILLS = scaled(200, 4);
const COLLECTORS = 2;
const PLANS = 50;
/** How many deliveries a collector handles at once. */
const WINDOW = 4;

/** Kills the server and waits until its process is gone: otherwise a start would find it running. */
async function killServer(directory: string): Promise<void> {
  const pid = Number(readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  for (let signal: 'SIGKILL' | 0 = 'SIGKILL'; ; signal = 0, await pause(20)) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
  }
}

test(`${KILLS} kills of collectors and database lose nothing and double nothing`, async () => {
  const random = chance(7);
  const directory = mkdtempSync(join(tmpdir(), 'egress-killed-'));
  const start = async () => {
    for (;;) {
      // A killed server leaves processes that end a moment later. It keeps its port, so that collectors find it again.
      const server = await openEmbeddedPostgres(join(directory, 'postgres')).catch(() => undefined);
      if (server) return server;
      await pause(100);
    }
  };
  let postgres = await start();
  await migrate(postgres.url);
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await makePlans((sql, values) => client.query(sql, values), PLANS, 1);
  await client.end();

  const network: Network = {
    usernames: Array.from({ length: PLANS }, (_, place) => planAt(place, PLANS).username),
    reports: KILLS * 10,
    lines: 50,
    now: systemClock.now(),
  };
  const waiting: Delivery[] = deliveriesOf(network, 2, 5);
  const acknowledged = { deliveries: 0 };
  const children = new Set<ChildProcess>();
  let over = false;

  function collector(): void {
    const child = fork(new URL('collector.ts', import.meta.url), {
      env: { ...process.env, COLLECTOR: JSON.stringify({ url: postgres.url, dataDir: directory, network }) },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    children.add(child);
    const sent = new Map<number, Delivery>();
    let next = 0;
    const feed = () => {
      while (sent.size < WINDOW && !over && child.connected) {
        const delivery = waiting.pop();
        if (!delivery) return;
        sent.set(++next, delivery);
        child.send({ id: next, ...delivery }, () => {});
      }
    };
    child.on('message', ({ id, done, ready }: { id: number; done: boolean; ready?: boolean }) => {
      const delivery = sent.get(id);
      sent.delete(id);
      // A delivery that was not acknowledged is sent again by the next collector.
      if (delivery && !done) waiting.unshift(delivery);
      if (delivery && done) acknowledged.deliveries++;
      if (ready || done) feed();
      else setTimeout(feed, 50);
    });
    child.on('error', () => {});
    child.on('exit', () => {
      children.delete(child);
      waiting.unshift(...sent.values());
      if (!over) collector();
    });
  }
  for (let index = 0; index < COLLECTORS; index++) collector();

  const kills = { collector: 0, database: 0 };
  while (kills.collector + kills.database < KILLS) {
    await pause(100 + random() * 900);
    const any = [...children][Math.floor(random() * children.size)];
    if (random() < 0.5 && any) {
      any.kill('SIGKILL');
      kills.collector++;
    } else {
      await killServer(postgres.directory);
      kills.database++;
      postgres = await start();
    }
    // Keep enough deliveries waiting until the last kill.
    if (waiting.length < 200) waiting.unshift(...deliveriesOf(network, 1, kills.collector + 1_000 * kills.database));
  }
  while (waiting.length > 0) await pause(100);
  while (acknowledged.deliveries === 0) await pause(100);
  // Wait for the last deliveries.
  for (let before = -1; before !== acknowledged.deliveries; await pause(2_000)) before = acknowledged.deliveries;
  over = true;
  for (const child of children) child.disconnect();

  const residential = await openResidential(postgres.url);
  const rows: { username: string; day: string; bytes: string }[] = await residential
    .context()
    .em.getConnection()
    .execute(
      'select username, day::text, (d.up_bytes + d.down_bytes)::text as bytes from residential.usage_day d join residential.plan p on p.id = d.plan_id',
    );
  const { differences } = await verifyUsage(residential.context());
  await residential.close();
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
  rmSync(postgres.directory, { recursive: true, force: true });
  expect(differences).toEqual([]);
  expect(new Map(rows.map(({ username, day, bytes }) => [`${username} ${day}`, BigInt(bytes)]))).toEqual(expectedOf(network).days);
  console.log(
    `  ${kills.collector} kills of collectors and ${kills.database} of the database during ${acknowledged.deliveries} acknowledged deliveries: 0 lost, 0 doubled`,
  );
});
