// From the public page to the first copied line: what a visitor chooses survives sign-up and mail, in the same browser, in another one and through the chat
// log-in, and every press on the way is counted.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';

const PASSWORD = 'a long enough secret';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

let people = 0;
/** An address that nobody has signed up with, also when a test runs again. */
const newEmail = () => `person-${++people}@customer.example`;

/** A visitor with a new profile, whose presses are counted. */
async function visitor() {
  const { urls } = stack.sandbox;
  const opened = await visitInTest(browser, stack.url, {
    also: [urls.mail, urls.card, urls.chat],
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  let presses = 0;
  return {
    ...opened,
    async press(target: Locator) {
      presses += 1;
      await target.click();
    },
    presses: () => presses,
  };
}
type Visitor = Awaited<ReturnType<typeof visitor>>;

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function signUp({ page, press }: Visitor, email: string) {
  await shown(page.getByText('Your choice is kept'));
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page.getByRole('button', { name: 'Create account' }));
  await shown(heading(page, 'Check your mail'));
}

/** Opens the mail and presses its link. */
async function openLink({ page, press }: Visitor, email: string) {
  await stack.settle();
  const mail = await stack.sandbox.mail.waitFor({ to: email });
  await page.goto(`${stack.sandbox.urls.mail}/${mail.id}`);
  await press(page.locator('a[href*="/auth/verify?token="]').first());
}

const formOfMobile = async (page: Page) => {
  await shown(heading(page, 'Buy residential data'));
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[type=radio]:checked') !== null);
  expect(await page.getByRole('radio', { name: /^Mobile/ }).isChecked()).toBe(true);
  await shown(page.getByText('Mobile, 5 GB'));
};

test('from the public page to the first copied line: six presses, two fields, and no word typed twice', async () => {
  const ada = await visitor();
  const email = newEmail();
  const { page, press } = ada;
  await page.goto(stack.url);
  await press(page.getByRole('link', { name: 'Buy: Mobile' }));
  await signUp(ada, email);
  await openLink(ada, email);
  await formOfMobile(page);
  expect(ada.presses()).toBe(3);
  await press(page.getByRole('button', { name: 'Pay $32.50 by card' }));
  await page.waitForURL(`${stack.sandbox.urls.card}/**`);
  await press(page.getByRole('button', { name: /^Pay / }));
  await page.waitForURL(`${stack.url}/orders/**`);
  await stack.settle();
  await press(page.getByTestId('preview').getByRole('button', { name: /^Copy/ }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[^:]+:\d+:[a-z0-9]+-country-any:[^:]+$/);
  expect(ada.presses()).toBe(6);
  expect(ada.complaints).toEqual([]);
});

test('in another browser the link asks for the password once, and goes on to the choice', async () => {
  const desk = await visitor();
  const email = newEmail();
  await desk.page.goto(stack.url);
  await desk.press(desk.page.getByRole('link', { name: 'Buy: Mobile' }));
  await signUp(desk, email);
  const phone = await visitor();
  await openLink(phone, email);
  await shown(heading(phone.page, 'One last step'));
  expect(await phone.page.getByLabel('E-mail').inputValue()).toBe(email);
  await phone.page.getByLabel('Password', { exact: true }).fill('not the password');
  await phone.press(phone.page.getByRole('button', { name: 'Confirm and sign in' }));
  await shown(phone.page.getByRole('alert'));
  await phone.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await phone.press(phone.page.getByRole('button', { name: 'Confirm and sign in' }));
  await formOfMobile(phone.page);
  // The browser that signed up goes the way of everybody who has an account, and comes to the choice too.
  await desk.press(desk.page.getByRole('link', { name: 'Back to sign in' }));
  await shown(heading(desk.page, 'Sign in'));
  expect(await desk.page.getByLabel('E-mail').inputValue()).toBe(email);
  await desk.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await desk.press(desk.page.getByRole('button', { name: 'Sign in', exact: true }));
  await formOfMobile(desk.page);
});

test('the chat log-in stands on the sign-up too, and goes on to the choice', async () => {
  const eve = await visitor();
  await eve.page.goto(stack.url);
  await eve.press(eve.page.getByRole('link', { name: 'Buy: Mobile' }));
  await eve.press(eve.page.getByRole('button', { name: 'Continue with Chat' }));
  await eve.page.waitForURL(`${stack.sandbox.urls.chat}/**`);
  await eve.page.locator('form').getByRole('textbox').first().fill('eve');
  await eve.press(eve.page.getByRole('button').first());
  await formOfMobile(eve.page);
  expect(eve.presses()).toBe(3);
});

test('a link that was used leads a reader who is signed in on, and everybody else to a new link', async () => {
  const gus = await visitor();
  const email = newEmail();
  await gus.page.goto(`${stack.url}/sign-up?next=%2Fbilling`);
  await signUp(gus, email);
  await openLink(gus, email);
  await shown(heading(gus.page, 'Billing'));
  await openLink(gus, email);
  await shown(heading(gus.page, 'Home'));
  const other = await visitor();
  await openLink(other, email);
  await shown(heading(other.page, 'This link does not work'));
  await shown(other.page.getByRole('button', { name: 'Send a new link' }));
});
