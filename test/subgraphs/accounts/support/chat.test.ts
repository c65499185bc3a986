// Log-in through the chat platform, by the doors that a browser uses; and attacks that are prepared before the owner of an address signs up.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { type AccountsWorld, codeOf, dataOf, PASSWORD, startAccounts, visitor } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

type Browser = ReturnType<AccountsWorld['browser']>;
interface Person {
  username: string;
  email?: string;
  verified?: boolean;
}

const urlOf = async (browser: Browser, body: object = {}) => String((await browser.post('/auth/chat/start', body))['url']);
/** Goes to the chat platform, consents, and comes back. Resolves with the address of the last redirect. */
async function chat(browser: Browser, person: Person, body: object = {}) {
  const back = world.sandbox.chat.consent(await urlOf(browser, body), person);
  return (await browser.follow(back)).headers.get('location');
}
const meOf = async (browser: Browser) => {
  const token = browser.token();
  if (token === undefined) return undefined;
  const { viewer } = await world.callerOf(token);
  const me = dataOf<{ id: string; email: string | null; access: { chat: { name: string } | null; hasPassword: boolean } }>(
    await world.ask(viewer, '{ me { id email access { hasPassword chat { name } } } }'),
    'me',
  );
  return { ...me, viewer };
};
async function signedIn(email: string, password = PASSWORD) {
  const browser = world.browser();
  expect(await browser.post('/auth/sign-in', { email, password })).toMatchObject({ status: 200 });
  return browser;
}
const accountsWith = (email: string) => rowsOf(world.query, 'accounts.account', { email }, { columns: 'id' });
const UNLINK = 'mutation ($password: String) { chatUnlink(password: $password) { id } }';
const unlink = (viewer: Viewer, password?: string) => world.ask(viewer, UNLINK, { password });

test('a first log-in makes an account without an address, and the next one finds it', async () => {
  const browser = world.browser();
  expect(await chat(browser, { username: 'ada', email: 'ada@example.com' })).toBe('/home');
  const first = await meOf(browser);
  expect(first).toMatchObject({ email: null, access: { hasPassword: false, chat: { name: 'ada' } } });
  const other = world.browser();
  await chat(other, { username: 'ada' });
  expect((await meOf(other))?.id).toBe(first?.id);
  await chat(other, { username: 'bob' });
  expect((await meOf(other))?.id).not.toBe(first?.id);
  expect(dataOf(await world.ask(visitor(), '{ chatPlatform }'), 'chatPlatform')).toBe('Chat');
});

test('a log-in goes on to the page that the visitor was on the way to, on this site only, also after a refusal', async () => {
  const next = '/static/buy?product=isp-northline&quantity=25';
  expect(await chat(world.browser(), { username: 'kit' }, { next })).toBe(next);
  for (const other of ['//evil.example', 'https://evil.example', '/\\evil.example', '/a b', `/${'x'.repeat(300)}`, 7])
    expect(await chat(world.browser(), { username: 'kit' }, { next: other })).toBe('/home');
  const browser = world.browser();
  const denied = await browser.follow(world.sandbox.chat.deny(await urlOf(browser, { next })));
  expect(denied.headers.get('location')).toBe(`/sign-in?${new URLSearchParams({ error: 'chat_failed', next })}#refused`);
});

test('a log-in in a browser that is signed in ends the session it had', async () => {
  await world.account('two@example.com');
  const browser = await signedIn('two@example.com');
  const first = browser.token() ?? '';
  await chat(browser, { username: 'two' });
  expect([await world.isIn(first), await world.isIn(browser.token() ?? '')]).toEqual([false, true]);
});

test('first log-ins of one person at the same time make one account', async () => {
  const browsers = Array.from({ length: 5 }, () => world.browser());
  await Promise.all(browsers.map((browser) => chat(browser, { username: 'raced' })));
  const ids = await Promise.all(browsers.map(async (browser) => (await meOf(browser))?.id));
  expect(new Set(ids)).toHaveLength(1);
});

test('somebody who says no, or whom the platform does not vouch for, is sent back to the page with a code', async () => {
  const browser = world.browser();
  expect((await browser.follow(world.sandbox.chat.deny(await urlOf(browser)))).headers.get('location')).toBe(
    '/sign-in?error=chat_failed#refused',
  );
  const back = new URL(world.sandbox.chat.consent(await urlOf(browser), { username: 'cat' }));
  back.searchParams.set('code', 'made-up');
  expect((await browser.follow(back.href)).headers.get('location')).toBe('/sign-in?error=chat_failed#refused');
  expect(browser.token()).toBeUndefined();
});

