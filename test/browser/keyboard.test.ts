// The most frequent actions with the keyboard only.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';
import { type FilledAccount, fillAccount } from './filled-account.ts';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let page: Page;
let filled: FilledAccount;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  filled = await fillAccount(stack);
  opened = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  await opened.context.addCookies([filled.cookie]);
  page = opened.page;
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

beforeEach(async () => {
  await page.goto(`${stack.url}/home`);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
});

/** The name of the focused element. */
const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '');

/** Presses Tab until an element whose name begins with `name` has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focused()).startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach "${name}".`);
}

test('the first stop leads past the navigation to the content', async () => {
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash === '#main');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Buy data');
});

test('Ctrl-K finds a plan by its product and opens it', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByText('Your plans').waitFor();
  await page.keyboard.type('mobile');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${stack.url}/residential/${filled.mobile}**`);
});

test('Ctrl-K finds a setting by another word, an address of a static plan and an order, and knows where one went lately', async () => {
  const jump = async (words: string, name: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(words);
    await page.getByRole('dialog').getByRole('option', { name }).first().click();
  };
  await jump('receipt', /^Invoices/);
  await page.waitForURL(`${stack.url}/billing?tab=invoices`);
  const number = await page
    .getByText(/^INV-\d{4}-\d{6}$/)
    .first()
    .innerText();
  await jump(number.toLowerCase(), new RegExp(`^${number}`));
  await page.waitForURL(/\/orders\/ord_/);
  await page.goto(`${stack.url}/static/${filled.staticPlan}`);
  const address =
    /\d+\.\d+\.\d+\.\d+/.exec(
      await page
        .getByRole('main')
        .getByText(/\d+\.\d+\.\d+\.\d+/)
        .first()
        .innerText(),
    )?.[0] ?? '';
  await page.goto(`${stack.url}/home`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await jump(address, /addresses$/);
  await page.waitForURL(`${stack.url}/static/${filled.staticPlan}`);
  await page.keyboard.press('Control+k');
  await page.getByText('Lately').waitFor();
  const lately = (await page.getByRole('dialog').getByRole('option').allInnerTexts()).slice(0, 3);
  expect(lately[1]).toBe(number);
  expect(lately[2]).toBe('Invoices');
  await page.keyboard.press('Escape');
  await page.goto(`${stack.url}/residential`);
});

test('g and a letter go to a page, and not while one types', async () => {
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.waitForURL(`${stack.url}/developers`);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL(`${stack.url}/residential`);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('gb');
  expect(page.url()).toBe(`${stack.url}/residential`);
});

test('the help opens with ?, keeps the focus inside, and gives it back on Escape', async () => {
  await tabTo('Keyboard shortcuts and help');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await focused()).toBe('Keyboard shortcuts and help');
});

test('lines are generated with keys alone', async () => {
  await page.goto(`${stack.url}/residential/${filled.active}`);
  await page.getByTestId('preview').getByText('-country-any').waitFor();
  await page.getByLabel('Location').focus();
  await page.keyboard.type('united k');
  await page.getByRole('option', { name: 'United Kingdom' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByTestId('preview').getByText('-country-gb').waitFor();
  await page.getByRole('radio', { name: 'Rotating' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByTestId('preview').getByText('-session-').waitFor();
  await page.getByLabel('Quantity').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await page.getByText('25 lines', { exact: true }).waitFor();
});

test('a confirmation of a loss focuses Cancel first, and Escape changes nothing', async () => {
  await page.goto(`${stack.url}/residential/${filled.active}?tab=settings`);
  await page.getByRole('button', { name: 'Reset authentication' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent?.trim() === 'Keep as it is');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
  expect(await focused()).toBe('Reset authentication');
});
