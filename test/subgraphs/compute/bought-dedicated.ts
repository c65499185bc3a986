// Buys a dedicated server from the sandbox's inventory on a whole stack, as a customer does: offer, order, card, provisioning.
import { SECOND } from '#platform/clock.ts';
import { importMachines } from '../../../subgraphs/compute/machines/services/machine-inventory.ts';
import type { Stack } from '../../kit/stack.ts';
import { type Customer, payOffer } from './bought-vps.ts';
import { rowOf } from '../../kit/tables.ts';

export async function buyDedicated(stack: Stack, customer: Customer): Promise<{ id: string }> {
  const { clock, database, platform, sandbox, subgraphs } = stack;
  const { problems } = await importMachines(subgraphs.compute.systemContext('test'), [...sandbox.controllers.inventory]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const { dedicatedOffer } = await customer.ask<{ dedicatedOffer: { token: string } }>(
    '{ dedicatedOffer(plan: FARADAY, months: 1, os: DEBIAN_13, hostname: "metal-1") { token } }',
  );
  const orderId = await payOffer(stack, customer, dedicatedOffer.token);
  for (let passed = 0; passed < 3_600; passed += 15) {
    const server = await rowOf<{ id: string; status: string }>(database.query, 'compute.server', { order_id: orderId });
    if (server?.status === 'ACTIVE') {
      await platform.queue.runNow('compute.metal-use');
      await stack.settle();
      return server;
    }
    clock.advance(15 * SECOND);
    await sandbox.controllers.tick();
    await platform.queue.runNow('compute.operations-sweep');
  }
  throw new Error(`no server of ${orderId}`);
}
