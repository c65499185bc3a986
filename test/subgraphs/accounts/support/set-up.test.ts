// The first member of staff is made on a page, with the code that the platform prints when it starts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { issueSetUpCode } from '../../../../subgraphs/accounts/support/services/set-up.ts';
import { anonymous } from '../../../kit/platform.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type AccountsWorld, PASSWORD, codeOf, dataOf, startAccounts } from '../world.ts';

let world: AccountsWorld;
beforeEach(async () => {
  world = await startAccounts({ PUBLIC_URL: 'http://localhost:4000', SELLER_NAME: 'Example Proxies Ltd' });
});
afterEach(() => world.close());

const OPEN = '{ setUpOpen }';
const CHECK = 'mutation ($code: String!) { setUpCheck(code: $code) { settings { name isSet } findings { vendor ok } } }';
const FINISH = 'mutation ($input: SetUpInput!) { setUpFinish(input: $input) { email enrolment } }';
const ACCEPT = 'mutation ($token: String!) { staffEnrolmentAccept(token: $token) }';
const START = 'mutation ($password: String) { totpStart(password: $password) { secret } }';

const isOpen = async () => dataOf<boolean>(await world.ask(anonymous, OPEN), 'setUpOpen');
const check = (code: string, viewer: Viewer = anonymous) => world.ask(viewer, CHECK, { code });
const finish = (code: string, email = 'ada@desk.example', password = PASSWORD) =>
  world.ask(anonymous, FINISH, { input: { code, email, password } });
async function codeOfStart(): Promise<string> {
  const issued = await issueSetUpCode(world.context());
  expect(issued).toMatchObject({ url: 'http://localhost:4000/set-up' });
  return issued?.code ?? '';
}
const staff = () => rowsOf<{ email: string }>(world.query, 'accounts.account', { role: 'STAFF' });

test('makes an account that is staff, once signed in with the second factor that it may then set up', async () => {
  const code = await codeOfStart();
  expect(await isOpen()).toBe(true);
  const { enrolment } = dataOf<{ enrolment: string }>(await finish(code), 'setUpFinish');
  const { viewer } = await world.logIn('ada@desk.example');
  expect(codeOf(await world.ask(viewer, START, { password: PASSWORD }))).toBe('enrolment_link_needed');
  expect(codeOf(await world.ask(viewer, ACCEPT, { token: enrolment }))).toBeUndefined();
  expect(codeOf(await world.ask(viewer, START, { password: PASSWORD }))).toBeUndefined();
  expect(await staff()).toMatchObject([{ email: 'ada@desk.example' }]);
  expect(await isOpen()).toBe(false);
});

test('shows which variables are set, never their values, and what was found outside', async () => {
  const code = await codeOfStart();
  const answer = await check(code);
  const { settings, findings } = dataOf<{ settings: { name: string; isSet: boolean }[]; findings: { vendor: string }[] }>(
    answer,
    'setUpCheck',
  );
  expect(settings).toContainEqual({ name: 'SELLER_NAME', isSet: true });
  expect(settings).toContainEqual({ name: 'SELLER_TAX_ID', isSet: false });
  expect(JSON.stringify(answer)).not.toContain('Example Proxies Ltd');
  expect(findings.map(({ vendor }) => vendor)).toEqual(expect.arrayContaining(['card', 'mail']));
  // Checking the code does not use it up.
  expect(codeOf(await check(code))).toBeUndefined();
});

test('of two browsers, and of the codes of two starts, one wins', async () => {
  const codes = [await codeOfStart(), await codeOfStart()];
  const answers = await Promise.all(codes.map((code, index) => finish(code, `staff-${index}@desk.example`)));
  expect(answers.map(codeOf).toSorted()).toEqual(['set_up_done', undefined]);
  expect(await staff()).toHaveLength(1);
  expect(await rowsOf(world.query, 'accounts.set_up_code')).toEqual([]);
  expect(codeOf(await check(codes[0] ?? ''))).toBe('set_up_done');
  expect(await issueSetUpCode(world.context())).toBeUndefined();
});

test('a code lives an hour and is kept as a hash; a wrong one is refused, and soon slowed', async () => {
  const code = await codeOfStart();
  expect(JSON.stringify(await rowsOf(world.query, 'accounts.set_up_code'))).not.toContain(code);
  for (let attempt = 0; attempt < 10; attempt++) expect(codeOf(await check('wrong'))).toBe('code_wrong');
  expect(codeOf(await check('wrong'))).toBe('too_many_attempts');
  expect(codeOf(await check(code, { ...anonymous, address: '203.0.113.9' } as Viewer))).toBeUndefined();
  world.clock.advance(HOUR);
  expect(codeOf(await finish(code))).toBe('code_wrong');
  expect(await isOpen()).toBe(true);
});

test('passwords have their rules, and an address that has an account is appointed by the command', async () => {
  const code = await codeOfStart();
  await world.account('bob@example.com');
  expect(codeOf(await finish(code, 'ada@desk.example', 'password'))).toBe('password_unfit');
  expect(codeOf(await finish(code, 'no address'))).toBe('email_invalid');
  expect(codeOf(await finish(code, 'bob@example.com'))).toBe('parameter_invalid');
  expect(codeOf(await finish(code))).toBeUndefined();
});
