import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { lookAtCertificates } from '../../../../subgraphs/static/plans/services/look-at-certificates.ts';
import { anonymous, keyOf, sessionOf } from '../../../kit/platform.ts';
import { type StaticWorld, startStatic } from '../world.ts';

const PAGE = /* GraphQL */ `
  query Page($kind: StaticKind, $page: Int! = 1, $limit: Int! = 25, $productId: ID) {
    staticPlans(kind: $kind, page: $page, limit: $limit, productId: $productId) {
      total
      page
      pageCount
      items {
        id
        kind
        productId
        productName
        carrier
        status
        quantity
        proxies
        billing {
          id
        }
        account {
          id
        }
        createdAt
      }
    }
  }
`;

const owner = keyOf('acct_owner');
let world: StaticWorld;
const plans: Record<'northline' | 'datacenter' | 'pending', string> = { northline: '', datacenter: '', pending: '' };

const page = async (variables: Record<string, unknown> = {}, viewer = owner) => {
  const { data, errors } = await world.ask(viewer, PAGE, variables);
  return { page: data?.['staticPlans'] as any, code: errors?.[0]?.extensions['code'] };
};

beforeAll(async () => {
  world = await startStatic();
  await world.stock('isp-northline', 3, '198.18');
  await world.stock('datacenter', 2, '198.19');
  for (const [name, productId, quantity] of [
    ['northline', 'isp-northline', 3],
    ['datacenter', 'datacenter', 2],
  ] as const) {
    plans[name] = await world.plan('acct_owner', productId, quantity);
    await deliverPlan(world.context(), plans[name]);
    world.platform.clock.advance(MINUTE);
  }
  plans.pending = await world.plan('acct_owner', 'isp-cascade', 4);
  await world.plan('acct_other', 'isp-northline', 1);
});
afterAll(() => world.close());

test.each(['password', 'proxies', 'lines { line }'])('support sees plans, and never what the password is in: %s', async (field) => {
  const ask = (more = '') =>
    world.ask(sessionOf('acct_desk', true), `{ supportStaticPlans(accountId: "acct_owner") { id username ${more} } }`);
  expect((await ask()).data?.['supportStaticPlans']).toHaveLength(3);
  const { data, errors } = await ask(field);
  expect(data ?? null).toBeNull();
  expect(errors?.[0]?.extensions['code']).toBe('forbidden');
});

const LINES = '{ staticPlans { items { id http: proxies https: proxies(protocol: HTTPS) lines { line httpsLine } } } }';

test('lines for HTTPS proxies have the port and the host that the operator has set, beside those for HTTP', async () => {
  const secure = await startStatic({ STATIC_HTTPS_PORT: '8443', STATIC_HTTPS_HOST: '{address}.static.example.com' });
  await secure.stock('isp-northline', 1, '198.18');
  const id = await secure.plan('acct_owner', 'isp-northline', 1);
  await deliverPlan(secure.context(), id);
  const { data } = await secure.ask(owner, LINES);
  const [[http = '']] = (data as any).staticPlans.items.map(({ http: all }: { http: string[] }) => all);
  const [ip = '', , ...credentials] = http.split(':');
  const https = [`${ip.replaceAll('.', '-')}.static.example.com`, '8443', ...credentials].join(':');
  expect(data).toEqual({ staticPlans: { items: [{ id, http: [http], https: [https], lines: [{ line: http, httpsLine: https }] }] } });
  // The operator's check asks that host, which nobody knows here.
  const [found, ...more] = await lookAtCertificates(secure.context());
  expect([found, more]).toMatchObject([{ what: `certificate of ${https.split(':', 2).join(':')}`, ok: false }, []]);
  await secure.close();
});

test('where the operator offers no HTTPS proxies, whoever asks for their lines is told', async () => {
  const { errors } = await world.ask(owner, '{ staticPlans { items { proxies(protocol: HTTPS) } } }');
  expect(errors?.[0]).toMatchObject({ message: 'HTTPS is not offered here.', extensions: { code: 'parameter_invalid' } });
  const { data } = await world.ask(owner, `{ staticPlan(id: "${plans.datacenter}") { lines { httpsLine } } }`);
  expect(await lookAtCertificates(world.context())).toEqual([]);
  expect(data).toEqual({ staticPlan: { lines: [{ httpsLine: null }, { httpsLine: null }] } });
});

