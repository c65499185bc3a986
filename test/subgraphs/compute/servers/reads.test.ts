import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { compute } from '../../../../subgraphs/compute/subgraph.ts';
import { anonymous, keyOf, sessionOf } from '../../../kit/platform.ts';
import { openRoom } from '../../../kit/room.ts';
import { computeTables } from '../tables.ts';

const room = await openRoom(compute);
afterAll(() => room.close());
const { ask } = room;
const tables = computeTables(room.query);
const owner = sessionOf('acct_owner');
const [VPS, DEDICATED, FOREIGN] = [`vps_${'1'.repeat(26)}`, `ded_${'1'.repeat(26)}`, `vps_${'2'.repeat(26)}`];

beforeAll(async () => {
  const accountId = 'acct_owner';
  await tables.addServer({ id: VPS, accountId, subscriptionId: 'sub_1', planCode: 'BROGLIE', createdAt: '2026-01-01T00:00:00Z' });
  await tables.addServer({
    id: DEDICATED,
    kind: 'DEDICATED',
    accountId,
    subscriptionId: 'sub_2',
    planCode: 'CURIE',
    status: 'REINSTALLING',
    powerState: 'UNKNOWN',
    hostname: 'db-1',
    createdAt: '2026-01-02T00:00:00Z',
  });
  const building = { status: 'BUILDING', powerState: 'UNKNOWN', hostname: 'other' };
  await tables.addServer({ id: FOREIGN, accountId: 'acct_other', ...building, createdAt: '2026-01-03T00:00:00Z' });
  await tables.addAddress('203.0.113.9', VPS);
  await tables.addAddress('203.0.113.2', VPS, 1);
  await tables.addAddress('203.0.113.3', DEDICATED);
  await tables.addAddress('203.0.113.4', null);
});

describe('the catalogue', () => {
  test('is open to anyone, at prices per month and for the whole period', async () => {
    const { data, errors } = await ask(
      anonymous,
      '{ vpsPlans { code name vcpu ramGb storageGb maxExtraIpv4 prices { months perMonth { amountMinor currency } upfront { amountMinor } } } dedicatedPlans { code cores ramGb storage prices { upfront { amountMinor } } } }',
    );
    expect(errors).toBeUndefined();
    const { vpsPlans, dedicatedPlans } = data as any;
    expect(vpsPlans[0]).toEqual({
      code: 'PLANK',
      name: 'Plank',
      vcpu: 8,
      ramGb: 16,
      storageGb: 100,
      maxExtraIpv4: 8,
      prices: [
        { months: 1, perMonth: { amountMinor: 3200, currency: 'USD' }, upfront: { amountMinor: 3200 } },
        { months: 3, perMonth: { amountMinor: 2900, currency: 'USD' }, upfront: { amountMinor: 8700 } },
        { months: 6, perMonth: { amountMinor: 2833, currency: 'USD' }, upfront: { amountMinor: 16998 } },
      ],
    });
    expect(dedicatedPlans.map(({ code }: { code: string }) => code)).toEqual(['FARADAY', 'NOETHER', 'CURIE']);
  });

  test('resolves a plan by its code for other parts of the graph, and an unknown code to nothing', async () => {
    const { data } = await ask(
      anonymous,
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on VpsPlan { name } ... on DedicatedPlan { name } } }',
      {
        r: [
          { __typename: 'VpsPlan', code: 'EINSTEIN' },
          { __typename: 'DedicatedPlan', code: 'NOETHER' },
          { __typename: 'VpsPlan', code: 'X' },
        ],
      },
    );
    expect(data?.['_entities']).toEqual([{ name: 'Einstein' }, { name: 'Noether' }, null]);
  });
});

