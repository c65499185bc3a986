// A change of password or address.
import { expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#platform/clock.ts';
import { codeOf, dataOf, PASSWORD } from '../world.ts';
import { setRows } from '../../../kit/tables.ts';
import { openWaysIn, world, NEW, CHANGE_PASSWORD, logIn, changeEmail, confirm, tokenTo } from './ways-in.ts';

openWaysIn();

test('a change of password needs the present one and ends the other sessions', async () => {
  await world.account('fay@example.com');
  const [one, two] = [await logIn('fay@example.com'), await logIn('fay@example.com')];
  expect(codeOf(await world.ask(two.viewer, CHANGE_PASSWORD, { current: 'wrong', password: NEW }))).toBe('credentials_wrong');
  expect(codeOf(await world.ask(two.viewer, CHANGE_PASSWORD, { current: PASSWORD, password: '12345678' }))).toBe('password_unfit');
  expect(codeOf(await world.ask(two.viewer, CHANGE_PASSWORD, { current: PASSWORD, password: NEW }))).toBeUndefined();
  expect([await world.isIn(one.token), await world.isIn(two.token)]).toEqual([false, true]);
  expect(codeOf(await world.tryLogIn('fay@example.com', NEW))).toBeUndefined();
});

test('asked again for the password, nobody guesses often: after five failures each waits longer than the one before', async () => {
  const { viewer } = await world.account('gus@example.com');
  const guess = async () => codeOf(await world.ask(viewer, CHANGE_PASSWORD, { current: 'a guess', password: NEW }));
  for (let count = 0; count < 5; count++) expect(await guess()).toBe('credentials_wrong');
  for (const seconds of [1, 2, 4]) {
    expect(await guess()).toBe('too_many_attempts');
    world.clock.advance(seconds * SECOND);
    expect(await guess()).toBe('credentials_wrong');
  }
});

test('a new address is confirmed at both, in either order, and the old one is told', async () => {
  for (const [index, first] of (['old', 'new'] as const).entries()) {
    const { viewer, email: old } = await world.account(`hal-${index}@example.com`);
    const fresh = `hal-new-${index}@example.com`;
    expect(codeOf(await changeEmail(viewer, fresh, 'wrong'))).toBe('credentials_wrong');
    expect(await changeEmail(viewer, fresh)).toEqual({ data: { accountChangeEmail: { email: fresh } } });
    const tokens = { old: await tokenTo(old, /^Confirm the new address/), new: await tokenTo(fresh, /^Confirm this address/) };
    const second = first === 'old' ? 'new' : 'old';
    expect(dataOf(await world.ask(viewer, '{ me { email access { pendingEmail hasPassword } } }'), 'me')).toEqual({
      email: old,
      access: { pendingEmail: fresh, hasPassword: true },
    });
    expect(await confirm(viewer, tokens[first])).toEqual({ data: { accountConfirmEmail: { email: fresh, done: false } } });
    expect(codeOf(await confirm(viewer, tokens[first]))).toBe('token_invalid');
    expect(await confirm(viewer, tokens[second])).toEqual({ data: { accountConfirmEmail: { email: fresh, done: true } } });
    expect(codeOf(await world.tryLogIn(fresh))).toBeUndefined();
    expect(codeOf(await world.tryLogIn(old))).toBe('credentials_wrong');
    expect((await world.mailed(old)).at(-1)?.subject).toBe('The address of your Egress account has changed');
  }
});

test('a new address that has an account is answered alike, told so, and can never be confirmed', async () => {
  const { viewer } = await world.account('ida@example.com');
  await world.account('jan@example.com');
  expect(await changeEmail(viewer, 'jan@example.com')).toEqual({ data: { accountChangeEmail: { email: 'jan@example.com' } } });
  await confirm(viewer, await tokenTo('ida@example.com', /^Confirm the new address/));
  expect((await world.mailed('jan@example.com')).map((mail) => mail.subject)).toEqual(['You already have an account at Egress']);
  expect(dataOf(await world.ask(viewer, '{ me { email } }'), 'me')).toEqual({ email: 'ida@example.com' });
});

test('links of a new address die after a day, with a newer change, and with a change of password', async () => {
  const { viewer } = await world.account('kim@example.com');
  await changeEmail(viewer, 'kim-1@example.com');
  const first = await tokenTo('kim-1@example.com', /^Confirm/);
  await changeEmail(viewer, 'kim-2@example.com');
  expect(codeOf(await confirm(viewer, first))).toBe('token_invalid');
  const second = await tokenTo('kim-2@example.com', /^Confirm/);
  await world.ask(viewer, CHANGE_PASSWORD, { current: PASSWORD, password: NEW });
  expect(codeOf(await confirm(viewer, second))).toBe('token_invalid');
  await changeEmail(viewer, 'kim-3@example.com', NEW);
  const third = await tokenTo('kim-3@example.com', /^Confirm/);
  world.clock.advance(DAY);
  expect(codeOf(await confirm(viewer, third))).toBe('token_invalid');
});

test('an account without a password gets one with its first address, soon after a log-in only', async () => {
  const { id } = await world.account('lea@example.com');
  const { viewer } = await logIn('lea@example.com');
  await setRows(world.query, 'accounts.account', { email: null, password_hash: null, email_verified_at: null }, { id });
  const add = () =>
    world.ask(viewer, 'mutation { accountAddPassword(email: "lea-2@example.com", password: "a backup password") { email } }');
  expect(codeOf(await changeEmail(viewer, 'lea-3@example.com', ''))).toBe('no_password');
  world.clock.advance(16 * MINUTE);
  expect(codeOf(await add())).toBe('sign_in_again');
  await setRows(world.query, 'accounts.session', { created_at: world.clock.now() }, { account_id: id });
  expect(codeOf(await add())).toBeUndefined();
  expect(await confirm(viewer, await tokenTo('lea-2@example.com', /^Confirm/))).toEqual({
    data: { accountConfirmEmail: { email: 'lea-2@example.com', done: true } },
  });
  expect(codeOf(await add())).toBe('password_exists');
  expect(codeOf(await world.tryLogIn('lea-2@example.com', 'a backup password'))).toBeUndefined();
});
