// The first member of staff of an installation in a real browser, from the printed code to the second factor.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueSetUpCode } from '../../subgraphs/accounts/support/services/set-up.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { totpCode } from '../kit/totp.ts';
import { launchBrowser, visitInTest } from './browser.ts';

const EMAIL = 'ada@desk.example';
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

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });

test('a code opens the page, the account is made and sets up its second factor; then the page is not there', async () => {
  const issued = await issueSetUpCode(stack.subgraphs.accounts.systemContext('start'));
  const { page, complaints } = await visitInTest(browser, stack.url);
  await page.goto(issued?.url ?? '');
  await page.getByLabel('Code').fill('a wrong one');
  await page.getByRole('button', { name: 'Go on' }).click();
  await shown(page.getByRole('alert').getByText('This code is wrong'));
  await page.getByLabel('Code').fill(issued?.code ?? '');
  await page.getByRole('button', { name: 'Go on' }).click();
  await shown(page.getByRole('listitem').filter({ hasText: 'SELLER_NAME' }).getByText('Default'));
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL('**/settings?tab=security');

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Set up', exact: true }).click();
  const secret = await page.getByTestId('totp-secret').innerText();
  await dialog.getByLabel('Code', { exact: true }).fill(totpCode(secret, stack.clock));
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await shown(page.getByRole('alertdialog').getByText('Your recovery codes'));
  await page.goto(`${stack.url}/support`);
  await shown(page.getByRole('heading', { level: 1, name: 'Support desk' }));

  const answer = await page.goto(`${stack.url}/set-up`);
  expect(answer?.status()).toBe(404);
  await shown(page.getByText('404'));
  expect(complaints).toEqual([]);
});