describe('the list of static plans', () => {
  test('shows every plan of the account, newest first, with lines as IP:PORT:USER:PASS', async () => {
    const { page: all } = await page();
    expect(all).toMatchObject({ total: 3, page: 1, pageCount: 1 });
    expect(all.items.map(({ id }: { id: string }) => id)).toEqual([plans.pending, plans.datacenter, plans.northline]);
    const northline = all.items[2];
    expect(northline).toMatchObject({
      kind: 'ISP',
      productId: 'isp-northline',
      productName: 'ISP Northline',
      carrier: 'Northline',
      status: 'ACTIVE',
      quantity: 3,
      account: { id: 'acct_owner' },
      createdAt: '2026-01-15T12:00:00.000Z',
    });
    expect(northline.billing.id).toMatch(/^sub_/);
    expect(northline.proxies.map((line: string) => line.split(':').slice(0, 2).join(':'))).toEqual([
      '198.18.0.0:8000',
      '198.18.0.1:8000',
      '198.18.0.2:8000',
    ]);
    expect(new Set(northline.proxies.map((line: string) => line.split(':').slice(2).join(':'))).size).toBe(1);
    expect(northline.proxies[0]).toMatch(/^[\d.]+:8000:st\w{10}:\w{20}$/);
    expect(all.items[1]).toMatchObject({ kind: 'DATACENTER', carrier: null, productName: 'Datacenter' });
  });

  test('gives a PENDING plan no lines', async () => {
    const { page: all } = await page();
    expect(all.items[0]).toMatchObject({ status: 'PENDING', quantity: 4, proxies: [] });
  });

  test.each([
    [{ kind: 'ISP' }, ['pending', 'northline']],
    [{ kind: 'DATACENTER' }, ['datacenter']],
    [{ productId: 'isp-northline' }, ['northline']],
    [{ kind: 'DATACENTER', productId: 'isp-northline' }, []],
    [{ productId: 'no-such-product' }, []],
    [{ page: 2, limit: 2 }, ['northline']],
    [{ page: 3, limit: 2 }, []],
    [{ page: 1, limit: 100 }, ['pending', 'datacenter', 'northline']],
  ] as const)('narrowed by %o is %o', async (variables, names) => {
    const { page: found } = await page(variables);
    expect(found.items.map(({ id }: { id: string }) => id)).toEqual(names.map((name) => plans[name]));
  });

  test('counts all plans also on a page past the end, and 0 pages of nothing', async () => {
    expect((await page({ page: 9, limit: 2 })).page).toEqual({ items: [], total: 3, page: 9, pageCount: 2 });
    expect((await page({}, keyOf('acct_nobody'))).page).toEqual({ items: [], total: 0, page: 1, pageCount: 0 });
  });

  test.each([
    [{ page: 0 }, 'page_invalid'],
    [{ page: -1 }, 'page_invalid'],
    [{ limit: 0 }, 'limit_invalid'],
    [{ limit: 101 }, 'limit_invalid'],
  ])('refuses %o with %s', async (variables, code) => {
    expect((await page(variables)).code).toBe(code);
  });

  test('reads a page in one statement, and the lines of all its plans in another', async () => {
    let statements = 0;
    const { context } = world.subgraph;
    world.subgraph.context = (viewer, signal) => {
      const made = context(viewer, signal);
      const kysely = made.em.getKysely.bind(made.em);
      made.em.getKysely = (() => (statements++, kysely())) as typeof made.em.getKysely;
      return made;
    };
    const { page: all } = await page();
    world.subgraph.context = context;
    expect(all.items).toHaveLength(3);
    expect(statements).toBe(2);
  });
});

describe('who may read', () => {
  const plan = async (viewer: Parameters<StaticWorld['ask']>[0], id = plans.northline) => {
    const { data, errors } = await world.ask(viewer, 'query ($id: ID!) { staticPlan(id: $id) { id proxies } }', { id });
    return errors?.[0]?.extensions['code'] ?? (data as any).staticPlan.proxies.length;
  };
  const entity = async (viewer: Parameters<StaticWorld['ask']>[0], id = plans.northline) => {
    const { data } = await world.ask(
      viewer,
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on StaticPlan { id proxies } } }',
      { r: [{ __typename: 'StaticPlan', id }] },
    );
    return (data?.['_entities'] as any)?.[0]?.proxies.length ?? null;
  };

  test('the owner, by session and by a key with read', async () => {
    expect(await plan(owner)).toBe(3);
    expect(await plan(sessionOf('acct_owner'))).toBe(3);
    expect(await entity(owner)).toBe(3);
  });

  test('another account finds nothing, and neither does staff, since lines carry the password', async () => {
    for (const viewer of [keyOf('acct_other'), sessionOf('acct_other'), sessionOf('acct_staff', true)]) {
      expect(await plan(viewer)).toBe('plan_not_found');
      expect(await entity(viewer)).toBeNull();
    }
    for (const id of [newId('isp', world.platform.clock), 'isp_absent', '', `isp_${'0'.repeat(10_000)}`]) {
      expect(await plan(owner, id)).toBe('plan_not_found');
      expect(await entity(owner, id)).toBeNull();
    }
    expect(await plan(owner, 'isp_\u0000')).toBe('parameter_invalid');
  });

  test('nobody without a log-in or without the scope', async () => {
    expect(await plan(anonymous)).toBe('session_invalid');
    expect(await entity(anonymous)).toBeNull();
    expect(await plan(keyOf('acct_owner', ['generate']))).toBe('forbidden');
  });

  test('subscriptions are every plan of the account, newest first', async () => {
    const { data } = await world.ask(owner, '{ staticSubscriptions { id kind status billing { id } } }');
    expect((data as any).staticSubscriptions.map(({ id }: { id: string }) => id)).toEqual([
      plans.pending,
      plans.datacenter,
      plans.northline,
    ]);
  });
});
