// The support desk: how accounts are found and helped, and who may use the desk.
import { expect, test } from 'vitest';
import { keyOf } from '../../../kit/platform.ts';
import { codeOf, dataOf, PASSWORD, visitor } from '../world.ts';
import { placeOrder } from '../../../kit/purchase.ts';
import { checkoutOf, rowsOf } from '../../../kit/tables.ts';
import { openDesk, world, staff, staffId, ISSUE, issue, activityOf } from './desk.ts';
import { setFaults } from '../../../kit/faults.ts';

openDesk();

test('support finds accounts by address, id, order, key and last four, and reads them', async () => {
  const { id } = await world.account('Hannah.Unique@example.com');
  const { apiKey, key } = await issue(id);
  const find = async (search: string) =>
    dataOf<{ id: string }[]>(
      await world.ask(staff, 'query ($search: String!) { supportAccounts(search: $search) { id } }', { search }),
      'supportAccounts',
    ).map((found) => found.id);
  for (const search of ['hannah.uni', 'UNIQUE@example', id, apiKey.id, key.slice(-4)]) expect(await find(search), search).toEqual([id]);
  for (const search of ['', 'ha', '%%%', 'h_nnah', 'ord_none']) expect(await find(search), search).toEqual([]);
  const query =
    'query ($id: ID!) { supportAccount(id: $id) { email apiKeys { masked } orders { id } sessions { id } activity { items { type } } } }';
  expect(dataOf(await world.ask(staff, query, { id }), 'supportAccount')).toMatchObject({
    email: 'Hannah.Unique@example.com',
    apiKeys: [{ masked: `egress_test_...${key.slice(-4)}` }],
  });
  expect(codeOf(await world.ask(staff, query, { id: 'acct_none' }))).toBe('account_not_found');
});

test('support sends a verification link again, and is told when none waits', async () => {
  const resend = (email: string) =>
    world.ask(staff, 'mutation ($email: String!) { supportResendVerification(email: $email) { email } }', { email });
  await world.ask(visitor(), 'mutation ($input: SignUpInput!) { accountSignUp(input: $input) { email } }', {
    input: { email: 'ida@example.com', password: PASSWORD },
  });
  expect(codeOf(await resend('ida@example.com'))).toBeUndefined();
  expect(await world.mailed('ida@example.com')).toHaveLength(2);
  expect((await activityOf(staffId)).filter((act) => act === 'SUPPORT sign_up.link_sent')).toHaveLength(1);
  expect(codeOf(await resend('nobody@example.com'))).toBe('sign_up_not_found');
  expect(codeOf(await resend('ada@example.com'))).toBe('sign_up_not_found');
});

test('support takes off second factors that their owner has lost, and the password alone opens again', async () => {
  const { id } = await world.account('nun@example.com');
  const { token } = await world.logIn('nun@example.com');
  await world.addTotp(id);
  const owed = async () => dataOf<{ secondFactors: string[] }>(await world.tryLogIn('nun@example.com'), 'sessionCreate').secondFactors;
  expect(await owed()).toEqual(['TOTP']);
  const remove = 'mutation ($id: ID!) { supportSecondFactorsRemove(accountId: $id) { id } }';
  expect(codeOf(await world.ask(staff, remove, { id }))).toBeUndefined();
  expect(await owed()).toEqual([]);
  expect(await world.isIn(token)).toBe(false);
  expect(await activityOf(id)).toContain('SUPPORT account.factors_removed');
  expect((await world.mailed('nun@example.com')).map((mail) => mail.subject)).toContain('A change to how you sign in to Egress');
  expect(codeOf(await world.ask(staff, remove, { id: 'acct_none' }))).toBe('account_not_found');
});

