import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { hashToken } from '#platform/secrets.ts';
import { type AccountsWorld, codeOf, PASSWORD, startAccounts, visitor } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { setFaults } from '../../../kit/faults.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const SIGN_UP = 'mutation ($input: SignUpInput!) { accountSignUp(input: $input) { email } }';
const RESEND = 'mutation ($email: String!) { accountResendVerification(email: $email) { email } }';
const VERIFY = 'mutation ($token: String!) { accountVerifyEmail(token: $token) { email } }';

const signUp = (email: string, password = PASSWORD) => world.ask(visitor(), SIGN_UP, { input: { email, password } });
const verify = (token: string) => world.ask(visitor(), VERIFY, { token });
const LOG_IN = `mutation ($email: String!, $password: String!, $verification: String) {
  sessionCreate(email: $email, password: $password, verification: $verification) { account { id } }
}`;
const logIn = (email: string, more: { password?: string; verification?: string } = {}) =>
  world.ask(visitor(), LOG_IN, { email, password: PASSWORD, ...more });
const accountsOf = (email: string) => rowsOf(world.query, 'accounts.account', { email }, { columns: 'id' });
const newestLink = async (email: string) => {
  const mail = (await world.mailed(email)).at(-1);
  return new URL(mail?.links[0] ?? '');
};
const tokenTo = async (email: string) => (await newestLink(email)).searchParams.get('token') ?? '';

test('a sign-up is answered alike for a known and an unknown address; only the mail tells', async () => {
  await world.account('known@example.com');
  const known = await signUp('known@example.com');
  const unknown = await signUp('fresh@example.com');
  expect(JSON.stringify(known).replace('known@', '@')).toBe(JSON.stringify(unknown).replace('fresh@', '@'));
  expect((await world.mailed('known@example.com')).map((mail) => mail.subject)).toEqual(['You already have an account at Egress']);
  expect((await world.mailed('fresh@example.com')).map((mail) => mail.subject)).toEqual(['Confirm your e-mail address for Egress']);
});

test('a resend is answered alike for an address that waits, a known one and an unknown one, and mails only the first', async () => {
  await world.account('settled@example.com');
  await signUp('waiting@example.com');
  const answers = await Promise.all(
    ['waiting', 'settled', 'nobody'].map((name) => world.ask(visitor(), RESEND, { email: `${name}@example.com` })),
  );
  expect(answers.map((answer, index) => JSON.stringify(answer).replace(['waiting', 'settled', 'nobody'][index] ?? '', ''))).toEqual(
    Array.from({ length: 3 }, () => JSON.stringify({ data: { accountResendVerification: { email: '@example.com' } } })),
  );
  expect(await world.mailed('waiting@example.com')).toHaveLength(2);
  expect(await world.mailed('settled@example.com')).toHaveLength(0);
  expect(await world.mailed('nobody@example.com')).toHaveLength(0);
});

