import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { acceptEnrolment, issueEnrolment } from '../../../../subgraphs/accounts/identity/services/staff-enrolment.ts';
import { createPasskeyDevice } from './passkey-device.ts';
import { type AccountsWorld, codeOf, dataOf, PASSWORD, startAccounts, visitor } from '../world.ts';
import { rowsOf, setRows } from '../../../kit/tables.ts';
import { totpCode } from '../../../kit/totp.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts({ PUBLIC_URL: 'http://localhost:4000' });
});
afterAll(() => world.close());

const START = 'mutation ($password: String) { totpStart(password: $password) { secret uri } }';
const CONFIRM = 'mutation ($code: String!) { totpConfirm(code: $code) { codes } }';
const REMOVE = 'mutation ($code: String!, $password: String) { totpRemove(code: $code, password: $password) { id } }';
const RENEW = 'mutation ($password: String) { recoveryCodesRenew(password: $password) { codes } }';
const CONFIRM_LOG_IN =
  'mutation ($challenge: String!, $method: SecondFactor!, $code: String!) { sessionConfirm(challenge: $challenge, method: $method, code: $code) { token secondFactors } }';
const PASSKEY_START = 'mutation ($password: String) { passkeyStart(password: $password) { token options } }';
const PASSKEY_ADD =
  'mutation ($token: String!, $response: String!, $name: String!) { passkeyAdd(token: $token, response: $response, name: $name) { passkey { id name } recoveryCodes } }';
const SIGN_IN =
  'mutation ($token: String!, $response: String!) { passkeySignIn(token: $token, response: $response) { token secondFactors account { id } } }';
const ACCESS = '{ me { access { totpSince recoveryCodesLeft passkeys { name lastUsedAt } } sessions { current twoFactor } } }';

interface Ceremony {
  token: string;
  options: string;
}
interface Session {
  token: string;
  secondFactors: string[];
}

/** The code that an authenticator app shows now. */
const codeNow = (secret: string) => totpCode(secret, world.clock);
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const nextStep = () => world.clock.advance(30 * SECOND);

async function withTotp(email: string, role?: 'STAFF') {
  const { id } = await world.account(email, role);
  const { viewer, token } = await world.logIn(email);
  if (role === 'STAFF') {
    const { url } = await issueEnrolment(world.context(), id);
    await acceptEnrolment(world.as(viewer), new URL(url).searchParams.get('token') ?? '');
  }
  const { secret } = dataOf<{ secret: string }>(await world.ask(viewer, START, { password: PASSWORD }), 'totpStart');
  const { codes } = dataOf<{ codes: string[] }>(await world.ask(viewer, CONFIRM, { code: codeNow(secret) }), 'totpConfirm');
  nextStep();
  return { secret, codes, viewer, token };
}
const challengeOf = async (email: string) => dataOf<Session>(await world.tryLogIn(email), 'sessionCreate');
const confirm = (challenge: string, code: string, method = 'TOTP') => world.ask(visitor(), CONFIRM_LOG_IN, { challenge, method, code });

test('an app is asked for once its first code was shown, and the other sessions end', async () => {
  await world.account('ada@example.com');
  const { token: other } = await world.logIn('ada@example.com');
  const { viewer } = await world.logIn('ada@example.com');
  expect(codeOf(await world.ask(viewer, START, { password: 'wrong' }))).toBe('credentials_wrong');
  expect(codeOf(await world.ask(viewer, CONFIRM, { code: '123456' }))).toBe('totp_missing');
  const { secret, uri } = dataOf<{ secret: string; uri: string }>(await world.ask(viewer, START, { password: PASSWORD }), 'totpStart');
  expect(uri).toMatch(/^otpauth:\/\/totp\/Egress:ada%40example\.com\?/);
  expect((await challengeOf('ada@example.com')).secondFactors).toEqual([]);
  expect(codeOf(await world.ask(viewer, CONFIRM, { code: wrong(codeNow(secret)) }))).toBe('code_wrong');
  const { codes } = dataOf<{ codes: string[] }>(await world.ask(viewer, CONFIRM, { code: codeNow(secret) }), 'totpConfirm');
  expect(new Set(codes)).toHaveLength(10);
  expect(codes.every((code) => /^[0-9a-z]{4}(-[0-9a-z]{4}){5}$/.test(code))).toBe(true);
  expect(await world.isIn(other)).toBe(false);
  expect(dataOf(await world.ask(viewer, ACCESS), 'me')).toEqual({
    access: { totpSince: world.clock.now().toISOString(), recoveryCodesLeft: 10, passkeys: [] },
    sessions: [{ current: true, twoFactor: true }],
  });
  expect(codeOf(await world.ask(viewer, START, { password: PASSWORD }))).toBe('totp_exists');
  expect((await challengeOf('ada@example.com')).secondFactors).toEqual(['TOTP', 'RECOVERY_CODE']);
  expect((await world.mailed('ada@example.com')).map((mail) => mail.subject)).toContain('A change to how you sign in to Egress');
});

