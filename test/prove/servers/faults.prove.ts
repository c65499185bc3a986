// Every step of a build with every fault, many times: all orders end Active or refunded, and nothing is left over.
import { expect, test } from 'vitest';
import type { EndpointName } from '../../../sandbox/hypervisor/endpoints.ts';
import type { HypervisorFault } from '../../../sandbox/hypervisor/faults.ts';
import { SCALE, SEED, say, scaled } from '../scale.ts';
import { FAULTS, startGround } from './ground.ts';

const STEPS: EndpointName[] = [
  ...(['nodes', 'resources', 'clone', 'task', 'current', 'readConfig', 'config', 'resize', 'start'] as const),
  // For a build that is cleared away, and for one whose order is refunded during the build.
  ...(['stop', 'destroy'] as const),
];
/** Concurrent orders per step: 22 Planks fit on the sandbox's nodes. */
const TOGETHER = SCALE < 0.1 ? 1 : 2;
const ROUNDS = Math.max(1, scaled(100) / TOGETHER);

/** Tests one kind of fault in its own world. */
async function meet(fault: HypervisorFault, seed: number) {
  const { world, random, judge, clearAway } = await startGround(seed);
  const total = { orders: 0, faults: 0, active: 0, refunded: 0 };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const orders: string[] = [];
      for (let index = 0; index < STEPS.length * TOGETHER; index++) orders.push(await world.order());
      for (const on of STEPS) for (let again = 0; again < TOGETHER; again++) world.hypervisor.faults.next.push({ fault, on });
      // Some are refunded at a random moment of their build.
      for (const orderId of orders.slice(0, 2 * TOGETHER)) {
        await world.run(2 * random.below(30));
        if ((await world.server(orderId)).status === 'BUILDING')
          await world.tell('subscription.ended', orderId, { status: 'CANCELED', reason: 'REFUNDED' });
      }
      const { active, refunded } = await judge(orders);
      total.orders += orders.length;
      total.faults += STEPS.length * TOGETHER - world.hypervisor.faults.next.length;
      total.active += active;
      total.refunded += refunded;
      await clearAway();
    }
  } finally {
    await world.close();
  }
  say(`${fault} (seed ${seed}): ${total.orders} orders, ${total.active} Active, ${total.refunded} paid back`);
  return total;
}

test(`${STEPS.length} steps x ${FAULTS.length} faults: every order ends Active or paid back, with no machine and no address left over`, async () => {
  // Concurrently, since most of the time is spent waiting for answers that never come.
  const totals = await Promise.all(FAULTS.map((fault, index) => meet(fault, SEED + index)));
  const sum = (name: keyof (typeof totals)[number]) => totals.reduce((all, total) => all + total[name], 0);
  expect(sum('active') + sum('refunded')).toBe(sum('orders'));
  say(`${sum('orders')} orders, ${sum('faults')} faults met: ${sum('active')} Active, ${sum('refunded')} paid back, 0 left over`);
});
