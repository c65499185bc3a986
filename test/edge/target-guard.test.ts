import type { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createMachineAddresses } from '#platform/machine-addresses.ts';
import { createTargetGuards } from '../../edge/target-guard.ts';
import { type World, connectHead, localExit, startEcho, startWorld } from './world.ts';

/** A node that listens at this address and port. */
const at = (address: string, own: number) => (port: number) => (port === own ? new Set([address]) : undefined);
/** The machine's addresses in these tests, instead of the real ones. */
const MACHINE = ['8.8.4.4', '10.0.0.5', '2606:4700::1111'];
const machine = () => new Set(MACHINE);
const guards = createTargetGuards({
  own: at('0.0.0.0', 7777),
  machine,
  exits: new Set(['8.8.4.9', 'gate.parent.example']),
  policy: {
    forbiddenNetworks: ['185.10.0.0/16', '2a01:db8::/32'],
    products: { MOBILE: { ports: [80, 25], forbiddenNames: ['blocked.example'] }, ALT_RESIDENTIAL: { forbiddenPorts: [8080] } },
  },
});
const guard = guards.of('PREMIUM');

/** The address or name to dial, or the code of the refusal. */
function judge(host: string, port = 443, judged = guard): string {
  try {
    judged.checkPort(port);
    const read = judged.readHost(host);
    if ('name' in read) return `name ${read.name}`;
    judged.checkAddresses([read.address], port);
    return `address ${read.address}`;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '185.10.3.4',
  '::',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2a01:db8::1',
  // Instance metadata and internal services of AWS, Alibaba, Oracle, Azure, Google and IBM.
  'fd00:ec2::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  'fd20:ce::254',
  '161.26.0.10',
  '166.9.1.1',
  // This machine's own addresses in several spellings, and exits.
  '8.8.4.4',
  '::ffff:8.8.4.4',
  '::ffff:808:404',
  '2606:4700::1111',
  '[2606:4700:0:0::1111]',
  '8.8.4.9',
  'gate.parent.example',
  'GATE.parent.example.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.01',
  '127.0.0.1.',
  '0',
  '0x',
  '1.2.3',
  '256.256.256.256',
  '1.2.3.4.5',
  'a.1',
  'foo.0x7f',
  'localhost',
  'LOCALHOST',
  'a.localhost',
  'localhost.',
  '',
  '.',
  'a..b',
  '-a.example',
  'a b.example',
  'a/b',
  'exa\u0000mple.com',
  'ⓔxample.com',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '[::1',
  'a'.repeat(254),
])('refuses %s', (host) => {
  expect(judge(host)).toBe('target_address_forbidden');
});

test.each([
  ['93.184.215.14', 'address 93.184.215.14'],
  ['2606:2800:21f::1', 'address 2606:2800:21f::1'],
  ['[2606:2800:21F:0::1]', 'address 2606:2800:21f::1'],
  ['::ffff:93.184.215.14', 'address 93.184.215.14'],
  ['Example.COM.', 'name example.com'],
  ['_dmarc.example.com', 'name _dmarc.example.com'],
  ['xn--mnchen-3ya.de', 'name xn--mnchen-3ya.de'],
])('takes %s as %s', (host, taken) => {
  expect(judge(host)).toBe(taken);
});

test.each([0, 25, 465, 587, 23, 445, 3389, 65_536, 1.5, -1, Number.NaN])('refuses port %d', (port) => {
  expect(judge('93.184.215.14', port)).toBe('target_port_forbidden');
});

test('refuses its own listeners before anything is allowed, on every address of this machine', () => {
  const demo = createTargetGuards({ own: at('127.0.0.1', 7777), machine, demo: { address: '127.0.0.1', port: 7777 } }).of('PREMIUM');
  for (const host of ['127.0.0.1', '127.0.0.2', '::ffff:127.0.0.1', '::1', '0.0.0.0']) {
    expect(judge(host, 7777)).toBe('proxy_loop');
    expect(judge(host, 7777, demo)).toBe('proxy_loop');
  }
});

test('refuses every address of this machine on every port, and reads them again: they come and go', () => {
  let time = 0;
  let addresses = ['8.8.4.4'];
  const read = () => ({ eth0: addresses.map((address) => ({ address })) }) as unknown as ReturnType<typeof networkInterfaces>;
  const judged = createTargetGuards({ own: () => undefined, machine: createMachineAddresses(() => time, read) }).of('MOBILE');
  for (const port of [22, 80, 5432, 8000]) expect(judge('8.8.4.4', port, judged)).toBe('target_address_forbidden');
  expect(judge('8.8.8.8', 80, judged)).toBe('address 8.8.8.8');
  addresses = ['8.8.8.8', '::ffff:9.9.9.9'];
  time += 5_000;
  expect(judge('8.8.8.8', 80, judged)).toBe('target_address_forbidden');
  expect(judge('9.9.9.9', 80, judged)).toBe('target_address_forbidden');
  expect(judge('8.8.4.4', 80, judged)).toBe('address 8.8.4.4');
});