test('support helps a stuck order: looks for its payment, tells its seller again, gives it up', async () => {
  const { id, viewer } = await world.account('oda@example.com');
  const place = async (key: string) =>
    dataOf<{ id: string }>(await world.ask(viewer, placeOrder('id'), { offer: world.offer(id), key }), 'orderPlace').id;
  const remedy = (order: string, act: string) =>
    world.ask(staff, 'mutation ($id: ID!, $remedy: OrderRemedy!) { supportOrderRemedy(id: $id, remedy: $remedy) { status } }', {
      id: order,
      remedy: act,
    });
  const paidEvents = (order: string) => rowsOf(world.query, 'platform.event', { type: 'order.paid', subject: order });

  const order = await place('oda-buys-one');
  expect(codeOf(await remedy(order, 'REDELIVER'))).toBe('action_not_allowed');
  const undo = setFaults(world.sandbox.card.faults.webhooks, { drop: 1 });
  world.sandbox.card.payCheckout(await checkoutOf(world.query, order));
  undo();
  expect(await remedy(order, 'RECHECK')).toEqual({ data: { supportOrderRemedy: { status: 'PAID' } } });
  expect(await paidEvents(order)).toHaveLength(1);
  expect(await remedy(order, 'REDELIVER')).toEqual({ data: { supportOrderRemedy: { status: 'PAID' } } });
  expect(await paidEvents(order)).toHaveLength(2);
  expect(codeOf(await remedy(order, 'CANCEL'))).toBe('action_not_allowed');

  const given = await place('oda-buys-two');
  expect(await remedy(given, 'CANCEL')).toEqual({ data: { supportOrderRemedy: { status: 'CANCELLED' } } });
  expect(codeOf(await remedy('ord_none', 'RECHECK'))).toBe('order_not_found');
  expect((await activityOf(id)).filter((act) => act === 'SUPPORT order.remedied')).toHaveLength(3);
});

test('what was agreed beside the catalogue is written down, seen by its owner, and ended', async () => {
  const { id, viewer } = await world.account('pam@example.com');
  const RECORD =
    'mutation ($id: ID!, $terms: String!, $until: DateTime) { supportArrangementRecord(accountId: $id, kind: SLA, terms: $terms, validUntil: $until) { id kind terms } }';
  const agreed = (terms: string, more: object = {}) => world.ask(staff, RECORD, { id, terms, ...more });
  const arrangement = dataOf<{ id: string }>(await agreed(' 99.95 % a month '), 'supportArrangementRecord');
  expect(arrangement).toEqual({ id: arrangement.id, kind: 'SLA', terms: '99.95 % a month' });
  for (const [terms, more] of [
    [' ', {}],
    ['x'.repeat(4_001), {}],
    ['x', { until: world.clock.now().toISOString() }],
  ] as const)
    expect(codeOf(await agreed(terms, more))).toBe('parameter_invalid');
  expect(codeOf(await world.ask(staff, RECORD, { id: 'acct_none', terms: 'x' }))).toBe('account_not_found');
  const end = () => world.ask(staff, 'mutation ($id: ID!) { supportArrangementEnd(id: $id) { endedAt } }', { id: arrangement.id });
  expect(await end()).toEqual({ data: { supportArrangementEnd: { endedAt: world.clock.now().toISOString() } } });
  expect(codeOf(await end())).toBe('request_not_found');
  expect(dataOf(await world.ask(viewer, '{ me { arrangements { kind terms endedAt } } }'), 'me')).toEqual({
    arrangements: [{ kind: 'SLA', terms: '99.95 % a month', endedAt: world.clock.now().toISOString() }],
  });
  expect(await activityOf(id)).toEqual(expect.arrayContaining(['SUPPORT arrangement.recorded', 'SUPPORT arrangement.ended']));
});

test("no customer, no key and no stranger reaches support's desk", async () => {
  const { id, viewer } = await world.account('jan@example.com');
  for (const [who, code] of [
    [viewer, 'forbidden'],
    [keyOf(id), 'forbidden'],
    [visitor(), 'session_invalid'],
  ] as const) {
    expect(codeOf(await world.ask(who, '{ supportKeyRequests { id } }'))).toBe(code);
    expect(codeOf(await world.ask(who, ISSUE, { input: { accountId: id, kind: 'STANDARD' } }))).toBe(code);
  }
  expect(await rowsOf(world.query, 'accounts.api_key', { account_id: id })).toHaveLength(0);
});

test("a member of support has the role's rights only in a session that has passed a second factor", async () => {
  const { viewer } = await world.logIn('support@egress.example');
  expect(viewer).toMatchObject({ staff: false });
  expect(codeOf(await world.ask(viewer, '{ supportKeyRequests { id } }'))).toBe('forbidden');
});
