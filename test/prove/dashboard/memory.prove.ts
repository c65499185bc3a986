// A page that stays open: after a thousand live updates and two hundred pages the heap must be as before.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, visitInTest } from '../../browser/browser.ts';
import { type FilledAccount, fillAccount } from '../../browser/filled-account.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { SCALE } from '../scale.ts';

const UPDATES = Math.round(1_000 * SCALE);
const NAVIGATIONS = Math.round(200 * SCALE);
/** How much the heap may have grown; the short form only checks that it runs. */
const GROWTH = SCALE < 1 ? 1.5 : 1.1;

let stack: Stack;
let browser: Browser;
let filled: FilledAccount;
let username: string;
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  filled = await fillAccount(stack);
  [{ username } = { username: '' }] = await stack.database.query<{ username: string }>(
    'select username from residential.plan where id = $1',
    [filled.active],
  );
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const PLACES = ['Home', 'Residential', 'Servers', 'Billing', 'Developers', 'Settings'];

async function navigate(page: Page, times: number): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main' });
  for (let time = 0; time < times; time++) {
    const place = PLACES[time % PLACES.length] ?? '';
    await menu.getByRole('link', { name: place, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: place }).waitFor();
  }
}

/** Reports usage as a network: each report is one update on the open page. */
async function update(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await stack.sandbox.network.report([{ username, upBytes: 500, downBytes: 1_500 }]);
    if (time % 20 === 19) await stack.platform.feed.drain();
  }
  await stack.settle();
}

/** Updates while the usage page is open, then navigations; ends on the first page. */
async function day(page: Page, updates: number, navigations: number): Promise<void> {
  await navigate(page, 1);
  await update(Math.round(updates));
  await navigate(page, Math.max(1, Math.round(navigations / PLACES.length)) * PLACES.length);
}

async function heapOf(session: CDPSession): Promise<number> {
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize;
}

test(`${UPDATES} live updates and ${NAVIGATIONS} pages leave the heap as it was`, async () => {
  const { context, page, complaints } = await visitInTest(browser, stack.url);
  await context.addCookies([filled.cookie]);
  const session = await context.newCDPSession(page);
  await page.goto(`${stack.url}/home`);
  // Warm-up: what is loaded, compiled and cached once does not count.
  await day(page, UPDATES / 5, NAVIGATIONS / 4);
  const heaps = [await heapOf(session)];
  for (let half = 0; half < 2; half++) {
    await day(page, UPDATES / 2, NAVIGATIONS / 2);
    heaps.push(await heapOf(session));
  }
  const [before = 0, , after = Infinity] = heaps;
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(2);
  console.log(
    `  heap ${heaps.map(megabytes).join(', ')} MB before, after half and after all of ${UPDATES} updates and ${NAVIGATIONS} pages`,
  );
  expect(after).toBeLessThanOrEqual(before * GROWTH);
  expect(complaints).toEqual([]);
});
