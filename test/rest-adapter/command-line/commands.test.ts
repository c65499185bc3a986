// Every command against the OpenAPI document: a server that answers each operation by its example, and refuses what the document does not have.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { COMMANDS } from '../../../rest-adapter/command-line/commands/index.ts';
import { ENDPOINTS } from '../../../rest-adapter/endpoints/index.ts';
import { openApiDocument } from '../../../rest-adapter/openapi.ts';
import type { Loose } from '../world.ts';
import { fakeTerminal } from './fake-terminal.ts';

const document: Loose = openApiDocument(ENDPOINTS, { brand: 'Test', version: '1', publicUrl: 'https://egress.example' });
/** Paths without parameters first: /users/{user_id} is not a plan. */
const PATHS = Object.keys(document.paths).toSorted((a, b) => a.split('{').length - b.split('{').length);
const asked: string[] = [];
const strange: string[] = [];
/** Of an operation of a server, each time that it is asked for. */
const statuses: string[] = [];
/** How hosts are kept, where it is not as in the example. */
let hostsKept: string | undefined;

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://x');
  const path = PATHS.find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname)) ?? '';
  const operation = document.paths[path]?.[(request.method ?? '').toLowerCase()];
  let text = '';
  request.on('data', (part) => (text += part));
  request.on('end', () => {
    asked.push(operation?.operationId ?? `${request.method} ${url.pathname}`);
    const names = operation?.parameters.map(({ name }: Loose) => name) ?? [];
    const inBody = Object.keys(operation?.requestBody?.content['application/json'].schema.properties ?? {});
    strange.push(...[...url.searchParams.keys()].filter((name) => !names.includes(name)));
    strange.push(...Object.keys(text === '' ? {} : JSON.parse(text)).filter((name) => !inBody.includes(name)));
    const [, success] = Object.entries<Loose>(operation?.responses ?? {}).find(([status]) => status.startsWith('2')) ?? [];
    const example = success?.content['application/json'].example;
    // Pages end: what comes after an event is nothing.
    let answer = url.searchParams.has('after') ? { ...example, data: { ...example.data, events: [] } } : example;
    const status = operation?.operationId === 'get_server_operation' ? statuses.shift() : undefined;
    if (status !== undefined) answer = { ...example, data: { operation: { ...example.data.operation, status } } };
    if (hostsKept !== undefined) answer = { ...example, data: { ...example.data, hosts: hostsKept } };
    response.writeHead(operation ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());
beforeEach(() => {
  asked.splice(0);
  hostsKept = undefined;
});

const terminal = () =>
  fakeTerminal({ EGRESS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, EGRESS_API_KEY: 'egress_test_1' });

const TERMS = [
  '--daily-gb',
  '1',
  '--monthly-gb',
  '2',
  '--total-gb',
  '3',
  '--countries',
  'DE,AT',
  '--targets',
  'a.example',
  '--clients',
  '',
];
/** A command line, with all options, for each command, and the operations that it is made of. */
const LINES: Record<string, { words: string[]; operations: string[] }> = {
  plans: { words: [], operations: ['list_residential_plans'] },
  locations: { words: ['plan_a', '--pool', 'DE'], operations: ['list_locations'] },
  generate: {
    words: [
      'plan_a',
      '--pool',
      'DE',
      '--state',
      'Bavaria',
      '--city',
      'Munich',
      '--quantity',
      '2',
      '--time',
      '30',
      '--socks5',
      '--rotating',
    ],
    operations: ['generate_residential_proxies'],
  },
  batch: { words: ['batch_a', '--https'], operations: ['get_proxy_batch'] },
  renew: { words: ['plan_a', '51742083'], operations: ['renew_proxy_session'] },
  check: { words: ['proxy.example:7777:user:pass'], operations: ['check_proxy_line'] },
  test: { words: ['proxy.example:7777:user:pass'], operations: ['test_proxy_line'] },
  breakdown: {
    words: ['plan_a', '--by', 'host', '--from', '2026-01-14T00:00:00Z', '--to', '2026-01-15T00:00:00Z', '--limit', '5'],
    operations: ['get_usage_breakdown'],
  },
  usage: { words: ['plan_a'], operations: ['get_residential_usage', 'get_residential_statistics'] },
  statistics: { words: ['plan_a'], operations: ['get_residential_statistics'] },
  static: { words: ['isp', '--product', 'isp-northline', '--https'], operations: ['list_static_plans'] },
  subscriptions: { words: [], operations: ['get_subscriptions'] },
  'users list': { words: ['plan_a', '--search', 'shop'], operations: ['list_proxy_users'] },
  'users create': { words: ['plan_a', 'Shop', ...TERMS], operations: ['create_proxy_user'] },
  'users show': { words: ['user_a'], operations: ['get_proxy_user'] },
  'users change': { words: ['user_a', '--name', 'Shop', '--pause', ...TERMS], operations: ['change_proxy_user'] },
  'users reset': { words: ['user_a'], operations: ['reset_proxy_user_password'] },
  'users renew': { words: ['user_a'], operations: ['renew_proxy_user'] },
  'users remove': { words: ['user_a'], operations: ['remove_proxy_user'] },
  'networks list': { words: ['plan_a'], operations: ['list_client_networks'] },
  'networks add': {
    words: [
      'plan_a',
      '203.0.113.7',
      '--pool',
      'DE',
      '--state',
      'a',
      '--city',
      'b',
      '--exclude',
      'FR',
      '--time',
      '30',
      '--rotating',
      '--note',
      'x',
    ],
    operations: ['add_client_network'],
  },
  'networks remove': { words: ['net_a'], operations: ['remove_client_network'] },
  'networks log-in': { words: ['plan_a', '--both'], operations: ['set_plan_log_in'] },
  'static-test': { words: ['socks5://user:pass@198.51.100.7:8000'], operations: ['test_static_line'] },
  'static-networks list': { words: ['isp_a'], operations: ['list_static_networks'] },
  'static-networks add': {
    words: ['isp_a', '203.0.113.7', '--address', '198.51.100.7', '--note', 'x'],
    operations: ['add_static_network'],
  },
  'static-networks remove': { words: ['net_a'], operations: ['remove_static_network'] },
  'static-networks log-in': { words: ['isp_a', '--both'], operations: ['set_static_log_in'] },
  'requests list': {
    words: [...'plan_a --failed --from a --to b --host c --status 502 --error d --user e --session 1 --limit 1 --csv'.split(' ')],
    operations: ['list_requests'],
  },
  'requests keep': { words: ['plan_a', 'whole'], operations: ['set_request_log'] },
  'requests delete': { words: ['plan_a'], operations: ['delete_request_log'] },
  'top-ups list': { words: ['plan_a'], operations: ['list_top_ups'] },
  'top-ups price': { words: ['plan_a', '5'], operations: ['get_top_up_price'] },
  'top-ups buy': { words: ['plan_a', '5'], operations: ['top_up_plan'] },
  'orders residential': { words: ['premium', '5'], operations: ['get_residential_offer'] },
  'orders top-up': { words: ['plan_a', '5', '--buy'], operations: ['get_top_up_price', 'place_order'] },
  'orders static': { words: ['isp-northline', '10'], operations: ['get_static_offer'] },
  'orders vps': { words: ['plank', '--os', 'debian_13', '--location', 'Vienna'], operations: ['get_vps_offer'] },
  'orders locations': { words: ['--os', 'debian_13'], operations: ['list_vps_locations'] },
  'orders dedicated': { words: ['faraday', '--os', 'debian_13', '--months', '3'], operations: ['get_dedicated_offer'] },
  'orders show': { words: ['ord_a'], operations: ['get_order'] },
  'orders allowance': { words: [], operations: ['get_order_allowance'] },
  'top-ups set': {
    words: ['plan_a', '--left-gb', '1', '--gb', '5', '--ceiling', '100.00', '--pause-minutes', '60'],
    operations: ['set_auto_top_up'],
  },
  'top-ups stop': { words: ['plan_a'], operations: ['stop_auto_top_up'] },
  alerts: { words: ['plan_a', '--percents', '50,90', '--left-gb', '0.5'], operations: ['set_plan_alerts'] },
  'servers list': { words: ['--kind', 'vps', '--state', 'active'], operations: ['list_servers'] },
  'servers show': { words: ['vps_a'], operations: ['get_server'] },
  'servers operations': { words: ['vps_a', '--limit', '5'], operations: ['list_server_operations'] },
  'servers operation': { words: ['vps_a', 'op_a'], operations: ['get_server_operation'] },
  'servers start': { words: ['vps_a', '--idempotency-key', 'deploy-of-today'], operations: ['start_server'] },
  'servers reboot': { words: ['vps_a'], operations: ['reboot_server'] },
  'servers stop': { words: ['vps_a'], operations: ['stop_server'] },
  'servers force-stop': { words: ['vps_a'], operations: ['force_stop_server'] },
  'servers reset-password': { words: ['vps_a'], operations: ['reset_server_password'] },
  'servers rescue': { words: ['vps_a'], operations: ['rescue_server'] },
  'servers leave-rescue': { words: ['vps_a'], operations: ['leave_server_rescue'] },
  'servers reinstall': {
    words: ['vps_a', 'debian_13', '--password', 'Correct-Horse-1', '--ssh-keys', 'ssh-ed25519 AAAA a'],
    operations: ['reinstall_server'],
  },
  'servers back-up': { words: ['vps_a'], operations: ['take_server_backup'] },
  'servers restore': { words: ['vps_a', 'bak_a', 'web-1'], operations: ['restore_server'] },
  'servers backups': { words: ['vps_a'], operations: ['list_server_backups'] },
  'servers rename': { words: ['vps_a', 'Shop'], operations: ['change_server'] },
  'servers cancel': { words: ['vps_a'], operations: ['cancel_server'] },
  'servers keep': { words: ['vps_a'], operations: ['keep_server'] },
  'servers reverse-name': { words: ['vps_a', '203.0.113.7', ''], operations: ['set_server_reverse_name'] },
  'events list': { words: ['--after', 'evt_a'], operations: ['list_events'] },
  'webhooks list': { words: [], operations: ['list_webhooks'] },
  'webhooks create': { words: ['https://a.example', '--description', 'x', '--types', 'a,b'], operations: ['create_webhook'] },
  'webhooks show': { words: ['hook_a'], operations: ['get_webhook'] },
  'webhooks change': { words: ['hook_a', '--to', 'https://b.example', '--enable', '--types', ''], operations: ['change_webhook'] },
  'webhooks secret': { words: ['hook_a'], operations: ['renew_webhook_secret'] },
  'webhooks test': { words: ['hook_a'], operations: ['test_webhook'] },
  'webhooks replay': { words: ['hook_a', '--after', 'evt_a', '--since', '2026-01-15T00:00:00Z'], operations: ['replay_webhook'] },
  'webhooks resend': { words: ['hook_a', 'evt_a'], operations: ['resend_webhook_event'] },
  'webhooks deliveries': { words: ['hook_a', '--limit', '5'], operations: ['list_webhook_deliveries'] },
  'webhooks remove': { words: ['hook_a'], operations: ['remove_webhook'] },
};

test('there is a command for every operation, and a line here for every command that ends', () => {
  const reached = new Set(Object.values(LINES).flatMap(({ operations }) => operations));
  expect(ENDPOINTS.map(({ tool }) => tool).filter((tool) => !reached.has(tool))).toEqual([]);
  const ending = COMMANDS.filter(({ endless, name }) => !endless && name !== 'key save').map(({ name }) => name);
  expect(Object.keys(LINES).toSorted()).toEqual(ending.toSorted());
});

test.each(Object.entries(LINES))(
  '`egress %s` makes the requests of the document, and prints words or JSON',
  async (name, { words, operations }) => {
    const screen = terminal();
    expect(await screen.egress(...name.split(' '), ...words), screen.complained).toBe(0);
    expect(screen.printed).not.toBe('');
    expect(await screen.egress(...name.split(' '), ...words, '--json')).toBe(0);
    expect(JSON.parse(screen.printed)).toBeTypeOf('object');
    expect(asked).toEqual([...operations, ...operations]);
    expect(strange).toEqual([]);
  },
);

test.each(COMMANDS.map(({ name }) => name))('`egress %s --help` says how it is used', async (name) => {
  const screen = terminal();
  expect(await screen.egress(...name.split(' '), '--help')).toBe(0);
  expect(screen.printed).toContain(`egress ${name}`);
  expect(await screen.egress('help')).toBe(0);
  expect(screen.printed).toContain(`egress ${name}`);
  expect(asked).toEqual([]);
});

test.each([
  ['success', 0],
  ['error', 1],
])('--wait ends with the operation, and its exit code tells %s', async (status, code) => {
  statuses.push(status);
  const screen = terminal();
  expect(await screen.egress('servers', 'reboot', 'vps_a', '--wait', '--json')).toBe(code);
  expect(JSON.parse(screen.printed)).toMatchObject({ operation: { status } });
  expect(asked).toEqual(['reboot_server', 'get_server_operation']);
});

test.each([
  [['moon'], 'There is no command moon'],
  [['users'], 'Which one: users list, users create'],
  [['usage'], 'PLAN is missing'],
  [['usage', 'a', 'b'], 'b is too much'],
  [['plans', '--moon'], "Unknown option '--moon'"],
  [['static', 'moon'], 'KIND is isp or dc'],
  [['generate', 'plan_a', '--quantity', 'many'], '--quantity takes a number'],
  [['generate', 'plan_a', '--format', 'moon'], '--format takes'],
  [['generate', 'plan_a', '--file', '/nowhere/at/all'], 'ENOENT'],
  [['servers', 'list', '--state', 'moon'], '--state takes building'],
  [['breakdown', 'plan_a', '--by', 'moon'], '--by takes day, hour'],
  [['servers', 'reinstall', 'vps_a', 'moon'], 'OS is ubuntu_24_04'],
  [['networks', 'log-in', 'plan_a'], '--both or --either'],
  [['static-networks', 'log-in', 'isp_a'], '--both or --either'],
  [['requests', 'keep', 'plan_a', 'moon'], 'MODE is one of off'],
  [['top-ups', 'buy', 'plan_a', '1.5'], 'GB is a whole number'],
  [['top-ups', 'set', 'plan_a'], '--left-gb is missing'],
  [['watch', 'plan_a', '--every', '0'], 'at least one second'],
])('wrong use is told by exit code 2: egress %j', async (words, says) => {
  const screen = terminal();
  expect(await screen.egress(...words)).toBe(2);
  expect(screen.complained).toContain(says);
  expect(await screen.egress(...words, '--json')).toBe(2);
  expect(JSON.parse(screen.complained)).toMatchObject({ exit_code: 2, error: { message: expect.stringContaining(says) } });
});

test.each([
  ['hashed', 'Hosts are kept hashed'],
  ['off', 'Hosts are not kept'],
])('a breakdown by host says beside the table that hosts are kept %s', async (kept, says) => {
  const screen = terminal();
  expect(await screen.egress('breakdown', 'plan_a')).toBe(0);
  expect(screen.complained).toBe('');
  hostsKept = kept;
  expect(await screen.egress('breakdown', 'plan_a')).toBe(0);
  expect(screen.complained).toContain(says);
  expect(await screen.egress('breakdown', 'plan_a', '--by', 'country')).toBe(0);
  expect(screen.complained).toBe('');
});
