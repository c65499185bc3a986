import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, after } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { applyPlanEvent } from '../../../../subgraphs/static/plans/services/apply-plan-event.ts';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type StaticWorld, startStatic } from '../world.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic({ ADDRESS_REST_HOURS: '24' });
});
afterAll(() => world.close());

const desk = async (query: string, variables: Record<string, unknown> = {}, viewer = sessionOf('acct_desk', true)) => {
  const { data, errors } = await world.ask(viewer, query, variables);
  return { data: data as any, code: errors?.[0]?.extensions['code'], message: errors?.[0]?.message };
};
const COUNTS = 'counts { total free held heldUnpaid sold resting reserved retired }';
const counts = async (productId: string) =>
  (await desk(`{ supportStaticInventory { product { id } ${COUNTS} } }`)).data.supportStaticInventory.find(
    ({ product }: { product: { id: string } }) => product.id === productId,
  ).counts;
const change = async (deed: string, addresses: string[], note?: string) =>
  (
    await desk(
      'mutation ($addresses: [String!]!, $deed: StaticInventoryDeed!, $note: String) { supportStaticAddressesChange(addresses: $addresses, deed: $deed, note: $note) { changed refused { ip reason } } }',
      { addresses, deed, note },
    )
  ).data?.supportStaticAddressesChange;

test('counts every address of a product in exactly one state, by product and by subnet', async () => {
  await world.stock('isp-northline', 300, '10.1');
  // Done before any plan is delivered: plans get random addresses, and a change of an address in use is refused.
  await change('RESERVE', ['10.1.1.0/30'], 'for a large customer');
  await change('RETIRE', ['10.1.1.40']);
  await deliverPlan(world.context(), await world.plan('acct_1', 'isp-northline', 10));
  const left = await world.plan('acct_2', 'isp-northline', 5);
  await deliverPlan(world.context(), left);
  await applyPlanEvent(world.context(), left, 'period_ended');
  const { data: priced } = await world.ask(
    sessionOf('acct_3'),
    'mutation { staticOfferMake(productId: "isp-northline", quantity: 7) { token } }',
  );
  const { token } = (priced as { staticOfferMake: { token: string } }).staticOfferMake;
  await world.order('order.placed', token, 'acct_3');
  expect(await counts('isp-northline')).toEqual({
    total: 300,
    free: 273,
    held: 7,
    heldUnpaid: 7,
    sold: 10,
    resting: 5,
    reserved: 4,
    retired: 1,
  });
  expect(await counts('datacenter')).toMatchObject({ total: 0, free: 0 });
  const { data } = await desk(`{ supportStaticSubnets(productId: "isp-northline") { network locations ${COUNTS} } }`);
  expect(data.supportStaticSubnets).toMatchObject([
    { network: '10.1.0.0/24', locations: ['Frankfurt'], counts: { total: 256, reserved: 0 } },
    { network: '10.1.1.0/24', counts: { total: 44, reserved: 4, retired: 1 } },
  ]);
  const sold = data.supportStaticSubnets.reduce((sum: number, { counts: { sold } }: { counts: { sold: number } }) => sum + sold, 0);
  expect(sold).toBe(10);
  expect((await desk('{ supportStaticSubnets(productId: "x") { network } }')).code).toBe('parameter_invalid');
});

