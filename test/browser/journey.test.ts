// The journey of a new customer in a real browser, from sign-up to proxy lines with live usage. Tests build on each other.
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';

const EMAIL = 'ada@customer.example';
const PASSWORD = 'a long enough secret';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let page: Page;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  opened = await visit(browser, stack.url, {
    also: [stack.sandbox.urls.mail, stack.sandbox.urls.card],
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = opened.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const gigabytes = async (figure: string) => Number((await page.getByTestId(figure).innerText()).replace(' GB', ''));
/** Marks the document, so that a test can see whether the page was loaded again. */
const mark = () => page.evaluate(() => void Object.assign(window, { stillHere: true }));
const isStillHere = () => page.evaluate(() => 'stillHere' in window);

describe('a new customer', () => {
  test('sees the prices without an account and signs up', async () => {
    await page.goto(stack.url);
    await shown(page.getByRole('heading', { name: 'Premium', exact: true }));
    await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await shown(heading('Check your mail'));
    await shown(page.getByText(EMAIL));
  });

  test('cannot log in before the address is confirmed', async () => {
    await page.goto(`${stack.url}/sign-in`);
    await signIn();
    await shown(page.getByRole('alert').getByText('Please confirm your e-mail address first'));
  });

  test('follows the link from the mail box, which signs in, and finds an empty home that says what to do', async () => {
    await stack.settle();
    const mail = await stack.sandbox.mail.waitFor({ to: EMAIL });
    await page.goto(`${stack.sandbox.urls.mail}/${mail.id}`);
    await page.locator('a[href*="/verify?token="]').first().click();
    await shown(heading('Home'));
    await page.getByRole('link', { name: 'Buy residential data' }).click();
  });

  test('sees the exact price of 5 GB of Premium and pays on the same page', async () => {
    await shown(heading('Buy residential data'));
    await page.getByRole('radio', { name: /^Premium/ }).check();
    await page.getByLabel('Gigabytes').fill('5');
    await shown(page.getByText('Premium, 5 GB'));
    await shown(page.getByText('This price holds for'));
    await page.getByRole('button', { name: /by card/ }).click();
    await page.waitForURL(`${stack.sandbox.urls.card}/**`);
    await shown(page.getByText('$25.00').first());
  });

  test('is declined, pays, and sees the plan become ready without a reload', async () => {
    await page.getByRole('button', { name: 'Decline' }).click();
    await shown(page.getByRole('alert').getByText(/declined/i));
    expect(stack.sandbox.card.charges().filter(({ paid }) => paid)).toEqual([]);
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForURL(`${stack.url}/orders/**`);
    await mark();
    await stack.settle();
    await shown(page.getByText('Your plan is ready'));
    expect(await isStillHere()).toBe(true);
    expect(stack.sandbox.card.charges().filter(({ paid }) => paid)).toHaveLength(1);
  });

  test('opens the plan, which is Active with all its data', async () => {
    await page.getByRole('link', { name: 'Open the plan' }).click();
    await shown(heading('Premium'));
    await shown(page.getByText('Active', { exact: true }));
    expect(await gigabytes('remaining')).toBe(5);
    expect(await gigabytes('used')).toBe(0);
  });

  test('sees one line change with the form before anything is generated', async () => {
    const preview = page.getByTestId('preview');
    await shown(preview.getByText('-country-any'));
    await page.getByLabel('Except').first().fill('united states');
    await page.getByRole('option', { name: 'United States' }).first().click();
    await shown(preview.getByText('-country-any-not-us'));
    await page.getByLabel('Location').fill('germ');
    await page.getByRole('option', { name: 'Germany' }).click();
    await shown(preview.getByText('-country-de'));
    await page.getByLabel('Further countries').first().fill('fran');
    await page.getByRole('option', { name: 'France', exact: false }).first().click();
    await shown(preview.getByText('-country-de_fr'));
    await page.getByRole('button', { name: 'Remove France' }).click();
    await shown(preview.getByText('-country-de', { exact: false }));
    await expect.poll(() => preview.textContent()).not.toContain('de_fr');
    await page.getByText('Sticky', { exact: true }).click();
    await page.getByLabel('Duration').selectOption({ label: '30m' });
    await shown(preview.getByText(/-session-\d{8}-sessionttl-30:/));
    await page.getByLabel('Format').selectOption({ label: 'http://user:pass@ip:port' });
    await shown(preview.getByText(/^http:\/\/.+@.+:\d+$/));
    await page.getByLabel('Format').selectOption({ label: 'ip:port:user:pass' });
  });

  test('generates 5,000 lines, copies them all and downloads them', async () => {
    await page.getByLabel('Quantity').fill('5000');
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await shown(page.getByText('5,000 lines', { exact: true }));
    const list = (await page.getByTestId('proxy-list').locator('pre').allTextContents()).join('\n').split('\n');
    expect(list).toHaveLength(5_000);
    expect(new Set(list).size).toBe(5_000);
    expect(list.every((line) => /^[^:]+:\d+:[a-z0-9]+-country-de-session-\d{8}-sessionttl-30:[^:]+$/.test(line))).toBe(true);

    await page.getByRole('button', { name: 'Copy all' }).click();
    await shown(page.getByText('5,000 lines copied'));
    expect((await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split('\n')).toEqual(list);

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download .txt' }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.txt$/);
    expect(
      readFileSync(await download.path(), 'utf8')
        .trimEnd()
        .split('\n'),
    ).toEqual(list);
  });

  test('watches used and remaining move when usage arrives, without a reload', async () => {
    await mark();
    const username = (await page.getByTestId('proxy-list').locator('pre').first().innerText()).split(':')[2]?.split('-')[0] ?? '';
    await stack.sandbox.network.report({ username, upBytes: 250_000_000, downBytes: 1_000_000_000, country: 'de', host: 'example.com' });
    await stack.settle();
    await page.waitForFunction(() => document.querySelector('[data-testid="used"]')?.textContent === '1.25 GB');
    expect(await gigabytes('remaining')).toBe(3.75);
    expect(await page.getByTestId('today').innerText()).toBe('1.25 GB');
    expect(await isStillHere()).toBe(true);
  });

  test('is told when the live connection is gone, and sees what it missed when it is back', async () => {
    const username = (await page.getByTestId('proxy-list').locator('pre').first().innerText()).split(':')[2]?.split('-')[0] ?? '';
    await opened.context.setOffline(true);
    await shown(page.getByText('No live connection since'));
    await stack.sandbox.network.report({ username, upBytes: 0, downBytes: 250_000_000 });
    await stack.settle();
    await opened.context.setOffline(false);
    await page.getByText('No live connection since').waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.querySelector('[data-testid="used"]')?.textContent === '1.5 GB');
    expect(await isStillHere()).toBe(true);
  });

  test('sets a daily limit below what today has used, sees the plan pause, and removes it again', async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Limit per day').fill('0.5');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await shown(page.getByText('A Daily Usage Limit is at least 1 GB.'));
    await page.getByLabel('Limit per day').fill('1');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await shown(page.getByText('Paused: the daily limit is reached'));
    await page.getByRole('button', { name: 'Remove limit' }).click();
    await shown(page.getByText('Active', { exact: true }));
  });

  test('resets the proxy authentication, after which lines carry another password', async () => {
    const password = async () => {
      await page.getByRole('tab', { name: 'Generate' }).click();
      const line = page.getByTestId('preview').getByText(/:8\d{3}:|:\d+:/);
      await shown(line);
      const text = (await line.innerText()).split(':').at(-1);
      await page.getByRole('tab', { name: 'Settings' }).click();
      return text;
    };
    const before = await password();
    await page.getByRole('button', { name: 'Reset authentication' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset authentication' }).click();
    await shown(page.getByText('New password set. Generate new lines to use it.'));
    expect(await password()).not.toBe(before);
    await page.getByRole('tab', { name: 'Generate' }).click();
    await shown(page.getByText('Your list appears here'));
  });

  test('finds the order under billing and signs out, after which the dashboard asks for a log-in', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Billing' }).click();
    await page.getByRole('tab', { name: 'Orders' }).click();
    await shown(page.getByText('Delivered', { exact: true }));
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await shown(heading('Sign in'));
    await page.goto(`${stack.url}/home`);
    await page.waitForURL(`${stack.url}/sign-in?next=%2Fhome`);
  });

  test('has caused no script error, no violation of the security policy and no request to another host', () => {
    expect(opened.complaints).toEqual([]);
  });
});

async function signIn() {
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
