// The ways into an account, and how they are changed: sessions, recovery, password, address.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { systemViewer } from '#platform/identity.ts';
import type { Viewer } from '#platform/identity.ts';
import { type AccountsWorld, codeOf, dataOf, PASSWORD, startAccounts, visitor } from '../world.ts';
import { setRows } from '../../../kit/tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const NEW = 'quite another password';
const RECOVER = 'mutation ($email: String!) { accountRecover(email: $email) { email } }';
const SET = 'mutation ($token: String!, $password: String!) { accountSetPassword(token: $token, password: $password) { email } }';
const CHANGE_PASSWORD =
  'mutation ($current: String!, $password: String!) { accountChangePassword(current: $current, password: $password) { id } }';
const CHANGE_EMAIL = 'mutation ($email: String!, $password: String!) { accountChangeEmail(email: $email, password: $password) { email } }';
const CONFIRM = 'mutation ($token: String!) { accountConfirmEmail(token: $token) { email done } }';
const SESSIONS = '{ me { sessions { id current device address lastUsedAt twoFactor } } }';
const ACTIVITY =
  'query ($first: Int!, $after: ID) { me { activity(first: $first, after: $after) { items { type actor address device subject details { name value } } next } } }';

const logIn = (email: string, password = PASSWORD, from: Viewer = visitor()) => world.logIn(email, password, from);
const recover = (email: string) => world.ask(visitor(), RECOVER, { email });
const setPassword = (token: string, password = NEW) => world.ask(visitor(), SET, { token, password });
const changeEmail = (viewer: Viewer, email: string, password = PASSWORD) => world.ask(viewer, CHANGE_EMAIL, { email, password });
const confirm = (viewer: Viewer, token: string) => world.ask(viewer, CONFIRM, { token });
const tokenTo = async (email: string, subject: RegExp) => {
  const mail = (await world.mailed(email)).findLast((message) => subject.test(message.subject));
  return new URL(mail?.links[0] ?? 'http://no-mail').searchParams.get('token') ?? '';
};
const recoveryToken = (email: string) => tokenTo(email, /^Choose a new password/);

test('the sessions of an account, each with its device and address, the asking one marked', async () => {
  await world.account('ada@example.com');
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await logIn('ada@example.com', PASSWORD, { ...visitor(), address: '192.0.2.1', userAgent: firefox });
  world.clock.advance(MINUTE);
  const { viewer } = await logIn('ada@example.com', PASSWORD, { ...visitor(), address: '192.0.2.2', userAgent: 'curl/8' });
  expect(dataOf(await world.ask(viewer, SESSIONS), 'me')).toEqual({
    sessions: [
      expect.objectContaining({ current: true, device: 'curl', address: '192.0.2.2', twoFactor: false }),
      expect.objectContaining({ current: false, device: 'Firefox on Linux', address: '192.0.2.1' }),
    ],
  });
});

test("ending one session, the others, and all; another account's is not found", async () => {
  await world.account('bob@example.com');
  const [one, two, three] = [await logIn('bob@example.com'), await logIn('bob@example.com'), await logIn('bob@example.com')];
  const { viewer: stranger } = await world.account('eve@example.com');
  const close = (viewer: Viewer, id: string) => world.ask(viewer, 'mutation ($id: ID!) { sessionClose(id: $id) }', { id });
  const closeAll = (viewer: Viewer, exceptCurrent: boolean) =>
    world.ask(viewer, 'mutation ($exceptCurrent: Boolean!) { sessionCloseAll(exceptCurrent: $exceptCurrent) }', { exceptCurrent });
  expect(codeOf(await close(stranger, one.sessionId))).toBe('session_not_found');
  expect(await close(three.viewer, one.sessionId)).toEqual({ data: { sessionClose: one.sessionId } });
  expect(codeOf(await close(three.viewer, one.sessionId))).toBe('session_not_found');
  expect(await world.isIn(one.token)).toBe(false);
  expect(await closeAll(three.viewer, true)).toEqual({ data: { sessionCloseAll: 1 } });
  expect([await world.isIn(two.token), await world.isIn(three.token)]).toEqual([false, true]);
  expect(await closeAll(three.viewer, false)).toEqual({ data: { sessionCloseAll: 1 } });
  expect(await world.isIn(three.token)).toBe(false);
});

