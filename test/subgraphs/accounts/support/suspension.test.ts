// Support suspends an account and restores it: who is kept out, what is not charged, and what happens when two members of staff act at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { systemViewer } from '#platform/identity.ts';
import { actsOf, eventsOf, rowOf } from '../../../kit/tables.ts';
import { stepSubscription } from '../../../../subgraphs/accounts/billing/renewals/services/step-subscription.ts';
import { type SubscriptionWorld, startSubscriptions } from '../billing/subscriptions/subscription-world.ts';
import type { Person } from '../billing/world.ts';
import { PASSWORD, codeOf, dataOf, visitor } from '../world.ts';
import { CALLER, ISSUE } from './desk-questions.ts';

/** A test card that can be attached, and is declined when it is charged. */
const FAILS_LATER = '4000000000000341';

let world: SubscriptionWorld;
let desk: Person;
let other: Person;
beforeAll(async () => {
  world = await startSubscriptions();
  desk = await world.account('desk@example.com', 'STAFF');
  other = await world.account('other@example.com', 'STAFF');
});
afterAll(() => world.close());

const deed = (name: 'Suspend' | 'Restore') =>
  `mutation ($id: ID!, $reason: String!) { supportAccount${name}(accountId: $id, reason: $reason) { suspendedAt suspensionReason } }`;
const suspend = (id: string, by = desk, reason = 'Mails were sent in bulk.') => world.ask(by.viewer, deed('Suspend'), { id, reason });
const restore = (id: string, by = desk, reason = 'It was not you.') => world.ask(by.viewer, deed('Restore'), { id, reason });

test('nobody enters, no key works and no session stays; the log-in says why, and where to write; restored, all of it works again', async () => {
  const ada = await world.account('ada@example.com');
  const { key } = dataOf<{ key: string }>(
    await world.ask(desk.viewer, ISSUE, { input: { accountId: ada.id, kind: 'STANDARD' } }),
    'supportApiKeyIssue',
  );
  const callerOf = () => world.ask(systemViewer('gateway', 'req_test'), CALLER, { key });
  const { token } = await world.logIn(ada.email);
  expect(dataOf(await suspend(ada.id), 'supportAccountSuspend')).toEqual({
    suspendedAt: world.clock.now().toISOString(),
    suspensionReason: 'Mails were sent in bulk.',
  });
  expect(await world.isIn(token)).toBe(false);
  expect(codeOf(await callerOf())).toBe('account_suspended');
  const refused = await world.tryLogIn(ada.email);
  expect(refused.errors?.[0]?.extensions).toMatchObject({
    code: 'account_suspended',
    reasonCode: 'suspended_write_to',
    params: { email: expect.stringContaining('@') },
  });
  // Whoever does not know the password does not learn of the suspension.
  expect(codeOf(await world.tryLogIn(ada.email, 'wrong horse battery'))).toBe('credentials_wrong');
  expect((await world.subjects(ada)).at(-1)).toBe('Your Egress account is suspended');
  expect(await actsOf(world.query, ada.id)).toContain('SUPPORT account.suspended');
  expect(await eventsOf(world.query, ada.id, 'account.suspended')).toEqual([
    { type: 'account.suspended', data: { reason: 'Mails were sent in bulk.' } },
  ]);

  expect(dataOf(await restore(ada.id), 'supportAccountRestore')).toEqual({ suspendedAt: null, suspensionReason: null });
  expect(codeOf(await callerOf())).toBeUndefined();
  const again = await world.logIn(ada.email, PASSWORD, visitor());
  expect(await world.isIn(again.token)).toBe(true);
  expect((await world.subjects(ada)).at(-1)).toContain('Egress');
  expect(await actsOf(world.query, ada.id)).toContain('SUPPORT account.restored');
});

test('a session that begins in the moment of the suspension is none', async () => {
  const bea = await world.account('bea@example.com');
  const outcomes = await Promise.all([suspend(bea.id), ...Array.from({ length: 5 }, () => world.tryLogIn(bea.email, PASSWORD, visitor()))]);
  const made = outcomes.slice(1).flatMap(({ data }) => (data as { sessionCreate?: { token: string } } | null)?.sessionCreate?.token ?? []);
  expect(await Promise.all(made.map((token) => world.isIn(token)))).toEqual(made.map(() => false));
});

