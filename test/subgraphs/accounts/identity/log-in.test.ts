import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { systemViewer } from '#platform/identity.ts';
import { hashToken } from '#platform/secrets.ts';
import { type AccountsWorld, codeOf, dataOf, PASSWORD, startAccounts, visitor } from '../world.ts';
import { rowsOf, setRows } from '../../../kit/tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const CREATE =
  'mutation ($email: String!, $password: String!) { sessionCreate(email: $email, password: $password) { token expiresAt account { id } } }';
const END = 'mutation ($token: String!) { sessionEnd(token: $token) }';
const CALLER = 'query ($token: String!) { callerOfSession(token: $token) { accountId role sessionId scopes expiresAt } }';
const gateway = systemViewer('gateway', 'req_test');

const logIn = (email: string, password = PASSWORD, from: Viewer = visitor()) => world.ask(from, CREATE, { email, password });
const tokenOf = async (email: string) => dataOf<{ token: string }>(await logIn(email), 'sessionCreate').token;
const callerOf = (token: string) => world.ask(gateway, CALLER, { token });

test('a log-in gives a session that names its account and role', async () => {
  const { id } = await world.account('ada@example.com');
  const token = await tokenOf(' ADA@example.com ');
  const answer = await callerOf(token);
  expect(answer).toMatchObject({ data: { callerOfSession: { accountId: id, role: 'CUSTOMER', scopes: [] } } });
  const sessions = await rowsOf<{ token_hash: string }>(
    world.query,
    'accounts.session',
    { account_id: id },
    { columns: 'token_hash, address, user_agent' },
  );
  expect(sessions).toEqual([{ token_hash: hashToken(token), address: expect.stringMatching(/^203\.0\.113\./), user_agent: 'test' }]);
});

test('an unknown address, a wrong password and an account without one are the same answer', async () => {
  await world.account('bob@example.com');
  const { id } = await world.account('carol@example.com');
  await setRows(world.query, 'accounts.account', { password_hash: null }, { id });
  const answers = await Promise.all([logIn('nobody@example.com'), logIn('bob@example.com', 'wrong password'), logIn('carol@example.com')]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
  expect(answers.map(codeOf)).toEqual(['credentials_wrong', 'credentials_wrong', 'credentials_wrong']);
});

test('a password is the same from every keyboard: composed and decomposed accents are one', async () => {
  const composed = 'voil\u00e0 une cl\u00e9 \ufb01able';
  await world.account('zoe@example.com');
  const hash = await world.context().providers.passwords.hash(composed);
  await setRows(world.query, 'accounts.account', { password_hash: hash }, { email: 'zoe@example.com' });
  expect(composed.normalize('NFKD')).not.toBe(composed);
  expect(codeOf(await logIn('zoe@example.com', composed.normalize('NFKD')))).toBeUndefined();
  expect(codeOf(await logIn('zoe@example.com', composed.normalize('NFKC')))).toBeUndefined();
});

test('a session lives 30 days after its last prolongation, and no longer', async () => {
  await world.account('fay@example.com');
  const token = await tokenOf('fay@example.com');
  const start = world.clock.now().getTime();
  const expiry = async () => {
    const answer = await callerOf(token);
    return answer.data && (new Date((answer.data['callerOfSession'] as { expiresAt: string }).expiresAt).getTime() - start) / DAY;
  };
  expect(Math.round((await expiry()) ?? 0)).toBe(30);
  world.clock.advance(14 * DAY);
  expect(Math.round((await expiry()) ?? 0)).toBe(30);
  world.clock.advance(2 * DAY);
  await expiry();
  expect(Math.round((await expiry()) ?? 0)).toBe(46);
  world.clock.advance(30 * DAY + MINUTE);
  expect(codeOf(await callerOf(token))).toBe('session_invalid');
});

test('a session ends ninety days after its log-in, however much it is used', async () => {
  await world.account('fox@example.com');
  const token = await tokenOf('fox@example.com');
  for (let day = 20; day < 90; day += 20) {
    world.clock.advance(20 * DAY);
    expect(codeOf(await callerOf(token)), `day ${day}`).toBeUndefined();
    await callerOf(token);
  }
  world.clock.advance(10 * DAY);
  expect(codeOf(await callerOf(token))).toBe('session_invalid');
});

test('log-out ends the session at once, and again changes nothing', async () => {
  await world.account('gil@example.com');
  const token = await tokenOf('gil@example.com');
  const end = () => world.ask(visitor(), END, { token });
  expect(await end()).toEqual({ data: { sessionEnd: true } });
  expect(codeOf(await callerOf(token))).toBe('session_invalid');
  expect(await end()).toEqual({ data: { sessionEnd: false } });
  expect(codeOf(await callerOf('no such token'))).toBe('session_invalid');
});

test('the stored hash is not a token', async () => {
  await world.account('hal@example.com');
  const token = await tokenOf('hal@example.com');
  expect(codeOf(await callerOf(hashToken(token)))).toBe('session_invalid');
});

test('who is behind a token, only the platform may ask', async () => {
  const { viewer } = await world.account('ida@example.com');
  const token = await tokenOf('ida@example.com');
  expect(codeOf(await world.ask(viewer, CALLER, { token }))).toBe('forbidden');
  expect(codeOf(await world.ask(visitor(), CALLER, { token }))).toBe('session_invalid');
});

test('at most four passwords are hashed at once, and a flood is told to come back', async () => {
  const { passwords } = world.context().providers;
  const stored = await passwords.hash(PASSWORD);
  const flood = await Promise.all(
    Array.from({ length: 80 }, () =>
      passwords.verify('wrong', stored).then(
        () => 'hashed',
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(flood.filter((outcome) => outcome === 'too_many_attempts')).toHaveLength(80 - 4 - 64);
  expect(await passwords.verify(PASSWORD, stored)).toBe(true);
  expect(await passwords.verify(PASSWORD.normalize('NFD'), stored)).toBe(true);
});
