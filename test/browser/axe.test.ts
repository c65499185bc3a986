// Every page, wide and narrow, in the light and the dark theme, against axe-core; and the dialogs that lie over them.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';
import { type FilledAccount, fillAccount, staffCookie } from './filled-account.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

let stack: Stack;
let browser: Browser;
let stranger: Visit;
let customer: Visit;
let support: Visit;
let filled: FilledAccount;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  // Transitions would be judged half-way.
  stranger = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  customer = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  filled = await fillAccount(stack);
  await customer.context.addCookies([filled.cookie]);
  support = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  await support.context.addCookies([await staffCookie(stack)]);
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** What axe finds: the rule and the elements. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results = await page.evaluate(
    (values) =>
      (window as unknown as { axe: { run(on: Document, how: object): Promise<AxeResults> } }).axe.run(document, { runOnly: values }),
    RULES,
  );
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Loaded, with nothing that still waits for its data. */
async function open(page: Page, path: string): Promise<void> {
  await page.setViewportSize(WIDE);
  await page.goto(stack.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
}

async function judge(page: Page, path: string): Promise<Record<string, string[]>> {
  await open(page, path);
  const found: Record<string, string[]> = {};
  for (const [width, size] of [
    ['wide', WIDE],
    ['narrow', NARROW],
  ] as const) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark');
      found[`${width} ${theme}`] = await violations(page);
    }
    if (width === 'narrow' && (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)))
      found['narrow']?.push('wider than the screen');
  }
  return found;
}

const NOTHING = { 'wide light': [], 'wide dark': [], 'narrow light': [], 'narrow dark': [] };

describe('a page that anyone may read has no violation in either theme, wide or narrow', () => {
  test.each([
    '/',
    '/sign-in',
    '/sign-up',
    '/check-your-mail?email=ada@customer.example',
    '/verify?token=unknown',
    '/recover',
    '/recover?token=unknown',
    '/sign-in?factors=TOTP,RECOVERY_CODE',
    '/sign-in?error=chat_failed',
    '/no-such-page',
  ])('%s', async (path) => {
    expect(await judge(stranger.page, path)).toEqual(NOTHING);
  });
});

describe('a page of an account has no violation in either theme, wide or narrow', () => {
  const PAGES: [string, (account: FilledAccount) => string][] = [
    ['home', () => '/home'],
    ['the plans', () => '/residential?show=all'],
    ['buying', () => '/residential/buy?product=MOBILE&gb=12'],
    ['generation', ({ active }) => `/residential/${active}?session=STICKY&pool=Germany`],
    ['usage', ({ active }) => `/residential/${active}?tab=usage`],
    ['settings', ({ active }) => `/residential/${active}?tab=settings`],
    ['settings without a daily limit to set', ({ mobile }) => `/residential/${mobile}?tab=settings`],
    ['a paused plan', ({ paused }) => `/residential/${paused}`],
    ['a plan that is used up', ({ expired }) => `/residential/${expired}`],
    ['a plan that is not there', () => '/residential/plan_none'],
    ['an order to pay', ({ pendingOrder }) => `/orders/${pendingOrder}`],
    ['an order that came back from the checkout', ({ pendingOrder }) => `/orders/${pendingOrder}?paid=1`],
    ['a cancelled order', ({ cancelledOrder }) => `/orders/${cancelledOrder}`],
    ['an order that is not there', () => '/orders/ord_none'],
    ['static plans', () => '/static'],
    ['servers', () => '/servers'],
    ['orders', () => '/billing'],
    ['invoices', () => '/billing?tab=invoices'],
    ['account credit', () => '/billing?tab=credit'],
    ['billing details', () => '/billing?tab=details'],
    ['developers', () => '/developers'],
    ['the account', () => '/settings'],
    ['two-factor', () => '/settings?tab=security'],
    ['sessions', () => '/settings?tab=sessions'],
    ['activity', () => '/settings?tab=activity'],
    ['closing the account', () => '/settings?tab=close'],
    ['a link of a new address', () => '/settings/confirm?token=unknown'],
    ['the desk, for somebody else', () => '/support'],
  ];

  test.each(PAGES)('%s', async (_name, path) => {
    expect(await judge(customer.page, path(filled))).toEqual(NOTHING);
  });
});

describe('the desk of support has no violation in either theme, wide or narrow', () => {
  const PAGES: [string, (account: FilledAccount) => string][] = [
    ['the desk', () => '/support'],
    ['a search', ({ email }) => `/support?q=${email.slice(0, 12)}`],
    ['the keys of an account', ({ accountId }) => `/support/accounts/${accountId}`],
    ['the orders of an account', ({ accountId }) => `/support/accounts/${accountId}?tab=orders`],
    ['the sessions of an account', ({ accountId }) => `/support/accounts/${accountId}?tab=sessions`],
    ['the activity of an account', ({ accountId }) => `/support/accounts/${accountId}?tab=activity`],
    ['an account that is not there', () => '/support/accounts/acct_none'],
  ];

  test.each(PAGES)('%s', async (_name, path) => {
    expect(await judge(support.page, path(filled))).toEqual(NOTHING);
  });
});

describe('what lies over a page has no violation', () => {
  test('the palette', async () => {
    await open(customer.page, '/home');
    await customer.page.keyboard.press('Control+k');
    await customer.page.getByRole('option', { name: 'Developers' }).or(customer.page.getByText('Your plans')).first().waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test('the help', async () => {
    await open(customer.page, '/home');
    await customer.page.keyboard.press('?');
    await customer.page.getByRole('dialog').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test('the menu of a narrow screen', async () => {
    await open(customer.page, '/home');
    await customer.page.setViewportSize(NARROW);
    await customer.page.getByRole('button', { name: 'Open menu' }).click();
    await customer.page.getByRole('dialog').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test('the list of locations', async () => {
    await open(customer.page, `/residential/${filled.active}`);
    await customer.page.getByLabel('Location').click();
    await customer.page.getByRole('option', { name: 'Germany' }).waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test('a question before a reset', async () => {
    await open(customer.page, `/residential/${filled.active}?tab=settings`);
    await customer.page.getByRole('button', { name: 'Reset authentication' }).click();
    await customer.page.getByRole('alertdialog').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test.each([
    ['the request of a key', '/developers', 'Request a key'],
    ['the question for the password', '/settings?tab=security', 'Set up'],
    ['the closing of an account', '/settings?tab=close', 'Close account…'],
  ])('%s', async (_name, path, button) => {
    await open(customer.page, path);
    await customer.page.getByRole('button', { name: button, exact: true }).click();
    await customer.page.getByRole('dialog').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test.each([
    ['the issue of a key', 'keys', 'Issue a key'],
    ['a gift of credit', 'keys', 'Give credit'],
    ['a refund', 'orders', /^Refund /],
  ])('%s', async (_name, tab, button) => {
    await open(support.page, `/support/accounts/${filled.accountId}?tab=${tab}`);
    await support.page
      .getByRole('button', typeof button === 'string' ? { name: button, exact: true } : { name: button })
      .first()
      .click();
    await support.page.getByRole('dialog').waitFor();
    expect(await violations(support.page)).toEqual([]);
  });

  test('a proxy list', async () => {
    await open(customer.page, `/residential/${filled.active}`);
    await customer.page.getByRole('button', { name: 'Generate', exact: true }).click();
    await customer.page.getByTestId('proxy-list').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });
});

test('no page has thrown, met the security policy or asked another host', () => {
  expect([...stranger.complaints, ...customer.complaints, ...support.complaints]).toEqual([]);
});