test('a reserved or retired address is not sold, and a sold or held one can be neither reserved nor retired', async () => {
  await world.stock('isp-meridian', 3, '10.2');
  expect(await change('RESERVE', ['10.2.0.0', '10.2.0.1'], 'kept')).toEqual({ changed: 2, refused: [] });
  const offer = (quantity: number) =>
    world.ask(
      sessionOf('acct_4'),
      'mutation ($quantity: Int!) { staticOfferMake(productId: "isp-meridian", quantity: $quantity) { token } }',
      {
        quantity,
      },
    );
  expect((await offer(2)).errors?.[0]?.extensions['code']).toBe('out_of_stock');
  const { data } = await offer(1);
  await world.order('order.placed', (data as { staticOfferMake: { token: string } }).staticOfferMake.token, 'acct_4');
  expect(await change('RETIRE', ['10.2.0.0/24'])).toEqual({
    changed: 2,
    refused: [{ ip: '10.2.0.2', reason: '10.2.0.2 is held for an order or an exchange: try again later.' }],
  });
  world.platform.clock.advance(HOUR);
  expect(await change('RETURN', ['10.2.0.0/24'])).toEqual({
    changed: 2,
    refused: [{ ip: '10.2.0.2', reason: '10.2.0.2 is for sale already.' }],
  });
  const plan = await world.plan('acct_4', 'isp-meridian', 3);
  await deliverPlan(world.context(), plan); // Unless the hourly job for waiting plans, due by the advanced clock, has done so.
  expect((await change('RETIRE', ['10.2.0.0/24'])).refused).toHaveLength(3);
});

test('a change at the desk appends one event with its reason, in the same transaction; a refused change appends none', async () => {
  await world.stock('datacenter', 2, '10.77');
  const said = () => world.events('acct_desk', 'staff.acted');
  const before = (await said()).length;
  await change('RETIRE', ['10.0.0.0/8'], 'too many');
  expect(await said()).toHaveLength(before);
  expect(await change('RETIRE', ['10.77.0.0/31'], 'they are blocked')).toMatchObject({ changed: 2 });
  expect((await said()).slice(before)).toMatchObject([
    {
      data: {
        act: 'supportStaticAddressesChange',
        permission: 'inventory',
        given: { addresses: '10.77.0.0/31', deed: 'RETIRE', note: 'they are blocked' },
      },
    },
  ]);
});

test.each([[['10.0.0.0/8']], [['::1']], [['example.com']], [[]]])('%j names no address that can be changed', async (addresses) => {
  const { code } = await desk(
    'mutation ($addresses: [String!]!) { supportStaticAddressesChange(addresses: $addresses, deed: RETIRE) { changed } }',
    { addresses },
  );
  expect(code).toBe('parameter_invalid');
});

test('sold addresses are exchanged for their holder, same product, without counting, as far as there is stock', async () => {
  await world.stock('datacenter', 2, '10.3');
  const plan = await world.plan('acct_5', 'datacenter', 2);
  await deliverPlan(world.context(), plan);
  await world.stock('datacenter', 2, '10.4');
  const exchange = async (addresses: string[]) =>
    (
      await desk(
        'mutation ($addresses: [String!]!) { supportStaticAddressesExchange(addresses: $addresses) { changed refused { ip reason } } }',
        { addresses },
      )
    ).data.supportStaticAddressesExchange;
  expect(await exchange(['10.3.0.0/31'])).toEqual({ changed: 2, refused: [] });
  const { data } = await world.ask(
    sessionOf('acct_5'),
    'query ($id: ID!) { staticPlan(id: $id) { lines { ip } replacementAllowance { used } replacements { askedBy } } }',
    { id: plan },
  );
  expect(data?.['staticPlan']).toEqual({
    lines: [{ ip: '10.4.0.0' }, { ip: '10.4.0.1' }],
    replacementAllowance: { used: 0 },
    replacements: [{ askedBy: 'SUPPORT' }],
  });
  expect((await exchange(['10.3.0.1'])).refused).toEqual([{ ip: '10.3.0.1', reason: '10.3.0.1 is not sold.' }]);
  expect(await exchange(['10.4.0.0'])).toEqual({
    changed: 0,
    refused: [{ ip: '10.4.0.0', reason: '10.4.0.0 stays: there is no other to give.' }],
  });
});

