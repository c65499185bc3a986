// The first minutes of an account in a real browser: what is left to do, what a plan will look like, and plans that are told apart by their owner's words.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';

const MB = 1_000_000;

let stack: Stack;
let browser: Browser;
let opened: Visit;
let page: Page;
let account: SeededAccount;
let plan: { id: string; username: string };
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  account = await stack.seed.account();
  opened = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  page = opened.page;
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await opened.context.addCookies([{ name, value, domain: new URL(stack.url).hostname, path: '/' }]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const steps = () => page.getByRole('region', { name: 'First steps' });
const POLL = { timeout: 20_000 };
const doneSteps = () => steps().getByText(': done').count();

test('an account without anything sees what to do first, and an example that says it is one', async () => {
  await page.goto(`${stack.url}/home`);
  await shown(steps().getByText('1 of 5 done'));
  await shown(steps().getByRole('link', { name: 'Buy residential data' }));
  const example = page.getByRole('region', { name: 'Your plans, once you have some' });
  await shown(example.getByText('Example', { exact: true }));
  // Nothing of the example can be reached: no key and no pointer comes into it.
  expect(await example.locator('a, button, input').evaluateAll((all) => all.every((one) => one.closest('[inert]')))).toBe(true);
});

test('steps tick themselves off: bought, the first byte without a reload, an alert; then they are gone', async () => {
  plan = await account.residentialPlan({ gigabytes: 5 });
  await shown(steps().getByText('2 of 5 done'));
  await shown(steps().getByRole('link', { name: 'Generate' }));
  await page.evaluate(() => void Object.assign(window, { stillHere: true }));
  await stack.sandbox.network.report([{ username: plan.username, upBytes: 0, downBytes: 2 * MB, country: 'de', host: 'shop.example' }]);
  await stack.settle();
  await shown(steps().getByText('Bytes are flowing.'));
  expect(await page.evaluate(() => 'stillHere' in window)).toBe(true);
  expect(await doneSteps()).toBe(4);
  await steps().getByRole('link', { name: 'Set marks' }).click();
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.getByLabel('Used').fill('50');
  await alerts.getByRole('button', { name: 'Save alerts' }).click();
  await shown(alerts.getByText('You are told at 50 %, 100 %.'));
  await page.goto(`${stack.url}/home`);
  await shown(page.getByRole('region', { name: 'Residential plans' }));
  expect(await steps().count()).toBe(0);
});

test('a plan gets a name, a note and a colour, and its page and every list call it so', async () => {
  await page.goto(`${stack.url}/residential/${plan.id}?tab=settings`);
  const form = page.getByRole('region', { name: 'Name and note' });
  await form.getByLabel('Name', { exact: true }).fill('Shop crawler');
  await form.getByLabel('Note').fill('For the team in Lyon');
  await form.getByText('Violet').click();
  await form.getByRole('button', { name: 'Save' }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'Shop crawler' }));
  await page.goto(`${stack.url}/home`);
  await shown(page.getByRole('link', { name: 'Shop crawler' }));
});

test('plans are searched by their words, filtered and sorted, and the address keeps it', async () => {
  await account.residentialPlan({ product: 'MOBILE', gigabytes: 3 });
  await account.residentialPlan({ product: 'PREMIUM', gigabytes: 1 });
  await page.goto(`${stack.url}/residential`);
  const rows = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => rows.count(), POLL).toBe(3);
  await page.getByLabel('Search plans').fill('lyon');
  await expect.poll(() => rows.allInnerTexts(), POLL).toEqual([expect.stringContaining('Shop crawler')]);
  await page.getByLabel('Search plans').fill('no such plan');
  await shown(page.getByText('No plan matches.'));
  await page.getByLabel('Search plans').fill('');
  await page.getByLabel('Order').selectOption('Least left first');
  await expect
    .poll(async () => (await rows.allInnerTexts()).map((text) => /(\d[\d.]*) [MG]B of/.exec(text.replaceAll('\n', ' '))?.[1]), POLL)
    .toEqual(['1', '3', expect.stringMatching(/^4\.99/)]);
  await page.getByLabel('Colour').selectOption('Violet');
  await expect.poll(() => rows.count(), POLL).toBe(1);
  await page.reload();
  await shown(rows.getByText('Shop crawler'));
  expect(await rows.count()).toBe(1);
  expect(opened.complaints).toEqual([]);
});