test('unfit addresses and passwords are refused before anything is stored', async () => {
  for (const email of [
    '',
    // Invisible characters (zero-width, soft hyphen, direction marks, a filler) and terminal control characters.
    ...['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u3164', '\u0001', '\u007f', '\u0085'].map(
      (hidden) => `a${hidden}da@example.com`,
    ),
    'ada@exam\u200bple.com',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'x'.repeat(250)}.com`,
  ])
    expect(codeOf(await signUp(email)), email).toBe('email_invalid');
  for (const password of ['', 'short77', 'password', 'PASSWORD1', 'Qwertyuiop', 'unfit@example.com', 'x'.repeat(129)])
    expect(codeOf(await signUp('unfit@example.com', password)), password).toBe('password_unfit');
  expect(await rowsOf(world.query, 'accounts.sign_up', { email: 'unfit@example.com' })).toHaveLength(0);
});

test('a link makes no account by itself; the log-in with its password does, in the browser that followed it', async () => {
  await signUp('ada@example.com');
  const token = await tokenTo('ada@example.com');
  expect(await verify(token)).toEqual({ data: { accountVerifyEmail: { email: 'ada@example.com' } } });
  expect(await accountsOf('ada@example.com')).toHaveLength(0);
  expect(codeOf(await logIn('ada@example.com'))).toBe('email_not_verified');
  expect(codeOf(await logIn('ada@example.com', { verification: 'another-token' }))).toBe('email_not_verified');
  expect(codeOf(await logIn('ada@example.com', { verification: token, password: 'not the password' }))).toBe('credentials_wrong');
  expect(codeOf(await logIn('ada@example.com', { verification: token }))).toBeUndefined();
  expect(await accountsOf('ada@example.com')).toHaveLength(1);
  expect(codeOf(await logIn('ada@example.com'))).toBeUndefined();
  expect(codeOf(await verify(token))).toBe('token_invalid');
});

test('a link used nine times at once makes one account', async () => {
  await signUp('raced@example.com');
  const verification = await tokenTo('raced@example.com');
  const answers = await Promise.all(Array.from({ length: 9 }, () => logIn('raced@example.com', { verification })));
  expect(answers.map(codeOf)).toEqual(Array.from({ length: 9 }, () => undefined));
  expect(await accountsOf('raced@example.com')).toHaveLength(1);
});

test('a log-in tells nobody whether an address has an account, not even somebody who has signed up with it', async () => {
  await world.account('taken@example.com');
  await signUp('taken@example.com', 'the password of a stranger');
  await signUp('free@example.com', 'the password of a stranger');
  await world.mailed('free@example.com');
  for (const password of ['the password of a stranger', 'another password']) {
    const taken = await logIn('taken@example.com', { password });
    const free = await logIn('free@example.com', { password });
    expect(taken).toEqual(free);
  }
});

test('a link dies after a day', async () => {
  await signUp('late@example.com');
  const token = await tokenTo('late@example.com');
  world.clock.advance(DAY);
  expect(codeOf(await verify(token))).toBe('token_invalid');
  expect(codeOf(await verify('no-such-token'))).toBe('token_invalid');
  expect(codeOf(await logIn('late@example.com', { verification: token }))).toBe('credentials_wrong');
});

const from = (address: string) => ({ ...visitor(), address });

test('an address gets at most five mails an hour from one network and twenty from all, and is answered alike beyond', async () => {
  const ask = (address: string) => world.ask(from(address), SIGN_UP, { input: { email: 'flooded@example.com', password: PASSWORD } });
  const answers = [];
  for (let count = 0; count < 6; count++) answers.push(await ask(`2001:db8:1:1::${count}`));
  expect(await world.mailed('flooded@example.com')).toHaveLength(5);
  for (let count = 0; count < 20; count++) answers.push(await ask(`192.0.2.${count}`));
  expect(await world.mailed('flooded@example.com')).toHaveLength(20);
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ data: { accountSignUp: { email: 'flooded@example.com' } } })]),
  );
});

test('who signs up after strangers have used up the mails of an address gets in by a link that was sent for theirs', async () => {
  const email = 'crowded@example.com';
  for (let count = 0; count < 21; count++)
    await world.ask(from(`198.51.100.${count}`), SIGN_UP, { input: { email, password: `a stranger's ${count}` } });
  const own = from('203.0.113.251');
  expect(codeOf(await world.ask(own, SIGN_UP, { input: { email, password: PASSWORD } }))).toBeUndefined();
  await world.ask(from('198.51.100.99'), SIGN_UP, { input: { email, password: 'the last stranger' } });
  expect(await world.mailed(email)).toHaveLength(20);
  const verification = await tokenTo(email);
  expect(codeOf(await world.ask(own, LOG_IN, { email, password: PASSWORD }))).toBe('email_not_verified');
  expect(codeOf(await world.ask(own, LOG_IN, { email, password: PASSWORD, verification }))).toBeUndefined();
  expect(codeOf(await world.tryLogIn(email, 'the last stranger'))).toBe('credentials_wrong');
});

test('one network asks for sixty mails an hour, and then waits a minute at most', async () => {
  const ask = async (count: number) =>
    codeOf(await world.ask(from(`2001:db8:2:2::${count}`), RESEND, { email: `someone-${count}@example.com` }));
  for (let count = 0; count < 75; count++) {
    if (count >= 60) world.clock.advance(MINUTE);
    expect(await ask(count)).toBeUndefined();
  }
  world.clock.advance(MINUTE - 1_000);
  expect(await ask(75)).toBe('too_many_attempts');
  world.clock.advance(1_000);
  expect(await ask(76)).toBeUndefined();
});

test('nothing in the database opens anything: tokens are hashed, and a sent mail has forgotten what it said', async () => {
  await signUp('sealed@example.com');
  const token = await tokenTo('sealed@example.com');
  expect(await rowsOf(world.query, 'accounts.sign_up', { email: 'sealed@example.com' }, { columns: 'token_hash' })).toEqual([
    { token_hash: hashToken(token) },
  ]);
  expect(await rowsOf(world.query, 'accounts.mail', { recipient: 'sealed@example.com' }, { columns: 'sealed, sent_at' })).toEqual([
    { sealed: null, sent_at: world.clock.now() },
  ]);
});

test('a mail whose server is busy is sent later, once', async () => {
  setFaults(world.sandbox.mail.faults, { reject: 1 });
  await signUp('busy@example.com');
  await world.sandbox.mail.waitFor({ to: 'busy@example.com' });
  expect(await world.mailed('busy@example.com')).toHaveLength(1);
});

test('a mail whose job was lost is found by the sweep', async () => {
  await signUp('lost@example.com');
  await world.mailed('lost@example.com');
  const { Mail } = await import('../../../../subgraphs/accounts/mail/entities/mail.ts');
  const { seal } = await import('#platform/sealing.ts');
  const sealed = seal(JSON.stringify({ brand: 'Egress', url: 'http://localhost/sign-in' }), world.platform.secrets.sealing, 'mail_lost');
  await world.context().em.insert(Mail, {
    id: 'mail_lost',
    recipient: 'lost@example.com',
    kind: 'account_exists',
    sealed,
    createdAt: world.clock.now(),
    sentAt: null,
  });
  world.clock.advance(DAY);
  await world.platform.queue.runNow('accounts.sweep');
  expect((await world.mailed('lost@example.com')).map((mail) => mail.subject)).toContain('You already have an account at Egress');
});
