// Resellers manage proxy users over REST and MCP, with only an API key.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modernClient } from './mcp/clients.ts';
import { type StackWorld, startStackWorld } from './stack-world.ts';
import { type Loose, call } from './world.ts';

let world: StackWorld;
let key: string;
beforeAll(async () => {
  world = await startStackWorld();
  key = await world.key();
});
afterAll(() => world?.close());

const users = (rest = '') => `/v1/residential/${world.plans.premium}/users${rest}`;
const send = (method: string, path: string, body?: object) =>
  call(world, path, key, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

test('a user is made, read, changed, renewed, given another password and removed by REST', async () => {
  const made = await send('POST', users(), { name: 'Shop', daily_limit_gb: 1.5, countries: ['Germany'] });
  expect([made.status, made.body.data.user]).toMatchObject([
    200,
    { name: 'Shop', state: 'active', daily_limit_gb: 1.5, total_limit_gb: null, countries: ['de'], product_id: world.plans.premium },
  ]);
  const { user_id: id, username, password } = made.body.data.user;
  await world.use({ username }, { up: 0n, down: 250_000_000n });
  const one = `/v1/residential-users/${id}`;
  expect((await send('GET', one)).body.data.user).toMatchObject({ used_gb: 0.25, used_today_gb: 0.25, counted_gb: 0.25 });
  // The path that was documented before.
  expect((await send('GET', `/v1/residential/users/${id}`)).body).toEqual((await send('GET', one)).body);
  const changed = await send('PATCH', one, { name: 'Shop 2', paused: true, daily_limit_gb: 0, countries: [], nonsense: 1 });
  expect(changed.body.data.user).toMatchObject({ name: 'Shop 2', state: 'paused', daily_limit_gb: null, countries: [] });
  expect(changed.headers.get('unknown-parameters')).toBe('nonsense');
  expect((await send('POST', `${one}/renew`)).body.data.user).toMatchObject({ counted_gb: 0, used_gb: 0.25 });
  expect((await send('POST', `${one}/reset`)).body.data.user.password).not.toBe(password);
  expect((await send('GET', users('?search=shop'))).body.data).toMatchObject({
    total: 1,
    currentPage: 1,
    totalPages: 1,
    users: [{ user_id: id }],
  });
  expect((await send('DELETE', one)).body.data).toEqual({ user_id: id });
  expect((await send('GET', one)).body.meta).toMatchObject({ code: 'proxy_user_not_found' });
});

test('invalid input is refused with its code and field', async () => {
  expect(await send('POST', users(), {})).toMatchObject({ status: 400, body: { meta: { code: 'parameter_missing', field: 'name' } } });
  expect(await send('POST', users(), { name: 'x', countries: ['Atlantis'] })).toMatchObject({
    status: 400,
    body: { meta: { code: 'pool_unknown' } },
  });
  expect(await send('POST', users(), { name: 'x', clients: ['nowhere'] })).toMatchObject({
    status: 400,
    body: { meta: { field: 'clients' } },
  });
  const foreign = await send('POST', `/v1/residential/${world.plans.foreign}/users`, { name: 'x' });
  expect(foreign).toMatchObject({ status: 404, body: { meta: { code: 'plan_not_found' } } });
  const broken = await call(world, users(), key, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });
  expect(broken).toMatchObject({ status: 400, body: { meta: { code: 'parameter_invalid' } } });
  const other = await send('PUT', users());
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
});

test('an assistant manages them with the same inputs', async () => {
  const client = await modernClient(world.url, key);
  const made: Loose = await client.call('create_proxy_user', { product: world.plans.premium, name: 'Bot', total_limit_gb: 2 });
  expect(made.structuredContent.user).toMatchObject({ name: 'Bot', total_limit_gb: 2 });
  const listed: Loose = await client.call('list_proxy_users', { product: world.plans.premium, search: 'bot' });
  expect(listed.structuredContent.users).toMatchObject([{ user_id: made.structuredContent.user.user_id }]);
  await client.close();
});
