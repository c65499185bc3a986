import { afterAll, beforeAll, expect, test } from 'vitest';
import { hash } from 'node:crypto';
import { PUSH } from '../../../../../schema/limits.ts';
import type { SandboxBrowser } from '../../../../../sandbox/push/browsers.ts';
import { checkSubscription } from '../../../../../subgraphs/accounts/push/domain/subscription.ts';
import { keyOf } from '../../../../kit/platform.ts';
import { rowOf, rowsOf } from '../../../../kit/tables.ts';
import { PASSWORD, codeOf, dataOf } from '../../world.ts';
import { ADD, type PushWorld, inputOf, startPush } from '../world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await startPush();
});
afterAll(() => world.close());

const REMOVE = 'mutation ($id: ID!) { pushDeviceRemove(id: $id) { push { devices { id } } } }';
const reasonOf = (answer: Awaited<ReturnType<PushWorld['ask']>>) => [codeOf(answer), answer.errors?.[0]?.extensions['field']];

test('the key that browsers subscribe to is one, for everybody and for good, and its private half is sealed', async () => {
  const [ada, bob] = [await world.account('ada@example.com'), await world.account('bob@example.com')];
  const keys = await Promise.all([ada, bob, ada].map(async ({ viewer }) => (await world.settings(viewer)).key));
  expect(new Set(keys).size).toBe(1);
  expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(65);
  const [row, ...others] = await rowsOf(world.query, 'accounts.push_key');
  expect(others).toEqual([]);
  expect(row?.['public_key']).toBe(keys[0]);
});

