// Buys a VPS on a whole stack, as a customer does: offer, order, card, building.
import { SECOND } from '#platform/clock.ts';
import { askAs } from '../../kit/dashboard.ts';
import type { Stack } from '../../kit/stack.ts';
import { orderAndPay } from '../../kit/purchase.ts';
import { rowOf, rowsOf } from '../../kit/tables.ts';

export interface Customer {
  accountId: string;
  cookie: string;
  /** Queries the graph as the dashboard does. */
  ask<Data>(query: string, variables?: object): Promise<Data>;
}

export async function customerOf(stack: Stack): Promise<Customer> {
  const account = await stack.seed.account();
  const cookie = await account.cookie();
  return { accountId: account.id, cookie, ask: askAs(stack.url, cookie) };
}

/** Places the order of an offer and pays it by card; returns the order's id. */
export async function payOffer(stack: Stack, { ask }: Customer, token: string): Promise<string> {
  stack.clock.advance(SECOND);
  return (await orderAndPay(stack, ask, token)).id;
}

/** Lets time pass until no operation runs, at most ten minutes. */
export async function passTime(stack: Stack): Promise<void> {
  for (let passed = 0; passed < 600; passed += 3) {
    if ((await rowsOf(stack.database.query, 'compute.operation', { status: 'RUNNING' })).length === 0) break;
    stack.clock.advance(3 * SECOND);
    await stack.sandbox.hypervisor.tick();
    await stack.sandbox.hypervisor.quiet();
    await stack.platform.queue.runNow('compute.operations-sweep');
  }
  await stack.settle();
}

export async function buyVps(stack: Stack, customer: Customer, options = 'plan: PLANK, months: 1, os: DEBIAN_12, hostname: "web-1"') {
  const { vpsOffer } = await customer.ask<{ vpsOffer: { token: string } }>(`{ vpsOffer(${options}) { token } }`);
  const orderId = await payOffer(stack, customer, vpsOffer.token);
  await passTime(stack);
  const server = await rowOf<{ id: string }>(stack.database.query, 'compute.server', { order_id: orderId });
  if (!server) throw new Error(`no server of ${orderId}`);
  return { id: server.id, orderId };
}
