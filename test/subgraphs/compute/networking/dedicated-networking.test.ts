// What owners set for a dedicated server: name, labels, reverse DNS names, and firewall rules at the router.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#platform/clock.ts';
import { firewallOf as firewallOfServer, noteFirewall } from '../../../../subgraphs/compute/networking/entities/firewall.ts';
import { applyFirewall, sweepFirewalls } from '../../../../subgraphs/compute/networking/services/firewall.ts';
import { sweepReverseNames } from '../../../../subgraphs/compute/networking/services/reverse-names.ts';
import { ROUTER_ENDPOINTS, ROUTER_FAULTS } from '../../../../sandbox/router/router.ts';
import { type MetalWorld, startMetal } from '../metal-world.ts';
import { SSH, WEB, firewallOf, other, owner } from '../owner-firewall.ts';
import { faultPairs } from '../../../kit/fault-pairs.ts';
import { planFaults } from '../../../kit/faults.ts';
import { rowsOf } from '../../../kit/tables.ts';

describe('a dedicated server', () => {
  let world: MetalWorld;
  let id: string;
  let ip: string;
  beforeAll(async () => {
    world = await startMetal({ machines: ['faraday-1'] });
    ({ id } = await world.built());
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

  test('gives its address a reverse DNS name at the name server, with retries', async () => {
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
      planFaults(world.nameServer.faults, fault);
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
    for (const address of ['1.2.3.4', ip, '127.1', '1.2.3.4.', 'mail.0x7f'])
      expect(await refusal(`serverSetReverseName(id: $id, ip: "${ip}", name: "${address}") { id }`)).toContain(
        'An address is no host name',
      );
    expect(await refusal(`serverSetReverseName(id: $id, ip: "${ip}", name: "a.example.com") { id }`, other)).toContain('server_not_found');
  });

  const { set, state } = firewallOf(
    () => world,
    () => id,
  );
  const lets = (protocol: 'tcp' | 'udp' | 'icmp', port?: number, more: object = {}) =>
    world.router.lets({ from: '203.0.113.9', to: ip, protocol, ...(port !== undefined && { port }), ...more });
  const ours = () => world.router.commands().filter((line) => line.includes('EGRESS-'));
  const tellFirewalls = async (minutes = 2) => {
    world.clock.advance(minutes * MINUTE);
    await sweepFirewalls(world.context());
  };

  test('has firewall rules in their order at the router in front of it, which drops what fits none', async () => {
    expect([lets('tcp', 22), lets('udp', 53), ours()]).toEqual([true, true, []]);
    expect(
      await set(true, [{ ...SSH, action: 'DROP', source: '198.51.100.7' }, SSH, WEB, { action: 'ACCEPT', protocol: 'ICMP' }]),
    ).toBeUndefined();
    expect((await state()).state).toBe('PENDING');
    await applyFirewall(world.context(), id);
    expect((await state()).state).toBe('SET');
    const office = { from: '198.51.100.8' };
    expect([lets('tcp', 22), lets('tcp', 22, office), lets('tcp', 22, { from: '198.51.100.7' }), lets('udp', 22, office)]).toEqual([
      ...[false, true, false, false],
    ]);
    expect([79, 80, 443, 444].map((port) => lets('tcp', port))).toEqual([false, true, true, false]);
    expect([lets('icmp'), world.router.lets({ from: ip, to: '203.0.113.9', protocol: 'udp', port: 53 })]).toEqual([true, true]);
    // Answers to the server's own connections pass, and its neighbour's address is not filtered.
    expect([lets('udp', 40_000), lets('udp', 40_000, { state: 'established' }), lets('icmp', undefined, { state: 'related' })]).toEqual([
      ...[false, true, true],
    ]);
    expect(lets('udp', 53, { to: '127.81.0.77' })).toBe(true);
    await set(true, [
      { action: 'DROP', protocol: 'UDP', ports: '53' },
      { action: 'ACCEPT', protocol: 'ANY' },
    ]);
    await applyFirewall(world.context(), id);
    expect([lets('udp', 53), lets('udp', 54), lets('tcp', 22), lets('icmp')]).toEqual([false, true, true, true]);
  });

  test('keeps its rules when the same ones are set again, and after a restart of the router', async () => {
    await set(true, [SSH, WEB]);
    await applyFirewall(world.context(), id);
    const [before, { commits }] = [world.router.commands(), world.router];
    await set(true, [SSH, WEB]);
    await applyFirewall(world.context(), id);
    expect([world.router.commits, world.router.commands(), (await state()).state]).toEqual([commits, before, 'SET']);
    world.router.reboot();
    expect(world.router.commands()).toEqual(before);
  });

  test('has no rules at the router while its firewall is off, but keeps them stored', async () => {
    await set(false, [SSH]);
    await applyFirewall(world.context(), id);
    expect([ours(), lets('tcp', 22), await state()]).toEqual([[], true, { state: 'SET', enabled: false, rules: [{ ports: '22' }] }]);
  });

  test.each(faultPairs(ROUTER_FAULTS, ROUTER_ENDPOINTS))(
    'a call that goes wrong by %s at %s is made again: the router has the wanted rules in the end, also after it has started anew',
    async (fault, on) => {
      planFaults(world.router.faults, { fault, on });
      await set(true, [
        fault === 'hang' ? SSH : WEB,
        { action: 'ACCEPT', protocol: 'UDP', ports: String(1000 + ROUTER_ENDPOINTS.indexOf(on)) },
      ]);
      await tellFirewalls();
      expect([world.router.faults, (await state()).state]).toEqual([[], 'FAILED']);
      await tellFirewalls();
      expect((await state()).state).toBe('SET');
      world.router.reboot();
      expect([lets('tcp', 80), lets('tcp', 22, { from: '198.51.100.8' })]).toEqual([fault !== 'hang', fault === 'hang']);
      expect([0, 1, 2].map((n) => lets('udp', 1000 + n))).toEqual([0, 1, 2].map((n) => n === ROUTER_ENDPOINTS.indexOf(on)));
    },
  );

  test('keeps them through a reinstall, also those that come to the router meanwhile', async () => {
    await set(true, [SSH]);
    planFaults(world.router.faults, { fault: 'error', on: '/configure' });
    await tellFirewalls();
    await world.must(owner, 'mutation ($id: ID!) { dedicatedServerReinstall(id: $id, os: DEBIAN_13) { id } }', { id });
    await tellFirewalls();
    expect([await shown('... on DedicatedServer { status }'), (await state()).state]).toEqual([{ status: 'REINSTALLING' }, 'SET']);
    await world.run();
    expect([lets('tcp', 22), lets('tcp', 22, { from: '198.51.100.8' }), (await state()).state]).toEqual([false, true, 'SET']);
  });

  test('does not touch an operator’s rule at its position, and says that it has none', async () => {
    await set(false, []);
    await applyFirewall(world.context(), id);
    const [{ place } = { place: '' }] = await rowsOf<{ place: string }>(
      world.query,
      'compute.address',
      { ip },
      { columns: 'border_rule::text as place' },
    );
    world.router.operate(['firewall', 'ipv4', 'forward', 'filter', 'rule', place, 'action', 'drop']);
    await set(true, [WEB]);
    await tellFirewalls();
    expect([(await state()).state, ours()]).toEqual(['FAILED', []]);
    world.router.operate(
      ['firewall', 'ipv4', 'name', 'EGRESS-former', 'default-action', 'drop'],
      ...[
        ['action', 'jump'],
        ['jump-target', 'EGRESS-former'],
      ].map((path) => ['firewall', 'ipv4', 'forward', 'filter', 'rule', place, ...path]),
    );
    // A firewall of ours that an earlier owner of the address has left is replaced.
    await tellFirewalls();
    expect([(await state()).state, lets('tcp', 80), lets('tcp', 22)]).toEqual(['SET', true, false]);
  });

  test('an older setting that arrives late is overwritten by the newer one', async () => {
    const { em, providers } = world.context();
    await set(true, [SSH]);
    const older = await firewallOfServer(em, id);
    await set(true, [WEB]);
    await applyFirewall(world.context(), id);
    expect([lets('tcp', 80), (await state()).state]).toEqual([true, 'SET']);
    if (!older) throw new Error('there is no wish');
    await providers.border?.setFirewall({ id, ip, place: older.borderRule ?? 0 }, older);
    await noteFirewall(em, older, { applied: true });
    expect([lets('tcp', 80), (await state()).state]).toEqual([false, 'PENDING']);
    await tellFirewalls();
    expect([lets('tcp', 80), (await state()).state]).toEqual([true, 'SET']);
  });

  test('rules are its owner’s to set', async () => {
    expect(await set(true, [], other)).toBe('The account has no such server.');
  });

  test('has its names and rules removed when it ends', async () => {
    expect(world.nameServer.reverse(ip)).toBe('last.example.com');
    expect(ours().join()).toContain(id);
    // The router does not answer while the server ends: its rules are removed when it is back, although the address was released before.
    planFaults(world.router.faults, { fault: 'hang', on: '/configure' });
    await world.subscription(id, 'ended', { reason: 'CANCELLED', status: 'CANCELED' });
    await tellFirewalls();
    expect(ours().join()).toContain(id);
    await world.run();
    expect(await shown('ipv4')).toEqual({ ipv4: [] });
    await tellFirewalls();
    expect([ours().join().includes(id), lets('tcp', 22), await state()]).toEqual([
      false,
      true,
      { state: 'SET', enabled: false, rules: [] },
    ]);
    await sweepReverseNames(world.context());
    world.clock.advance(HOUR);
    await sweepReverseNames(world.context());
    expect(world.nameServer.reverse(ip)).toBeUndefined();
    expect(await refusal('serverRename(id: $id, name: "late") { id }')).toBe('action_not_allowed: The server is gone.');
  });
});

test('without a configured router firewall rules are refused with a reason, which the list of actions shows too', async () => {
  const world = await startMetal({ machines: ['faraday-1'], guarded: false });
  try {
    const { id } = await world.built();
    const reason = 'There is no firewall of ours in front of this server: set rules in its operating system.';
    const { set } = firewallOf(
      () => world,
      () => id,
    );
    expect(await set(true, [])).toBe(reason);
    const query = 'query ($id: ID!) { server(id: $id) { availableActions { action reason } } }';
    const { server } = await world.must<{ server: { availableActions: { action: string; reason: string }[] } }>(owner, query, { id });
    expect(server.availableActions.find(({ action }) => action === 'set_firewall')?.reason).toBe(reason);
  } finally {
    await world.close();
  }
});
