// What the suspension of an account does to its servers.
import { expect, test } from 'vitest';
import { HOUR } from '#platform/clock.ts';
import { withOwnedVps, world, orderId, machine, deliver, order, settle, shown, act, write } from '../owned-vps.ts';

withOwnedVps();

const state = async () => [(await shown()).status, (await shown()).powerState, machine().running];

test('a server is switched off at once, whatever is paid; restored, it runs again with its data', async () => {
  await deliver();
  await write('/srv/a', 'kept');
  await world.suspend(true);
  expect((await shown()).powerState).toBe('STOPPING');
  await world.run();
  expect(await state()).toEqual(['ACTIVE', 'STOPPED', false]);
  // Neither a payment nor the reconciliation switches the server on, and no other account's server is touched.
  await world.tell('subscription.renewed', orderId);
  world.clock.advance(HOUR);
  await settle();
  expect(await state()).toEqual(['ACTIVE', 'STOPPED', false]);
  await world.suspend(false);
  await world.run();
  expect(await state()).toEqual(['ACTIVE', 'RUNNING', true]);
  expect(machine().disk?.contents['/srv/a']).toBe('kept');
});

test('a server that its owner had stopped stays off when the account is restored', async () => {
  await deliver();
  await act('vpsStop');
  await world.run();
  await world.suspend(true);
  await settle();
  await world.suspend(false);
  await settle();
  expect(await state()).toEqual(['ACTIVE', 'STOPPED', false]);
});

test('a server bought during the suspension is built and switched off, and runs once the account is restored', async () => {
  await order();
  await world.suspend(true);
  await world.run();
  await settle();
  expect(await state()).toEqual(['ACTIVE', 'STOPPED', false]);
  await world.suspend(false);
  await world.run();
  expect(await state()).toEqual(['ACTIVE', 'RUNNING', true]);
  await world.suspend(true);
  await world.run();
  await order();
  await world.run();
  await settle();
  expect(await state()).toEqual(['ACTIVE', 'STOPPED', false]);
  await world.suspend(false);
  await settle();
});

test('a server that is also suspended for non-payment is off until both suspensions end', async () => {
  await deliver();
  await world.suspend(true);
  await world.run();
  await world.tell('subscription.suspended', orderId, { status: 'UNPAID' });
  await world.suspend(false);
  await settle();
  expect(await state()).toEqual(['SUSPENDED', 'STOPPED', false]);
  await world.tell('subscription.resumed', orderId);
  await world.run();
  expect(await state()).toEqual(['ACTIVE', 'RUNNING', true]);
  await world.tell('subscription.suspended', orderId, { status: 'UNPAID' });
  await world.run();
  await world.suspend(true);
  await world.tell('subscription.resumed', orderId);
  await settle();
  expect(await state()).toEqual(['ACTIVE', 'STOPPED', false]);
  await world.suspend(false);
  await world.run();
  expect(await state()).toEqual(['ACTIVE', 'RUNNING', true]);
});

test('a server whose payment is disputed is off until the dispute is settled, also if its account is restored', async () => {
  await deliver();
  await world.freeze(true, orderId);
  await world.run();
  expect(await state()).toEqual(['ACTIVE', 'STOPPED', false]);
  await world.suspend(true);
  await world.suspend(false);
  await settle();
  expect(await state()).toEqual(['ACTIVE', 'STOPPED', false]);
  await world.freeze(false, orderId);
  await world.run();
  expect(await state()).toEqual(['ACTIVE', 'RUNNING', true]);
});