describe('servers', () => {
  const LIST = `{ servers { __typename id hostname powerState ipv4 createdAt
    ... on Vps { vpsPlan: plan { code } vpsStatus: status billing { id } account { id } }
    ... on DedicatedServer { dedicatedPlan: plan { code } dedicatedStatus: status billing { id } } } }`;
  const server = async (viewer: Viewer, id: string) => {
    const { data, errors } = await ask(viewer, 'query ($id: ID!) { server(id: $id) { hostname } }', { id });
    return errors?.[0]?.extensions['code'] ?? (data as any).server.hostname;
  };

  test('are listed newest first, both kinds, with their own address before extra ones', async () => {
    const { data } = await ask(owner, LIST);
    expect(data?.['servers']).toEqual([
      {
        __typename: 'DedicatedServer',
        id: DEDICATED,
        hostname: 'db-1',
        powerState: 'UNKNOWN',
        ipv4: ['203.0.113.3'],
        createdAt: '2026-01-02T00:00:00.000Z',
        dedicatedPlan: { code: 'CURIE' },
        dedicatedStatus: 'REINSTALLING',
        billing: { id: 'sub_2' },
      },
      {
        __typename: 'Vps',
        id: VPS,
        hostname: 'web-1',
        powerState: 'RUNNING',
        ipv4: ['203.0.113.9', '203.0.113.2'],
        createdAt: '2026-01-01T00:00:00.000Z',
        vpsPlan: { code: 'BROGLIE' },
        vpsStatus: 'ACTIVE',
        billing: { id: 'sub_1' },
        account: { id: 'acct_owner' },
      },
    ]);
    expect((await ask(sessionOf('acct_nobody'), LIST)).data).toEqual({ servers: [] });
  });

  test('are read one by one by their owner and by staff; for another account there is no such server', async () => {
    expect(await server(owner, VPS)).toBe('web-1');
    expect(await server(sessionOf('acct_staff', true), DEDICATED)).toBe('db-1');
    expect(await server(owner, FOREIGN)).toBe('server_not_found');
    for (const id of [`vps_${'3'.repeat(26)}`, 'vps_absent', '']) expect(await server(owner, id)).toBe('server_not_found');
    expect(await server(owner, 'vps_\u0000')).toBe('parameter_invalid');
  });

  test('need a session: a key or nobody gets none', async () => {
    expect(await server(keyOf('acct_owner'), VPS)).toBe('forbidden');
    expect(await server(anonymous, VPS)).toBe('session_invalid');
    expect((await ask(keyOf('acct_owner'), LIST)).errors?.[0]?.extensions['code']).toBe('forbidden');
  });

  test('are resolved by id for other parts of the graph, to those who may see them, and as their own kind only', async () => {
    const entities = async (viewer: Viewer) => {
      const { data } = await ask(
        viewer,
        'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Vps { hostname } ... on DedicatedServer { hostname } } }',
        {
          r: [
            { __typename: 'Vps', id: VPS },
            { __typename: 'DedicatedServer', id: DEDICATED },
            { __typename: 'Vps', id: FOREIGN },
            { __typename: 'Vps', id: DEDICATED },
          ],
        },
      );
      return data?.['_entities'];
    };
    expect(await entities(owner)).toEqual([{ hostname: 'web-1' }, { hostname: 'db-1' }, null, null]);
    expect(await entities(anonymous)).toEqual([null, null, null, null]);
  });
});

test('the database refuses a state or a plan of the other kind, and two servers on one address', async () => {
  const server = (kind: 'VPS' | 'DEDICATED', planCode: string, status: string) =>
    tables.addServer({ id: 'x', accountId: 'a', kind, planCode, status });
  await expect(server('VPS', 'PLANK', 'REINSTALLING')).rejects.toThrow('server_status');
  await expect(server('DEDICATED', 'CURIE', 'BUILDING')).rejects.toThrow('server_status');
  await expect(server('VPS', 'CURIE', 'ACTIVE')).rejects.toThrow('server_plan');
  await expect(tables.addAddress('203.0.113.9', DEDICATED)).rejects.toThrow('address_pkey');
});
