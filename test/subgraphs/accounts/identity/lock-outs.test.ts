// Nobody can lock an owner out: however many strangers fail with the owner's address, whoever has proof of possession still gets in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#platform/clock.ts';
import { type AccountsWorld, PASSWORD, codeOf, dataOf, failureOf, startAccounts, visitor } from '../world.ts';
import { totpCode } from '../../../kit/totp.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

type Browser = ReturnType<AccountsWorld['browser']>;
const NEW = 'quite another password';

let networks = 0;
/** A browser in a network that no test has used yet. */
const browser = (from = `2001:db8:${(++networks).toString(16)}::1`): Browser => world.browser({ from });
const signIn = (at: Browser, email: string, password = PASSWORD) => at.post('/auth/sign-in', { email, password });
const tryAs = async (email: string, password: string, at = browser()) => (await signIn(at, email, password)).status;
/** Adds `count` failures with this address, from many networks, without hashing a password for each. */
async function flood(email: string, count = 100): Promise<void> {
  const { attempts } = world.context().providers;
  for (let index = 0; index < count; index++)
    await attempts.judge([{ kind: 'log_in_name', name: email }], () => Promise.resolve(undefined)).catch(() => undefined);
}
const mailsOf = async (email: string, subject: RegExp) => (await world.mailed(email)).filter((mail) => subject.test(mail.subject));
const linkTo = async (email: string, subject: RegExp) => (await mailsOf(email, subject)).at(-1)?.links[0] ?? '';
const askLink = (email: string) =>
  world.ask(visitor(), 'mutation ($email: String!) { accountDeviceLink(email: $email) { email } }', { email });

/** A browser in which the owner has signed in before. */
async function known(email: string): Promise<Browser> {
  const at = browser();
  expect(await signIn(at, email)).toMatchObject({ status: 200 });
  return at;
}

test("a stranger's failures from one network keep nobody else waiting: a known browser, nor an unknown one", async () => {
  await world.account('ada@example.com');
  const own = await known('ada@example.com');
  const stranger = browser();
  const answers = [];
  for (let count = 0; count < 40; count++) answers.push((await signIn(stranger, 'ada@example.com', `guess ${count}`)).status);
  expect(answers.filter((status) => status === 401)).toHaveLength(5);
  expect(await signIn(stranger, 'ada@example.com')).toMatchObject({ status: 429, code: 'too_many_attempts', retryAfterSeconds: 1 });
  expect(await tryAs('ada@example.com', PASSWORD)).toBe(200);
  expect(await tryAs('ada@example.com', PASSWORD, own)).toBe(200);
  // What the owner did has given the stranger no new attempts.
  expect(await tryAs('ada@example.com', 'one more', stranger)).toBe(429);
});

test('a /64 is one network, and IPv4 in IPv6 is IPv4', async () => {
  await world.account('six@example.com');
  for (let count = 0; count < 5; count++) await tryAs('six@example.com', 'wrong', browser(`2001:db8:ffff:1::${count}`));
  expect(await tryAs('six@example.com', 'wrong', browser('2001:db8:ffff:1:aaaa::'))).toBe(429);
  expect(await tryAs('six@example.com', 'wrong', browser('2001:db8:ffff:2::'))).toBe(401);
  for (let count = 0; count < 5; count++) await tryAs('six@example.com', 'wrong', browser('::ffff:192.0.2.77'));
  expect(await tryAs('six@example.com', 'wrong', browser('192.0.2.77'))).toBe(429);
  expect(await tryAs('six@example.com', 'wrong', browser('::ffff:c000:24d'))).toBe(429);
});

test('one network fails three hundred times an hour, whatever the addresses; a known browser in it, and right log-ins, do not count', async () => {
  await world.account('office@example.com');
  const office = (host: number) => `2001:db8:0ff:1::${host.toString(16)}`;
  const own = browser(office(1));
  expect(await tryAs('office@example.com', PASSWORD, own)).toBe(200);
  const { attempts } = world.context().providers;
  for (let count = 0; count < 299; count++)
    await attempts.judge([{ kind: 'log_in_group', name: '2001:db8:ff:1::/64' }], () => Promise.resolve(undefined));
  for (let count = 0; count < 3; count++) expect(await tryAs('office@example.com', PASSWORD, browser(office(2)))).toBe(200);
  expect(await tryAs('nobody@example.com', 'wrong', browser(office(3)))).toBe(401);
  expect(await tryAs('office@example.com', PASSWORD, browser(office(4)))).toBe(429);
  expect(await tryAs('office@example.com', PASSWORD, own)).toBe(200);
});