test('a browser is named by its User-Agent and found by the digest of its address, which is stored sealed alone', async () => {
  const { id, viewer } = await world.account('cat@example.com');
  const browser = await world.browser({ ...viewer, userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' });
  const device = await world.device(viewer);
  expect(device).toMatchObject({
    name: 'Firefox on Linux',
    endpointDigest: hash('sha256', browser.subscription.endpoint, 'base64url'),
    createdAt: world.clock.now().toISOString(),
    lastDeliveredAt: null,
  });
  const row = JSON.stringify(await rowOf(world.query, 'accounts.push_device', { account_id: id }));
  expect(row).not.toContain(browser.subscription.endpoint);
  expect(row).not.toContain(browser.subscription.keys.auth);
});

test('the same browser is one device, and belongs to whoever has switched it on last', async () => {
  const [dan, eve] = [await world.account('dan@example.com'), await world.account('eve@example.com')];
  const browser = await world.browser(dan.viewer);
  await world.ask(dan.viewer, ADD, inputOf(browser));
  expect((await world.settings(dan.viewer)).devices).toHaveLength(1);
  expect(codeOf(await world.ask(eve.viewer, ADD, inputOf(browser)))).toBeUndefined();
  expect((await world.settings(dan.viewer)).devices).toEqual([]);
  expect((await world.settings(eve.viewer)).devices).toHaveLength(1);
});

test('a browser whose subscription is over goes on with another one, in the place of the former, also where there are ten', async () => {
  const [gus, eve] = [await world.account('gus@example.com'), await world.account('eva@example.com')];
  const browser = await world.browser(gus.viewer);
  const { key } = await world.settings(gus.viewer);
  for (let count = 1; count < PUSH.devices; count++) await world.browser(gus.viewer);
  const [before, ...others] = (await world.settings(gus.viewer)).devices;
  expect(before?.isThisSession).toBe(true);
  const renew = (viewer: typeof gus.viewer, subscription: Pick<SandboxBrowser, 'subscription'>, former = before?.endpointDigest) =>
    world.ask(viewer, ADD, { ...inputOf(subscription), former });
  // Nobody else's browser gives way.
  const stranger = world.push.subscribe(key);
  expect(codeOf(await renew(eve.viewer, stranger))).toBeUndefined();
  expect((await world.settings(gus.viewer)).devices).toEqual([before, ...others]);

  browser.unsubscribe();
  const again = world.push.subscribe(key);
  expect(codeOf(await renew(gus.viewer, again))).toBeUndefined();
  const endpointDigest = hash('sha256', again.subscription.endpoint, 'base64url');
  expect((await world.settings(gus.viewer)).devices).toEqual([{ ...before, endpointDigest }, ...others]);
  await world.low(gus.id);
  expect([browser.messages.length, again.messages.length]).toEqual([0, 1]);
  // Told once more, by a worker that did not hear the answer.
  expect(codeOf(await renew(gus.viewer, again))).toBeUndefined();
  expect((await world.settings(gus.viewer)).devices).toHaveLength(PUSH.devices);
});

test('ten browsers of an account at most, also at once', async () => {
  const { viewer } = await world.account('finn@example.com');
  const { key } = await world.settings(viewer);
  const answers = await Promise.all(
    Array.from({ length: PUSH.devices + 2 }, () => world.ask(viewer, ADD, inputOf(world.push.subscribe(key)))),
  );
  expect(answers.map(codeOf).filter((code) => code !== undefined)).toEqual(['too_many_push_devices', 'too_many_push_devices']);
  expect((await world.settings(viewer)).devices).toHaveLength(PUSH.devices);
});

test.each([
  ['a key that is no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }, 'p256dh'],
  ['a short key', { p256dh: 'BCVx' }, 'p256dh'],
  ['a secret of another length', { auth: Buffer.alloc(15).toString('base64url') }, 'auth'],
  ['an address of another scheme', { endpoint: 'ftp://push.example/1' }, 'endpoint'],
  ['an address with a password', { endpoint: 'https://a:b@push.example/1' }, 'endpoint'],
])('%s is refused', async (_, wrong, field) => {
  const { viewer } = await world.account(`${field}${Math.random()}@example.com`);
  const { input } = inputOf(world.push.subscribe('key'));
  expect(reasonOf(await world.ask(viewer, ADD, { input: { ...input, ...wrong } }))).toEqual(['parameter_invalid', field]);
});

test('where no private networks are allowed, as in production, https alone is taken', () => {
  const { endpoint, keys } = world.push.subscribe('key').subscription;
  expect(() => checkSubscription({ endpoint, ...keys }, false)).toThrow('begins with https://');
  const outside = { endpoint: 'https://push.example/1', ...keys };
  expect(checkSubscription(outside, false)).toEqual(outside);
});

test('its owner removes a browser; nobody else does, and a key neither adds nor reads any', async () => {
  const [gil, hal] = [await world.account('gil@example.com'), await world.account('hal@example.com')];
  const browser = await world.browser(gil.viewer);
  const { id } = (await world.device(gil.viewer)) ?? {};
  expect(codeOf(await world.ask(hal.viewer, REMOVE, { id }))).toBe('push_device_not_found');
  expect(codeOf(await world.ask(hal.viewer, 'mutation ($id: ID!) { pushDeviceTest(id: $id) { id } }', { id }))).toBe(
    'push_device_not_found',
  );
  expect(codeOf(await world.ask(keyOf(gil.id), ADD, inputOf(browser)))).toBe('forbidden');
  expect(codeOf(await world.ask(keyOf(gil.id), '{ me { push { key } } }'))).toBe('forbidden');
  const after = dataOf<{ push: object }>(await world.ask(gil.viewer, REMOVE, { id }), 'pushDeviceRemove');
  expect(after.push).toEqual({ devices: [] });
  await world.low(gil.id);
  expect(browser.messages).toEqual([]);
  const said = await rowsOf<{ type: string }>(world.query, 'accounts.activity', { account_id: gil.id }, { columns: 'type', orderBy: 'id' });
  expect(said.map(({ type }) => type)).toEqual(['account.created', 'push_device.added', 'push_device.removed']);
});

test('whoever signs out of a browser is shown nothing there; other browsers of the account go on', async () => {
  const { id, email } = await world.account('ida@example.com');
  const [here, there] = [await world.logIn(email), await world.logIn(email)];
  const [mine, other] = [await world.browser(here.viewer), await world.browser(there.viewer)];
  dataOf(await world.ask(there.viewer, 'mutation ($id: ID!) { sessionClose(id: $id) }', { id: here.sessionId }), 'sessionClose');
  await world.low(id);
  expect([mine.messages.length, other.messages.length]).toEqual([0, 1]);
});

test('a new password, which ends all other sessions, ends their browsers too', async () => {
  const { email } = await world.account('jo@example.com');
  const [here, there] = [await world.logIn(email), await world.logIn(email)];
  await world.browser(here.viewer);
  await world.browser(there.viewer);
  dataOf(await world.ask(here.viewer, 'mutation { sessionCloseAll(exceptCurrent: true) }'), 'sessionCloseAll');
  expect((await world.settings(here.viewer)).devices).toHaveLength(1);
});

test('the account’s copy of its data names its browsers without their secrets, and closing it deletes them', async () => {
  const { id, email } = await world.account('kim@example.com');
  const { viewer } = await world.logIn(email);
  await world.browser(viewer);
  const copy = 'query ($after: String) { accountData(after: $after) { table rows next } }';
  const rows: string[] = [];
  for (let next: string | null = JSON.stringify({ table: 'accounts.push_device' }); next !== null;) {
    const page: { table: string; rows: string[]; next: string | null } = dataOf(
      await world.ask(viewer, copy, { after: next }),
      'accountData',
    );
    if (page.table === 'accounts.push_device') rows.push(...page.rows);
    next = page.table === 'accounts.push_device' ? page.next : null;
  }
  expect(rows.map((row) => Object.keys(JSON.parse(row) as object).toSorted())).toEqual([
    ['account_id', 'created_at', 'id', 'last_delivered_at', 'name', 'refusal', 'refused_at'],
  ]);
  const close = 'mutation ($password: String) { accountClose(password: $password) { kinds: __typename } }';
  expect(codeOf(await world.ask(viewer, close, { password: PASSWORD }))).toBeUndefined();
  expect(await rowsOf(world.query, 'accounts.push_device', { account_id: id })).toEqual([]);
});
