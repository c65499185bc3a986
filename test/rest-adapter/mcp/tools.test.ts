// The tools over both protocol generations: their list, answers and refusals. Spec, MCP tools.
import { MCP_TOOLS } from '../../../schema/limits.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MemoryWorld, startMemoryWorld } from '../memory-world.ts';
import { call } from '../world.ts';
import { GENERATIONS, type McpClient } from './clients.ts';

/** The inputs that set limits and restrictions of a proxy user. */
const TERMS = ['daily_limit_gb', 'monthly_limit_gb', 'total_limit_gb', 'countries', 'targets', 'clients'];

let world: MemoryWorld;

beforeAll(async () => {
  world = await startMemoryWorld();
});
afterAll(() => world.close());

const GOOD = { product: 'plan_a', pool: 'DE', quantity: 2, sticky: true };

describe.each(GENERATIONS)('%s', (_generation, connect) => {
  let client: McpClient;
  let key: string;

  beforeEach(async () => {
    key = world.partnerKey();
    client = await connect(world.url, key);
  });
  afterEach(() => client.close());

  test('the tools are those of the specification with its inputs, and additional ones, as many as the pages say', async () => {
    const tools = await client.tools();
    expect(tools).toHaveLength(MCP_TOOLS);
    expect(
      Object.fromEntries(tools.map(({ name, inputSchema }) => [name, [Object.keys(inputSchema.properties), inputSchema.required ?? []]])),
    ).toEqual({
      list_events: [['after', 'limit'], []],
      list_locations: [['product', 'pool'], ['product']],
      get_proxy_batch: [['batch'], ['batch']],
      get_usage_breakdown: [
        ['product', 'by', 'from', 'to', 'limit'],
        ['product', 'by'],
      ],
      check_proxy_line: [['line'], ['line']],
      test_proxy_line: [['line'], ['line']],
      renew_proxy_session: [
        ['product', 'session'],
        ['product', 'session'],
      ],
      list_residential_plans: [[], []],
      generate_residential_proxies: [
        ['product', 'pool', 'quantity', 'sticky', 'type', 'time', 'state', 'city', 'exclude'],
        ['product', 'pool', 'quantity', 'sticky'],
      ],
      get_residential_usage: [['product'], ['product']],
      get_residential_statistics: [['product'], ['product']],
      list_static_plans: [['type', 'page', 'limit', 'productId', 'protocol'], []],
      get_subscriptions: [[], []],
      list_proxy_users: [['product', 'search', 'page', 'limit'], ['product']],
      create_proxy_user: [
        ['product', 'name', ...TERMS],
        ['product', 'name'],
      ],
      get_proxy_user: [['user'], ['user']],
      change_proxy_user: [['user', 'name', 'paused', ...TERMS], ['user']],
      reset_proxy_user_password: [['user'], ['user']],
      renew_proxy_user: [['user'], ['user']],
      remove_proxy_user: [['user'], ['user']],
      list_client_networks: [['product'], ['product']],
      add_client_network: [
        ['product', 'network', 'pool', 'sticky', 'time', 'state', 'city', 'exclude', 'note'],
        ['product', 'network'],
      ],
      remove_client_network: [['network'], ['network']],
      set_plan_log_in: [
        ['product', 'networks_and_password'],
        ['product', 'networks_and_password'],
      ],
      test_static_line: [['line'], ['line']],
      list_static_networks: [['static_plan'], ['static_plan']],
      add_static_network: [
        ['static_plan', 'ip', 'network', 'note'],
        ['static_plan', 'network'],
      ],
      remove_static_network: [['network'], ['network']],
      set_static_log_in: [
        ['static_plan', 'networks_and_password'],
        ['static_plan', 'networks_and_password'],
      ],
      list_requests: [['product', 'from', 'to', 'host', 'status', 'error', 'failed', 'user', 'session', 'after', 'limit'], ['product']],
      set_request_log: [
        ['product', 'mode'],
        ['product', 'mode'],
      ],
      delete_request_log: [['product'], ['product']],
      list_top_ups: [['product'], ['product']],
      top_up_plan: [
        ['product', 'gigabytes'],
        ['product', 'gigabytes'],
      ],
      get_top_up_price: [
        ['product', 'gigabytes'],
        ['product', 'gigabytes'],
      ],
      list_vps_locations: [['os', 'extra_ipv4'], []],
      get_residential_offer: [
        ['product', 'gigabytes'],
        ['product', 'gigabytes'],
      ],
      get_static_offer: [
        ['product', 'quantity'],
        ['product', 'quantity'],
      ],
      get_vps_offer: [
        ['plan', 'months', 'os', 'hostname', 'extra_ipv4', 'ssh_keys', 'backups', 'user_data', 'location'],
        ['plan', 'months', 'os'],
      ],
      get_dedicated_offer: [
        ['plan', 'months', 'os', 'hostname'],
        ['plan', 'months', 'os'],
      ],
      place_order: [
        ['offer', 'idempotency_key'],
        ['offer', 'idempotency_key'],
      ],
      get_order: [['order'], ['order']],
      get_order_allowance: [[], []],
      set_auto_top_up: [
        ['product', 'left_gb', 'gigabytes', 'ceiling', 'pause_minutes'],
        ['product', 'left_gb', 'gigabytes', 'ceiling'],
      ],
      stop_auto_top_up: [['product'], ['product']],
      set_plan_alerts: [['product', 'percents', 'left_gb'], ['product']],
      list_webhooks: [[], []],
      list_webhook_deliveries: [['webhook', 'after', 'limit'], ['webhook']],
      create_webhook: [['url', 'description', 'event_types'], ['url']],
      get_webhook: [['webhook'], ['webhook']],
      change_webhook: [['webhook', 'url', 'description', 'event_types', 'enabled'], ['webhook']],
      renew_webhook_secret: [['webhook'], ['webhook']],
      test_webhook: [['webhook'], ['webhook']],
      replay_webhook: [['webhook', 'after', 'since'], ['webhook']],
      resend_webhook_event: [
        ['webhook', 'event'],
        ['webhook', 'event'],
      ],
      remove_webhook: [['webhook'], ['webhook']],
      list_servers: [['kind', 'state', 'page', 'limit'], []],
      get_server: [['server'], ['server']],
      list_server_operations: [['server', 'after', 'limit'], ['server']],
      get_server_operation: [
        ['server', 'operation'],
        ['server', 'operation'],
      ],
      list_server_backups: [['server'], ['server']],
      change_server: [
        ['server', 'name'],
        ['server', 'name'],
      ],
      set_server_reverse_name: [
        ['server', 'ip', 'name'],
        ['server', 'ip'],
      ],
      cancel_server: [['server'], ['server']],
      keep_server: [['server'], ['server']],
      start_server: [['server', 'idempotency_key'], ['server']],
      reboot_server: [['server', 'idempotency_key'], ['server']],
      stop_server: [['server', 'idempotency_key'], ['server']],
      force_stop_server: [['server', 'idempotency_key'], ['server']],
      reset_server_password: [['server', 'idempotency_key'], ['server']],
      rescue_server: [['server', 'idempotency_key'], ['server']],
      leave_server_rescue: [['server', 'idempotency_key'], ['server']],
      take_server_backup: [['server', 'idempotency_key'], ['server']],
      reinstall_server: [
        ['server', 'idempotency_key', 'os', 'password', 'ssh_keys'],
        ['server', 'os'],
      ],
      restore_server: [
        ['server', 'idempotency_key', 'backup', 'hostname'],
        ['server', 'backup', 'hostname'],
      ],
    });
    for (const tool of tools) {
      expect(tool.description).toMatch(/\.$/);
      expect(tool.annotations).toMatchObject({
        destructiveHint: /^(cancel|reset|remove|delete|reinstall|restore|force_stop)_/.test(tool.name),
        openWorldHint: false,
        readOnlyHint: /^(get|list|check)_/.test(tool.name),
      });
      expect([tool.inputSchema.type, tool.outputSchema.type]).toEqual(['object', 'object']);
    }
  });

  const SAME: [string, object, string][] = [
    ['list_residential_plans', {}, '/v1/residential'],
    ['get_residential_usage', { product: 'plan_a' }, '/v1/residential/plan_a/usage'],
    ['get_residential_usage', { product: 'plan_c' }, '/v1/residential/plan_c/usage'],
    ['get_residential_statistics', { product: 'plan_a' }, '/v1/residential/plan_a/statistics'],
    ['list_static_plans', { type: 'isp' }, '/v1/static/isp'],
    ['list_static_plans', { type: 'dc' }, '/v1/static/dc'],
    ['list_static_plans', { type: 'isp', page: 2, limit: 1 }, '/v1/static/isp?page=2&limit=1'],
    ['list_static_plans', { type: 'isp', productId: 'meridian' }, '/v1/static/isp?productId=meridian'],
    ['get_subscriptions', {}, '/v1/subscriptions'],
    ['get_usage_breakdown', { product: 'plan_a', by: 'host' }, '/v1/residential/plan_a/usage/breakdown?by=host'],
  ];

  test.each(SAME)('%s %o answers the data of REST', async (name, args, path) => {
    await client.tools();
    const { structuredContent, content, isError } = await client.call(name, args);
    expect(isError ?? false).toBe(false);
    expect(structuredContent).toEqual((await call(world, path, key)).body.data);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  test('list_static_plans without a type lists both kinds, in pages over both', async () => {
    const ids = async (args: object) =>
      (await client.call('list_static_plans', args)).structuredContent.plans.map(({ _id }: { _id: string }) => _id);
    expect(await ids({})).toEqual(['isp_1', 'dc_1', 'isp_2']);
    expect(await ids({ limit: 2 })).toEqual(['isp_1', 'dc_1']);
    expect(await ids({ limit: 2, page: 2 })).toEqual(['isp_2']);
  });

  test('generated lines are those of REST', async () => {
    await client.tools();
    const inputs = { ...GOOD, pool: 'United States', type: 'socks5', time: 30, state: 'New York' };
    const { structuredContent } = await client.call('generate_residential_proxies', inputs);
    const rest = await call(
      world,
      '/v1/residential/plan_a/proxies?pool=United+States&quantity=2&sticky=true&type=socks5&time=30&state=New+York',
      key,
    );
    expect(structuredContent).toEqual({ ...rest.body.data, batch_id: structuredContent.batch_id });
  });

  test('10,000 lines come whole, with a link to them in place of a second copy', async () => {
    await client.tools();
    const { structuredContent, content } = await client.call('generate_residential_proxies', { ...GOOD, quantity: 10_000 });
    expect([structuredContent.count, new Set(structuredContent.proxies).size]).toEqual([10_000, 10_000]);
    expect(content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect(content[0]?.text?.length).toBeLessThan(1_000);
    expect(content[1]).toMatchObject({ uri: `egress://batches/${structuredContent.batch_id}`, mimeType: 'text/plain' });
  });

  test.each<[string, object]>([
    ['time as a number', { time: 120 }],
    ['time as text', { time: '120' }],
    ['numbers and truth as text, as some assistants write them', { quantity: '2', sticky: 'true', time: '120' }],
    ['null for what is left out', { time: 120, state: null, city: null, type: null }],
  ])('%s is taken', async (_what, change) => {
    const { structuredContent } = await client.call('generate_residential_proxies', { ...GOOD, ...change });
    expect(structuredContent.proxies).toEqual(
      [0, 1].map((index) => `proxy.example:7777:user-country-de-session-1000000${index}-sessionttl-120:pass`),
    );
  });

  const REFUSED: [string, object, object][] = [
    ['generate_residential_proxies', { ...GOOD, quantity: undefined }, { code: 'parameter_missing', field: 'quantity' }],
    ['generate_residential_proxies', { ...GOOD, product: null }, { code: 'parameter_missing', field: 'product' }],
    ['generate_residential_proxies', {}, { code: 'parameter_missing', field: 'product' }],
    ...[0, 10_001, 1.5, -1, '1.5', 'many', [2], {}, true, 1e300].map((quantity): [string, object, object] => [
      'generate_residential_proxies',
      { ...GOOD, quantity },
      { code: 'quantity_invalid', field: 'quantity' },
    ]),
    ...['yes', 1, 0, 'True', [], {}].map((sticky): [string, object, object] => [
      'generate_residential_proxies',
      { ...GOOD, sticky },
      { code: 'parameter_invalid', field: 'sticky', allowed: ['true', 'false'] },
    ]),
    ...['HTTP', 5, '', ['http']].map((type): [string, object, object] => [
      'generate_residential_proxies',
      { ...GOOD, type },
      { code: 'parameter_invalid', field: 'type' },
    ]),
    ...[45, '45', '60m', -30, '', 2 ** 40, 60.5].map((time): [string, object, object] => [
      'generate_residential_proxies',
      { ...GOOD, time },
      { code: 'time_not_allowed', field: 'time' },
    ]),
    ['generate_residential_proxies', { ...GOOD, time: '45' }, { code: 'time_not_allowed', allowed: [30, 60, 120, 240] }],
    ...['Atlantis', '', 7, '\ud800', '\u0000', ['DE'], 'x'.repeat(30_000)].map((pool): [string, object, object] => [
      'generate_residential_proxies',
      { ...GOOD, pool },
      { code: 'pool_unknown', field: 'pool' },
    ]),
    ['generate_residential_proxies', { ...GOOD, pool: 'Worldwide', state: 'Texas' }, { code: 'targeting_needs_country', field: 'state' }],
    [
      'generate_residential_proxies',
      { ...GOOD, pool: 'US', state: 'Californa' },
      { code: 'state_unknown', field: 'state', allowed: ['California'] },
    ],
    ['generate_residential_proxies', { ...GOOD, city: 'Atlantis' }, { code: 'city_unknown', field: 'city' }],
    ['generate_residential_proxies', { ...GOOD, product: 'plan_c' }, { code: 'plan_expired' }],
    ...['generate_residential_proxies', 'get_residential_usage', 'get_residential_statistics'].flatMap((name) =>
      ['plan_d', 'nothing', '', '\u0000', '\udfff', 'x'.repeat(30_000), 5].map((product): [string, object, object] => [
        name,
        name === 'generate_residential_proxies' ? { ...GOOD, product } : { product },
        { code: 'plan_not_found', field: 'product' },
      ]),
    ),
    ['generate_residential_proxies', { ...GOOD, sessionMinutes: 30 }, { code: 'parameter_invalid', field: 'sessionMinutes' }],
    [
      'generate_residential_proxies',
      { ...GOOD, quantaty: 2 },
      {
        code: 'parameter_invalid',
        field: 'quantaty',
        allowed: ['quantity'],
        message: 'There is no input quantaty; the nearest is quantity.',
      },
    ],
    ['get_residential_usage', { product: 'Premium' }, { code: 'plan_not_found', allowed: ['plan_a', 'plan_c'] }],
    [
      'generate_residential_proxies',
      { ...GOOD, quantity: 0, sticky: 'perhaps' },
      { faults: [expect.objectContaining({ field: 'quantity' }), expect.objectContaining({ field: 'sticky' })] },
    ],
    ['get_residential_usage', {}, { code: 'parameter_missing', field: 'product' }],
    ...['ISP', 'residential', '', 1].map((type): [string, object, object] => [
      'list_static_plans',
      { type },
      { code: 'product_type_unknown', field: 'type', allowed: ['isp', 'dc'] },
    ]),
    ...[0, -1, 1.5, 'x', 2 ** 31].map((page): [string, object, object] => [
      'list_static_plans',
      { page },
      { code: 'page_invalid', field: 'page' },
    ]),
    ...[0, 101, '', 'x'].map((limit): [string, object, object] => [
      'list_static_plans',
      { limit },
      { code: 'limit_invalid', field: 'limit' },
    ]),
  ];

  test('a refusal is a result with isError, the codes of REST, and content that the output schema allows', async () => {
    let asked = 0;
    for (const [name, args, expected] of REFUSED) {
      // A key may send 120 requests a minute.
      if (asked++ % 80 === 0) {
        await client.close();
        client = await connect(world.url, await world.key());
        await client.tools();
      }
      const { isError, structuredContent, content } = await client.call(name, args);
      expect(isError, `${name} ${JSON.stringify(args).slice(0, 200)}`).toBe(true);
      expect(structuredContent, `${name} ${JSON.stringify(args).slice(0, 200)}`).toMatchObject(expected);
      expect(structuredContent).toMatchObject({ message: expect.stringMatching(/\.$/), request_id: expect.stringMatching(/^req_/) });
      expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    }
  });

  test('an internal error of a tool does not reveal its cause', async () => {
    world.memory.failNext = new Error('password of the database: hunter2');
    const { isError, structuredContent } = await client.call('get_residential_usage', { product: 'plan_a' });
    expect([isError, structuredContent.code, structuredContent.retryable]).toEqual([true, 'internal', true]);
    expect(JSON.stringify(structuredContent)).not.toContain('hunter2');
  });

  test.each(['nothing', '', '__proto__', 'constructor', 'toString'])(
    'a tool that does not exist (%s) is a fault of the protocol',
    async (name) => {
      await expect(client.call(name)).rejects.toThrow('-32602');
    },
  );
});
