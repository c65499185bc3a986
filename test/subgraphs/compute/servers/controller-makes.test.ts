// A dedicated server lives on a machine of each make of controller: they differ where the next boot is set (sandbox/redfish/makes.ts).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MAKES } from '../../../../sandbox/redfish/makes.ts';
import { createRedfish } from '../../../../subgraphs/compute/machines/providers/redfish.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { rowOf, setRows } from '../../../kit/tables.ts';
import { type MetalWorld, startMetal } from '../metal-world.ts';

const NAME = 'faraday-1';
const owner = sessionOf('acct_owner');
let world: MetalWorld;
beforeAll(async () => {
  world = await startMetal({ machines: [NAME] });
});
afterAll(() => world.close());
const machine = () => world.controllers.machine(NAME);

describe.each(MAKES)('%s', (make) => {
  afterEach(async () => {
    await setRows(world.query, 'compute.bare_metal', { server_id: null, rests_until: '2020-01-01' });
  });

  test('a server is delivered, reinstalled, rescued, given a password and wiped', { timeout: 120_000 }, async () => {
    await world.controllers.change(NAME, (one) => void Object.assign(one, { make, bootMode: 'UEFI', disk: null, changes: 0 }));
    const { id } = await world.built();
    const last = () => rowOf(world.query, 'compute.operation', { server_id: id }, { columns: 'command, status', orderBy: 'id desc' });
    const act = async (mutation: string, args = '') => {
      await world.must(owner, `mutation { ${mutation}(id: "${id}"${args}) { id } }`);
      expect(await world.run()).toBe(0);
    };
    expect(await last()).toEqual({ command: 'PROVISION', status: 'SUCCESS' });
    expect(machine()).toMatchObject({ power: 'On', running: 'disk', disk: { os: 'debian-13', hostname: 'metal-1' } });
    await act('dedicatedServerReinstall', ', os: UBUNTU_24_04');
    expect(await last()).toEqual({ command: 'REINSTALL', status: 'SUCCESS' });
    expect(machine().disk?.os).toBe('ubuntu-24-04');
    await act('serverRescue');
    expect(await last()).toEqual({ command: 'RESCUE', status: 'SUCCESS' });
    expect(machine().running).toBe('rescue');
    await act('serverLeaveRescue');
    expect(machine().running).toBe('disk');
    const before = { ...machine().disk?.users };
    await act('dedicatedServerResetPassword');
    expect(machine().disk?.users).not.toEqual(before);
    expect(machine().bootMode).toBe('UEFI');
    await setRows(world.query, 'compute.server', { status: 'DECOMMISSIONED' }, { id });
    expect(await world.run()).toBe(0);
    expect(await last()).toEqual({ command: 'DECOMMISSION', status: 'SUCCESS' });
    expect(machine()).toMatchObject({ power: 'Off', disk: null });
  });
});

describe('the next boot is set', () => {
  const { bareMetal, close } = createRedfish({ timeoutMs: 2_000 });
  afterAll(close);
  const ref = () => {
    const [entry] = world.controllers.inventory;
    if (!entry) throw new Error('there is no machine');
    return entry.controller;
  };

  test.each(MAKES)('by %s, and read where it is shown, without a change of how it boots', async (make) => {
    await world.controllers.change(NAME, (one) => void Object.assign(one, { make, bootMode: 'UEFI', bootOnce: false, changes: 7 }));
    expect((await bareMetal.inspect(ref())).bootsMedium).toBe(false);
    await bareMetal.bootMediumOnce(ref());
    expect((await bareMetal.inspect(ref())).bootsMedium).toBe(true);
    expect(machine()).toMatchObject({ bootOnce: true, bootMode: 'UEFI' });
  });

  test('of a machine that boots otherwise, otherwise', async () => {
    await world.controllers.change(NAME, (one) => void Object.assign(one, { make: 'HPE', bootMode: 'Legacy', bootOnce: false }));
    await bareMetal.bootMediumOnce(ref());
    expect(machine()).toMatchObject({ bootOnce: true, bootMode: 'Legacy' });
  });

  test('again when somebody else has changed it in between', async () => {
    await world.controllers.change(
      NAME,
      (one) => void Object.assign(one, { make: 'LENOVO', bootMode: 'UEFI', bootOnce: false, changes: 0 }),
    );
    let reads = 0;
    const real = machine();
    // Its tag changes after each of the first two looks.
    Object.defineProperty(real, 'changes', { configurable: true, enumerable: true, get: () => (reads < 3 ? reads++ : 9), set: () => {} });
    try {
      await bareMetal.bootMediumOnce(ref());
      expect(real.bootOnce).toBe(true);
    } finally {
      Object.defineProperty(real, 'changes', { configurable: true, enumerable: true, writable: true, value: 0 });
    }
  });
});