test('failures from everywhere reach a ceiling of a hundred an hour: beyond it nothing is checked, and the known browser passes', async () => {
  await world.account('bob@example.com');
  const own = await known('bob@example.com');
  await flood('bob@example.com', 96);
  const answers = [];
  for (let count = 0; count < 8; count++) answers.push(await tryAs('bob@example.com', 'a guess'));
  expect(answers).toEqual([401, 401, 401, 401, 429, 429, 429, 429]);
  // Attempts from an unknown browser are refused unread, so even a right guess tells the stranger nothing.
  expect(await tryAs('bob@example.com', PASSWORD)).toBe(429);
  for (let count = 0; count < 3; count++) expect(await tryAs('bob@example.com', PASSWORD, own)).toBe(200);
  expect(await tryAs('bob@example.com', PASSWORD)).toBe(429);
  world.clock.advance(HOUR);
  expect(await tryAs('bob@example.com', PASSWORD)).toBe(200);
});

test('a link by mail lets the owner in from a new browser meanwhile, once, and whoever asks for it again sends nothing new', async () => {
  await world.account('cat@example.com');
  await flood('cat@example.com');
  const own = browser();
  expect(await signIn(own, 'cat@example.com')).toMatchObject({ status: 429 });
  const [one, other] = [await askLink('cat@example.com'), await askLink('nobody@example.com')];
  expect(JSON.stringify(one).replace('cat@', '@')).toBe(JSON.stringify(other).replace('nobody@', '@'));
  for (let count = 0; count < 10; count++) expect(codeOf(await askLink('cat@example.com'))).toBeUndefined();
  expect(await mailsOf('cat@example.com', /^It is you/)).toHaveLength(1);
  const link = await linkTo('cat@example.com', /^It is you/);
  // A mail scanner that fetches the link does not use it up.
  await browser().follow(link);
  const followed = await own.follow(link);
  expect([followed.status, followed.headers.get('location')]).toEqual([303, '/sign-in?device=known']);
  expect(await signIn(own, 'cat@example.com', 'mistyped')).toMatchObject({ status: 401 });
  expect(await signIn(own, 'cat@example.com')).toMatchObject({ status: 200 });
  // The browser now has its own token, and the link is used up.
  await own.post('/auth/sign-out');
  expect(await signIn(own, 'cat@example.com')).toMatchObject({ status: 200 });
  const late = browser();
  await late.follow(link);
  expect(await signIn(late, 'cat@example.com')).toMatchObject({ status: 429 });
  expect(await mailsOf('nobody@example.com', /./)).toHaveLength(0);
});

test('a link opens the account that it was mailed for and no other, dies after two hours, and leaves what the browser was known by', async () => {
  await world.account('dan@example.com');
  await world.account('eve@example.com');
  const own = await known('eve@example.com');
  await askLink('dan@example.com');
  await own.follow(await linkTo('dan@example.com', /^It is you/));
  await flood('eve@example.com');
  await flood('dan@example.com');
  expect(await signIn(own, 'eve@example.com')).toMatchObject({ status: 200 });
  const late = browser();
  await late.follow(await linkTo('dan@example.com', /^It is you/));
  world.clock.advance(2 * HOUR);
  await flood('dan@example.com');
  expect(await signIn(late, 'dan@example.com')).toMatchObject({ status: 429 });
});

test('a link leads on to the page that the visitor was on the way to, on this site only', async () => {
  await world.account('ivy@example.com');
  const ASK = 'mutation ($email: String!, $next: String) { accountDeviceLink(email: $email, next: $next) { email } }';
  const next = '/static/buy?product=isp-northline&quantity=25';
  for (const elsewhere of ['//evil.example', 'https://evil.example/', '/\\evil.example'])
    expect(codeOf(await world.ask(visitor(), ASK, { email: 'ivy@example.com', next: elsewhere }))).toBe('parameter_invalid');
  await world.ask(visitor(), ASK, { email: 'ivy@example.com', next });
  const link = await linkTo('ivy@example.com', /^It is you/);
  const own = browser();
  expect((await own.follow(link)).headers.get('location')).toBe(`/sign-in?device=known&next=${encodeURIComponent(next)}`);
  await flood('ivy@example.com');
  expect(await signIn(own, 'ivy@example.com')).toMatchObject({ status: 200 });
  const token = new URL(link).searchParams.get('token') ?? '';
  expect((await own.get(`/auth/device?token=${token}&next=//evil.example`)).headers.get('location')).toBe('/sign-in?device=known');
});

