import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAILS } from '../../../../subgraphs/accounts/mails.ts';
import type { MailKind } from '../../../../subgraphs/accounts/mail/domain/mail-kind.ts';
import { topicOf } from '../../../../subgraphs/accounts/mail/domain/notification-topic.ts';
import { postMail } from '../../../../subgraphs/accounts/mail/services/mails.ts';
import { keyOf } from '../../../kit/platform.ts';
import { type AccountsWorld, codeOf, dataOf, startAccounts } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';

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
  expect(wanted(dataOf(await world.ask(viewer, CHOICES), 'me'))).toEqual(
    ['LOW_BALANCE', 'DELIVERIES', 'EXPIRING_KEYS', 'DOWNTIME_CREDITS'].map((topic) => ({ topic, wanted: true })),
  );
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

test('nothing that protects an account, asks for money or tells of a loss has a topic', () => {
  const optional = (Object.keys(MAILS.en) as MailKind[]).filter((kind) => topicOf(kind) !== undefined);
  expect(optional.toSorted()).toEqual(['balance_low', 'downtime_credited', 'key_expiring', 'order_paid', 'server_ready']);
});
