// An account's language: where it comes from, who changes it, and that every mail to the owner is written in it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Language } from '#platform/language.ts';
import { postMail } from '../../../../subgraphs/accounts/mail/services/mails.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { keyOf } from '../../../kit/platform.ts';
import { type AccountsWorld, PASSWORD, codeOf, dataOf, startAccounts, visitor } from '../world.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const SIGN_UP = 'mutation ($input: SignUpInput!) { accountSignUp(input: $input) { email } }';
const RESEND = 'mutation ($email: String!) { accountResendVerification(email: $email) { email } }';
const LOG_IN = `mutation ($email: String!, $verification: String) {
  sessionCreate(email: $email, password: "${PASSWORD}", verification: $verification) { token }
}`;
const CHOOSE = 'mutation ($language: Language!) { accountChooseLanguage(language: $language) { language } }';
const CHANGE_EMAIL = 'mutation ($email: String!, $password: String!) { accountChangeEmail(email: $email, password: $password) { email } }';
const CLOSE = 'mutation ($password: String) { accountClose(password: $password) { kind days } }';

type Viewer = Parameters<AccountsWorld['ask']>[0];
const speaking = (language: Language): Viewer => ({ ...visitor(), language });
const languageOf = async (viewer: Viewer) => dataOf<{ language: string }>(await world.ask(viewer, '{ me { language } }'), 'me').language;
const subjects = async (email: string) => (await world.mailed(email)).map(({ subject }) => subject);

/** An account that chose German. */
async function german(email: string) {
  await world.account(email);
  const { viewer } = await world.logIn(email);
  await world.ask(viewer, CHOOSE, { language: 'DE' });
  return viewer;
}

test('who signs up on a German page gets German mails, also of a link that is asked for again elsewhere, and a German account', async () => {
  const email = 'anke@example.com';
  await world.ask(speaking('de'), SIGN_UP, { input: { email, password: PASSWORD } });
  await world.ask(speaking('en'), RESEND, { email });
  expect(await subjects(email)).toEqual(Array(2).fill('Bestätigen Sie Ihre E-Mail-Adresse für Egress'));
  const link = (await world.mailed(email)).at(-1)?.links[0] ?? '';
  const verification = new URL(link).searchParams.get('token');
  const { token } = dataOf<{ token: string }>(await world.ask(speaking('en'), LOG_IN, { email, verification }), 'sessionCreate');
  expect(await languageOf((await world.callerOf(token)).viewer)).toBe('DE');
});

test('who names no language, or one that there is not, reads English', async () => {
  await world.ask(visitor(), SIGN_UP, { input: { email: 'amy@example.com', password: PASSWORD } });
  expect(await subjects('amy@example.com')).toEqual(['Confirm your e-mail address for Egress']);
});

test.each([
  ['language=de', 'DE'],
  ['language=xx', 'EN'],
])('a first log-in by the chat platform in a browser with the cookie %s makes an account that reads %s', async (cookie, language) => {
  const browser = world.browser();
  const [name = '', value = ''] = cookie.split('=');
  browser.jar.set(name, value);
  const url = String((await browser.post('/auth/chat/start'))['url']);
  await browser.follow(world.sandbox.chat.consent(url, { username: `chatter-${value}` }));
  expect(await languageOf((await world.callerOf(browser.token() ?? '')).viewer)).toBe(language);
});

test('a chosen language counts from the next mail on, is recorded once, and no key chooses it', async () => {
  const { id } = await world.account('bea@example.com');
  const { viewer } = await world.logIn('bea@example.com');
  expect(await languageOf(viewer)).toBe('EN');
  await postMail(world.context(), 'bea@example.com', 'password_changed', { url: 'http://localhost' });
  for (let count = 0; count < 2; count++)
    expect(dataOf(await world.ask(viewer, CHOOSE, { language: 'DE' }), 'accountChooseLanguage')).toEqual({ language: 'DE' });
  await postMail(world.context(), 'bea@example.com', 'password_changed', { url: 'http://localhost' });
  expect((await subjects('bea@example.com')).slice(-2)).toEqual([
    'Your Egress password has changed',
    'Ihr Passwort bei Egress wurde geändert',
  ]);
  expect(await rowsOf(world.query, 'accounts.activity', { account_id: id, type: 'account.language_chosen' }, { columns: 'data' })).toEqual([
    { data: { language: 'de' } },
  ]);
  expect(codeOf(await world.ask(keyOf(id, ['read', 'generate', 'servers', 'billing']), CHOOSE, { language: 'EN' }))).toBe('forbidden');
  expect(codeOf(await world.ask(visitor(), CHOOSE, { language: 'EN' }))).toBe('session_invalid');
});

test('an address that is to belong to a German account, or has belonged to one, is written to in German', async () => {
  const viewer = await german('carla@example.com');
  await world.ask(viewer, CHANGE_EMAIL, { email: 'carla.new@example.com', password: PASSWORD });
  expect(await subjects('carla.new@example.com')).toEqual(['Bestätigen Sie diese Adresse für Ihr Konto bei Egress']);
  expect(codeOf(await world.ask(viewer, CLOSE, { password: PASSWORD }))).toBeUndefined();
  const [last] = (await world.mailed('carla@example.com')).slice(-1);
  expect(last?.subject).toBe('Ihr Konto bei Egress ist geschlossen');
  expect(last?.text).toContain('Bestellungen, Zahlungen und Rechnungen: 3.650 Tage, Bücher müssen zehn Jahre aufbewahrt werden.');
});

test('mails to staff are English, also to an address whose account reads German', async () => {
  const { supportEmail } = world.context().providers;
  await german(supportEmail);
  const account = 'dora@example.com';
  await postMail(world.context(), supportEmail, 'key_asked', { account, what: 'a partner key', url: 'http://localhost' });
  const [last] = (await world.mailed(supportEmail)).slice(-1);
  expect(last?.subject).toBe('An API key is asked for by dora@example.com');
});
