// How much JavaScript a page brings, as it is delivered: compressed by the front.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';
import { type FilledAccount, fillAccount } from './filled-account.ts';

const LIMIT_BYTES = 140 * 1024;

let stack: Stack;
let browser: Browser;
let filled: FilledAccount;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  filled = await fillAccount(stack);
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const PAGES: [string, (account: FilledAccount) => string][] = [
  ['the landing page', () => '/'],
  ['sign-in', () => '/sign-in'],
  ['home', () => '/home'],
  ['buying', () => '/residential/buy'],
  ['generation', ({ active }) => `/residential/${active}`],
  ['usage with its chart', ({ active }) => `/residential/${active}?tab=usage`],
  ['settings', ({ active }) => `/residential/${active}?tab=settings`],
  ['developers', () => '/developers'],
  ['invoices', () => '/billing?tab=invoices'],
  ['the settings of the account', () => '/settings'],
  ['two-factor', () => '/settings?tab=security'],
];

test.each(PAGES)('%s brings at most 140 KB of compressed JavaScript', async (_name, path) => {
  const { context, page } = await visitInTest(browser, stack.url);
  await context.addCookies([filled.cookie]);
  const scripts: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(stack.url + path(filled), { waitUntil: 'networkidle' });
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES);
});
