// A VPS changes to a larger plan and gets more addresses.
import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import type { EndpointName } from '../../../../sandbox/hypervisor/endpoints.ts';
import { HYPERVISOR_FAULTS } from '../../../../sandbox/hypervisor/faults.ts';
import { faultPairs } from '../../../kit/fault-pairs.ts';
import { rowOf } from '../../../kit/tables.ts';
import { withOwnedVps, world, id, machine, deliver, settle, shown, act, write } from '../owned-vps.ts';
import { planFaults } from '../../../kit/faults.ts';

withOwnedVps();

describe('an upgrade', () => {
  test('costs the difference for the rest of the period to the cent, and the renewal costs the larger plan', async () => {
    await deliver();
    world.clock.set((await rowOf<{ period_start: Date }>(world.query, 'compute.server', { id }))?.period_start ?? '');
    world.clock.advance(15 * DAY);
    const terms = await world.change('vpsUpgradeOffer', `id: "${id}", plan: EINSTEIN`);
    // Half of the period is left: half of 64.00 - 32.00.
    expect(terms).toMatchObject({ totalMinor: 1_600, subscription: { basedOn: 1, months: 1, lines: [{ amountMinor: 6_400 }] } });
    await expect(world.change('vpsUpgradeOffer', `id: "${id}", plan: PLANK`)).rejects.toThrow('larger plan only');
  });

  test('changes nothing until it is paid, then reboots the machine with more of everything and all its data', async () => {
    await deliver();
    await write('/srv/a', 'kept');
    const terms = await world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
    expect(await shown()).toMatchObject({ plan: { code: 'PLANK' } });
    await world.pay(terms.fulfil, { version: 2 });
    expect(await shown()).toMatchObject({
      plan: { code: 'BROGLIE' },
      powerState: 'RESTARTING',
      operations: [{ command: 'UPGRADE', status: 'RUNNING' }, {}],
    });
    expect(await act('vpsForceStop')).toContain('must come to its end');
    const began = world.clock.now().getTime();
    await world.run();
    expect(world.clock.now().getTime() - began).toBeLessThan(2 * MINUTE);
    expect(machine()).toMatchObject({
      running: true,
      config: { cores: '12', memory: '24576' },
      disk: { gigabytes: 120, contents: { '/srv/a': 'kept' } },
    });
    expect(await shown()).toMatchObject({ powerState: 'RUNNING', status: 'ACTIVE' });
    expect(await world.facts(id)).toEqual(['fulfilment.delivered', 'compute_vps.created', 'fulfilment.delivered', 'compute_vps.adjusted']);
  });

  test('leaves a stopped server off, is made once for repeated events, and waits for running operations', async () => {
    await deliver();
    await act('vpsStop');
    const { fulfil } = await world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`).catch(async () => {
      await world.run();
      return world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
    });
    await act('vpsResetPassword');
    await Promise.all([1, 2, 3].map(() => world.pay(fulfil, { version: 2, orderId: 'ord_upgrade_once' })));
    await settle();
    expect(machine()).toMatchObject({ running: false, config: { cores: '12' }, disk: { gigabytes: 120 } });
    expect(await shown()).toMatchObject({ powerState: 'STOPPED', plan: { code: 'BROGLIE' } });
  });

  const CALLS: EndpointName[] = ['current', 'readConfig', 'shutdown', 'config', 'resize', 'start', 'task'];
  test.each(faultPairs(CALLS, HYPERVISOR_FAULTS))('succeeds in the end in spite of faults of %s by %s', async (call, fault) => {
    await deliver();
    await write('/srv/a', 'kept');
    const { fulfil } = await world.change('vpsUpgradeOffer', `id: "${id}", plan: BROGLIE`);
    planFaults(world.hypervisor.faults.next, { fault, on: call });
    await world.pay(fulfil, { version: 2 });
    await world.run(400);
    for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
    await world.run(2_400);
    await settle();
    expect(world.hypervisor.faults.next).toEqual([]);
    expect(machine()).toMatchObject({ running: true, config: { cores: '12' }, disk: { gigabytes: 120, contents: { '/srv/a': 'kept' } } });
  });
});

test('more addresses come to the machine at once, each with an interface of its own', async () => {
  await deliver({ extraIpv4: 1 });
  const before = (await shown()).ipv4;
  await expect(world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 1`)).rejects.toThrow('more addresses only');
  await expect(world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 9`)).rejects.toThrow('up to 8');
  const { fulfil } = await world.change('vpsExtraIpv4Offer', `id: "${id}", extraIpv4: 3`);
  await world.pay(fulfil, { version: 2 });
  await settle();
  const { ipv4, powerState } = await shown();
  expect(ipv4).toHaveLength(4);
  expect(ipv4.slice(0, 2)).toEqual(before);
  expect(powerState).toBe('RUNNING');
  expect(ipv4.map((_, index) => /ip=([\d.]+)/.exec(String(machine().config[`ipconfig${index}`]))?.[1])).toEqual(ipv4);
});
