import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, after } from '#platform/clock.ts';
import { MAIL_SAMPLES } from '../../../../../subgraphs/accounts/mail-samples.ts';
import { MAILS } from '../../../../../subgraphs/accounts/mails.ts';
import type { MailKind } from '../../../../../subgraphs/accounts/mail/domain/mail-kind.ts';
import { topicOf } from '../../../../../subgraphs/accounts/mail/domain/notification-topic.ts';
import { postMail, postToOwner } from '../../../../../subgraphs/accounts/mail/services/mails.ts';
import { sendPush } from '../../../../../subgraphs/accounts/push/services/push-messages.ts';
import { codeOf } from '../../world.ts';
import { rowOf, rowsOf, setRows } from '../../../../kit/tables.ts';
import { ADD, type PushWorld, inputOf, shown, startPush } from '../world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await startPush();
});
afterEach(() => {
  world.push.faults.length = 0;
  world.push.maxBytes = 4_096;
});
afterAll(() => world.close());

let people = 0;
async function person() {
  const account = await world.account(`person${++people}@example.com`);
  return { ...account, browser: await world.browser(account.viewer) };
}
const CHOOSE_PUSH =
  'mutation ($topic: NotificationTopic!, $wanted: Boolean!) { accountChoosePush(topic: $topic, wanted: $wanted) { notifications { topic wanted pushed } } }';
const CHOOSE_MAIL =
  'mutation ($topic: NotificationTopic!, $wanted: Boolean!) { accountChooseNotification(topic: $topic, wanted: $wanted) { id } }';
const waiting = async () => (await rowsOf(world.query, 'accounts.push_message')).length;

test('a browser is told what the mail says, encrypted for it, with a life, an urgency and a topic, and the mail goes out beside it', async () => {
  const { id, email, viewer, browser } = await person();
  await world.low(id);
  expect(shown(browser)).toEqual([
    {
      title: '80 % used: Premium, 5 GB',
      body: '80 % of your package Premium, 5 GB is used. Its proxies stop when nothing is left.',
      navigate: 'https://shop.example/residential',
      lang: 'en',
      tag: expect.stringMatching(/^[\w-]{32}$/),
    },
  ]);
  expect(browser.messages[0]).toMatchObject({ urgency: 'high', ttl: 86_400, topic: shown(browser)[0]?.tag });
  expect((await world.device(viewer))?.lastDeliveredAt).toBe(world.clock.now().toISOString());
  expect(await world.mailed(email)).toHaveLength(1);
  expect(await waiting()).toBe(0);
});

test('each browser of the account is told, others are not, and in the language that the account has when it is sent', async () => {
  const [ada, bob] = [await person(), await person()];
  const phone = await world.browser(ada.viewer, 'google');
  await setRows(world.query, 'accounts.account', { language: 'de' }, { id: ada.id });
  await world.low(ada.id, 100);
  for (const browser of [ada.browser, phone]) expect(shown(browser)).toMatchObject([{ title: 'Aufgebraucht: Premium, 5 GB', lang: 'de' }]);
  expect(bob.browser.messages).toEqual([]);
});

test('mail and push of a topic are chosen apart, also where mails cannot be switched off', async () => {
  const { id, email, viewer, browser } = await person();
  await world.ask(viewer, CHOOSE_MAIL, { topic: 'LOW_BALANCE', wanted: false });
  await world.low(id);
  expect(browser.messages).toHaveLength(1);
  await world.ask(viewer, CHOOSE_PUSH, { topic: 'LOW_BALANCE', wanted: false });
  await world.ask(viewer, CHOOSE_PUSH, { topic: 'SECURITY', wanted: false });
  await world.low(id, 95);
  await postMail(world.context(), email, 'new_log_in', MAIL_SAMPLES.new_log_in);
  expect(await world.mailed(email)).toHaveLength(1);
  expect(browser.messages).toHaveLength(1);
  const again = await world.ask(viewer, CHOOSE_PUSH, { topic: 'LOW_BALANCE', wanted: true });
  expect(again.data?.['accountChoosePush']).toMatchObject({
    notifications: expect.arrayContaining([
      { topic: 'LOW_BALANCE', wanted: false, pushed: true },
      { topic: 'SECURITY', wanted: true, pushed: false },
    ]),
  });
});

