// A partner's API key with the scope for servers may do what the owner may do in a session; a key without the scope sees no server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope, Viewer } from '#platform/identity.ts';
import { keyOf } from '../../../kit/platform.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

let world: ComputeWorld;
let id: string;
beforeAll(async () => {
  world = await startCompute();
  ({ id } = await world.built());
});
afterAll(() => world.close());

const keyWith = (...scopes: Scope[]): Viewer => ({ ...keyOf('acct_owner'), scopes }) as Viewer;
const ask = async (viewer: Viewer, query: string) => {
  const { data, errors } = await world.ask(viewer, query);
  return errors?.[0]?.extensions['code'] ?? JSON.parse(JSON.stringify(data));
};
const READS = ['{ servers { id } }', `{ server(id: "${'ID'}") { id } }`];
const ACTS = ['vpsStop', 'vpsResetPassword'].map((name) => `mutation { ${name}(id: "ID") { status } }`);
const named = (query: string) => query.replace('ID', id);

test('with the scope it reads and stops a server', async () => {
  expect(await ask(keyWith('servers'), READS[0]!)).toEqual({ servers: [{ id }] });
  expect(await ask(keyWith('servers'), named(READS[1]!))).toEqual({ server: { id } });
  expect(await ask(keyWith('servers'), named(ACTS[0]!))).toEqual({ vpsStop: { status: 'RUNNING' } });
});

test('every other scope together reads and does nothing', async () => {
  const key = keyWith('read', 'generate', 'billing');
  for (const query of [...READS, ...ACTS]) expect(await ask(key, named(query))).toBe('forbidden');
  expect(await ask(key, `{ _entities(representations: [{ __typename: "Vps", id: "${id}" }]) { __typename } }`)).toBe('server_not_found');
});

test('it prices and buys nothing', async () => {
  expect(await ask(keyWith('servers'), '{ vpsOffer(plan: PLANK, months: 1, os: UBUNTU_24_04) { token } }')).not.toHaveProperty('vpsOffer');
});
