// Account settings and ways to log in, in a real browser. Tests build on each other. They use localhost, as passkeys do not work with an IP address.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import { PLATFORM_PORTS, freePorts } from '../kit/ports.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';
import { totpCode } from '../kit/totp.ts';

const NEW_PASSWORD = 'another long enough secret';
const NEWEST_PASSWORD = 'a third long enough secret';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let page: Page;
let account: SeededAccount;
let home: string;
let email: string;
let password: string;
let secret: string;
let codes: string[];
let recoveryLink: string;

beforeAll(async () => {
  const port = await freePorts(PLATFORM_PORTS);
  home = `http://localhost:${port}`;
  stack = await startStack({ environment: { PORT: String(port), SANDBOX_PORT: String(port + 1), PUBLIC_URL: home } });
  account = await stack.seed.account({ email: 'grace@customer.example' });
  ({ email, password } = account);
  browser = await launchBrowser();
  opened = await visit(browser, home, { also: [stack.sandbox.urls.mail, stack.sandbox.urls.chat], reducedMotion: 'reduce' });
  page = opened.page;
  const devtools = await opened.context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const codeNow = () => totpCode(secret, stack.clock);
/** Advances to the next code, as each is valid once. */
const nextCode = () => stack.clock.advance(30 * SECOND);

async function open(tab?: string): Promise<void> {
  await page.goto(`${home}/settings${tab ? `?tab=${tab}` : ''}`);
  await shown(heading('Settings'));
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
}

async function signIn(): Promise<void> {
  await page.goto(`${home}/sign-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button('Sign in').click();
}

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await button('Sign out').click();
  await page.waitForURL(`${home}/sign-in**`);
}

/** The path of the newest link in the mails to an address. */
async function linkFor(to: string, subject: RegExp): Promise<string> {
  await stack.settle();
  const mail = await stack.sandbox.mail.waitFor({ to, subject });
  const [url = ''] = new RegExp(`${home}/[^\\s"<]+`).exec(mail.text ?? '') ?? [];
  return url;
}

/** Enters the password in an open dialog, and presses the button `action`. */
async function prove(action: string): Promise<void> {
  await dialog().getByLabel('Your password').fill(password);
  await dialog().getByRole('button', { name: action, exact: true }).click();
}

describe('the owner of an account', () => {
  test('forgot the password, asks for a link and sets a new one by it', async () => {
    await page.goto(`${home}/sign-in`);
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    await shown(heading('Set a new password'));
    await page.getByLabel('E-mail').fill(email);
    await button('Mail me a link').click();
    await shown(page.getByText(`If ${email} has an account here`));
    recoveryLink = await linkFor(email, /password/i);
    await page.goto(recoveryLink);
    await page.getByLabel('New password').fill('password');
    await button('Set password').click();
    await shown(page.locator('[aria-invalid="true"]'));
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await button('Set password').click();
    await shown(heading('Your password is set'));
    password = NEW_PASSWORD;
  });

  test('opens the link a second time, when it is no longer valid', async () => {
    await page.goto(recoveryLink);
    await page.getByLabel('New password').fill(NEWEST_PASSWORD);
    await button('Set password').click();
    await shown(page.getByRole('alert'));
    await button('Ask for a new link').click();
    await shown(button('Mail me a link'));
  });

  test('changes the password, which a wrong present one does not', async () => {
    await signIn();
    await shown(heading('Home'));
    await open();
    const form = page.getByRole('form', { name: 'Password' });
    await form.getByLabel('Present password').fill('not my password');
    await form.getByLabel('New password').fill(NEWEST_PASSWORD);
    await form.getByRole('button', { name: 'Change password' }).click();
    await shown(form.locator('[aria-invalid="true"]'));
    await form.getByLabel('Present password').fill(password);
    await form.getByRole('button', { name: 'Change password' }).click();
    await shown(form.getByText('Password changed.'));
    password = NEWEST_PASSWORD;
  });

  test('changes the address by opening both links', async () => {
    await open();
    const form = page.getByRole('form', { name: 'E-mail address' });
    await form.getByLabel('New e-mail').fill('hopper@customer.example');
    await form.getByLabel('Present password').fill(password);
    await form.getByRole('button', { name: 'Change address' }).click();
    await shown(form.getByText('We mailed a link to hopper@customer.example'));
    await page.goto(await linkFor('hopper@customer.example', /./));
    await shown(page.getByText('once the link in the other mail box is opened too'));
    await page.goto(await linkFor(email, /address/i));
    await shown(page.getByText('Your address is now hopper@customer.example.'));
    email = 'hopper@customer.example';
    await page.getByRole('link', { name: 'To the settings' }).click();
    await shown(page.getByText(email).filter({ visible: true }).first());
  });

  test('sets up an authenticator app and is shown recovery codes once', async () => {
    await open('security');
    await button('Set up').click();
    await dialog().getByLabel('Your password').fill('not my password');
    await dialog().getByRole('button', { name: 'Set up' }).click();
    await shown(dialog().locator('[aria-invalid="true"]:focus'));
    await prove('Set up');
    await shown(page.getByRole('img', { name: 'QR code for the authenticator app' }));
    secret = await page.getByTestId('totp-secret').innerText();
    await dialog().getByLabel('Code', { exact: true }).fill('000000');
    await button('Turn on').click();
    await shown(dialog().locator('[aria-invalid="true"]'));
    await dialog().getByLabel('Code', { exact: true }).fill(codeNow());
    await button('Turn on').click();
    const once = page.getByRole('alertdialog');
    await shown(once.getByText('Your recovery codes'));
    await page.keyboard.press('Escape');
    codes = (await once.locator('pre').innerText()).trim().split('\n');
    expect(new Set(codes)).toHaveLength(10);
    await button('I have stored them').click();
    await shown(page.getByText('10 left'));
    nextCode();
  });

  test('is asked for the code at the next log-in', async () => {
    await signOut();
    await signIn();
    await shown(heading('One more step'));
    await page.getByLabel('Code of your authenticator app').fill('000000');
    await button('Confirm').click();
    await shown(page.locator('[aria-invalid="true"]'));
    await page.getByLabel('Code of your authenticator app').fill(codeNow());
    await button('Confirm').click();
    await shown(heading('Home'));
  });

  test('gets in by a recovery code when the phone is away', async () => {
    await signOut();
    await signIn();
    await button('Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await button('Confirm').click();
    await shown(heading('Home'));
    await open('security');
    await shown(page.getByText('9 left'));
  });

  test('adds a passkey and signs in with it alone', async () => {
    await button('Add a passkey').click();
    await dialog().getByLabel('Name').fill('Work laptop');
    await prove('Add a passkey');
    await shown(page.getByText('Work laptop'));
    await signOut();
    await page.goto(`${home}/sign-in`);
    await button('Sign in with a passkey').click();
    await shown(heading('Home'));
  });

  test('links the chat log-in, signs in with it, and unlinks it', async () => {
    await open();
    await page.getByRole('button', { name: /^Link / }).click();
    await dialog().getByLabel('Your password').fill(password);
    await dialog()
      .getByRole('button', { name: /^Link / })
      .click();
    await page.getByLabel('User name').or(page.locator('#username')).first().fill('gracehopper');
    await button('Allow').click();
    await page.waitForURL(`${home}/settings?linked=chat`);
    await shown(page.getByText('Linked to gracehopper'));
    await button('Unlink').click();
    await prove('Unlink');
    await shown(page.getByText('Not linked.'));
  });

  test('sees where the account is signed in and ends one of the others', async () => {
    nextCode();
    const other = await visit(browser, home, { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' });
    await other.page.goto(`${home}/sign-in`);
    await other.page.getByLabel('E-mail').fill(email);
    await other.page.getByLabel('Password', { exact: true }).fill(password);
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.page.getByLabel('Code of your authenticator app').fill(codeNow());
    await other.page.getByRole('button', { name: 'Confirm' }).click();
    await other.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await open('sessions');
    await page.getByRole('button', { name: /^End the session of Firefox/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End', exact: true }).click();
    await shown(page.getByText('Session ended'));
    await page.getByRole('button', { name: /^End the session of Firefox/ }).waitFor({ state: 'hidden' });
    await other.page.goto(`${home}/billing`);
    await other.page.waitForURL(`${home}/sign-in**`);
    await other.context.close();
  });

  test('finds all of it in the activity', async () => {
    await open('activity');
    for (const deed of ['Passkey added', 'Authenticator app set up', 'Chat log-in unlinked']) await shown(page.getByText(deed).first());
  });

  test('closes the account after typing its address, and is told what is kept', async () => {
    await open('close');
    await shown(page.getByText('10 years'));
    await button('Close account…').click();
    const close = dialog().getByRole('button', { name: 'Close for good' });
    expect(await close.isDisabled()).toBe(true);
    await dialog().getByLabel(`Type ${email}`).fill(email);
    await prove('Close for good');
    await shown(page.getByText('Your account is closed'));
    await signIn();
    await shown(page.getByRole('alert'));
  });

  test('has caused no script error, no violation of the security policy and no request to another host', () => {
    expect(opened.complaints).toEqual([]);
  });
});
