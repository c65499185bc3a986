// A member of staff sees an account as its owner does, through the whole platform: the routes of pages, the graph, the mail and the activity.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { staffCookie } from '../../browser/filled-account.ts';
import type { SeededAccount } from '../../kit/seed.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { deleteRows, rowsOf } from '../../kit/tables.ts';

let stack: Stack;
let customer: SeededAccount;
let planId: string;
let desk: string;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  customer = await stack.seed.account();
  ({ id: planId } = await customer.residentialPlan());
  const { name, value } = await staffCookie(stack);
  desk = `${name}=${value}`;
});

const post = (path: string, body: object, cookie: string) =>
  fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.url, cookie },
    body: JSON.stringify(body),
  });

interface Answer {
  data: any;
  errors?: { extensions: { code: string } }[];
}
const ask = async (cookie: string, query: string, variables: object = {}): Promise<Answer> =>
  (await (await post('/graphql', { query, variables }, cookie)).json()) as Answer;
const codeOf = async (cookie: string, query: string, variables: object = {}) =>
  (await ask(cookie, query, variables)).errors?.[0]?.extensions.code;

const begin = (cookie = desk, body: object = { accountId: customer.id, reason: 'You asked why a renewal failed.' }) =>
  post('/auth/impersonate', body, cookie);

/** Starts an impersonation, and returns the Cookie header that the browser sends from then on. */
async function begun(): Promise<string> {
  const response = await begin();
  expect(response.status).toBe(200);
  const [cookie] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^egress_impersonation=imp_[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800$/);
  return `${desk}; ${cookie?.split(';')[0]}`;
}

const ME = '{ me { id role staffPermissions impersonatedUntil } }';

test('the pages show the owner’s account until the impersonation ends, and the desk afterwards', async () => {
  const cookie = await begun();
  const until = new Date(stack.clock.now().getTime() + 30 * MINUTE).toISOString();
  expect((await ask(cookie, ME)).data.me).toEqual({ id: customer.id, role: 'CUSTOMER', staffPermissions: [], impersonatedUntil: until });
  expect((await ask(await customer.cookie(), ME)).data.me.impersonatedUntil).toBeNull();
  const response = await post('/auth/impersonate-end', {}, cookie);
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^egress_impersonation=; .*Max-Age=0$/)]);
  expect((await ask(cookie, ME)).data.me).toBeNull();
  expect((await ask(desk, ME)).data.me.role).toBe('STAFF');
});

test('it cannot change or generate anything, nor read passwords or the copy of the data, nor use the desk', async () => {
  const cookie = await begun();
  const plan = 'query ($id: ID!) { residentialPlan(id: $id) { username password } }';
  const own = (await ask(await customer.cookie(), plan, { id: planId })).data.residentialPlan;
  const seen = (await ask(cookie, plan, { id: planId })).data.residentialPlan;
  expect(seen).toEqual({ username: own.username, password: '••••••••' });
  expect(own.password).not.toBe(seen.password);
  const generate =
    '{ residentialProxies(planId: "PLAN", input: { targeting: { pool: "de" }, session: ROTATING, quantity: 1 }) { count } }'.replace(
      'PLAN',
      planId,
    );
  for (const refused of [
    'mutation { accountChooseLanguage(language: DE) { id } }',
    `mutation { residentialPlanSetDailyLimit(id: "${planId}", dailyLimitBytes: "2000000000") { id } }`,
    'mutation { sessionCloseAll }',
    generate,
    '{ accountData { rows } }',
  ]) {
    const code = await codeOf(cookie, refused);
    if (code !== 'impersonation_reads_only') throw new Error(`${refused}: ${code}`);
  }
  expect(await codeOf(cookie, '{ supportAccounts(search: "a") { id } }')).toBe('forbidden');
});

test('the owner learns who it was and why from a mail and from the activity', async () => {
  await begun();
  await stack.settle();
  const mail = stack.sandbox.mail.messages(customer.email).at(-1);
  expect(mail?.subject).toContain('support looks at your account');
  expect(mail?.text).toContain('You asked why a renewal failed.');
  const { items } = (await ask(await customer.cookie(), '{ me { activity { items { type actor } } } }')).data.me.activity;
  expect(items).toContainEqual({ type: 'account.impersonated', actor: 'SUPPORT' });
  const acts = await rowsOf<{ act: string; given: { reason: string } }>(stack.database.query, 'accounts.staff_act', {
    act: 'supportImpersonationBegin',
  });
  expect(acts.at(-1)?.given).toMatchObject({ accountId: customer.id, reason: 'You asked why a renewal failed.' });
});

test('it ends after half an hour, with the session of the member of staff, and with their role', async () => {
  const first = await begun();
  stack.clock.advance(30 * MINUTE);
  expect((await ask(first, ME)).data.me).toBeNull();

  const second = await begun();
  await post('/auth/sign-out', {}, desk);
  expect((await ask(second, ME)).data.me).toBeNull();

  const { name, value } = await staffCookie(stack);
  desk = `${name}=${value}`;
  const third = await begun();
  expect((await ask(third, ME)).data.me.id).toBe(customer.id);
  await deleteRows(stack.database.query, 'accounts.staff_role', { account_id: (await ask(desk, ME)).data.me.id });
  expect((await ask(third, ME)).data.me).toBeNull();
});

test('it is refused for others than staff, without a reason, for a colleague’s account and for an unknown one', async () => {
  const refusal = async (cookie: string, body?: object) => {
    const response = await begin(cookie, body);
    return `${response.status} ${((await response.json()) as { code?: string }).code}`;
  };
  const colleague = await stack.seed.account({ role: 'STAFF' });
  expect(await refusal('')).toBe('401 session_invalid');
  expect(await refusal(await customer.cookie())).toBe('403 forbidden');
  expect(await refusal(desk, { accountId: customer.id })).toBe('400 parameter_missing');
  expect(await refusal(desk, { accountId: customer.id, reason: ' ' })).toBe('400 parameter_invalid');
  expect(await refusal(desk, { accountId: colleague.id, reason: 'x' })).toBe('409 action_not_allowed');
  expect(await refusal(desk, { accountId: 'acct_none', reason: 'x' })).toBe('404 account_not_found');
});
