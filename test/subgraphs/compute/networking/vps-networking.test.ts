// What owners set for a VPS: firewall rules at the hypervisor, and the rescue system.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { applyFirewall, sweepFirewalls } from '../../../../subgraphs/compute/networking/services/firewall.ts';
import { HYPERVISOR_FAULTS } from '../../../../sandbox/hypervisor/faults.ts';
import { SSH, WEB, firewallOf, other, owner } from '../owner-firewall.ts';
import { type ComputeWorld, startCompute } from '../world.ts';
import { faultPairs } from '../../../kit/fault-pairs.ts';
import { planFaults } from '../../../kit/faults.ts';

describe('a VPS', () => {
  let world: ComputeWorld;
  let id: string;
  const machine = () => world.hypervisor.machine(id.replace('_', '-'));
  beforeAll(async () => {
    world = await startCompute();
    ({ id } = await world.built());
  });
  afterAll(() => world.close());

  const { set, state } = firewallOf(
    () => world,
    () => id,
  );
  const inPlace = () => machine().firewall.rules.map(({ dport, action }) => [action, dport]);

  test('has firewall rules in their order at the hypervisor, and drops what fits none', async () => {
    expect(await set(true, [SSH, WEB, { action: 'DROP', protocol: 'ANY' }])).toBeUndefined();
    expect((await state()).state).toBe('PENDING');
    await applyFirewall(world.context(), id);
    expect((await state()).state).toBe('SET');
    expect(machine().firewall.rules[0]).toMatchObject({
      type: 'in',
      action: 'ACCEPT',
      proto: 'tcp',
      dport: '22',
      source: '198.51.100.0/24',
      comment: 'office',
    });
    expect(inPlace()).toEqual([
      ['ACCEPT', '22'],
      ['ACCEPT', '80:443'],
      ['DROP', undefined],
    ]);
    expect(machine().firewall.options).toMatchObject({ enable: '1', policy_in: 'DROP', policy_out: 'ACCEPT' });
    await set(true, [WEB]);
    await applyFirewall(world.context(), id);
    expect(inPlace()).toEqual([['ACCEPT', '80:443']]);
    await set(false, []);
    await applyFirewall(world.context(), id);
    // The hypervisor's firewall stays on, since it restricts the machine to its own addresses.
    expect([inPlace(), machine().firewall.options]).toMatchObject([[], { enable: '1', ipfilter: '1', policy_in: 'ACCEPT' }]);
  });

  test.each([
    ['no port', [{ ...SSH, ports: '0' }], 'Rule 1: Ports are one number'],
    ['ports the wrong way round', [SSH, { ...WEB, ports: '443-80' }], 'Rule 2: Ports are one number'],
    ['a host as a network', [{ ...SSH, source: '198.51.100.7/24' }], 'Rule 1: The source is'],
    ['ports of ICMP', [{ action: 'DROP', protocol: 'ICMP', ports: '7' }], 'Rule 1: Ports are for TCP and UDP.'],
    ['too many', Array.from({ length: 51 }, () => WEB), 'up to 50'],
  ])('refuses %s', async (_, rules, reason) => {
    expect(await set(true, rules)).toContain(reason);
  });

  test('only the owner can set a server’s rules', async () => {
    expect(await set(true, [], other)).toBe('The account has no such server.');
  });

  test.each(faultPairs(HYPERVISOR_FAULTS, ['rules', 'addRule', 'dropRule', 'setFirewallOptions'] as const))(
    'a call that goes wrong by %s at %s leaves the wanted rules in the end, and nothing else',
    async (fault, on) => {
      // The hypervisor has other rules than the wanted ones, and its firewall is off.
      await world.hypervisor.change(id.replace('_', '-'), (one) => {
        one.firewall = { rules: [{ type: 'in', action: 'DROP', enable: '1' }], options: { enable: '0' }, ipsets: {} };
      });
      planFaults(world.hypervisor.faults.next, { fault, on });
      await set(true, [SSH, WEB]);
      for (let round = 0; round < 4; round++) {
        world.clock.advance(2 * MINUTE);
        await sweepFirewalls(world.context());
        for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
      }
      expect(world.hypervisor.faults.next).toEqual([]);
      expect(inPlace()).toEqual([
        ['ACCEPT', '22'],
        ['ACCEPT', '80:443'],
      ]);
      expect((await state()).state).toBe('SET');
    },
  );

  test('gets its rules again after its interfaces were rewritten', async () => {
    await set(true, [WEB]);
    await applyFirewall(world.context(), id);
    await world.hypervisor.change(id.replace('_', '-'), (one) => void (one.config['net0'] = 'virtio=02:00:00:00:00:01,bridge=vmbr0'));
    const act = (mutation: string) => world.ask(owner, `mutation ($id: ID!) { ${mutation}(id: $id) { status } }`, { id });
    await act('serverRescue');
    await world.run();
    await act('serverLeaveRescue');
    await world.run();
    expect((await state()).state).toBe('PENDING');
    world.clock.advance(2 * MINUTE);
    await sweepFirewalls(world.context());
    expect((await state()).state).toBe('SET');
    expect(machine().config['net0']).toBe('virtio=02:00:00:00:00:01,bridge=vmbr0,firewall=1');
  });

  test('is rescued with a one-time password and put back, its disk and its own password as before', async () => {
    const act = (mutation: string) => world.ask(owner, `mutation ($id: ID!) { ${mutation}(id: $id) { status } }`, { id });
    const reveal = async (mutation: string) => {
      const { data, errors } = await world.ask(owner, `mutation ($id: ID!) { told: ${mutation}(id: $id) }`, { id });
      return errors ? errors[0]?.message : (data as { told: string }).told;
    };
    const [disk, users] = [structuredClone(machine().disk), structuredClone(machine().users)];
    expect((await act('serverRescue')).errors).toBeUndefined();
    await world.run();
    expect(machine()).toMatchObject({ running: true, inRescue: true, disk, users });
    expect(machine()).toMatchObject({ cipassword: await reveal('serverRevealRescuePassword'), config: { ciuser: 'root' } });
    expect((await act('vpsResetPassword')).errors?.[0]?.message).toBe('The rescue system runs: leave it first.');
    expect((await act('serverLeaveRescue')).errors).toBeUndefined();
    await world.run();
    expect(machine()).toMatchObject({ running: true, inRescue: false, disk, users });
    expect(machine()).toMatchObject({ cipassword: await reveal('vpsRevealPassword'), config: { ciuser: 'ubuntu', boot: 'order=scsi0' } });
    expect(machine().config['sata5']).toBeUndefined();
    expect(await reveal('serverRevealRescuePassword')).toBe('The rescue system does not run.');
  });
});