test('a challenge is no session; the code makes it one, and a code works once', async () => {
  const { secret } = await withTotp('bob@example.com');
  const { token } = await challengeOf('bob@example.com');
  expect(await world.isIn(token)).toBe(false);
  expect(codeOf(await confirm(token, wrong(codeNow(secret))))).toBe('code_wrong');
  const code = codeNow(secret);
  const session = dataOf<Session>(await confirm(token, code), 'sessionConfirm');
  expect(session.secondFactors).toEqual([]);
  expect(await world.isIn(session.token)).toBe(true);
  expect(codeOf(await confirm(token, code))).toBe('challenge_invalid');
  expect(codeOf(await confirm((await challengeOf('bob@example.com')).token, code))).toBe('code_wrong');
  nextStep();
  expect(codeOf(await confirm((await challengeOf('bob@example.com')).token, codeNow(secret)))).toBeUndefined();
});

test('one code raced on eight challenges opens one session', async () => {
  const { secret } = await withTotp('cat@example.com');
  const challenges = [];
  for (let count = 0; count < 8; count++) challenges.push((await challengeOf('cat@example.com')).token);
  const answers = await Promise.all(challenges.map((challenge) => confirm(challenge, codeNow(secret))));
  expect(
    answers.filter((answer) => !answer.errors),
    JSON.stringify(answers.map(codeOf)),
  ).toHaveLength(1);
});

test('a challenge takes five wrong codes and lives ten minutes', async () => {
  const { secret } = await withTotp('dan@example.com');
  const { token } = await challengeOf('dan@example.com');
  for (let count = 0; count < 5; count++) expect(codeOf(await confirm(token, wrong(codeNow(secret))))).toBe('code_wrong');
  expect(codeOf(await confirm(token, codeNow(secret)))).toBe('challenge_invalid');
  const { token: late } = await challengeOf('dan@example.com');
  world.clock.advance(10 * MINUTE);
  expect(codeOf(await confirm(late, codeNow(secret)))).toBe('challenge_invalid');
});

test('a recovery code works once, however it is written, and renewing voids the rest', async () => {
  const { codes, viewer } = await withTotp('eve@example.com');
  const [first = '', second = ''] = codes;
  expect(
    codeOf(await confirm((await challengeOf('eve@example.com')).token, first.toUpperCase().replaceAll('-', ' '), 'RECOVERY_CODE')),
  ).toBeUndefined();
  expect(codeOf(await confirm((await challengeOf('eve@example.com')).token, first, 'RECOVERY_CODE'))).toBe('code_wrong');
  const fresh = dataOf<{ codes: string[] }>(await world.ask(viewer, RENEW, { password: PASSWORD }), 'recoveryCodesRenew').codes;
  expect(codeOf(await confirm((await challengeOf('eve@example.com')).token, second, 'RECOVERY_CODE'))).toBe('code_wrong');
  expect(codeOf(await confirm((await challengeOf('eve@example.com')).token, fresh[0] ?? '', 'RECOVERY_CODE'))).toBeUndefined();
  expect(JSON.stringify(await rowsOf(world.query, 'accounts.recovery_code'))).not.toContain(fresh[1]?.replaceAll('-', ''));
});

test('removing the app takes the password and a code', async () => {
  const { secret, viewer } = await withTotp('fay@example.com');
  expect(codeOf(await world.ask(viewer, REMOVE, { code: codeNow(secret), password: 'wrong' }))).toBe('credentials_wrong');
  expect(codeOf(await world.ask(viewer, REMOVE, { code: wrong(codeNow(secret)), password: PASSWORD }))).toBe('code_wrong');
  expect(codeOf(await world.ask(viewer, REMOVE, { code: codeNow(secret), password: PASSWORD }))).toBeUndefined();
  expect((await challengeOf('fay@example.com')).secondFactors).toEqual([]);
});

test('the secret of an app is sealed in the database', async () => {
  const { secret } = await withTotp('gus@example.com');
  const rows = await rowsOf<{ secret: Buffer }>(world.query, 'accounts.totp', {}, { columns: 'secret' });
  for (const { secret: stored } of rows) expect(stored.includes(Buffer.from(secret))).toBe(false);
});

test('a recovered password does not pass the second factor', async () => {
  await withTotp('hal@example.com');
  await world.ask(visitor(), 'mutation { accountRecover(email: "hal@example.com") { email } }');
  const mail = (await world.mailed('hal@example.com')).findLast(({ subject }) => subject.startsWith('Choose'));
  const token = new URL(mail?.links[0] ?? '').searchParams.get('token');
  await world.ask(visitor(), 'mutation ($token: String!) { accountSetPassword(token: $token, password: "a newly chosen one") { email } }', {
    token,
  });
  expect(dataOf<Session>(await world.tryLogIn('hal@example.com', 'a newly chosen one'), 'sessionCreate').secondFactors).toEqual([
    'TOTP',
    'RECOVERY_CODE',
  ]);
});

test("support's desk opens with the second factor", async () => {
  const { secret, token } = await withTotp('desk@egress.example', 'STAFF');
  expect((await world.callerOf(token)).viewer).toMatchObject({ staff: true });
  const session = dataOf<Session>(await confirm((await challengeOf('desk@egress.example')).token, codeNow(secret)), 'sessionConfirm');
  expect((await world.callerOf(session.token)).viewer).toMatchObject({ staff: true });
});

