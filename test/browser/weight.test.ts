// The size of each page's JavaScript as the front delivers it, compressed.
import type { Browser, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';
import { type FilledAccount, fillAccount } from './filled-account.ts';

/** A page that asks for many small files waits for them, on a far connection most of all. */
const MOST_FILES = 48;
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
  ['batches', ({ active }) => `/residential/${active}?tab=batches`],
  ['usage with its chart', ({ active }) => `/residential/${active}?tab=usage`],
  ['settings', ({ active }) => `/residential/${active}?tab=settings`],
  ['developers', () => '/developers'],
  ['invoices', () => '/billing?tab=invoices'],
  ['ordering a VPS', () => '/servers/vps/order'],
  ['a VPS', ({ vps }) => `/servers/${vps}`],
  ['the use of a VPS', ({ vps }) => `/servers/${vps}?tab=metrics`],
  ['the console of a VPS before it is opened', ({ vps }) => `/servers/${vps}?tab=console`],
  ['the settings of the account', () => '/settings'],
  ['two-factor', () => '/settings?tab=security'],
];

test.each(PAGES)('%s brings at most 140 KB of compressed JavaScript, in at most 48 files', async (_name, path) => {
  const { context, page } = await visitInTest(browser, stack.url);
  await context.addCookies([filled.cookie]);
  const scripts: Promise<number>[] = [];
  const weigh = (request: Request) => {
    if (request.resourceType() === 'script') scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  };
  page.on('requestfinished', weigh);
  await page.goto(stack.url + path(filled), { waitUntil: 'networkidle' });
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
  // Later requests do not count, and their sizes could not be read once the page is closed.
  page.off('requestfinished', weigh);
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(scripts.length).toBeLessThanOrEqual(MOST_FILES);
  expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES);
});
