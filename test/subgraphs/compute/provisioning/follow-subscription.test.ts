// What the events of a subscription do to its VPS.
import { describe, expect, test } from 'vitest';
import { HOUR } from '#platform/clock.ts';
import { rowOf, rowsOf } from '../../../kit/tables.ts';
import { withOwnedVps, world, orderId, id, machine, deliver, order, settle, shown, act, reasonOf, write } from '../owned-vps.ts';

withOwnedVps();

describe('a subscription', () => {
  test('that is cancelled to its end says so and refuses what would cost more, until that is taken back', async () => {
    await deliver();
    await world.tell('subscription.cancel_scheduled', orderId, { cancelAtPeriodEnd: true });
    expect(await shown()).toMatchObject({ status: 'ACTIVE', powerState: 'RUNNING', cancelAtPeriodEnd: true });
    expect(await reasonOf('upgrade')).toBe('The server is cancelled to the end of its period.');
    await expect(world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`)).rejects.toThrow('cancelled to the end');
    await world.tell('subscription.cancel_taken_back', orderId);
    expect(await shown()).toMatchObject({ cancelAtPeriodEnd: false });
    expect(await reasonOf('upgrade')).toBeNull();
  });

  test('that ends takes machine, disk, backups and secrets with it; its addresses rest', async () => {
    await deliver({ backups: true, extraIpv4: 1 });
    world.clock.advance(2 * HOUR);
    await settle();
    expect(world.hypervisor.backups()).toHaveLength(1);
    await world.tell('subscription.ended', orderId, { status: 'CANCELED', reason: 'CANCELLED' });
    expect(await shown()).toMatchObject({ status: 'REMOVED' });
    await settle();
    expect(world.hypervisor.machines()).toEqual([]);
    expect(world.hypervisor.backups()).toEqual([]);
    expect(await world.orphans()).toEqual([]);
    expect(await rowsOf(world.query, 'compute.backup', { server_id: id })).toEqual([]);
    const row = await rowOf<object>(world.query, 'compute.server', { id }, { columns: 'password_sealed, node, machine_number' });
    expect(row).toEqual({ password_sealed: null, node: null, machine_number: null });
    const resting = await world.tables.addressesAtRest(world.clock.now());
    expect(resting.length).toBeGreaterThanOrEqual(2);
    expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_vps.created', 'compute_vps.deleted']);
    expect(await reasonOf('start')).toBe('The server has been removed.');
  });

  test('that is suspended stops the machine and refuses everything with the reason; paid, it runs again with its data', async () => {
    await deliver();
    await write('/srv/a', 'kept');
    await world.tell('subscription.suspended', orderId, { status: 'UNPAID' });
    expect(await shown()).toMatchObject({ status: 'SUSPENDED', powerState: 'STOPPING' });
    await world.run();
    expect([(await shown()).powerState, machine().running]).toEqual(['STOPPED', false]);
    expect(await act('vpsStart')).toBe('action_not_allowed: The server is suspended: pay the open invoice first.');
    await world.tell('subscription.resumed', orderId);
    await world.run();
    expect([(await shown()).status, (await shown()).powerState, machine().running]).toEqual(['ACTIVE', 'RUNNING', true]);
    expect(machine().disk?.contents['/srv/a']).toBe('kept');
  });

  test('that is suspended and paid leaves a server off that its owner had stopped', async () => {
    await deliver();
    await act('vpsStop');
    await world.run();
    await world.tell('subscription.suspended', orderId, { status: 'UNPAID' });
    await settle();
    await world.tell('subscription.resumed', orderId);
    await settle();
    expect([(await shown()).status, (await shown()).powerState, machine().running]).toEqual(['ACTIVE', 'STOPPED', false]);
  });

  test('that is suspended while the server is at work waits for it, and a deaf guest is cut off', async () => {
    await deliver();
    await world.hypervisor.change(id.replace('_', '-'), (one) => (one.deaf = true));
    await act('vpsReboot');
    await world.tell('subscription.suspended', orderId, { status: 'UNPAID' });
    await world.run(600);
    await settle();
    expect([(await shown()).powerState, machine().running]).toEqual(['STOPPED', false]);
  });

  test('that ends before the delivery, since the order was refunded, builds nothing and leaves nothing', async () => {
    await order();
    await world.run(20);
    await world.tell('subscription.ended', orderId, { status: 'CANCELED', reason: 'REFUNDED' });
    await settle();
    expect(await shown()).toMatchObject({ status: 'REMOVED' });
    expect(await world.orphans()).toEqual([]);
    expect(world.hypervisor.machines()).toEqual([]);
    expect(await world.facts(id)).toEqual([]);
  });

  test('ignores an event that is older than its present version', async () => {
    await deliver();
    await world.tell('subscription.renewed', orderId, { version: 7 });
    await world.tell('subscription.suspended', orderId, { version: 3, status: 'UNPAID' });
    expect(await shown()).toMatchObject({ status: 'ACTIVE' });
  });
});