async function addPasskey(viewer: Viewer, device = createPasskeyDevice('http://localhost:4000'), name = 'My phone') {
  const { token, options } = dataOf<Ceremony>(await world.ask(viewer, PASSKEY_START, { password: PASSWORD }), 'passkeyStart');
  return {
    device,
    token,
    response: device.create(options),
    answer: await world.ask(viewer, PASSKEY_ADD, { token, response: device.create(options), name }),
  };
}
const signInOptions = async () =>
  dataOf<Ceremony>(await world.ask(visitor(), 'mutation { passkeySignInStart { token options } }'), 'passkeySignInStart');
const signIn = (token: string, response: object) => world.ask(visitor(), SIGN_IN, { token, response: JSON.stringify(response) });

test('a passkey is a way in with two factors in itself, and makes a password owe a second one', async () => {
  const { id } = await world.account('ida@example.com');
  const { viewer } = await world.logIn('ida@example.com');
  const { device, answer } = await addPasskey(viewer);
  expect(dataOf<{ recoveryCodes: string[]; passkey: object }>(answer, 'passkeyAdd')).toMatchObject({
    passkey: { name: 'My phone' },
    recoveryCodes: expect.objectContaining({ length: 10 }),
  });
  const { token, options } = await signInOptions();
  const session = dataOf<Session & { account: { id: string } }>(await signIn(token, device.get(options)), 'passkeySignIn');
  expect(session).toMatchObject({ secondFactors: [], account: { id } });
  expect(await world.isIn(session.token)).toBe(true);
  expect((await challengeOf('ida@example.com')).secondFactors).toEqual(['PASSKEY', 'RECOVERY_CODE']);
  expect(dataOf<{ access: object }>(await world.ask(viewer, ACCESS), 'me').access).toMatchObject({
    passkeys: [{ name: 'My phone', lastUsedAt: world.clock.now().toISOString() }],
  });
});

test('a passkey answer is used once, in its own ceremony, from our own pages, with the user verified', async () => {
  await world.account('jan@example.com');
  const { viewer } = await world.logIn('jan@example.com');
  const { device } = await addPasskey(viewer);
  const one = await signInOptions();
  const two = await signInOptions();
  const response = device.get(one.options);
  expect(codeOf(await signIn(two.token, response))).toBe('passkey_invalid');
  expect(codeOf(await signIn(one.token, response))).toBeUndefined();
  expect(codeOf(await signIn(one.token, response))).toBe('challenge_invalid');
  const late = await signInOptions();
  world.clock.advance(5 * MINUTE);
  expect(codeOf(await signIn(late.token, device.get(late.options)))).toBe('challenge_invalid');
  for (const stranger of [createPasskeyDevice('http://localhost:4000'), createPasskeyDevice('http://evil.example')]) {
    const { token, options } = await signInOptions();
    expect(codeOf(await signIn(token, stranger.get(options)))).toBe('passkey_invalid');
  }
  const { token, options } = await signInOptions();
  expect(codeOf(await signIn(token, { ...response, id: device.get(options)['id'] }))).toBe('passkey_invalid');
  for (const elsewhere of [
    createPasskeyDevice('http://evil.example'),
    createPasskeyDevice('http://localhost:4000', { userVerified: false }),
  ])
    expect(codeOf((await addPasskey(viewer, elsewhere)).answer)).toBe('passkey_invalid');
});

test('a ceremony that one account began adds no passkey to another', async () => {
  await world.account('kim@example.com');
  await world.account('lea@example.com');
  const [{ viewer: kim }, { viewer: lea }] = [await world.logIn('kim@example.com'), await world.logIn('lea@example.com')];
  const { token, options } = dataOf<Ceremony>(await world.ask(kim, PASSKEY_START, { password: PASSWORD }), 'passkeyStart');
  const response = createPasskeyDevice('http://localhost:4000').create(options);
  expect(codeOf(await world.ask(lea, PASSKEY_ADD, { token, response, name: 'Stolen' }))).toBe('challenge_invalid');
});

test('a passkey is removed by its owner with the password, but not while it is the last way in', async () => {
  const { id } = await world.account('max@example.com');
  const { viewer: other } = await world.account('ned@example.com');
  const { viewer } = await world.logIn('max@example.com');
  const { answer } = await addPasskey(viewer);
  const { passkey } = dataOf<{ passkey: { id: string } }>(answer, 'passkeyAdd');
  const remove = (who: Viewer, password?: string) =>
    world.ask(who, 'mutation ($id: ID!, $password: String) { passkeyRemove(id: $id, password: $password) { id } }', {
      id: passkey.id,
      password,
    });
  expect(codeOf(await remove(other, PASSWORD))).toBe('passkey_not_found');
  expect(codeOf(await remove(viewer))).toBe('credentials_wrong');
  await setRows(world.query, 'accounts.account', { email: null, password_hash: null }, { id });
  expect(codeOf(await remove(viewer))).toBe('last_way_in');
});