test('an account that is signed in links its chat log-in, with its password, and comes in by it', async () => {
  const { id } = await world.account('dan@example.com');
  const browser = await signedIn('dan@example.com');
  expect(await browser.post('/auth/chat/start', { link: true })).toMatchObject({ status: 401, code: 'credentials_wrong' });
  expect(await chat(browser, { username: 'dan' }, { link: true, password: PASSWORD })).toBe('/settings?linked=chat');
  const other = world.browser();
  expect(await chat(other, { username: 'dan' })).toBe('/home');
  expect((await meOf(other))?.id).toBe(id);
  expect((await world.mailed('dan@example.com')).map((mail) => mail.subject)).toContain('A change to how you sign in to Egress');
  expect(await world.browser().post('/auth/chat/start', { link: true })).toMatchObject({ status: 401, code: 'session_invalid' });
});

test('a chat log-in belongs to one account, and an account has one', async () => {
  await chat(world.browser(), { username: 'eve' });
  await world.account('fay@example.com');
  const browser = await signedIn('fay@example.com');
  const link = (username: string) => chat(browser, { username }, { link: true, password: PASSWORD });
  expect(await link('eve')).toBe('/settings?error=chat_already_linked#refused');
  expect(await link('fay')).toBe('/settings?linked=chat');
  expect(await link('fay')).toBe('/settings?linked=chat');
  expect(await link('fay-two')).toBe('/settings?error=action_not_allowed#refused');
});

test('a chat log-in is unlinked while another way in remains, and not as the last one', async () => {
  const browser = world.browser();
  await chat(browser, { username: 'gus' });
  const { viewer } = (await meOf(browser)) ?? { viewer: visitor() };
  expect(codeOf(await unlink(viewer))).toBe('last_way_in');
  const add = 'mutation { accountAddPassword(email: "gus@example.com", password: "a backup password") { email } }';
  expect(codeOf(await world.ask(viewer, add))).toBeUndefined();
  const mail = (await world.mailed('gus@example.com')).at(-1);
  const token = new URL(mail?.links[0] ?? '').searchParams.get('token');
  await world.ask(viewer, 'mutation ($token: String!) { accountConfirmEmail(token: $token) { done } }', { token });
  expect(codeOf(await unlink(viewer))).toBe('credentials_wrong');
  expect(codeOf(await unlink(viewer, 'a backup password'))).toBeUndefined();
  const fresh = world.browser();
  await chat(fresh, { username: 'gus' });
  expect((await meOf(fresh))?.id).not.toBe((await meOf(browser))?.id);
  expect((await meOf(await signedIn('gus@example.com', 'a backup password')))?.id).toBe((await meOf(browser))?.id);
});

test('a chat log-in owes the second factor like any other', async () => {
  const browser = world.browser();
  await chat(browser, { username: 'hal' });
  const me = await meOf(browser);
  await world.addTotp(me?.id ?? '');
  const other = world.browser();
  expect(await chat(other, { username: 'hal' })).toBe('/sign-in?factors=TOTP');
  expect(other.token()).toBeUndefined();
  expect(await other.post('/auth/second-factor', { method: 'PASSKEY', code: 'x' })).toMatchObject({ status: 400 });
});