test('a recovery is answered alike for known and unknown addresses, and mails only the known one', async () => {
  await world.account('cat@example.com');
  const known = await recover('cat@example.com');
  const unknown = await recover('nobody@example.com');
  expect(JSON.stringify(known).replace('cat@', '@')).toBe(JSON.stringify(unknown).replace('nobody@', '@'));
  expect(await world.mailed('cat@example.com')).toHaveLength(1);
  expect(await world.mailed('nobody@example.com')).toHaveLength(0);
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

test('a log-in from a device that was never seen is mailed, the first one and a known one are not', async () => {
  await world.account('max@example.com');
  const from = (userAgent: string): Viewer => ({ ...visitor(), userAgent });
  await logIn('max@example.com', PASSWORD, from('Mozilla/5.0 (Macintosh) Firefox/140'));
  await logIn('max@example.com', PASSWORD, from('Mozilla/5.0 (Macintosh) Firefox/140'));
  expect(await world.mailed('max@example.com')).toHaveLength(0);
  await logIn('max@example.com', PASSWORD, { ...from('Mozilla/5.0 (Windows NT 10.0) Chrome/140'), address: '192.0.2.99' });
  const [mail] = await world.mailed('max@example.com');
  expect(mail).toMatchObject({
    subject: 'New sign-in to your Egress account',
    text: expect.stringMatching(/Chrome on Windows, from the address 192\.0\.2\.99/),
  });
});

test('the activity says who did what, when and from where, page by page', async () => {
  await world.account('ned@example.com');
  world.clock.advance(MINUTE);
  const { viewer, sessionId } = await logIn('ned@example.com', PASSWORD, { ...visitor(), address: '192.0.2.5', userAgent: 'curl/8' });
  world.clock.advance(MINUTE);
  await world.ask(viewer, CHANGE_PASSWORD, { current: PASSWORD, password: NEW });
  world.clock.advance(MINUTE);
  await recover('ned@example.com');
  await world.mailed('ned@example.com');
  const pageOf = async (first: number, after?: string) =>
    dataOf<{ activity: { items: { type: string }[]; next: string | null } }>(await world.ask(viewer, ACTIVITY, { first, after }), 'me')
      .activity;
  const whole = await pageOf(100);
  expect(whole.items.map(({ type }) => type)).toEqual([
    'account.recovery_asked',
    'account.password_changed',
    'session.started',
    'account.created',
  ]);
  expect(whole.items[2]).toEqual({
    type: 'session.started',
    actor: 'OWNER',
    address: '192.0.2.5',
    device: 'curl',
    subject: sessionId,
    details: [{ name: 'device', value: 'curl' }],
  });
  expect(whole.next).toBeNull();
  const first = await pageOf(3);
  const second = await pageOf(3, first.next ?? '');
  expect([...first.items, ...second.items]).toEqual(whole.items);
  expect(second.next).toBeNull();
  expect(codeOf(await world.ask(viewer, ACTIVITY, { first: 101 }))).toBe('limit_invalid');
  await expect(world.query(`update accounts.activity set type = 'nothing'`)).rejects.toThrow('append-only');
});

test('what the owner does on a plan is in the activity too', async () => {
  const { id, viewer } = await world.account('nia@example.com');
  await appendEvents(world.context().em, {
    type: 'residential_plan.reset',
    at: world.clock.now(),
    accountId: id,
    subject: 'plan_1',
    data: { planId: 'plan_1', credentialEpoch: 2 },
  });
  const changed = { type: 'static_plan.credentials_changed' as const, at: world.clock.now(), accountId: id, subject: 'splan_1' };
  await appendEvents(world.context().em, changed);
  await world.subgraph.reader.drain();
  const { items } = dataOf<{ activity: { items: object[] } }>(await world.ask(viewer, ACTIVITY, { first: 10 }), 'me').activity;
  expect(items).toContainEqual(
    expect.objectContaining({ type: 'static_plan.credentials_changed', actor: 'OWNER', subject: 'splan_1', details: [] }),
  );
  expect(items).toContainEqual(
    expect.objectContaining({
      type: 'residential_plan.reset',
      actor: 'OWNER',
      subject: 'plan_1',
      details: [
        { name: 'planId', value: 'plan_1' },
        { name: 'credentialEpoch', value: '2' },
      ],
    }),
  );
});

test('what is over is forgotten in time: sessions at once, links after 30 days, activity after a year', async () => {
  const { id } = await world.account('oda@example.com');
  await logIn('oda@example.com');
  await recover('oda@example.com');
  await world.mailed('oda@example.com');
  const left = async () =>
    (
      await world.query(
        `select (select count(*) from accounts.session where account_id = $1)::int as sessions, (select count(*) from accounts.recovery where account_id = $1)::int as links,
       (select count(*) from accounts.activity where account_id = $1)::int as activity, (select count(*) from accounts.mail where recipient = 'oda@example.com')::int as mails`,
        [id],
      )
    )[0];
  const sweepAfter = async (days: number) => {
    world.clock.advance(days * DAY);
    await world.platform.queue.runNow('accounts.sweep');
    return left();
  };
  expect(await left()).toEqual({ sessions: 1, links: 1, activity: 3, mails: 1 });
  expect(await sweepAfter(31)).toEqual({ sessions: 0, links: 0, activity: 3, mails: 1 });
  expect(await sweepAfter(60)).toEqual({ sessions: 0, links: 0, activity: 3, mails: 0 });
  expect(await sweepAfter(275)).toEqual({ sessions: 0, links: 0, activity: 0, mails: 0 });
});

test('the platform alone asks who is behind a token', async () => {
  const { viewer } = await world.account('pia@example.com');
  const { token } = await logIn('pia@example.com');
  const query = 'query ($token: String!) { callerOfSession(token: $token) { accountId } }';
  expect(codeOf(await world.ask(viewer, query, { token }))).toBe('forbidden');
  expect(codeOf(await world.ask(systemViewer('gateway', 'req_test'), query, { token }))).toBeUndefined();
});
