// Recovery of an account whose password is forgotten.
import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '#platform/clock.ts';
import { codeOf, PASSWORD, visitor } from '../world.ts';
import { openWaysIn, world, NEW, CHANGE_PASSWORD, logIn, recover, setPassword, recoveryToken } from './ways-in.ts';

openWaysIn();

test('a recovery is answered alike for known and unknown addresses, and mails only the known one', async () => {
  await world.account('cat@example.com');
  const known = await recover('cat@example.com');
  const unknown = await recover('nobody@example.com');
  expect(JSON.stringify(known).replace('cat@', '@')).toBe(JSON.stringify(unknown).replace('nobody@', '@'));
  expect(await world.mailed('cat@example.com')).toHaveLength(1);
  expect(await world.mailed('nobody@example.com')).toHaveLength(0);
});

test('the link carries on the page that the reader is on the way to, and only one of this site', async () => {
  await world.account('cleo@example.com');
  const ask = (next: string) =>
    world.ask(visitor(), 'mutation ($next: String) { accountRecover(email: "cleo@example.com", next: $next) { email } }', { next });
  expect(codeOf(await ask('https://evil.example/'))).toBe('parameter_invalid');
  expect(codeOf(await ask('//evil.example'))).toBe('parameter_invalid');
  expect(codeOf(await ask('/residential/buy?product=MOBILE&gb=5'))).toBeUndefined();
  const [mail] = await world.mailed('cleo@example.com');
  expect(new URL(mail?.links[0] ?? '').searchParams.get('next')).toBe('/residential/buy?product=MOBILE&gb=5');
});

test('a recovery link sets the password once, raced or repeated, and ends every session', async () => {
  await world.account('dan@example.com');
  const { token: session } = await logIn('dan@example.com');
  await recover('dan@example.com');
  const token = await recoveryToken('dan@example.com');
  expect(codeOf(await setPassword(token, 'short'))).toBe('password_unfit');
  const answers = await Promise.all(Array.from({ length: 50 }, () => setPassword(token)));
  expect(answers.filter((answer) => !answer.errors)).toHaveLength(1);
  expect(new Set(answers.map(codeOf))).toEqual(new Set([undefined, 'token_invalid']));
  expect(codeOf(await setPassword(token))).toBe('token_invalid');
  expect(await world.isIn(session)).toBe(false);
  expect(codeOf(await world.tryLogIn('dan@example.com'))).toBe('credentials_wrong');
  expect(codeOf(await world.tryLogIn('dan@example.com', NEW))).toBeUndefined();
  expect((await world.mailed('dan@example.com')).map((mail) => mail.subject)).toContain('Your Egress password has changed');
});

test('whoever asks for a recovery again within the hour is never refused, gets nothing new, and the link goes on working', async () => {
  await world.account('dot@example.com');
  await recover('dot@example.com');
  const token = await recoveryToken('dot@example.com');
  const answers = [];
  for (let count = 0; count < 12; count++) {
    answers.push(await recover('dot@example.com'), await recover('nobody-at-all@example.com'));
    world.clock.advance(4 * MINUTE);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer).replace(/[\w-]+@/, '@')))).toHaveLength(1);
  expect((await world.mailed('dot@example.com')).filter(({ subject }) => subject.startsWith('Choose'))).toHaveLength(1);
  world.clock.advance(11 * MINUTE);
  await recover('dot@example.com');
  expect(codeOf(await setPassword(token))).toBeUndefined();
  await recover('dot@example.com');
  expect((await world.mailed('dot@example.com')).filter(({ subject }) => subject.startsWith('Choose'))).toHaveLength(2);
});

test('ten recoveries of one address at once send one mail', async () => {
  await world.account('dee@example.com');
  await Promise.all(Array.from({ length: 10 }, () => recover('dee@example.com')));
  expect(await world.mailed('dee@example.com')).toHaveLength(1);
});

test('an old recovery link dies with a newer one that is used, after two hours, and with a change of password or address', async () => {
  const { viewer } = await world.account('ed@example.com');
  await recover('ed@example.com');
  const first = await recoveryToken('ed@example.com');
  world.clock.advance(HOUR);
  await recover('ed@example.com');
  const second = await recoveryToken('ed@example.com');
  expect(codeOf(await setPassword(second))).toBeUndefined();
  expect(codeOf(await setPassword(first))).toBe('token_invalid');
  await recover('ed@example.com');
  const late = await recoveryToken('ed@example.com');
  world.clock.advance(2 * HOUR);
  expect(codeOf(await setPassword(late))).toBe('token_invalid');
  await recover('ed@example.com');
  const before = await recoveryToken('ed@example.com');
  expect(codeOf(await world.ask(viewer, CHANGE_PASSWORD, { current: NEW, password: PASSWORD }))).toBeUndefined();
  expect(codeOf(await setPassword(before))).toBe('token_invalid');
});
