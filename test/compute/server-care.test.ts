// What owners keep beside servers: name, labels, protection, reverse names, firewall rules, and the rescue of a VPS.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#shared/clock.ts';
import { applyFirewall, sweepFirewalls } from '../../subgraphs/compute/services/firewall.ts';
import { sweepReverseNames } from '../../subgraphs/compute/services/reverse-names.ts';
import { sessionOf } from '../kit/platform.ts';
import { HYPERVISOR_FAULTS } from '../sandbox/hypervisor/faults.ts';
import { type MetalWorld, startMetal } from './metal-world.ts';
import { type ComputeWorld, startCompute } from './world.ts';

const owner = sessionOf('acct_owner');
const other = sessionOf('acct_other');

describe('a dedicated server', () => {
  let world: MetalWorld;
  let id: string;
  let ip: string;
  beforeAll(async () => {
    world = await startMetal({ machines: ['faraday-1'] });
    const orderId = await world.order();
    ({ id } = await world.server(orderId));
    await world.run();
    ip = (await shown<{ ipv4: string[] }>('ipv4')).ipv4[0] ?? '';
  });
  afterAll(() => world.close());

  const shown = async <Fields>(fields: string): Promise<Fields> =>
    (await world.must<{ server: Fields }>(owner, `query ($id: ID!) { server(id: $id) { ${fields} } }`, { id })).server;
  const refusal = async (mutation: string, viewer = owner) => {
    const { errors } = await world.ask(viewer, `mutation ($id: ID!) { ${mutation} }`, { id });
    return errors?.[0] ? `${String(errors[0].extensions['code'])}: ${errors[0].message}` : undefined;
  };

  test('is renamed, and its host name shown again without a name', async () => {
    await world.must(owner, 'mutation ($id: ID!) { serverRename(id: $id, name: " Shop, main ") { name } }', { id });
    expect(await shown('name hostname')).toEqual({ name: 'Shop, main', hostname: 'metal-1' });
    await world.must(owner, 'mutation ($id: ID!) { serverRename(id: $id) { name } }', { id });
    expect(await shown('name')).toEqual({ name: 'metal-1' });
    expect(await refusal(`serverRename(id: $id, name: "${'x'.repeat(65)}") { id }`)).toBe(
      'parameter_invalid: A name has up to 64 characters.',
    );
    expect(await refusal('serverRename(id: $id, name: "mine") { id }', other)).toContain('server_not_found');
  });

  test('has labels, replaced as a whole', async () => {
    await world.must(
      owner,
      'mutation ($id: ID!) { serverSetLabels(id: $id, labels: [{ key: "env", value: "prod" }, { key: "team/web", value: "" }]) { id } }',
      { id },
    );
    expect(await shown('labels { key value }')).toEqual({
      labels: [
        { key: 'env', value: 'prod' },
        { key: 'team/web', value: '' },
      ],
    });
    expect(await refusal('serverSetLabels(id: $id, labels: [{ key: "-", value: "" }]) { id }')).toContain('A label begins');
    expect(await refusal('serverSetLabels(id: $id, labels: [{ key: "a", value: "1" }, { key: "a", value: "2" }]) { id }')).toContain(
      'twice',
    );
    await world.must(owner, 'mutation ($id: ID!) { serverSetLabels(id: $id, labels: []) { id } }', { id });
    expect(await shown('labels { key }')).toEqual({ labels: [] });
  });

  test('gives its address a name, which the name server has then; trouble is tried again', async () => {
    const name = (value: string | null) =>
      world.must(owner, 'mutation ($id: ID!, $ip: String!, $name: String) { serverSetReverseName(id: $id, ip: $ip, name: $name) { id } }', {
        id,
        ip,
        name: value,
      });
    const settle = async () => {
      world.clock.advance(MINUTE);
      await sweepReverseNames(world.context());
    };
    await name('Mail.Example.com.');
    expect(await shown('reverseNames { ip name state }')).toEqual({ reverseNames: [{ ip, name: 'mail.example.com', state: 'PENDING' }] });
    await settle();
    expect(world.nameServer.reverse(ip)).toBe('mail.example.com');
    expect(await shown('reverseNames { name state }')).toEqual({ reverseNames: [{ name: 'mail.example.com', state: 'SET' }] });
    for (const fault of ['error', 'hang', 'no_answer'] as const) {
      world.nameServer.faults.push(fault);
      await name(`${fault.replace('_', '-')}.example.com`);
      await settle();
      expect(await shown('reverseNames { state }')).toEqual({ reverseNames: [{ state: 'FAILED' }] });
      world.clock.advance(MINUTE);
      await settle();
      expect(await shown('reverseNames { state }')).toEqual({ reverseNames: [{ state: 'SET' }] });
      expect(world.nameServer.reverse(ip)).toBe(`${fault.replace('_', '-')}.example.com`);
    }
    await name(null);
    await settle();
    expect(world.nameServer.reverse(ip)).toBeUndefined();
    await name('last.example.com');
    await settle();
    expect(await refusal('serverSetReverseName(id: $id, ip: "127.0.0.1", name: "a.example.com") { id }')).toContain('no such address');
    expect(await refusal(`serverSetReverseName(id: $id, ip: "${ip}", name: "nodots") { id }`)).toContain('Give a whole name');
    expect(await refusal(`serverSetReverseName(id: $id, ip: "${ip}", name: "a.example.com") { id }`, other)).toContain('server_not_found');
  });

  test('is refused firewall rules with the reason, which the list of actions shows as well', async () => {
    const reason = 'A dedicated server has the network to itself: set rules in its operating system.';
    expect(await refusal('serverSetFirewall(id: $id, enabled: true, rules: []) { id }')).toBe(`action_not_allowed: ${reason}`);
    const { availableActions } = await shown<{ availableActions: { action: string; reason: string }[] }>(
      'availableActions { action reason }',
    );
    expect(availableActions.find(({ action }) => action === 'set_firewall')?.reason).toBe(reason);
  });

  test('leaves nothing of it behind: names of addresses go when the server does', async () => {
    expect(world.nameServer.reverse(ip)).toBe('last.example.com');
    await world.subscription(id, 'ended', { reason: 'CANCELLED', status: 'CANCELED' });
    await world.run();
    await sweepReverseNames(world.context());
    world.clock.advance(HOUR);
    await sweepReverseNames(world.context());
    expect(world.nameServer.reverse(ip)).toBeUndefined();
    expect(await refusal('serverRename(id: $id, name: "late") { id }')).toBe('action_not_allowed: The server is gone.');
  });
});

