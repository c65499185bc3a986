// A person is invited into a team, joins it and works in its account, through the whole platform: mails, sessions, the graph, sockets, the activity.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { staffCookie } from '../../browser/filled-account.ts';
import type { SeededAccount } from '../../kit/seed.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { rowOf, rowsOf, setRows } from '../../kit/tables.ts';

let stack: Stack;
let owner: SeededAccount;
let guest: SeededAccount;
let planId: string;
let otherPlanId: string;
let cookies: { owner: string; guest: string };
let turn = 0;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  turn += 1;
  owner = await stack.seed.account({ email: `owner-${turn}@example.com` });
  guest = await stack.seed.account({ email: `guest-${turn}@example.com` });
  ({ id: planId } = await owner.residentialPlan());
  ({ id: otherPlanId } = await owner.residentialPlan());
  cookies = { owner: await owner.cookie(), guest: await guest.cookie() };
});

interface Answer {
  data: any;
  errors?: { message: string; extensions: { code: string } }[];
}
async function ask(cookie: string, query: string, variables: object = {}): Promise<Answer> {
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.url, cookie },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Answer;
}
async function dataOf(cookie: string, query: string, variables: object = {}): Promise<any> {
  const { data, errors } = await ask(cookie, query, variables);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
const codeOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).errors?.[0]?.extensions.code;

const INVITE = 'mutation ($input: TeamInvitationInput!) { teamInvite(input: $input) { id } }';
const JOIN = 'mutation ($token: String!) { teamJoin(token: $token) { accountId name role } }';
const SWITCH = 'mutation ($id: ID) { teamSwitch(accountId: $id) }';
const ME = '{ me { id email acting { email role permissions things } teams { accountId name role } } }';
const PLANS = '{ residentialPlans { id } }';