test('the demo reaches exactly its own target: one address, one port', () => {
  const demo = createTargetGuards({ own: () => undefined, machine, demo: { address: '127.0.0.1', port: 4012 } }).of('PREMIUM');
  expect(judge('127.0.0.1', 4012, demo)).toBe('address 127.0.0.1');
  expect(judge('127.0.0.1', 4013, demo)).toBe('target_address_forbidden');
  expect(judge('127.0.0.2', 4012, demo)).toBe('target_address_forbidden');
  expect(judge('localhost', 4012, demo)).toBe('target_address_forbidden');
});

test('one forbidden address among the answers refuses them all', () => {
  expect(() => guard.checkAddresses(['93.184.215.14', '2606:2800:21f::1'], 443)).not.toThrow();
  expect(() => guard.checkAddresses(['93.184.215.14', '10.0.0.1'], 443)).toThrow(
    expect.objectContaining({ code: 'target_address_forbidden' }),
  );
});

describe('through the node', () => {
  async function answerTo(world: World, authority: string): Promise<string> {
    const plan = world.ledger.plan();
    const client = await world.client();
    client.write(connectHead(authority, plan.username));
    return (await client.ended()).toString().split('\r\n', 1)[0] ?? '';
  }

  test('nothing is dialled for a forbidden target, whatever its name resolves to, and a name is resolved once', async () => {
    const world = await startWorld();
    const nowhere = { address: '127.0.0.1', port: 9 };
    world.route('metadata.example', ['169.254.169.254'], nowhere);
    world.route('mixed.example', ['93.184.215.14', '127.0.0.1'], nowhere);
    for (const authority of [
      '169.254.169.254:80',
      '[::ffff:127.0.0.1]:80',
      '2130706433:80',
      'metadata.example:80',
      'mixed.example:80',
      `127.0.0.1:${world.port}`,
      '93.184.215.14:25',
    ])
      expect(await answerTo(world, authority)).toBe('HTTP/1.1 403 Forbidden');
    expect(world.dialled).toEqual([]);
    expect(world.resolved).toEqual(['metadata.example', 'mixed.example']);
    await world.close();
  });

  test('a service of this machine is reached neither by its public address, nor by a name of it, nor through an exit', async () => {
    const service = await startEcho();
    const world = await startWorld({
      exits: [localExit(11), localExit(12, { address: '93.184.215.77' })],
      networkInterfaces: () => ({ lo: [{ address: '93.184.215.88' }] }) as unknown as ReturnType<typeof networkInterfaces>,
    });
    const { port } = service.endpoint;
    world.route('panel.example', ['93.184.215.88'], service.endpoint);
    world.route('exit.example', ['93.184.215.77'], service.endpoint);
    for (const authority of [`93.184.215.88:${port}`, `panel.example:${port}`, `93.184.215.77:${port}`, `exit.example:${port}`])
      expect(await answerTo(world, authority)).toBe('HTTP/1.1 403 Forbidden');
    expect([world.dialled, service.sockets]).toEqual([[], []]);
    await service.close();
    await world.close();
  });

  test('a name that changes its address between judgement and connection gains nothing: the judged address is dialled', async () => {
    let asked = 0;
    const world = await startWorld({ resolver: { resolve: async () => (++asked === 1 ? ['93.184.215.14'] : ['127.0.0.1']) } });
    expect(await answerTo(world, 'rebinding.example:80')).toBe('HTTP/1.1 502 Bad Gateway');
    expect(world.dialled.map(({ target }) => target)).toEqual(['93.184.215.14:80']);
    expect(asked).toBe(1);
    await world.close();
  });

  test('refuses to start with a demo target in production', async () => {
    await expect(startWorld({ production: true, demoTarget: { address: '127.0.0.1', port: 80 } })).rejects.toThrow(
      'not allowed in production',
    );
  });
});

test('rules of one product hold for it and for no other', () => {
  const mobile = guards.of('MOBILE');
  expect(() => mobile.checkPort(25)).not.toThrow();
  expect(() => mobile.checkPort(443)).toThrow(expect.objectContaining({ code: 'target_port_forbidden' }));
  for (const host of ['blocked.example', 'www.Blocked.example.', 'a.b.blocked.example'])
    expect(() => mobile.readHost(host)).toThrow(expect.objectContaining({ code: 'target_address_forbidden' }));
  expect(mobile.readHost('notblocked.example')).toEqual({ name: 'notblocked.example' });
  expect(guard.readHost('blocked.example')).toEqual({ name: 'blocked.example' });
  expect(() => guards.of('ALT_RESIDENTIAL').checkPort(8080)).toThrow(expect.objectContaining({ code: 'target_port_forbidden' }));
  expect(() => guard.checkPort(8080)).not.toThrow();
});