test('addresses are found by prefix, network, plan and account, with their former holders', async () => {
  const found = async (search: string, more: Record<string, unknown> = {}) =>
    (
      await desk(
        'query ($search: String, $state: StaticInventoryState) { supportStaticAddresses(search: $search, state: $state) { total items { ip state planId accountId note } } }',
        { search, ...more },
      )
    ).data.supportStaticAddresses;
  expect((await found('10.1.')).total).toBe(300);
  expect((await found('10.1.1.0/29')).total).toBe(8);
  expect(await found('10.1.', { state: 'RETIRED' })).toMatchObject({ total: 1, items: [{ ip: '10.1.1.40', state: 'RETIRED' }] });
  expect((await found('acct_5')).items).toMatchObject([{ ip: '10.4.0.0', accountId: 'acct_5' }, { ip: '10.4.0.1' }]);
  expect((await found("'; drop table static.address; --")).total).toBe(0);
  const { data } = await desk('{ supportStaticHolders(ip: "10.3.0.0") { accountId startedAt endedAt } }');
  expect(data.supportStaticHolders).toEqual([{ accountId: 'acct_5', startedAt: expect.any(String), endedAt: expect.any(String) }]);
  expect((await desk('{ supportStaticHolders(ip: "x") { planId } }')).code).toBe('parameter_invalid');
  const heldAt = async (ip: string, at: string) =>
    (await desk(`{ supportStaticHolders(ip: "${ip}", at: "${at}") { accountId } }`)).data.supportStaticHolders;
  const [{ startedAt, planId }] = (await desk('{ supportStaticHolders(ip: "10.4.0.0") { startedAt planId } }')).data.supportStaticHolders;
  expect(await heldAt('10.4.0.0', startedAt)).toEqual([{ accountId: 'acct_5' }]);
  expect(await heldAt('10.4.0.0', after(new Date(startedAt), -1).toISOString())).toEqual([]);
  expect(await heldAt('2001:db8::1', startedAt)).toEqual([]);
  const asked = { address: '10.4.0.0', at: startedAt, minutes: 10 };
  const at = world.clock.now();
  await appendEvents(world.context().em, { type: 'abuse_case.use_asked', at, accountId: null, subject: 'abuse_1', data: asked });
  await world.subgraph.reader.drain();
  expect(await world.events(planId, 'static_plan.use_found')).toMatchObject([{ data: { caseId: 'abuse_1' } }]);
});

test('a file is loaded from the desk, whole or not at all', async () => {
  const load = async (csv: string) =>
    (await desk('mutation ($csv: String!) { supportStaticImport(csv: $csv) { loaded problems { line reason } } }', { csv })).data
      .supportStaticImport;
  expect(await load('ip,port,product,location\n10.9.0.1,8000,isp-cascade,Paris\n10.9.0.1,8000,isp-cascade,Paris')).toEqual({
    loaded: 0,
    problems: [{ line: 3, reason: '10.9.0.1 stands on line 2 already.' }],
  });
  expect(await load('ip,port,product,location\n10.9.0.1,8000,isp-cascade,Paris')).toEqual({ loaded: 1, problems: [] });
});

test('the inventory is for staff only', async () => {
  for (const viewer of [sessionOf('acct_5')])
    for (const query of ['{ supportStaticInventory { product { id } } }', 'mutation { supportStaticImport(csv: "x") { loaded } }'])
      expect((await desk(query, {}, viewer)).code).toBe('forbidden');
});

test('the command line offers the same', async () => {
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, ['subgraphs/static/commands/inventory.ts', ...words], {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        DATABASE_URL: world.platform.databaseUrl,
        DATA_DIR: world.platform.config.DATA_DIR,
        LOG_LEVEL: 'silent',
      },
    }).then(
      ({ stdout }) => stdout,
      (error: { stderr: string }) => error.stderr,
    );
  const [stock, reserved, holders, nothing] = [
    await run('stock'),
    await run('reserve', '10.9.0.1', '--', 'for', 'a', 'test'),
    await run('holders', '10.3.0.0'),
    await run('no-such-command', 'x'),
  ];
  expect(stock).toMatch(/^product\ttotal\tfree\theld\theldUnpaid\tsold\tresting\treserved\tretired\nisp-northline\t300\t/);
  expect(reserved).toBe('Addresses changed: 1\n');
  expect(await run('find', '10.9.0.1')).toContain('RESERVED\t-\t-\tfor a test');
  expect(holders).toContain('acct_5');
  expect(nothing).toMatch(/^Usage: /);
});
