import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCustomerEvent } from '../../../../schema/customer-events.ts';
import { MAIL_SAMPLES } from '../../../../subgraphs/accounts/mail-samples.ts';
import { MAILS } from '../../../../subgraphs/accounts/mails.ts';
import type { MailKind } from '../../../../subgraphs/accounts/mail/domain/mail-kind.ts';
import { TOPICS, isMailed, termsOf } from '../../../../subgraphs/accounts/mail/domain/notification-topic.ts';
import { postMail } from '../../../../subgraphs/accounts/mail/services/mails.ts';
import { keyOf } from '../../../kit/platform.ts';
import { type AccountsWorld, codeOf, dataOf, startAccounts } from '../world.ts';
import { rowsOf, setRows } from '../../../kit/tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const CHOOSE =
  'mutation ($topic: NotificationTopic!, $wanted: Boolean!) { accountChooseNotification(topic: $topic, wanted: $wanted) { notifications { topic wanted } } }';
const CHOICES = '{ me { notifications { topic wanted } } }';
const wanted = (answer: unknown) => (answer as { notifications: { topic: string; wanted: boolean }[] }).notifications;
const low = { percent: 80, title: 'Premium, 5 GB', url: 'http://localhost/residential' };
const subjects = async (email: string) => (await world.mailed(email)).map(({ subject }) => subject);

test('every topic is wanted until its owner says otherwise', async () => {
  const { viewer } = await world.account('ada@example.com');
  expect(wanted(dataOf(await world.ask(viewer, CHOICES), 'me'))).toEqual(TOPICS.map((topic) => ({ topic, wanted: true })));
});

test('a topic that is not wanted sends nothing, the others and what is always sent still do, and it can be wanted again', async () => {
  const { id, viewer } = await world.account('Bob@example.com');
  const after = dataOf(await world.ask(viewer, CHOOSE, { topic: 'LOW_BALANCE', wanted: false }), 'accountChooseNotification');
  expect(wanted(after).find(({ topic }) => topic === 'LOW_BALANCE')).toEqual({ topic: 'LOW_BALANCE', wanted: false });
  await postMail(world.context(), 'bob@example.com', 'balance_low', low);
  await postMail(world.context(), 'bob@example.com', 'password_changed', { url: 'http://localhost' });
  expect(await subjects('bob@example.com')).toEqual(['Your Egress password has changed']);
  await world.ask(viewer, CHOOSE, { topic: 'LOW_BALANCE', wanted: false });
  await world.ask(viewer, CHOOSE, { topic: 'LOW_BALANCE', wanted: true });
  await postMail(world.context(), 'bob@example.com', 'balance_low', low);
  expect(await subjects('bob@example.com')).toHaveLength(2);
  expect(
    await rowsOf(
      world.query,
      'accounts.activity',
      { account_id: id, type: 'account.notification_chosen' },
      { columns: 'data', orderBy: 'id' },
    ),
  ).toHaveLength(2);
});

test('one who has no account gets what is sent to them, and a key chooses nothing', async () => {
  await postMail(world.context(), 'nobody@example.com', 'balance_low', low);
  expect(await subjects('nobody@example.com')).toHaveLength(1);
  const { id } = await world.account('eve@example.com');
  expect(
    codeOf(await world.ask(keyOf(id, ['read', 'generate', 'servers', 'billing']), CHOOSE, { topic: 'DELIVERIES', wanted: false })),
  ).toBe('forbidden');
});

test('what protects the account or the law asks for cannot be switched off, and is sent even where an earlier release let it be', async () => {
  const { id, viewer } = await world.account('finn@example.com');
  for (const topic of ['PAYMENTS', 'ENDINGS', 'SECURITY']) {
    const answer = await world.ask(viewer, CHOOSE, { topic, wanted: false });
    expect(codeOf(answer)).toBe('parameter_invalid');
    expect(answer.errors?.[0]?.message).toContain('cannot be switched off');
    expect(codeOf(await world.ask(viewer, CHOOSE, { topic, wanted: true }))).toBeUndefined();
  }
  await setRows(world.query, 'accounts.account', { unwanted_topics: [...TOPICS] }, { id });
  for (const kind of [
    'new_log_in',
    'renewal_failed',
    'order_paid',
    'plan_lapsed',
    'plan_paused',
    'card_expires',
    'renewal_upcoming',
  ] as const)
    await postMail(world.context(), 'finn@example.com', kind, MAIL_SAMPLES[kind] as never);
  expect(await subjects('finn@example.com')).toEqual(
    (['new_log_in', 'renewal_failed', 'order_paid', 'plan_lapsed'] as const).map(
      (kind) => MAILS.en[kind]({ ...MAIL_SAMPLES[kind], brand: 'Egress' } as never).subject,
    ),
  );
});

test('the page is told which events of webhooks say the same', async () => {
  const { viewer } = await world.account('gil@example.com');
  const { notifications } = dataOf<{ notifications: { topic: string; required: boolean; eventTypes: string[] }[] }>(
    await world.ask(viewer, '{ me { notifications { topic required eventTypes } } }'),
    'me',
  );
  expect(notifications.find(({ topic }) => topic === 'PAUSED_PLANS')).toEqual({
    topic: 'PAUSED_PLANS',
    required: false,
    eventTypes: ['residential_plan.paused'],
  });
  expect(notifications.filter(({ required }) => required).map(({ topic }) => topic)).toEqual(['PAYMENTS', 'ENDINGS', 'SECURITY']);
});

test('nothing that protects an account, asks for money or tells of a loss can be switched off', () => {
  const optional = (Object.keys(MAILS.en) as MailKind[]).filter((kind) => !isMailed(kind, TOPICS));
  expect(optional.toSorted()).toEqual([
    'balance_low',
    'card_expires',
    'downtime_credited',
    'key_expiring',
    'plan_paused',
    'renewal_upcoming',
    'server_ready',
  ]);
});

test('a mail is in one topic at most, and the events of a topic are events that webhooks tell', () => {
  expect(TOPICS.flatMap((topic) => termsOf(topic).events).filter((type) => !isCustomerEvent(type))).toEqual([]);
  const mails = TOPICS.flatMap((topic) => termsOf(topic).mails);
  expect(new Set(mails).size).toBe(mails.length);
});
