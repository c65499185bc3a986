// `npm run prove -- edge`: proves the promises of the proxy node with large numbers. Each proof prints its figures.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB, MB } from '#platform/data-size.ts';
import { fail } from '#platform/errors.ts';
import type { Plan } from '../../../subgraphs/residential/plans/domain/plan.ts';
import { reapLeases } from '../../../subgraphs/residential/leases/services/leases.ts';
import { resetAuthentication, setDailyLimit } from '../../../subgraphs/residential/plans/services/plan-settings.ts';
import { chance } from '../../kit/chance.ts';
import { malformed, sendMalformed } from '../../edge/malformed.ts';
import { type PlatformWorld, startPlatformWorld } from '../../edge/platform-world.ts';
import { PUBLIC, connectHead, openClient, startEcho, startWorld } from '../../edge/world.ts';
import { sessionOf } from '../../kit/platform.ts';
import { say, scaled } from '../scale.ts';
import { type CountedTarget, newTally, startCountedTarget, startNodes, totalOf, traffic } from './nodes.ts';

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
const percentile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

let world: PlatformWorld;
let target: CountedTarget;
beforeAll(async () => {
  world = await startPlatformWorld();
  target = await startCountedTarget();
});
afterAll(async () => {
  await world.close();
  await target.close();
});

test('four nodes whose lines to the platform are cut again and again: the ledger is what customers and targets saw, to the byte', async () => {
  const plans = await Promise.all([1, 2, 3, 4, 5].map(() => world.residential.plan('acct_a')));
  const four = await startNodes(world, target, 4, 'cut');
  const random = chance(1);
  const tally = newTally();
  const before = target.received;
  let over = false;
  const cutting = (async () => {
    let cuts = 0;
    while (!over) {
      await pause(200 + random() * 400);
      await four.all[Math.floor(random() * 4)]?.line.cut(100 + random() * 1_500);
      cuts++;
    }
    return cuts;
  })();
  const count = scaled(2_000);
  for (let done = 0; done < count; done += 20)
    await Promise.all(
      Array.from({ length: 20 }, () => {
        const plan = plans[Math.floor(random() * plans.length)] as Plan;
        const node = four.all[Math.floor(random() * 4)];
        return traffic(
          { port: node?.running.port ?? 0, username: `${plan.username}-country-any`, password: world.passwordOf(plan), target },
          Math.floor(random() * 200_000),
          Math.floor(random() * 2_000_000),
          tally,
        );
      }),
    );
  over = true;
  const cuts = await cutting;
  await four.close();
  const used = await totalOf(world, plans);
  const seen = BigInt(tally.received + target.received - before);
  say(
    `${count} tunnels, ${cuts} cuts, ${tally.failed} refused or broken off while a line was cut; ledger ${used}, seen ${seen}, difference ${used - seen}`,
  );
  expect(used).toBe(seen);
});

test('nodes that are killed: never charged more than flowed, unbilled within the crash windows, nothing twice', async () => {
  const plans = await Promise.all([1, 2, 3].map(() => world.residential.plan('acct_k')));
  const four = await startNodes(world, target, 4, 'kill');
  const random = chance(2);
  const tally = newTally();
  const [receivedBefore, sentBefore] = [target.received, target.sent];
  let over = false;
  const load = Promise.all(
    Array.from({ length: 16 }, async () => {
      while (!over) {
        const plan = plans[Math.floor(random() * plans.length)] as Plan;
        const node = four.all[Math.floor(random() * 4)];
        const failed = tally.failed;
        const line = { port: node?.running.port ?? 0, username: `${plan.username}-country-any`, password: world.passwordOf(plan), target };
        await traffic(line, 1_000, Math.floor(random() * 4_000_000), tally);
        if (tally.failed > failed) await pause(20);
      }
    }),
  );
  const kills = scaled(60);
  for (let kill = 0; kill < kills; kill++) {
    await pause(100 + random() * 300);
    const node = four.all[Math.floor(random() * 4)];
    if (!node) continue;
    await node.running.kill('SIGKILL');
    node.running = await node.start();
  }
  over = true;
  await load;
  await four.close();
  world.residential.clock.advance(71_000);
  await reapLeases(world.residential.context());
  const used = await totalOf(world, plans);
  const seen = BigInt(tally.received + target.received - receivedBefore);
  const most = BigInt(target.sent - sentBefore + tally.sent);
  say(
    `${kills} kills; customers and targets saw ${seen} bytes, the ledger has ${used} (${((Number(seen - used) / Number(seen)) * 100).toFixed(3)} % unbilled, at most one tick of 100 ms per kill)`,
  );
  expect(used <= most).toBe(true);
  expect(Number(used)).toBeGreaterThan(Number(seen) * 0.8);
  for (const plan of plans) expect(await world.openLeases(plan)).toBe(0);
});

