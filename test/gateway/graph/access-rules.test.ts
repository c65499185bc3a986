// A key is told at the gateway which scope it lacks, and each reader sees of the schema what is for them.
import { buildClientSchema, buildSchema, getIntrospectionQuery } from 'graphql';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Site, bearer, startSite } from '../site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
  site.world.sessions.set('token-staff', { accountId: 's', sessionId: 's9', role: 'STAFF' });
});
afterAll(() => site.close());

interface Body {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: unknown[]; extensions: { code: string; requiredScope?: string; reasonCode?: string } }[];
}
const ask = async (query: string, headers: Record<string, string>): Promise<Body> =>
  (await (await site.graphql(query, headers)).json()) as Body;
const page = { cookie: 'egress_session=token-a' };

describe('a key', () => {
  test('that lacks the scope of all it asks for is refused as a whole, with the scope', async () => {
    const { data, errors } = await ask('{ scoped { id } }', bearer('key-a'));
    expect(data).toBeUndefined();
    expect(errors?.[0]).toMatchObject({
      message: 'This API key lacks the scope plans: support issues keys that have it.',
      extensions: { code: 'forbidden', requiredScope: 'plans' },
    });
  });

  test('that lacks the scope of one field gets the others, and an error with the field’s path and the scope', async () => {
    const { data, errors } = await ask('{ mine: scoped { id } plans(first: 1) { id } }', bearer('key-a'));
    expect(data).toEqual({ mine: null, plans: [{ id: '1' }] });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({ path: ['mine'], extensions: { code: 'forbidden', requiredScope: 'plans' } });
  });

  test('changes nothing of a mutation of which one field is not for it', async () => {
    const both = 'mutation { a: planRename(id: "1", name: "x") { id } b: planForget(id: "1") }';
    expect((await ask(both, bearer('key-servers'))).errors?.[0]?.extensions).toMatchObject({
      code: 'forbidden',
      reasonCode: 'key_not_session',
    });
    expect((await ask('mutation { planCount }', bearer('key-servers'))).errors?.[0]?.extensions.reasonCode).toBe('key_reads_only');
    expect((await ask('mutation { planRename(id: "1", name: "x") { id } }', bearer('key-a'))).errors?.[0]?.extensions.requiredScope).toBe(
      'servers',
    );
    expect(site.world.plans.get('1')?.name).toBe('Plan 1');
    expect((await ask(both.replace('planForget(id: "1")', 'planCount'), page)).data).toEqual({ a: { id: '1' }, b: 3 });
  });

  test('is told the same over WebSocket', async () => {
    const client = createClient({
      url: `${site.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: bearer('key-a'),
    });
    const refused = new Promise((resolve) => {
      client.subscribe({ query: 'mutation { planRename(id: "1", name: "y") { id } }' }, { next: resolve, error: resolve, complete() {} });
    });
    expect(await refused).toMatchObject([{ extensions: { code: 'forbidden', requiredScope: 'servers' } }]);
    await client.dispose();
  });
});

describe('the schema as text', () => {
  const get = (query = '', headers: Record<string, string> = {}) => fetch(`${site.url}/graphql/schema.graphql${query}`, { headers });

  test('is public for customers and partners, with an ETag', async () => {
    const answer = await get();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const customer = buildSchema(await answer.text());
    expect(Object.keys(customer.getQueryType()?.getFields() ?? {})).toEqual(expect.arrayContaining(['plans', 'scoped', 'pageOnly']));
    expect([customer.getType('Desk'), customer.getQueryType()?.getFields()['deskOnly']]).toEqual([undefined, undefined]);
    const partner = buildSchema(await (await get('?tier=partner')).text());
    expect(partner.getQueryType()?.getFields()['pageOnly']).toBeUndefined();
    expect(Object.keys(partner.getMutationType()?.getFields() ?? {})).toEqual(['planRename']);
    const again = await get('', { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('is whole for staff alone', async () => {
    const statuses = [await get('?tier=staff'), await get('?tier=staff', page), await get('?tier=all')].map(({ status }) => status);
    expect(statuses).toEqual([401, 403, 400]);
    const whole = await get('?tier=staff', { cookie: 'egress_session=token-staff' });
    expect(whole.headers.get('cache-control')).toContain('private');
    expect(buildSchema(await whole.text()).getType('Desk')).toBeDefined();
  });
});

test('no suggestion names what is not shown to the caller', async () => {
  const said = async (headers: Record<string, string>) =>
    (await ask('{ deskOnl { notes } plansx { id } }', headers)).errors?.map(({ message }) => message).toSorted();
  const plans = 'Cannot query field "plansx" on type "Query". Did you mean "plans" or "plan"?';
  expect(await said({ cookie: 'egress_session=token-staff' })).toEqual([
    'Cannot query field "deskOnl" on type "Query". Did you mean "deskOnly"?',
    plans,
  ]);
  for (const headers of [page, bearer('key-a')])
    expect(await said(headers)).toEqual(['Cannot query field "deskOnl" on type "Query".', plans]);
});

test('introspection shows each reader their own schema', async () => {
  const typesFor = async (headers: Record<string, string>) => {
    const { data } = await ask(getIntrospectionQuery(), headers);
    return buildClientSchema(data as never);
  };
  const [customer, partner, staff] = [
    await typesFor(page),
    await typesFor(bearer('key-a')),
    await typesFor({ cookie: 'egress_session=token-staff' }),
  ];
  const shows = (schema: typeof customer) => ['pageOnly', 'deskOnly'].map((name) => name in (schema.getQueryType()?.getFields() ?? {}));
  expect([shows(customer), shows(partner), shows(staff)]).toEqual([
    [true, false],
    [false, false],
    [true, true],
  ]);
  // Beside data, and by name, no more is shown than alone.
  const named = 'query ($name: String!) { plans(first: 1) { id } __type(name: $name) { name } }';
  const answer = await site.graphql(named, bearer('key-a'), { name: 'Desk' });
  expect(((await answer.json()) as Body).data).toEqual({ plans: [{ id: '1' }], __type: null });
});
