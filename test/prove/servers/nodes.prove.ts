// Nodes die, fill up and are evacuated during bursts of orders, beside machines of others on the same storage: every order ends, others stay untouched.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileMachines } from '../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { SEED, say, scaled } from '../scale.ts';
import { type Ground, startGround } from './ground.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround(SEED);
  say(`seed ${SEED}`);
});
afterAll(() => ground.world.close());

/** As many as fit on two nodes. */
const BURST = 30;
const NODES = ['fra1', 'fra2', 'fra3'];

test('bursts while a node dies, another fills up, and machines move: all end Active or paid back, and foreign copies stay', async () => {
  const { world, random, judge, clearAway } = ground;
  const { hypervisor } = world;
  const count = { orders: 0, active: 0, refunded: 0, foreign: 0 };
  for (let round = 0; round < Math.max(1, scaled(34)); round++) {
    const orders: string[] = [];
    for (let index = 0; index < BURST; index++) orders.push(await world.order({ accountId: `acct_${index % 4}` }));
    await world.run(2 * random.below(20));
    const [dying = '', filling = ''] = NODES.toSorted(() => random.below(3) - 1);
    await hypervisor.down(dying);
    await hypervisor.fill(filling, true);
    await world.run(60 + 2 * random.below(60));
    await hypervisor.up(dying);
    await hypervisor.fill(filling, false);
    for (const { name, lock, node } of hypervisor.machines())
      if (lock === null && random.chance(0.2)) await hypervisor.move(name, NODES.find((one) => one !== node) ?? node);
    await reconcileMachines(world.context());
    const kept = await Promise.all(
      hypervisor
        .machines()
        .slice(0, 3)
        .map(({ name }) => hypervisor.dump(name, 'nightly job of the operator')),
    );
    // The operator chose where to move machines, so memory is checked only after those have ended.
    const { active, refunded } = await judge(orders, { moved: true });
    Object.assign(count, { orders: count.orders + orders.length, active: count.active + active, refunded: count.refunded + refunded });
    count.foreign += kept.length;
    await clearAway({ foreign: kept });
  }
  expect(count.active + count.refunded).toBe(count.orders);
  say(
    `${count.orders} orders in bursts of ${BURST}: ${count.active} Active, ${count.refunded} paid back, ${count.foreign} foreign copies untouched`,
  );
});