test('packages that run out on four nodes while lines are cut: over-use within the leases that were given up', async () => {
  const four = await startNodes(world, target, 4, 'out');
  const random = chance(3);
  let most = 0;
  for (let round = 0; round < scaled(20); round++) {
    const plan = await world.residential.plan('acct_o', 'PREMIUM', 30n * MB);
    const tally = newTally();
    const before = target.received;
    const cutting = four.all[round % 4]?.line.cut(random() * 500);
    const line = { username: `${plan.username}-country-any`, password: world.passwordOf(plan), target };
    await Promise.all(four.all.map(({ running }) => traffic({ ...line, port: running.port }, 100, 20_000_000, tally)));
    await cutting;
    most = Math.max(most, tally.received + target.received - before - Number(30n * MB));
  }
  await four.close();
  say(`${scaled(20)} packages of 30 MB: over-use ${Math.max(0, most)} bytes at most`);
  expect(most).toBeLessThanOrEqual(0);
});

test('cut-off after a reset, a limit and the last byte: p99 below a second, open tunnels included', async () => {
  const edges = [await world.localEdge('cutoff-own'), await world.remoteEdge('cutoff-far')];
  const times: number[] = [];
  const each = scaled(500);
  for (let round = 0; round < each; round++) {
    const account = `acct_c${round}`;
    const plan = await world.residential.plan(account);
    const tunnels = await Promise.all(edges.map((edge) => world.tunnel(edge.ports[0] as number, plan)));
    if (round % 2) await world.residential.use(plan, 2n * GB);
    const began = performance.now();
    const ends = tunnels.map(async (tunnel) => {
      await tunnel.ended();
      times.push(performance.now() - began);
      tunnel.socket.destroy();
    });
    if (round % 2) await setDailyLimit(world.residential.as(sessionOf(account)), plan.id, GB);
    else await resetAuthentication(world.residential.as(sessionOf(account)), plan.id);
    await Promise.all(ends);
  }
  const count = times.length;
  const p99 = percentile(times, 0.99);
  say(
    `${count} cut-offs, from the call to the closed socket: p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`,
  );
  expect(p99).toBeLessThan(1_000);
});

test('a sticky session keeps its exit: every session, every connection', async () => {
  const small = await startWorld();
  const echo = await startEcho();
  small.route('target.example', [PUBLIC], echo.endpoint);
  const plan = small.ledger.plan();
  const sessions = scaled(10_000);
  const exits = new Map<string, string>();
  let moved = 0;
  for (let pass = 0; pass < 2; pass++)
    for (let first = 0; first < sessions; first += 100) {
      small.dialled.length = 0;
      for (let number = first; number < Math.min(sessions, first + 100); number++) {
        const client = await openClient(small.port);
        client.write(
          connectHead(`target.example:${echo.endpoint.port}`, `${plan.username}-country-de-session-${10_000_000 + number}-sessionttl-60`),
        );
        await client.until('\r\n\r\n');
        client.socket.destroy();
        const exit = small.dialled.at(-1)?.exit ?? '';
        if (exits.has(String(number)) && exits.get(String(number)) !== exit) moved++;
        exits.set(String(number), exit);
      }
    }
  say(`${sessions} sessions over ${new Set(exits.values()).size} exits, ${moved} moved`);
  expect(moved).toBe(0);
  await small.close();
  await echo.close();
});

test('malformed inputs on every port: no crash, nothing left open, memory flat', async () => {
  const patient = { refuse: () => Promise.reject(fail('proxy_credentials_wrong')) };
  const small = await startWorld({ attempts: patient, limits: { headMs: 50, lingerMs: 20 } });
  const echo = await startEcho();
  small.route('target.example', [PUBLIC], echo.endpoint);
  const plan = small.ledger.plan();
  const random = chance(4);
  const heap = () => {
    (globalThis as { gc?: () => void }).gc?.();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const batch = scaled(10_000);
  const send = async () => {
    await sendMalformed(
      small.port,
      Array.from({ length: batch }, () => malformed(random, plan.username, echo.endpoint.port)),
      32,
    );
    while (small.edge.figures().connections > 0) await pause(10);
    small.dialled.length = 0;
    echo.sockets.length = 0;
  };
  await send();
  const before = heap();
  for (let round = 0; round < 9; round++) await send();
  const after = heap();
  say(`${batch * 10} inputs; heap ${before.toFixed(1)} MB after the first tenth, ${after.toFixed(1)} MB at the end`);
  expect(small.edge.figures().tunnels).toBe(0);
  expect(after - before).toBeLessThan(16);
  await small.close();
  await echo.close();
});