describe('state and code', () => {
  test("a wrong state, another browser's, and none are refused", async () => {
    const [mine, other] = [world.browser(), world.browser()];
    const back = world.sandbox.chat.consent(await urlOf(mine), { username: 'ida' });
    await urlOf(other);
    for (const change of [(url: URL) => url.searchParams.set('state', 'forged'), (url: URL) => url.searchParams.delete('state')]) {
      const url = new URL(back);
      change(url);
      const browser = world.browser();
      browser.jar.set('egress_chat', mine.jar.get('egress_chat') ?? '');
      expect((await browser.follow(url.href)).headers.get('location')).toBe('/sign-in?error=chat_failed#refused');
    }
    // An attacker's log-in that is finished in the victim's browser would sign the victim in to the attacker's account.
    expect((await other.follow(back)).headers.get('location')).toBe('/sign-in?error=chat_failed#refused');
    expect((await world.browser().follow(back)).headers.get('location')).toBe('/sign-in?error=chat_failed#refused');
    expect((await mine.follow(back)).headers.get('location')).toBe('/home');
  });

  test('a walk ends once, raced or replayed, and within ten minutes', async () => {
    const browser = world.browser();
    const back = world.sandbox.chat.consent(await urlOf(browser), { username: 'jan' });
    const cookie = browser.jar.get('egress_chat') ?? '';
    const racers = Array.from({ length: 10 }, () => {
      const racer = world.browser();
      racer.jar.set('egress_chat', cookie);
      return racer;
    });
    await Promise.all(racers.map((racer) => racer.follow(back)));
    expect(racers.filter((racer) => racer.token() !== undefined)).toHaveLength(1);
    browser.jar.set('egress_chat', cookie);
    expect((await browser.follow(back)).headers.get('location')).toBe('/sign-in?error=chat_failed#refused');
    const url = await urlOf(browser);
    world.clock.advance(10 * MINUTE);
    expect((await browser.follow(world.sandbox.chat.consent(url, { username: 'jan' }))).headers.get('location')).toBe(
      '/sign-in?error=chat_failed#refused',
    );
  });

  test('a code of another walk is refused: it belongs to another verifier', async () => {
    const [attacker, victim] = [world.browser(), world.browser()];
    const stolen = new URL(world.sandbox.chat.consent(await urlOf(victim), { username: 'kim' })).searchParams.get('code') ?? '';
    const back = new URL(world.sandbox.chat.consent(await urlOf(attacker), { username: 'mallory' }));
    back.searchParams.set('code', stolen);
    expect((await attacker.follow(back.href)).headers.get('location')).toBe('/sign-in?error=chat_failed#refused');
    expect(attacker.token()).toBeUndefined();
  });

  test('a link ends in the session that began it, and nowhere else', async () => {
    await world.account('lea@example.com');
    await world.account('mallory@example.com');
    const mallory = await signedIn('mallory@example.com');
    const lea = await signedIn('lea@example.com');
    const back = world.sandbox.chat.consent(await urlOf(mallory, { link: true, password: PASSWORD }), { username: 'mallory-chat' });
    lea.jar.set('egress_chat', mallory.jar.get('egress_chat') ?? '');
    expect((await lea.follow(back)).headers.get('location')).toBe('/settings?error=chat_failed#refused');
    expect((await meOf(lea))?.access.chat).toBeNull();
    const again = world.sandbox.chat.consent(await urlOf(mallory, { link: true, password: PASSWORD }), { username: 'mallory-chat' });
    const { viewer } = (await meOf(mallory)) ?? { viewer: visitor() };
    await world.ask(viewer, 'mutation { sessionCloseAll }');
    expect((await mallory.follow(again)).headers.get('location')).toBe('/settings?error=chat_failed#refused');
  });

  test('another site cannot send a person on the walk', async () => {
    const response = await fetch(`${world.url}/auth/chat/start`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    });
    expect(response.status).toBe(403);
    expect((await fetch(`${world.url}/auth/chat/start`)).status).toBe(405);
  });
});

