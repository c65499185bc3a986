// Compares the sandbox's router with VyOS's definitions and HTTP server: what it refuses, that commits are atomic, and what happens to packets.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxRouter, startRouter } from '../../sandbox/router/router.ts';

const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
let router: SandboxRouter | undefined;

beforeEach(async () => {
  await router?.close();
  router = await startRouter({ host: '127.0.0.1', port: 0, dataDir: undefined, key: 'right', vendors: () => VENDORS });
});
afterAll(() => router?.close());

async function ask(endpoint: string, data: unknown, key = 'right') {
  const body = new FormData();
  body.set('data', typeof data === 'string' ? data : JSON.stringify(data));
  body.set('key', key);
  const response = await fetch(`${router?.url}${endpoint}`, { method: 'POST', body });
  return { status: response.status, ...((await response.json()) as { success: boolean; data: unknown; error: string | null }) };
}
const SET = ['firewall', 'ipv4', 'name', 'ONE'];
const BASE = ['firewall', 'ipv4', 'forward', 'filter'];
const set = (...path: string[]) => ({ op: 'set', path });

test.each([
  ['a wrong key', '/retrieve', { op: 'exists', path: [] }, 'wrong', 401, 'Valid API key is required'],
  ['what is no JSON', '/configure', '{', 'right', 400, 'Failed to parse JSON'],
  ['a command without a path', '/configure', { op: 'set' }, 'right', 400, "missing 'path' field"],
  ['an unknown operation', '/configure', { op: 'put', path: SET }, 'right', 400, "'put' is not a valid operation"],
  ['an unknown path', '/configure', set('firewall', 'ipv4', 'nom', 'ONE'), 'right', 400, 'is not valid'],
  ['a leaf without a value', '/configure', set(...SET, 'default-action'), 'right', 400, 'is not valid'],
  ['a number too large', '/configure', set(...BASE, 'rule', '1000000', 'action', 'drop'), 'right', 400, 'between 1 and 999999'],
  [
    'a protocol that there is not',
    '/configure',
    set(...SET, 'rule', '1', 'protocol', 'tpc'),
    'right',
    400,
    'tpc is not a valid IP protocol',
  ],
  ['a port that there is not', '/configure', set(...SET, 'rule', '1', 'destination', 'port', '0'), 'right', 400, '0 is not a valid port'],
  ['a host as a network', '/configure', set(...SET, 'rule', '1', 'source', 'address', '10.0.0.1/8'), 'right', 400, 'not a valid IPv4'],
  ['to delete what is not there', '/configure', { op: 'delete', path: SET }, 'right', 400, 'Nothing to delete'],
  ['to show what is not there', '/retrieve', { op: 'showConfig', path: SET }, 'right', 400, 'Configuration under specified path is empty'],
  ['a rule without an action', '/configure', set(...SET, 'rule', '1', 'protocol', 'tcp'), 'right', 400, 'Rule action must be defined'],
  [
    ...(['a jump to nowhere', '/configure'] as const),
    [set(...BASE, 'rule', '1', 'action', 'jump'), set(...BASE, 'rule', '1', 'jump-target', 'TWO')],
    ...(['right', 400, 'Firewall name TWO does not exist'] as const),
  ],
  [
    ...(['ports of everything', '/configure'] as const),
    [set(...SET, 'rule', '1', 'action', 'drop'), set(...SET, 'rule', '1', 'destination', 'port', '22')],
    ...(['right', 400, 'Protocol must be defined'] as const),
  ],
])('refuses %s, and nothing of it happens', async (_, endpoint, data, key, status, error) => {
  const before = router?.commands();
  expect(await ask(endpoint, data, key)).toMatchObject({ status, success: false, error: expect.stringContaining(error), data: null });
  expect([router?.commits, router?.commands()]).toEqual([0, before]);
});

test('reads the configuration, commits a list atomically, and loses unsaved changes at a restart', async () => {
  const commands = [
    set(...SET, 'default-action', 'drop'),
    set(...SET, 'rule', '1', 'action', 'accept'),
    ...['established', 'related'].map((state) => set(...SET, 'rule', '1', 'state', state)),
  ];
  expect(await ask('/configure', commands)).toEqual({ status: 200, success: true, data: null, error: null });
  expect(await ask('/retrieve', { op: 'exists', path: SET })).toMatchObject({ status: 200, data: true });
  expect((await ask('/retrieve', { op: 'showConfig', path: SET })).data).toEqual({
    'default-action': 'drop',
    rule: { '1': { action: 'accept', state: ['established', 'related'] } },
  });
  expect(router?.commits).toBe(1);
  router?.reboot();
  expect((await ask('/retrieve', { op: 'exists', path: SET })).data).toBe(false);
  await ask('/configure', commands);
  await ask('/config-file', { op: 'save' });
  router?.reboot();
  expect((await ask('/retrieve', { op: 'exists', path: SET })).data).toBe(true);
});

describe('a packet', () => {
  const to = '127.81.0.2';
  const lets = (port: number, from = '203.0.113.9') => router?.lets({ from, to, protocol: 'tcp', port });

  test('is checked by rules in the order of their numbers, not of their names', () => {
    router?.operate(
      [...BASE, 'rule', '100', 'action', 'drop'],
      [...BASE, 'rule', '20', 'action', 'accept'],
      [...BASE, 'rule', '20', 'source', 'address', '203.0.113.0/24'],
    );
    expect([lets(1), lets(1, '198.51.100.1')]).toEqual([true, false]);
  });

  test('comes back from a set that returns it, and is dropped by one that says nothing', () => {
    router?.operate([...SET, 'rule', '5', 'action', 'return'], [...SET, 'rule', '5', 'protocol', 'tcp']);
    router?.operate([...SET, 'rule', '5', 'destination', 'port', '80-90']);
    router?.operate([...BASE, 'rule', '7', 'action', 'jump'], [...BASE, 'rule', '7', 'jump-target', 'ONE']);
    expect([lets(85), lets(91)]).toEqual([true, false]);
  });
});
