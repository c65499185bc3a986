// The six endpoints on the whole platform, with real lines, bytes and keys.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, after, lastDays } from '#platform/clock.ts';
import { type StackWorld, startStackWorld } from './stack-world.ts';
import { type Loose, call } from './world.ts';

let world: StackWorld;
let key: string;

beforeAll(async () => {
  world = await startStackWorld();
  key = await world.key();
});
afterAll(() => world.close());

const dataOf = async (path: string): Promise<Loose> => (await call(world, path, key)).body.data;
const lines = async (query: string, plan = world.plans.premium): Promise<string[]> =>
  (await dataOf(`/v1/residential/${plan}/proxies?${query}`)).proxies;

test('the plan list shows every plan, newest first, expired ones included', async () => {
  const { plans } = await dataOf('/v1/residential');
  expect(plans.map(({ product_id, product_name, data_gb, status }: Loose) => [product_id, product_name, data_gb, status])).toEqual([
    [world.plans.expired, 'Premium', 1, 'EXPIRED'],
    [world.plans.mobile, 'Mobile', 1, 'ACTIVE'],
    [world.plans.premium, 'Premium', 5, 'ACTIVE'],
  ]);
});

test('usage and statistics are the reported bytes, up and down together', async () => {
  const { username, ...usage } = await dataOf(`/v1/residential/${world.plans.premium}/usage`);
  expect(usage).toEqual({ total_data: 5, used_data: 1.234567, product: world.plans.premium });
  expect(username).toMatch(/^[a-z0-9]+$/);
  const { unit, days } = await dataOf(`/v1/residential/${world.plans.premium}/statistics`);
  const now = world.stack.clock.now();
  expect([unit, Object.keys(days)]).toEqual(['MB', lastDays(now, 30)]);
  expect(Object.values(days)).toEqual([...Array(28).fill(0), 1234.567, 0]);
});

test('reported bytes are in the next answer', async () => {
  const plan = world.plans.mobile;
  const { username } = await dataOf(`/v1/residential/${plan}/usage`);
  await world.use({ username }, { up: 1_000_000n, down: 2_500_000n });
  expect((await dataOf(`/v1/residential/${plan}/usage`)).used_data).toBe(0.0035);
  expect(Object.values((await dataOf(`/v1/residential/${plan}/statistics`)).days).at(-1)).toBe(3.5);
});

test('a sticky line is host, port, the specification’s username pattern, and the password of the plan', async () => {
  const { username } = await dataOf(`/v1/residential/${world.plans.premium}/usage`);
  for (const line of await lines('sticky=true&pool=Germany&quantity=50&time=30'))
    expect(line).toMatch(new RegExp(`^localhost:7777:${username}-country-de-session-\\d{8}-sessionttl-30:[0-9A-Za-z]+$`));
});

test('a rotating line has no session', async () => {
  for (const line of await lines('sticky=false&pool=Worldwide&quantity=5'))
    expect(line).toMatch(/^localhost:7777:[a-z0-9]+-country-any:[0-9A-Za-z]+$/);
});

test('socks5 differs by the port, Europe and targeting by the username', async () => {
  expect((await lines('sticky=false&pool=europe&quantity=1&type=socks5'))[0]).toMatch(/^localhost:7778:[a-z0-9]+-country-eu:/);
  expect((await lines('sticky=false&pool=US&state=New%20York&city=New+York+City&quantity=1'))[0]).toMatch(
    /-country-us-state-new_york-city-new_york_city:/,
  );
});

test('several countries stand together in the username, excluded ones after them', async () => {
  expect((await lines('sticky=true&pool=Germany,%20Italy,FR&quantity=1'))[0]).toMatch(/-country-de_fr_it-session-\d{8}-sessionttl-60:/);
  expect((await lines('sticky=false&pool=Europe&exclude=Germany,FR&quantity=1'))[0]).toMatch(/-country-eu-not-de_fr:/);
});

test('10,000 lines have 10,000 sessions, none of which an earlier batch had', async () => {
  const sessions = async () => (await lines('sticky=true&pool=US&quantity=10000')).map((line) => /-session-(\d{8})-/.exec(line)?.[1]);
  const all = [...(await sessions()), ...(await sessions())];
  expect([all.length, new Set(all).size]).toEqual([20_000, 20_000]);
});

test('lines are read again by the id of their generation, and checked', async () => {
  const batch = await dataOf(`/v1/residential/${world.plans.premium}/proxies?sticky=true&pool=DE&quantity=3`);
  expect(await dataOf(`/v1/residential-batches/${batch.batch_id}`)).toEqual(batch);
  expect(await dataOf(`/v1/residential/batches/${batch.batch_id}`)).toEqual(batch);
  const check = async (line: string) => {
    const answer = await fetch(`${world.url}/v1/residential/lines/check`, {
      method: 'POST',
      body: JSON.stringify({ line }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    });
    return ((await answer.json()) as Loose).data;
  };
  expect(await check(batch.proxies[0])).toMatchObject({ works: true, problems: [], product: world.plans.premium, country: 'de' });
  const wrong = await check(`${batch.proxies[0]}x`);
  expect([wrong.works, wrong.problems.map(({ code }: Loose) => code)]).toEqual([false, ['password_wrong']]);
});

test('a breakdown sums to the bytes of the plan, in a span or in all', async () => {
  const path = `/v1/residential/${world.plans.premium}/usage/breakdown?by=day`;
  const { shares, total_bytes, others } = await dataOf(path);
  expect([total_bytes, shares.length, others.values]).toEqual([1_234_567_890, 1, 0]);
  expect(shares[0].up_bytes + shares[0].down_bytes).toBe(total_bytes);
  const day = `${shares[0].value}T00:00:00Z`;
  expect((await dataOf(`${path}&to=${day}`)).total_bytes).toBe(0);
  expect((await dataOf(`${path}&from=${day}`)).total_bytes).toBe(total_bytes);
});

test('each product has its own sticky times', async () => {
  expect((await lines('sticky=true&pool=US&quantity=1&time=120', world.plans.mobile))[0]).toContain('-sessionttl-120:');
  const { body } = await call(world, `/v1/residential/${world.plans.mobile}/proxies?sticky=true&pool=US&quantity=1&time=240`, key);
  expect(body.meta).toMatchObject({ code: 'time_not_allowed', field: 'time', allowed: [30, 60, 120] });
});

test('the refusal of an unknown state suggests similar ones', async () => {
  const { body } = await call(world, `/v1/residential/${world.plans.premium}/proxies?sticky=true&pool=US&quantity=1&state=Californa`, key);
  expect(body.meta).toMatchObject({ code: 'state_unknown', field: 'state', allowed: expect.arrayContaining(['California']) });
});

test('static plans and subscriptions are empty lists for an account that has none', async () => {
  expect(await dataOf('/v1/static/isp')).toMatchObject({ plans: [], total: 0, currentPage: 1 });
  expect(await dataOf('/v1/static/dc?page=3')).toMatchObject({ plans: [], total: 0, currentPage: 3 });
  expect(await dataOf('/v1/subscriptions')).toEqual({ subscriptions: [] });
});

test('a key that expires is refused from that moment on', async () => {
  const account = await world.stack.seed.account();
  const { key: short } = await account.apiKey({ expiresAt: after(world.stack.clock.now(), DAY) });
  expect((await call(world, '/v1/residential', short)).status).toBe(200);
  world.stack.clock.advance(DAY);
  const answer = await call(world, '/v1/residential', short);
  expect([answer.status, answer.body.meta?.code]).toEqual([401, 'key_expired']);
});