test('who sets a new password by the link in the mail signs in with it, whatever strangers do', async () => {
  await world.account('fay@example.com');
  await flood('fay@example.com');
  await world.ask(visitor(), 'mutation { accountRecover(email: "fay@example.com") { email } }');
  const token = new URL(await linkTo('fay@example.com', /^Choose/)).searchParams.get('token') ?? '';
  const own = browser();
  await own.get(`/auth/device?token=${token}`);
  expect(await signIn(own, 'fay@example.com')).toMatchObject({ status: 429 });
  await world.ask(
    visitor(),
    'mutation ($token: String!) { accountSetPassword(token: $token, password: "quite another password") { email } }',
    {
      token,
    },
  );
  expect(await signIn(own, 'fay@example.com', NEW)).toMatchObject({ status: 200 });
});

test('a known browser is slowed by its own failures, and only by these', async () => {
  await world.account('gus@example.com');
  const [one, two] = [await known('gus@example.com'), await known('gus@example.com')];
  for (let count = 0; count < 5; count++) expect(await tryAs('gus@example.com', 'wrong', one)).toBe(401);
  expect(await tryAs('gus@example.com', PASSWORD, one)).toBe(429);
  expect(await tryAs('gus@example.com', PASSWORD, two)).toBe(200);
  world.clock.advance(SECOND);
  expect(await tryAs('gus@example.com', PASSWORD, one)).toBe(200);
});

test('the devices of an account are forgotten with its sessions and with a change of its password', async () => {
  await world.account('hal@example.com');
  const isKnown = async (at: Browser, password = PASSWORD) => (await signIn(at, 'hal@example.com', password)).status === 200;
  const rest = async () => {
    await flood('hal@example.com');
    expect(await tryAs('hal@example.com', PASSWORD)).toBe(429);
  };
  const viewerOf = async (at: Browser) => (await world.callerOf(at.token() ?? '')).viewer;
  const [one, two] = [await known('hal@example.com'), await known('hal@example.com')];
  await rest();
  await world.ask(await viewerOf(one), 'mutation { sessionCloseAll(exceptCurrent: true) }');
  expect([await isKnown(one), await isKnown(two)]).toEqual([true, false]);
  await world.ask(await viewerOf(one), 'mutation { sessionCloseAll(exceptCurrent: false) }');
  expect(await isKnown(one)).toBe(false);
  world.clock.advance(HOUR);
  const [three, four] = [await known('hal@example.com'), await known('hal@example.com')];
  await rest();
  const viewer = await viewerOf(three);
  await world.ask(viewer, 'mutation ($id: ID!) { sessionClose(id: $id) }', { id: (await world.callerOf(four.token() ?? '')).sessionId });
  expect([await isKnown(three), await isKnown(four)]).toEqual([true, false]);
  world.clock.advance(HOUR);
  const five = await known('hal@example.com');
  await rest();
  expect(
    codeOf(
      await world.ask(
        await viewerOf(three),
        'mutation ($current: String!, $password: String!) { accountChangePassword(current: $current, password: $password) { id } }',
        { current: PASSWORD, password: NEW },
      ),
    ),
  ).toBeUndefined();
  expect([await isKnown(three, NEW), await isKnown(five, NEW)]).toEqual([true, false]);
});

test('what somebody has planted in a browser before the log-in is not known afterwards', async () => {
  await world.account('ida@example.com');
  await world.account('mallory@example.com');
  const attacker = await known('mallory@example.com');
  const planted = attacker.jar.get('egress_device') ?? '';
  const victim = browser();
  victim.jar.set('egress_device', planted);
  expect(await signIn(victim, 'ida@example.com')).toMatchObject({ status: 200 });
  expect(victim.jar.get('egress_device')).not.toBe(planted);
  await flood('ida@example.com');
  expect(await signIn(attacker, 'ida@example.com')).toMatchObject({ status: 429 });
});

test('a browser that two accounts know is known to both, and forgets after half a year; its cookie is for no script', async () => {
  await world.account('jim@example.com');
  await world.account('joy@example.com');
  const own = await known('jim@example.com');
  await signIn(own, 'joy@example.com');
  await flood('jim@example.com');
  expect(await tryAs('jim@example.com', PASSWORD, own)).toBe(200);
  const response = await fetch(`${world.url}/auth/sign-in`, {
    method: 'POST',
    body: JSON.stringify({ email: 'joy@example.com', password: PASSWORD }),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '2001:db8:abc::1' },
  });
  expect(response.headers.getSetCookie().find((line) => line.startsWith('egress_device='))).toMatch(
    /^egress_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/,
  );
  world.clock.advance(180 * DAY);
  await flood('jim@example.com');
  expect(await tryAs('jim@example.com', PASSWORD, own)).toBe(429);
});