test('of two members of staff at once one suspends and one restores; nobody does it to themselves, nor without a reason', async () => {
  const cleo = await world.account('cleo@example.com');
  const both = async (act: typeof suspend) => (await Promise.all([act(cleo.id, desk), act(cleo.id, other)])).map(codeOf).sort();
  expect(await both(suspend)).toEqual(['action_not_allowed', undefined]);
  expect(await both(restore)).toEqual(['action_not_allowed', undefined]);
  expect(await eventsOf(world.query, cleo.id, 'account.%')).toHaveLength(3);
  expect(codeOf(await suspend(desk.id))).toBe('own_account_refused');
  expect(codeOf(await suspend(other.id))).toBeUndefined();
  expect(codeOf(await restore(other.id, other))).toBe('own_account_refused');
  expect(codeOf(await restore(other.id))).toBeUndefined();
  expect(codeOf(await suspend(cleo.id, desk, '  '))).toBe('parameter_invalid');
  expect(codeOf(await suspend('acct_none'))).toBe('account_not_found');
  expect(codeOf(await world.ask(cleo.viewer, deed('Restore'), { id: cleo.id, reason: 'I paid.' }))).toBe('forbidden');
});

test('no renewal is asked for or charged while it lasts; restored, the next period begins then', async () => {
  const dora = await world.account('dora@example.com');
  const { id } = await world.subscribe(dora);
  const charges = () => world.sandbox.card.charges().filter(({ paid }) => paid).length;
  const before = charges();
  await suspend(dora.id);
  await world.toPeriodEnd(id);
  await world.pass(20 * DAY, DAY);
  expect([charges() - before, (await world.row(id)).status, (await world.orders(id)).length]).toEqual([0, 'ACTIVE', 1]);
  await restore(dora.id);
  const at = world.clock.now();
  await world.pass(3 * HOUR, HOUR);
  const row = await world.row(id);
  expect([charges() - before, row.status]).toEqual([1, 'ACTIVE']);
  expect(row.current_period_start).toEqual(at);
});

test('what is owed is neither tried nor removed while it lasts, and is owed as far ahead as before afterwards', async () => {
  const eva = await world.account('eva@example.com');
  const { id } = await world.subscribe(eva);
  const { card_id: card } = await world.row(id);
  world.sandbox.card.behave(card ?? '', FAILS_LATER);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
  await suspend(eva.id);
  await world.pass(30 * DAY, DAY);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
  await restore(eva.id);
  await world.rest();
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
  await world.pass(2 * DAY, HOUR * 6);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 2 });
});

test('what was cancelled ends while it lasts, and a payment that arrives does not end the suspension', async () => {
  const fee = await world.account('fee@example.com');
  const { id } = await world.subscribe(fee);
  await world.ask(fee.viewer, `mutation { subscriptionCancel(id: "${id}") { id } }`);
  const open = await world.place(fee);
  await suspend(fee.id);
  await world.pay(open.id);
  await world.settle();
  expect(await rowOf(world.query, 'accounts.customer_order', { id: open.id }, { columns: 'status' })).toEqual({ status: 'PAID' });
  expect(codeOf(await world.tryLogIn(fee.email, PASSWORD, visitor()))).toBe('account_suspended');
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'CANCELED', end_reason: 'CANCELLED' });
});

test('a renewal and a suspension at the same moment leave one of both orders of events, and nothing half done', async () => {
  for (let round = 0; round < 5; round++) {
    const gil = await world.account(`gil${round}@example.com`);
    await world.grant(gil.id, 10_000, desk.viewer);
    const { id } = await world.subscribe(gil);
    const { current_period_end: end } = await world.row(id);
    world.clock.set(new Date(end.getTime() + 60_000));
    await Promise.all([suspend(gil.id), stepSubscription(world.context(), id)]);
    const { status, current_period_end: now } = await world.row(id);
    expect(status).toBe('ACTIVE');
    const orders = await world.orders(id);
    expect(orders.length).toBe(now > end ? 2 : 1);
    expect(orders.every((order) => order.status !== 'PENDING')).toBe(true);
  }
});
