// The link of a sign-up logs in by itself in the browser that signed up, and in no other: who prepares an account for the owner of an address never gets in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type AccountsWorld, PASSWORD, startAccounts, visitor } from '../world.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

type Browser = ReturnType<AccountsWorld['browser']>;
const ATTACKERS = 'the password of the attacker';
const NEXT = '/residential/buy?product=PREMIUM&gb=25';
const RESEND = 'mutation ($email: String!) { accountResendVerification(email: $email) { email } }';

async function signUp(email: string, { password = PASSWORD, next }: { password?: string; next?: string } = {}): Promise<Browser> {
  const browser = world.browser();
  expect(await browser.post('/auth/sign-up', { email, password, next })).toEqual({ status: 200, email });
  return browser;
}
const linksTo = async (email: string) => (await world.mailed(email)).map((mail) => mail.links[0] ?? '');
/** Opens a link, by default the newest, and does what its page does. */
async function open(browser: Browser, email: string, index = -1) {
  const response = await browser.follow((await linksTo(email)).at(index) ?? '');
  expect(response.headers.get('location')).toBe('/verify');
  return browser.post('/auth/confirm');
}
const signIn = (browser: Browser, email: string, password = PASSWORD) => browser.post('/auth/sign-in', { email, password });
const accountsOf = (email: string) => rowsOf(world.query, 'accounts.account', { email }, { columns: 'id' });

test('in the browser that signed up the link logs in and goes on to what was chosen, without the password', async () => {
  const browser = await signUp('ada@example.com', { next: NEXT });
  const answer = await open(browser, 'ada@example.com');
  expect(answer).toEqual({ status: 200, accountId: expect.stringMatching(/^acct_/), next: NEXT });
  expect(await world.isIn(browser.token() ?? '')).toBe(true);
  expect([browser.jar.has('egress_sign_up'), browser.jar.has('egress_verification')]).toEqual([false, false]);
  expect(await signIn(world.browser(), 'ada@example.com')).toMatchObject({ status: 200 });
});

test('another browser is asked for the password of the sign-up, and goes on to what was chosen', async () => {
  await signUp('bob@example.com', { next: NEXT });
  const phone = world.browser();
  expect(await open(phone, 'bob@example.com')).toEqual({ status: 200, email: 'bob@example.com', next: NEXT });
  expect([phone.token(), await accountsOf('bob@example.com')]).toEqual([undefined, []]);
  expect(await signIn(phone, 'bob@example.com')).toMatchObject({ status: 200 });
});

test('a link logs in once, also when nine tabs open it at the same time', async () => {
  const browser = await signUp('cat@example.com');
  await browser.follow((await linksTo('cat@example.com')).at(-1) ?? '');
  const tabs = await Promise.all(Array.from({ length: 9 }, () => browser.post('/auth/confirm')));
  expect(tabs.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 8 }, () => 400)]);
  expect(await accountsOf('cat@example.com')).toHaveLength(1);
});

test("a stranger's sign-up is not confirmed by the owner who follows its link, and the stranger's browser is not let in by it", async () => {
  const attacker = await signUp('victim-1@example.com', { password: ATTACKERS });
  const victim = world.browser();
  expect(await open(victim, 'victim-1@example.com')).toEqual({ status: 200, email: 'victim-1@example.com', next: null });
  expect(await attacker.post('/auth/confirm')).toMatchObject({ status: 400, code: 'token_invalid' });
  expect(await signIn(attacker, 'victim-1@example.com', ATTACKERS)).toMatchObject({ status: 403, code: 'email_not_verified' });
  expect([attacker.token(), victim.token(), await accountsOf('victim-1@example.com')]).toEqual([undefined, undefined, []]);
});

test('the owner who has signed up too gets in with their own password, by whichever link they open, and the stranger does not', async () => {
  for (const [email, order] of [
    ['victim-2@example.com', [ATTACKERS, PASSWORD]],
    ['victim-3@example.com', [PASSWORD, ATTACKERS]],
  ] as const) {
    const browsers = new Map<string, Browser>();
    for (const password of order) browsers.set(password, await signUp(email, { password }));
    const [owner, attacker] = [browsers.get(PASSWORD) ?? world.browser(), browsers.get(ATTACKERS) ?? world.browser()];
    // The link that the stranger's sign-up has sent.
    expect(await open(owner, email, order.indexOf(ATTACKERS)), email).toMatchObject({ status: 200, accountId: expect.any(String) });
    expect(await signIn(attacker, email, ATTACKERS)).toMatchObject({ status: 401, code: 'credentials_wrong' });
    expect(await signIn(world.browser(), email)).toMatchObject({ status: 200 });
  }
});

test("a browser whose cookie belongs to another address's sign-up is asked for the password", async () => {
  const browser = await signUp('dan@example.com');
  await signUp('eve@example.com');
  expect(await open(browser, 'eve@example.com')).toEqual({ status: 200, email: 'eve@example.com', next: null });
});

test('a link that was sent again logs in by itself too, and a day after the sign-up nothing does', async () => {
  const browser = await signUp('fay@example.com', { next: NEXT });
  world.clock.advance(HOUR);
  await world.ask(visitor(), RESEND, { email: 'fay@example.com' });
  expect(await open(browser, 'fay@example.com')).toMatchObject({ status: 200, accountId: expect.any(String), next: NEXT });
  const late = await signUp('gus@example.com');
  world.clock.advance(DAY);
  expect(await open(late, 'gus@example.com')).toMatchObject({ status: 400, code: 'token_invalid' });
});

test('who signs up with the address of an account is answered alike, and mailed the log-in that goes on to what was chosen', async () => {
  await world.account('hal@example.com');
  const browser = await signUp('hal@example.com', { password: ATTACKERS, next: NEXT });
  expect(browser.jar.has('egress_sign_up')).toBe(true);
  expect(await linksTo('hal@example.com')).toEqual([expect.stringMatching(new RegExp(`/sign-in\\?next=${encodeURIComponent(NEXT)}$`))]);
  expect(await signIn(world.browser(), 'hal@example.com', ATTACKERS)).toMatchObject({ status: 403, code: 'email_not_verified' });
});

test('only a path of this site is taken as the page to go on to', async () => {
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', 'residential', '/a b', `/${'x'.repeat(300)}`])
    expect(await world.browser().post('/auth/sign-up', { email: 'ida@example.com', password: PASSWORD, next }), next).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
      field: 'next',
    });
  for (const accepts of ['TERMS', [7], [{ kind: 'TERMS', version: '1' }]])
    expect(await world.browser().post('/auth/sign-up', { email: 'ida@example.com', password: PASSWORD, accepts })).toMatchObject({
      code: 'parameter_invalid',
    });
  expect(await linksTo('ida@example.com')).toEqual([]);
});

test('the cookie of a sign-up is for no script, lives as long as the link, and only its hash is kept', async () => {
  const response = await fetch(`${world.url}/auth/sign-up`, {
    method: 'POST',
    body: JSON.stringify({ email: 'jim@example.com', password: PASSWORD }),
    headers: { 'content-type': 'application/json' },
  });
  const [cookie = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^egress_sign_up=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/);
  const [row] = await rowsOf<{ browser_hash: string }>(world.query, 'accounts.sign_up', { email: 'jim@example.com' });
  expect(row?.browser_hash).toHaveLength(64);
  expect(cookie).not.toContain(row?.browser_hash);
});