test('wrong codes of a thief of the password keep no known browser out, and the owner is told once an hour', async () => {
  await world.account('kim@example.com');
  const own = await known('kim@example.com');
  const { viewer } = await world.callerOf(own.token() ?? '');
  const { secret } = dataOf<{ secret: string }>(
    await world.ask(viewer, 'mutation ($password: String) { totpStart(password: $password) { secret } }', { password: PASSWORD }),
    'totpStart',
  );
  const codeNow = () => totpCode(secret, world.clock);
  await world.ask(viewer, 'mutation ($code: String!) { totpConfirm(code: $code) { codes } }', { code: codeNow() });
  const guess = async () => {
    const thief = browser();
    expect(await signIn(thief, 'kim@example.com')).toMatchObject({ status: 200 });
    return thief.post('/auth/second-factor', { method: 'RECOVERY_CODE', code: 'no such code' });
  };
  const answers = [];
  for (let count = 0; count < 25; count++) answers.push((await guess()).code);
  expect(answers.filter((code) => code === 'code_wrong')).toHaveLength(20);
  expect(answers.filter((code) => code === 'too_many_attempts')).toHaveLength(5);
  expect(await mailsOf('kim@example.com', /^Wrong second factor/)).toHaveLength(1);
  world.clock.advance(MINUTE);
  await signIn(own, 'kim@example.com');
  expect(await own.post('/auth/second-factor', { method: 'TOTP', code: codeNow() })).toMatchObject({ status: 200 });
  world.clock.advance(HOUR);
  expect((await guess()).code).toBe('code_wrong');
  expect(await mailsOf('kim@example.com', /^Wrong second factor/)).toHaveLength(2);
});

test('wrong passwords in one session do not slow another session of the account', async () => {
  await world.account('lea@example.com');
  const [thief, owner] = [await world.logIn('lea@example.com'), await world.logIn('lea@example.com')];
  const start = (viewer: typeof thief.viewer, password: string) =>
    world.ask(viewer, 'mutation ($password: String) { totpStart(password: $password) { secret } }', { password });
  for (let count = 0; count < 5; count++) expect(codeOf(await start(thief.viewer, 'wrong'))).toBe('credentials_wrong');
  expect(codeOf(await start(thief.viewer, PASSWORD))).toBe('too_many_attempts');
  expect(codeOf(await start(owner.viewer, PASSWORD))).toBeUndefined();
});

test('ways in that are begun and not ended slow a network for seconds, and no known browser', async () => {
  await world.account('max@example.com');
  const own = browser('2001:db8:5:5::1');
  await signIn(own, 'max@example.com');
  const other = browser('2001:db8:5:5::2');
  const { attempts } = world.context().providers;
  for (let count = 0; count < 299; count++) await attempts.count([{ kind: 'start_group', name: '2001:db8:5:5::/64' }]);
  for (const path of ['/auth/passkey/start', '/auth/chat/start']) {
    world.clock.advance(10 * SECOND);
    expect(await other.post(path)).toMatchObject({ status: 200 });
    expect(await other.post(path)).toMatchObject({ status: 429 });
    expect(await own.post(path)).toMatchObject({ status: 200 });
  }
  world.clock.advance(10 * SECOND);
  expect(await other.post('/auth/passkey/start')).toMatchObject({ status: 200 });
});

test('a flood of one stranger waits behind itself: another network, and before all a known device, is hashed in its turn', async () => {
  const { passwords } = world.context().providers;
  const stored = await passwords.hash(PASSWORD);
  const order: string[] = [];
  const check = (who: string, proven = false) =>
    failureOf(passwords.verify('wrong', stored, { who, proven }).then(() => void order.push(who))).then((code) => code ?? 'checked');
  const flooding = Array.from({ length: 68 }, () => check('stranger'));
  expect(await check('stranger')).toBe('too_many_attempts');
  const [other, owner] = [check('another network'), check('the owner', true)];
  const outcomes = await Promise.all(flooding);
  expect([await other, await owner]).toEqual(['checked', 'checked']);
  // The one that gave up its place to another network.
  expect(outcomes.filter((code) => code === 'too_many_attempts')).toHaveLength(1);
  expect(order.indexOf('the owner')).toBeLessThan(8);
  expect(order.indexOf('another network')).toBeLessThan(12);
});
