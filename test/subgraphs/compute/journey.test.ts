// A VPS from its order to its use, as a customer gets it: the whole platform in one process, with the sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import { connect } from 'node:net';
import { askAs } from '../../kit/dashboard.ts';
import { checkoutAt, placeOrder } from '../../kit/purchase.ts';
import { type Stack, startStack } from '../../kit/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

test('offer, order, card, building, connection details, a connection, and a fulfilled order', async () => {
  const account = await stack.seed.account();
  const cookie = await account.cookie();
  const ask = askAs(stack.url, cookie);

  const { vpsOffer } = await ask<{ vpsOffer: { token: string; title: string; total: { amountMinor: number } } }>(
    '{ vpsOffer(plan: BROGLIE, months: 6, os: DEBIAN_13, hostname: "db-1", extraIpv4: 1) { token title total { amountMinor } } }',
  );
  expect(vpsOffer).toMatchObject({ title: 'VPS Broglie, Debian 13, 6 months', total: { amountMinor: 24_270 } });
  const { orderPlace } = await ask<{ orderPlace: { id: string; checkoutUrl: string } }>(placeOrder('id checkoutUrl'), {
    offer: vpsOffer.token,
    key: 'journey-1',
  });
  expect(stack.sandbox.card.payCheckout(checkoutAt(orderPlace.checkoutUrl))).toMatchObject({ outcome: 'paid' });
  await stack.settle();

  interface Shown {
    id: string;
    status: string;
    hostname: string;
    ipv4: string[];
    loginName: string;
    powerState: string;
    operations: { command: string; status: string; step: string }[];
  }
  const servers = async () =>
    (
      await ask<{ servers: Shown[] }>(
        '{ servers { id hostname ipv4 powerState ... on Vps { status loginName operations { command status step } } } }',
      )
    ).servers;
  expect(await servers()).toMatchObject([{ hostname: 'db-1', status: 'BUILDING', operations: [{ command: 'BUILD', status: 'RUNNING' }] }]);
  for (let passed = 0; passed < 180 && (await servers())[0]?.status === 'BUILDING'; passed += 3) {
    stack.clock.advance(3 * SECOND);
    await stack.sandbox.hypervisor.tick();
    await stack.platform.queue.runNow('compute.operations-sweep');
  }
  const [server] = await servers();
  expect(server).toMatchObject({
    status: 'ACTIVE',
    powerState: 'RUNNING',
    loginName: 'debian',
    operations: [{ command: 'BUILD', status: 'SUCCESS' }],
  });
  expect(server?.ipv4).toHaveLength(2);
  const banner = await new Promise<string>((resolve, reject) => {
    const socket = connect(stack.sandbox.hypervisor.guestPort, server?.ipv4[0] ?? '');
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString());
    });
  });
  expect(banner).toContain((server?.id ?? '').replace('_', '-'));
  const { vpsRevealPassword } = await ask<{ vpsRevealPassword: string }>('mutation ($id: ID!) { vpsRevealPassword(id: $id) }', {
    id: server?.id,
  });
  expect(stack.sandbox.hypervisor.machines()[0]?.users).toEqual({ debian: vpsRevealPassword });
  await stack.settle();
  expect((await ask<{ order: object }>('query ($id: ID!) { order(id: $id) { status resourceId } }', { id: orderPlace.id })).order).toEqual({
    status: 'FULFILLED',
    resourceId: server?.id,
  });
});
