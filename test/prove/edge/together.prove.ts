// All faults of nodes and plans at the same time: kills, cuts, clock steps on both sides, resets and limits, while traffic of known size flows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB, MB } from '#platform/data-size.ts';
import { after } from '#platform/clock.ts';
import type { Plan } from '../../../subgraphs/residential/plans/domain/plan.ts';
import { reapLeases } from '../../../subgraphs/residential/leases/services/leases.ts';
import { resetAuthentication, setDailyLimit } from '../../../subgraphs/residential/plans/services/plan-settings.ts';
import { chance } from '../../kit/chance.ts';
import { type PlatformWorld, startPlatformWorld } from '../../edge/platform-world.ts';
import { sessionOf } from '../../kit/platform.ts';
import { SCALE } from '../scale.ts';
import { type CountedTarget, newTally, startCountedTarget, startNodes, totalOf, traffic } from './nodes.ts';

const HAPPENINGS = Math.max(12, Math.round(300 * SCALE));
const CUSTOMERS = 12;
const STEP_MS = 20_000;
const ACCOUNT = 'acct_together';
/** A generous bound of what a node carries in a tick of 100 ms, plus the buffers of a broken connection. */
const PER_KILL = 64 * 1_048_576;
const PER_BROKEN = 8 * 1_048_576;

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

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

test('kills, cuts, clock steps, resets and limits together: nothing charged that did not flow, no limit passed, and calm traffic afterwards exact', async () => {
  const { residential } = world;
  const plans = await Promise.all(Array.from({ length: 5 }, () => residential.plan(ACCOUNT)));
  const limited = plans[0] as Plan;
  const four = await startNodes(world, target, 4, 'together');
  const random = chance(5);
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const owner = () => residential.as(sessionOf(ACCOUNT));
  const noon = residential.clock.now();
  const tally = newTally();
  const before = { received: target.received, sent: target.sent };
  let over = false;

  const send = async (most: number): Promise<void> => {
    const plan = await residential.planNow(any(plans).id);
    const session = random() < 0.5 ? `-session-${Math.floor(random() * 50) + 10_000_000}-sessionttl-30` : '';
    const line = { username: `${plan.username}-country-any${session}`, password: world.passwordOf(plan), target };
    await traffic({ ...line, port: any(four.all).running.port }, Math.floor(random() * 100_000), Math.floor(random() * most), tally);
  };
  const load = Promise.all(
    Array.from({ length: CUSTOMERS }, async () => {
      while (!over) {
        const { failed } = tally;
        await send(2_000_000);
        if (tally.failed > failed) await pause(20);
      }
    }),
  );

  const counts: Record<string, number> = {};
  let limit: bigint | null = null;
  const happenings: Record<string, () => Promise<unknown>> = {
    async kill() {
      const node = any(four.all);
      await node.running.kill('SIGKILL');
      node.running = await node.start();
    },
    cut: () => any(four.all).line.cut(100 + random() * 1_500),
    step: async () => any(four.all).running.stepClock(),
    // Not so far that leases are given up, whose cost is covered by another proof.
    platformStep: async () => residential.clock.set(after(noon, (random() * 2 - 1) * STEP_MS)),
    // Refused when the plan is paused.
    reset: () => resetAuthentication(owner(), any(plans.slice(1)).id),
    async limit() {
      const { usedTodayBytes } = await residential.planNow(limited.id);
      if (limit !== null) expect(usedTodayBytes <= limit).toBe(true);
      const next: bigint = (usedTodayBytes / MB + 30n) * MB;
      limit = limit === null || random() < 0.6 ? (next < GB ? GB : next) : null;
      await setDailyLimit(owner(), limited.id, limit);
    },
  };
  // The lowest limit is one GB, so start near it.
  await residential.use(limited, GB - 60n * MB);
  for (let count = 0; count < HAPPENINGS; count++) {
    await pause(50 + random() * 250);
    const name = any(Object.keys(happenings));
    await happenings[name]?.();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  over = true;
  residential.clock.set(noon);
  // Lift the limit first: nothing gives up lost leases here, so tunnels of the plan could wait for what one holds.
  await setDailyLimit(owner(), limited.id, null);
  await load;
  await Promise.all(
    four.all.map(async (node) => {
      await node.running.kill('SIGTERM');
      node.running = await node.start();
    }),
  );
  const told = Number(GB - 60n * MB);
  const usedNow = async () => {
    const { upBytes, downBytes } = await residential.planNow(limited.id);
    return Number(await totalOf(world, plans.slice(1))) + Number(upBytes + downBytes) - told;
  };
  const used = await usedNow();
  const seen = tally.received + target.received - before.received;
  console.log(
    `  ${Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}; ${tally.failed} refused or broken off; ledger ${used}, seen ${seen}, difference ${used - seen}`,
  );
  expect(used).toBeLessThanOrEqual(target.sent - before.sent + tally.sent);
  expect(seen - used).toBeLessThanOrEqual((counts['kill'] ?? 0) * PER_KILL);
  expect(used - seen).toBeLessThanOrEqual(tally.failed * PER_BROKEN);

  const calm = newTally();
  Object.assign(tally, calm);
  const calmFrom = target.received;
  for (let count = 0; count < Math.max(20, 200 * SCALE); count += 10) await Promise.all(Array.from({ length: 10 }, () => send(1_000_000)));
  await four.close();
  const calmUsed = (await usedNow()) - used;
  const calmSeen = tally.received + target.received - calmFrom;
  console.log(`  calm again: ledger ${calmUsed}, seen ${calmSeen}, ${tally.failed} failed`);
  expect(tally.failed).toBe(0);
  expect(calmUsed).toBe(calmSeen);
  // Leases granted while the platform's clock was ahead, and then lost, end later by as much.
  residential.clock.advance(71_000 + STEP_MS);
  await reapLeases(residential.context());
  for (const plan of plans) expect(await world.openLeases(plan)).toBe(0);
});