describe('a VPS', () => {
  let world: ComputeWorld;
  let id: string;
  const machine = () => world.hypervisor.machine(id.replace('_', '-'));
  beforeAll(async () => {
    world = await startCompute();
    const orderId = await world.order();
    ({ id } = await world.server(orderId));
    await world.run();
  });
  afterAll(() => world.close());

  const set = async (enabled: boolean, rules: object[], viewer = owner) => {
    const { errors } = await world.ask(
      viewer,
      'mutation ($id: ID!, $enabled: Boolean!, $rules: [FirewallRuleInput!]!) { serverSetFirewall(id: $id, enabled: $enabled, rules: $rules) { id } }',
      { id, enabled, rules },
    );
    return errors?.[0]?.message;
  };
  const state = async () => {
    const { data } = await world.ask(owner, 'query ($id: ID!) { server(id: $id) { firewall { state enabled rules { ports } } } }', { id });
    return (data as { server: { firewall: { state: string; enabled: boolean; rules: object[] } } }).server.firewall;
  };
  const SSH = { action: 'ACCEPT', protocol: 'TCP', ports: '22', source: '198.51.100.0/24', note: 'office' };
  const WEB = { action: 'ACCEPT', protocol: 'TCP', ports: '80-443' };
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
    expect([inPlace(), machine().firewall.options['enable']]).toEqual([[], '0']);
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

  test('rules of a server are its owner’s to set', async () => {
    expect(await set(true, [], other)).toBe('The account has no such server.');
  });

  test.each(
    HYPERVISOR_FAULTS.flatMap((fault) =>
      (['rules', 'addRule', 'dropRule', 'setFirewallOptions'] as const).map((on) => [fault, on] as const),
    ),
  )('a call that goes wrong by %s at %s leaves the wanted rules in the end, and nothing else', async (fault, on) => {
    // Other rules than the wanted ones stand there, and it is off.
    await world.hypervisor.change(id.replace('_', '-'), (one) => {
      one.firewall = { rules: [{ type: 'in', action: 'DROP', enable: '1' }], options: { enable: '0' } };
    });
    world.hypervisor.faults.next.push({ fault, on });
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
  });

  test('has its rules again after its interfaces were written anew', async () => {
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
    expect(machine().config).toMatchObject({ ciuser: 'root', cipassword: await reveal('serverRevealRescuePassword') });
    expect((await act('vpsResetPassword')).errors?.[0]?.message).toBe('The rescue system runs: leave it first.');
    expect((await act('serverLeaveRescue')).errors).toBeUndefined();
    await world.run();
    expect(machine()).toMatchObject({ running: true, inRescue: false, disk, users });
    expect(machine().config).toMatchObject({ ciuser: 'ubuntu', cipassword: await reveal('vpsRevealPassword'), boot: 'order=scsi0' });
    expect(machine().config['sata5']).toBeUndefined();
    expect(await reveal('serverRevealRescuePassword')).toBe('The rescue system does not run.');
  });
});
