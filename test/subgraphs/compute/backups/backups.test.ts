// Backups of a VPS are taken, pruned and restored.
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import type { EndpointName } from '../../../../sandbox/hypervisor/endpoints.ts';
import { HYPERVISOR_FAULTS } from '../../../../sandbox/hypervisor/faults.ts';
import { faultPairs } from '../../../kit/fault-pairs.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { withOwnedVps, world, orderId, id, machine, deliver, settle, shown, act, reasonOf, write } from '../owned-vps.ts';
import { planFaults } from '../../../kit/faults.ts';

withOwnedVps();

describe('backups', () => {
  test('are taken every seven days, the newest and three older are kept, and the next run is told', async () => {
    await deliver({ backups: true });
    expect(await shown()).toMatchObject({ backups: { enabled: true, lastAt: null } });
    for (let week = 0; week < 6; week++) {
      const next = (await shown()).backups.nextAt ?? '';
      world.clock.set(next);
      await settle();
      expect(Date.parse((await shown()).backups.nextAt ?? '') - Date.parse(next)).toBeGreaterThanOrEqual(7 * DAY);
    }
    const { backups } = await shown();
    expect(backups.items.map(({ kind }) => kind)).toEqual(['SCHEDULED', 'SCHEDULED', 'SCHEDULED', 'SCHEDULED']);
    expect(world.hypervisor.backups()).toHaveLength(4);
    expect(Date.parse(backups.lastAt ?? '')).toBeGreaterThan(world.clock.now().getTime() - HOUR);
  });

  test('are refused until they are bought, which is possible later', async () => {
    await deliver();
    expect(await act('vpsTakeBackup')).toBe('action_not_allowed: Weekly backups are not bought for this server.');
    const terms = await world.change('vpsBackupsOffer', `id: "${id}"`);
    expect(terms.totalMinor).toBeGreaterThan(490);
    expect(terms.subscription?.lines.map(({ amountMinor }) => amountMinor)).toEqual([3_200, 500]);
    await world.pay(terms.fulfil, { version: 2 });
    expect(await act('vpsTakeBackup')).toBe('begun');
    await world.run();
    expect((await shown()).backups).toMatchObject({ enabled: true, items: [{ kind: 'MANUAL' }] });
    expect(await reasonOf('enable_backups')).toBe('Weekly backups are bought already.');
  });

  test('bring the whole machine back, after a safety snapshot that is kept for a day', async () => {
    await deliver({ backups: true });
    await write('/srv/a', 'as it was');
    await act('vpsTakeBackup');
    await world.run();
    const [backup] = (await shown()).backups.items;
    await write('/srv/a', 'broken');
    await write('/srv/new', 'later');
    await act('vpsResetPassword');
    await world.run();
    const { users } = machine();
    expect(await act('vpsRestore', `, backup: "${backup?.id}", hostname: "something else"`)).toContain('parameter_invalid');
    expect(await act('vpsRestore', `, backup: "bkp_${'0'.repeat(26)}", hostname: "x"`)).toContain('backup_not_found');
    const [{ hostname } = { hostname: '' }] = await rowsOf<{ hostname: string }>(
      world.query,
      'compute.server',
      { id },
      { columns: 'hostname' },
    );
    expect(await act('vpsRestore', `, backup: "${backup?.id}", hostname: "${hostname}"`)).toBe('begun');
    await world.run();
    expect(machine()).toMatchObject({ running: true, users, config: { cores: '8', description: hostname } });
    expect(machine().disk?.contents).toMatchObject({ '/srv/a': 'as it was' });
    expect(machine().disk?.contents['/srv/new']).toBeUndefined();
    expect((await shown()).backups.items.map(({ kind }) => kind).toSorted()).toEqual(['MANUAL', 'SAFETY']);
    world.clock.advance(DAY + HOUR);
    await settle();
    await settle();
    expect((await shown()).backups.items.filter(({ kind }) => kind === 'SAFETY')).toEqual([]);
  });

  test('restored after an upgrade keep the larger plan and the present addresses', async () => {
    await deliver({ backups: true });
    await act('vpsTakeBackup');
    await world.run();
    const { fulfil } = await world.change('vpsUpgradeOffer', `id: "${id}", plan: EINSTEIN`);
    await world.pay(fulfil, { version: 2 });
    await settle();
    const [backup] = (await shown()).backups.items;
    const [{ hostname } = { hostname: '' }] = await rowsOf<{ hostname: string }>(
      world.query,
      'compute.server',
      { id },
      { columns: 'hostname' },
    );
    await act('vpsRestore', `, backup: "${backup?.id}", hostname: "${hostname}"`);
    await settle();
    expect(machine()).toMatchObject({ running: true, config: { cores: '16', memory: '32768' }, disk: { gigabytes: 150 } });
  });

  const CALLS: EndpointName[] = ['backup', 'content', 'restore', 'config', 'shutdown', 'start', 'current', 'task', 'password'];
  test.each(faultPairs(CALLS, HYPERVISOR_FAULTS))(
    'with trouble of %s by %s end restored, or failed with the machine as it was; nothing is left on the storage that nobody knows',
    async (call, fault) => {
      await deliver({ backups: true });
      await write('/srv/a', 'as it was');
      await act('vpsTakeBackup');
      await world.run();
      await write('/srv/a', 'broken');
      const [backup] = (await shown()).backups.items;
      const [{ hostname } = { hostname: '' }] = await rowsOf<{ hostname: string }>(
        world.query,
        'compute.server',
        { id },
        { columns: 'hostname' },
      );
      planFaults(world.hypervisor.faults.next, { fault, on: call });
      await act('vpsRestore', `, backup: "${backup?.id}", hostname: "${hostname}"`);
      await world.run(600);
      for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
      expect(await world.run(24_000)).toBe(0);
      expect(world.hypervisor.faults.next).toEqual([]);
      const [last] = (await shown()).operations;
      expect(last).toMatchObject({ command: 'RESTORE', status: 'SUCCESS' });
      expect(machine()).toMatchObject({ running: true, lock: null, config: { cores: '8', description: hostname } });
      expect(machine().disk?.contents['/srv/a']).toBe('as it was');
      const known = await rowsOf<{ volume: string }>(world.query, 'compute.backup', {}, { columns: 'volume' });
      await act('vpsTakeBackup');
      await world.run();
      expect(world.hypervisor.backups().length).toBe(known.length + 1);
    },
  );

  // The backup storage belongs to the datacenter, whose own jobs write there too, and a machine's number may have been another machine's before.
  test('of anybody else are left alone: by a backup, by its pruning, and when the server ends', async () => {
    await deliver({ backups: true });
    const { vmid, name } = machine();
    // The last of them was made by an operation of another database, which gave a machine the same number.
    const foreign: string[] = [];
    for (const notes of ['nightly job of the operator', '', newId('op', world.clock)])
      foreign.push(await world.hypervisor.dump(name, notes));
    const left = () =>
      world.hypervisor
        .backups()
        .filter((one) => one.vmid === vmid)
        .map(({ volid }) => volid);
    await act('vpsTakeBackup');
    await world.run();
    expect(left()).toEqual(expect.arrayContaining(foreign));
    expect(left()).toHaveLength(foreign.length + 1);
    await world.tell('subscription.ended', orderId, { status: 'CANCELED', reason: 'CANCELLED' });
    await settle();
    expect(world.hypervisor.machines().some((one) => one.vmid === vmid)).toBe(false);
    expect(left().toSorted()).toEqual(foreign.toSorted());
  });
});