describe('before the owner arrives', () => {
  const SIGN_UP = 'mutation ($input: SignUpInput!) { accountSignUp(input: $input) { email } }';
  const ATTACKERS = 'the password of the attacker';
  const signUp = (email: string, password: string) => world.ask(visitor(), SIGN_UP, { input: { email, password } });
  const linkTo = async (email: string, subject: RegExp) =>
    (await world.mailed(email)).findLast((mail) => subject.test(mail.subject))?.links[0] ?? '';

  test("classic-federated merge: a sign-up with the victim's address is not merged with the victim's chat log-in", async () => {
    await signUp('victim-1@example.com', ATTACKERS);
    const victim = world.browser();
    await chat(victim, { username: 'victim1', email: 'victim-1@example.com', verified: true });
    expect((await meOf(victim))?.email).toBeNull();
    expect(await world.browser().post('/auth/sign-in', { email: 'victim-1@example.com', password: ATTACKERS })).toMatchObject({
      status: 403,
      code: 'email_not_verified',
    });
    expect(await accountsWith('victim-1@example.com')).toHaveLength(0);
  });

  test('classic-federated merge, the other way: a chat log-in does not come into the account of its address', async () => {
    const { id } = await world.account('victim-2@example.com');
    const attacker = world.browser();
    await chat(attacker, { username: 'attacker2', email: 'victim-2@example.com', verified: true });
    expect((await meOf(attacker))?.id).not.toBe(id);
  });

  test('unexpired session: no session exists before the link and the password meet, and a recovery ends every one', async () => {
    await signUp('victim-3@example.com', ATTACKERS);
    const attacker = world.browser();
    await attacker.post('/auth/sign-in', { email: 'victim-3@example.com', password: ATTACKERS });
    expect(attacker.token()).toBeUndefined();
    // The victim follows the link of a sign-up that the attacker began, which lets neither of them in.
    const victim = world.browser();
    await victim.follow(await linkTo('victim-3@example.com', /^Confirm/));
    expect(await attacker.post('/auth/sign-in', { email: 'victim-3@example.com', password: ATTACKERS })).toMatchObject({
      status: 403,
      code: 'email_not_verified',
    });
    expect(await victim.post('/auth/sign-in', { email: 'victim-3@example.com', password: PASSWORD })).toMatchObject({ status: 401 });
    // The victim signs up, follows the link and logs in: the account is the victim's, and the attacker's password does not work.
    await signUp('victim-3@example.com', PASSWORD);
    await victim.follow(await linkTo('victim-3@example.com', /^Confirm/));
    expect(await victim.post('/auth/sign-in', { email: 'victim-3@example.com', password: PASSWORD })).toMatchObject({ status: 200 });
    expect(await attacker.post('/auth/sign-in', { email: 'victim-3@example.com', password: ATTACKERS })).toMatchObject({
      code: 'credentials_wrong',
    });
    expect(await accountsWith('victim-3@example.com')).toHaveLength(1);
  });

  test("unexpired session, in the other order: a sign-up after the victim's does not take the place of theirs", async () => {
    await signUp('victim-4@example.com', PASSWORD);
    const link = await linkTo('victim-4@example.com', /^Confirm/);
    await signUp('victim-4@example.com', ATTACKERS);
    const victim = world.browser();
    await victim.follow(link);
    expect(await victim.post('/auth/sign-in', { email: 'victim-4@example.com', password: PASSWORD })).toMatchObject({ status: 200 });
    expect(await world.browser().post('/auth/sign-in', { email: 'victim-4@example.com', password: ATTACKERS })).toMatchObject({
      code: 'credentials_wrong',
    });
  });

  test("trojan identifier: nobody puts the victim's address on an account that has a chat log-in of their own", async () => {
    const attacker = world.browser();
    await chat(attacker, { username: 'attacker5' });
    const { viewer } = (await meOf(attacker)) ?? { viewer: visitor() };
    await world.ask(
      viewer,
      'mutation { accountAddPassword(email: "victim-5@example.com", password: "the password of the attacker") { email } }',
    );
    const token = new URL(await linkTo('victim-5@example.com', /^Confirm/)).searchParams.get('token');
    const confirm = 'mutation ($token: String!) { accountConfirmEmail(token: $token) { done } }';
    // The victim follows the link while signed out, or while signed in to another account.
    expect(codeOf(await world.ask(visitor(), confirm, { token }))).toBe('session_invalid');
    const victim = world.browser();
    await chat(victim, { username: 'victim5' });
    expect(codeOf(await world.ask((await meOf(victim))?.viewer ?? visitor(), confirm, { token }))).toBe('token_invalid');
    expect(await accountsWith('victim-5@example.com')).toHaveLength(0);
  });

  test('unexpired change of address: a change that an intruder began is dead once the owner has recovered the account', async () => {
    await world.account('victim-6@example.com');
    const intruder = await signedIn('victim-6@example.com');
    const { viewer } = (await meOf(intruder)) ?? { viewer: visitor() };
    await world.ask(
      viewer,
      'mutation ($password: String!) { accountChangeEmail(email: "attacker-6@example.com", password: $password) { email } }',
      { password: PASSWORD },
    );
    const token = new URL(await linkTo('attacker-6@example.com', /^Confirm/)).searchParams.get('token');
    await world.ask(visitor(), 'mutation { accountRecover(email: "victim-6@example.com") { email } }');
    const recovery = new URL(await linkTo('victim-6@example.com', /^Choose/)).searchParams.get('token');
    expect(
      codeOf(
        await world.ask(
          visitor(),
          'mutation ($token: String!) { accountSetPassword(token: $token, password: "the owner is back") { email } }',
          { token: recovery },
        ),
      ),
    ).toBeUndefined();
    expect(await world.isIn(intruder.token() ?? '')).toBe(false);
    expect(codeOf(await world.ask(viewer, 'mutation ($token: String!) { accountConfirmEmail(token: $token) { done } }', { token }))).toBe(
      'token_invalid',
    );
    expect(await accountsWith('victim-6@example.com')).toHaveLength(1);
  });

  test('non-verifying provider: an address that the platform never checked opens nothing and names nobody', async () => {
    const { id } = await world.account('victim-7@example.com');
    const attacker = world.browser();
    await chat(attacker, { username: 'attacker7', email: 'victim-7@example.com', verified: false });
    expect(await meOf(attacker)).toMatchObject({ email: null });
    expect((await meOf(attacker))?.id).not.toBe(id);
    await chat(attacker, { username: 'attacker8', email: 'victim-8@example.com', verified: false });
    await signUp('victim-8@example.com', PASSWORD);
    const victim = world.browser();
    await victim.follow(await linkTo('victim-8@example.com', /^Confirm/));
    await victim.post('/auth/sign-in', { email: 'victim-8@example.com', password: PASSWORD });
    expect((await meOf(victim))?.id).not.toBe((await meOf(attacker))?.id);
  });
});