test('a message without a topic is never pushed: links that open something come by mail alone', async () => {
  const withSecret = ['verify_email', 'recover', 'email_change_old', 'email_change_new', 'device_link'] as const;
  expect(withSecret.map((kind) => topicOf(kind))).toEqual(withSecret.map(() => undefined));
  const { email, browser } = await person();
  for (const kind of withSecret) await postMail(world.context(), email, kind, MAIL_SAMPLES[kind] as never);
  expect(await world.mailed(email)).toHaveLength(withSecret.length);
  expect(browser.messages).toEqual([]);
});

test('every kind of mail with a topic is shown by its subject, and leads to a page of this platform alone', async () => {
  const { id, browser } = await person();
  const kinds = (Object.keys(MAILS.en) as MailKind[]).filter((kind) => topicOf(kind) !== undefined);
  for (const kind of kinds) await postToOwner(world.context(), id, kind, MAIL_SAMPLES[kind] as never);
  await world.platform.queue.drain();
  const subjects = kinds.map((kind) => MAILS.en[kind]({ ...MAIL_SAMPLES[kind], brand: 'Egress' } as never).subject);
  expect(
    shown(browser)
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual(subjects.toSorted());
  // The samples name another platform.
  expect(new Set(shown(browser).map(({ navigate }) => navigate))).toEqual(new Set(['https://shop.example/home']));
});

test('a newer message about the same replaces one that still waits, here and at the push service', async () => {
  const { id, browser } = await person();
  world.push.faults.push({ status: 503 });
  await world.low(id, 80);
  await world.low(id, 95);
  await world.low(id, 80, 'Budget, 1 GB');
  world.clock.advance(HOUR);
  await world.sweep();
  expect(shown(browser).map(({ title }) => title)).toEqual(['95 % used: Premium, 5 GB', '80 % used: Budget, 1 GB']);
  browser.setOnline(false);
  await world.low(id, 95);
  await world.low(id, 100);
  browser.setOnline(true);
  expect(shown(browser).at(-1)?.title).toBe('Used up: Premium, 5 GB');
  expect(browser.messages).toHaveLength(3);
});

test.each([
  ['500', () => ({ status: 500 }) as const, MINUTE],
  ['429 that says for how long', () => ({ status: 429, retryAfter: '600' }) as const, 10 * MINUTE],
  ['429 that says when', (now: Date) => ({ status: 429, retryAfter: after(now, 10 * MINUTE).toUTCString() }) as const, 10 * MINUTE],
  ['503 of a service that asks for two minutes', () => ({ status: 503 }) as const, 2 * MINUTE],
])('%s is tried again after its wait, and not before', async (_, fault, wait) => {
  const { id, browser } = await person();
  world.push.faults.push(fault(world.clock.now()));
  await world.low(id);
  world.clock.advance(wait - SECOND);
  await world.sweep();
  expect(browser.messages).toEqual([]);
  world.clock.advance(SECOND);
  await world.sweep();
  expect(browser.messages).toHaveLength(1);
});

test('waits grow, each try asks for what is left of its life, and what is too old is given up', async () => {
  const { id, viewer, browser } = await person();
  world.push.faults.push(...Array.from({ length: 40 }, () => ({ status: 500 }) as const));
  await world.low(id);
  for (const [minutes, failures] of [
    [1, 2],
    [5, 3],
    [30, 4],
  ] as const) {
    world.clock.advance(minutes * MINUTE);
    await world.sweep();
    expect(await rowsOf(world.query, 'accounts.push_message', {}, { columns: 'failures' })).toEqual([{ failures }]);
  }
  world.clock.advance(DAY);
  await world.sweep();
  expect(await waiting()).toBe(0);
  expect(browser.messages).toEqual([]);
  expect(await world.device(viewer)).toMatchObject({ lastDeliveredAt: null, refusedAt: null });
});

test.each([
  ['410', 'mozilla'],
  ['404', 'google'],
] as const)('a browser that is gone (%s) is forgotten, and its owner reads that in the activity', async (status, vendor) => {
  const account = await world.account(`gone${status}@example.com`);
  const browser = await world.browser(account.viewer, vendor);
  if (status === '410') browser.unsubscribe();
  else world.push.faults.push({ status: 404 });
  await world.low(account.id);
  expect((await world.settings(account.viewer)).devices).toEqual([]);
  const row = await rowOf(world.query, 'accounts.activity', { account_id: account.id, type: 'push_device.removed' });
  expect(row).toMatchObject({ actor: 'PLATFORM' });
  await world.low(account.id, 95);
  expect(await waiting()).toBe(0);
});

test('a message that is too large for a push service is sent shorter, at last as its title alone', async () => {
  const { id, browser } = await person();
  world.push.maxBytes = 360;
  const long = 'Premium with a name that goes on and on, as its owner likes it';
  await world.low(id, 80, long);
  expect(shown(browser)).toMatchObject([{ title: expect.stringMatching(/^80 % used: Premium.*…$/), body: '' }]);
});

test.each(['mozilla', 'google'] as const)(
  'a service (%s) that does not take us as the sender is told to operators, not asked again',
  async (vendor) => {
    const account = await world.account(`sender-${vendor}@example.com`);
    await world.browser(account.viewer, vendor);
    world.push.faults.push({ status: vendor === 'google' ? 403 : 401 });
    const before = world.push.requests();
    await world.low(account.id);
    world.clock.advance(HOUR);
    await world.sweep();
    expect(world.push.requests()).toBe(before + 1);
    expect(await world.device(account.viewer)).toMatchObject({ refusedAt: after(world.clock.now(), -HOUR).toISOString() });
    await world.low(account.id, 95);
    expect(await world.device(account.viewer)).toMatchObject({ refusedAt: null, lastDeliveredAt: world.clock.now().toISOString() });
  },
);

test('nothing is sent to an address outside the public internet, and the browser is listed as refused', async () => {
  const { id, viewer } = await world.account('inside@example.com');
  const { input } = inputOf(world.push.subscribe((await world.settings(viewer)).key));
  await world.ask(viewer, ADD, { input: { ...input, endpoint: 'http://10.0.0.1/push' } });
  const before = world.push.requests();
  await world.low(id);
  expect(world.push.requests()).toBe(before);
  const row = await rowOf(world.query, 'accounts.push_device', { account_id: id });
  expect(row).toMatchObject({ refusal: 'FORBIDDEN: The address is not on the public internet.' });
  expect(await waiting()).toBe(0);
});

test('two workers that take the same message send it once, and one that dies leaves it to the next sweep', async () => {
  const { id, browser } = await person();
  browser.setOnline(true);
  const ctx = world.context();
  world.push.faults.push({ status: 500 });
  await world.low(id);
  world.clock.advance(MINUTE);
  const message = await rowOf<{ id: string }>(world.query, 'accounts.push_message', {});
  await Promise.all([sendPush(ctx, message?.id ?? ''), sendPush(world.context(), message?.id ?? '')]);
  expect(browser.messages).toHaveLength(1);
});

test('an account without an address is told by its browsers alone', async () => {
  const { id, browser } = await person();
  await setRows(world.query, 'accounts.account', { email: null, email_verified_at: null }, { id });
  await world.low(id);
  expect(browser.messages).toHaveLength(1);
});

test('a test says that the browser shows notifications, and leads to the settings', async () => {
  const { viewer, browser } = await person();
  const device = await world.device(viewer);
  const answer = await world.ask(viewer, 'mutation ($id: ID!) { pushDeviceTest(id: $id) { id } }', { id: device?.id });
  expect(codeOf(answer)).toBeUndefined();
  await world.platform.queue.drain();
  expect(shown(browser)).toMatchObject([
    {
      title: 'Egress: a test',
      body: 'This browser shows your notifications.',
      navigate: 'https://shop.example/settings?tab=notifications',
    },
  ]);
  expect(browser.messages[0]?.ttl).toBe(600);
});