/** The token of the newest invitation that was mailed to an address. */
async function mailedToken(email: string): Promise<string> {
  await stack.settle();
  const mail = stack.sandbox.mail.messages(email).findLast(({ text }) => text.includes('/join?token='));
  return /\/join\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

async function invited(input: object = { role: 'DEVELOPER' }): Promise<string> {
  await dataOf(cookies.owner, INVITE, { input: { email: `guest-${turn}@example.com`, ...input } });
  return mailedToken(`guest-${turn}@example.com`);
}

/** The guest joins, and works in the owner's account from then on. */
async function joined(input?: object): Promise<void> {
  await dataOf(cookies.guest, JOIN, { token: await invited(input) });
  await dataOf(cookies.guest, SWITCH, { id: owner.id });
}

describe('an invitation', () => {
  test('makes a member of whoever has its address, once', async () => {
    const token = await invited();
    expect(
      await dataOf(cookies.guest, 'query ($token: String!) { teamInvitation(token: $token) { team role isLimited } }', { token }),
    ).toEqual({
      teamInvitation: { team: `owner-${turn}@example.com`, role: 'DEVELOPER', isLimited: false },
    });
    expect((await dataOf(cookies.guest, JOIN, { token })).teamJoin).toEqual({
      accountId: owner.id,
      name: `owner-${turn}@example.com`,
      role: 'DEVELOPER',
    });
    expect(await codeOf(cookies.guest, JOIN, { token })).toBe('invitation_not_found');
    await stack.settle();
    expect(
      stack.sandbox.mail.messages(`owner-${turn}@example.com`).some(({ subject }) => subject.startsWith(`guest-${turn}@example.com is in`)),
    ).toBe(true);
  });

  test('is of no use to another account, to staff, when it is over or taken back, and when a newer one was sent', async () => {
    const token = await invited();
    const stranger = await (await stack.seed.account({ email: `stranger-${turn}@example.com` })).cookie();
    expect(await codeOf(stranger, JOIN, { token })).toBe('invitation_of_another');
    const newer = await invited({ role: 'VIEWER' });
    expect(await codeOf(cookies.guest, JOIN, { token })).toBe('invitation_not_found');
    await setRows(stack.database.query, 'accounts.account', { role: 'STAFF' }, { id: guest.id });
    expect(await codeOf(cookies.guest, JOIN, { token: newer })).toBe('action_not_allowed');
    await setRows(stack.database.query, 'accounts.account', { role: 'CUSTOMER' }, { id: guest.id });
    const row = await rowOf<{ id: string }>(stack.database.query, 'accounts.team_invitation', { account_id: owner.id });
    await dataOf(cookies.owner, 'mutation ($id: ID!) { teamInvitationWithdraw(id: $id) }', { id: row?.id });
    expect(await codeOf(cookies.guest, JOIN, { token: newer })).toBe('invitation_not_found');
    const last = await invited();
    const over = new Date(stack.clock.now().getTime() - DAY).toISOString();
    await setRows(stack.database.query, 'accounts.team_invitation', { expires_at: over }, { account_id: owner.id });
    expect(await codeOf(cookies.guest, JOIN, { token: last })).toBe('invitation_not_found');
  });

  test.each([
    [{ email: 'no address', role: 'VIEWER' }, 'email_invalid'],
    [{ email: 'a@example.com', role: 'BILLING', things: ['plan_1'] }, 'parameter_invalid'],
    [{ email: 'a@example.com', role: 'VIEWER', things: ['ord_1'] }, 'parameter_invalid'],
  ])('to %j is refused with %s', async (input, code) => {
    expect(await codeOf(cookies.owner, INVITE, { input })).toBe(code);
  });

  test('of somebody who is in the team already is refused', async () => {
    await dataOf(cookies.guest, JOIN, { token: await invited() });
    for (const email of [`guest-${turn}@example.com`, `Owner-${turn}@example.com`])
      expect(await codeOf(cookies.owner, INVITE, { input: { email, role: 'VIEWER' } })).toBe('action_not_allowed');
  });
});

describe('a member', () => {
  test('works in the account of the team until switching back, in this session alone', async () => {
    const elsewhere = await guest.cookie();
    await joined({ role: 'VIEWER' });
    const { me } = await dataOf(cookies.guest, ME);
    expect(me).toEqual({
      id: owner.id,
      email: `owner-${turn}@example.com`,
      acting: { email: `guest-${turn}@example.com`, role: 'VIEWER', permissions: ['READ'], things: null },
      teams: [{ accountId: owner.id, name: `owner-${turn}@example.com`, role: 'VIEWER' }],
    });
    expect((await dataOf(cookies.guest, PLANS)).residentialPlans).toHaveLength(2);
    expect((await dataOf(elsewhere, ME)).me.id).toBe(guest.id);
    await dataOf(cookies.guest, SWITCH, { id: null });
    expect((await dataOf(cookies.guest, ME)).me).toMatchObject({ id: guest.id, acting: null });
    expect(await codeOf(cookies.guest, SWITCH, { id: (await stack.seed.account()).id })).toBe('team_member_not_found');
  });

  test('reads no password of lines without the right to generate them', async () => {
    const password = '{ residentialPlans { password } staticSubscriptions { password } }';
    await joined({ role: 'VIEWER' });
    const hidden = (await dataOf(cookies.guest, password)).residentialPlans[0].password;
    await setRows(stack.database.query, 'accounts.team_member', { role: 'DEVELOPER' }, { account_id: owner.id });
    const shown = (await dataOf(cookies.guest, password)).residentialPlans[0].password;
    expect([hidden, shown === hidden]).toEqual(['••••••••', false]);
  });

  test('does what the role allows, and the activity names the member', async () => {
    await joined({ role: 'DEVELOPER' });
    const limit = 'mutation ($id: ID!) { residentialPlanSetDailyLimit(id: $id, dailyLimitBytes: "2000000000") { id } }';
    await dataOf(cookies.guest, limit, { id: planId });
    expect(await codeOf(cookies.guest, '{ me { orderPage { items { id } } } }')).toBe('team_role_missing');
    expect(await codeOf(cookies.guest, 'mutation { sessionCloseAll }')).toBe('team_role_missing');
    expect(await codeOf(cookies.guest, INVITE, { input: { email: 'a@example.com', role: 'OWNER' } })).toBe('team_role_missing');
    await stack.settle();
    const { me } = await dataOf(cookies.owner, '{ me { activity { items { type actor member details { name } } } } }');
    expect(me.activity.items.find(({ type }: { type: string }) => type === 'residential_plan.limited')).toMatchObject({
      actor: 'OWNER',
      member: `guest-${turn}@example.com`,
    });
    expect(JSON.stringify(me.activity.items)).not.toContain('"name":"member"');
  });

  test('downloads and registers what the role includes', async () => {
    const status = async (path: string, init: RequestInit = {}) =>
      (await fetch(`${stack.url}${path}`, { ...init, headers: { origin: stack.url, cookie: cookies.guest, ...init.headers } })).status;
    const invoice = `/invoices/inv_${'1'.repeat(26)}.pdf`;
    const register = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"documents":["{ me { id } }"]}' };
    await joined({ role: 'VIEWER' });
    expect([await status(invoice), await status('/graphql/documents', register)]).toEqual([403, 403]);
    expect(await status(`/residential/${planId}/usage.csv`)).toBe(200);
    await setRows(stack.database.query, 'accounts.team_member', { role: 'OWNER' }, { account_id: owner.id });
    expect([await status(invoice), await status('/graphql/documents', register)]).toEqual([404, 200]);
    expect(await status('/account/data/account.json')).toBe(403);
  });

  test('keeps a language and a look of pages of their own', async () => {
    await joined();
    await dataOf(cookies.guest, 'mutation { accountSetPreferences(input: { density: COMPACT }) { id } }');
    const density = '{ me { preferences { density } } }';
    expect((await dataOf(cookies.guest, density)).me.preferences.density).toBe('COMPACT');
    expect((await dataOf(cookies.owner, density)).me.preferences.density).toBe('COMFORTABLE');
  });

  test('with access to one plan finds no other, and nothing of the whole account', async () => {
    await joined({ role: 'DEVELOPER', things: [planId] });
    expect((await dataOf(cookies.guest, PLANS)).residentialPlans).toEqual([{ id: planId }]);
    const one = 'query ($id: ID!) { residentialPlan(id: $id) { id } }';
    expect(await codeOf(cookies.guest, one, { id: otherPlanId })).toBe('plan_not_found');
    expect(await codeOf(cookies.guest, '{ webhookEndpoints { id } }')).toBe('team_role_missing');
  });

  test('with access to one proxy user has its lines, and decides nothing about it', async () => {
    const create = 'mutation ($id: ID!) { proxyUsersCreate(planId: $id, users: [{ name: "Shop" }, { name: "Farm" }]) { id } }';
    const [shop, farm] = (await dataOf(cookies.owner, create, { id: planId })).proxyUsersCreate.map(({ id }: { id: string }) => id);
    await joined({ role: 'DEVELOPER', things: [shop] });
    const user = 'query ($id: ID!) { proxyUser(id: $id) { name password } }';
    expect((await dataOf(cookies.guest, user, { id: shop })).proxyUser).toEqual({
      name: 'Shop',
      password: expect.stringMatching(/^\w{8,}$/),
    });
    expect(await codeOf(cookies.guest, user, { id: farm })).toBe('proxy_user_not_found');
    expect(await dataOf(cookies.guest, '{ proxyUsers(search: "") { id } residentialPlans { id } }')).toEqual({
      proxyUsers: [{ id: shop }],
      residentialPlans: [],
    });
    const change = 'mutation ($id: ID!) { proxyUserChange(id: $id, input: { dailyLimitBytes: "9000000000" }) { id } }';
    expect(await codeOf(cookies.guest, change, { id: shop })).toBe('team_role_missing');
    await dataOf(cookies.guest, 'mutation ($id: ID!) { proxyUserResetPassword(id: $id) { id } }', { id: shop });
  });

  test('has the role that was set last at once, and is back in their own account when removed', async () => {
    await joined({ role: 'VIEWER' });
    const { me } = await dataOf(cookies.owner, '{ me { team { members { id email role } } } }');
    const [member] = me.team.members;
    expect(member).toMatchObject({ email: `guest-${turn}@example.com`, role: 'VIEWER' });
    await dataOf(cookies.owner, 'mutation ($id: ID!) { teamMemberChange(id: $id, input: { role: BILLING }) { id } }', { id: member.id });
    expect((await dataOf(cookies.guest, ME)).me.acting.permissions).toEqual(['READ', 'BILLING', 'PAY']);
    await dataOf(cookies.owner, 'mutation ($id: ID!) { teamMemberRemove(id: $id) }', { id: member.id });
    expect((await dataOf(cookies.guest, ME)).me).toMatchObject({ id: guest.id, acting: null, teams: [] });
    await stack.settle();
    expect(stack.sandbox.mail.messages(`guest-${turn}@example.com`).at(-1)?.subject).toMatch(/^You are not in the team/);
  });

  test('leaves by themselves; a suspended account lets no member work in it', async () => {
    await joined();
    await setRows(stack.database.query, 'accounts.account', { suspended_at: 'now', suspension_reason: 'Spam.' }, { id: owner.id });
    expect((await dataOf(cookies.guest, ME)).me.id).toBe(guest.id);
    await setRows(stack.database.query, 'accounts.account', { suspended_at: null, suspension_reason: null }, { id: owner.id });
    expect((await dataOf(cookies.guest, ME)).me.id).toBe(owner.id);
    await dataOf(cookies.guest, 'mutation ($id: ID!) { teamLeave(accountId: $id) }', { id: owner.id });
    expect((await dataOf(cookies.guest, ME)).me.id).toBe(guest.id);
    expect(await rowsOf(stack.database.query, 'accounts.team_member', { account_id: owner.id })).toEqual([]);
  });

  test('of an account that is closed is one no more', async () => {
    await joined();
    const closing = await dataOf(cookies.owner, 'mutation ($password: String) { accountClose(password: $password) { kind } }', {
      password: owner.password,
    });
    expect(closing.accountClose.length).toBeGreaterThan(0);
    expect((await dataOf(cookies.guest, ME)).me).toMatchObject({ id: guest.id, teams: [] });
  });
});

test('a member of staff sees who is in a team, and has no rights of staff in one', async () => {
  await joined({ role: 'OWNER' });
  const { name, value } = await staffCookie(stack);
  const seen = 'query ($id: ID!) { supportAccount(id: $id) { team { members { email } } teams { name } } }';
  expect((await dataOf(`${name}=${value}`, seen, { id: owner.id })).supportAccount).toEqual({
    team: { members: [{ email: `guest-${turn}@example.com` }] },
    teams: [],
  });
  expect(await codeOf(cookies.guest, '{ supportAccounts(search: "a") { id } }')).toBe('forbidden');
});
