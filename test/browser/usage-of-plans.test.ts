// The usage of all plans together, in a real browser and in both languages.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, after, toDay } from '#platform/clock.ts';
import { setLabel } from '../../subgraphs/residential/plans/services/set-label.ts';
import { sessionOf } from '../kit/platform.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';

const GB = 1_000_000_000;

let stack: Stack;
let browser: Browser;
let account: SeededAccount;
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  account = await stack.seed.account();
  const shop = await account.residentialPlan({ gigabytes: 50 });
  const phones = await account.residentialPlan({ gigabytes: 50, product: 'MOBILE' });
  await setLabel(stack.subgraphs.residential.context(sessionOf(account.id)), shop.id, { name: 'Shop prices', note: '', colour: null });
  const daysAgo = (count: number) => after(stack.clock.now(), -count * DAY);
  const line = { upBytes: 0, host: 'shop.example' };
  await stack.sandbox.network.report([
    { ...line, username: shop.username, downBytes: 3 * GB, country: 'de', at: daysAgo(0) },
    { ...line, username: shop.username, downBytes: 2 * GB, country: 'us', at: daysAgo(2) },
    { ...line, username: phones.username, downBytes: 1 * GB, country: 'us', at: daysAgo(4) },
    { ...line, username: phones.username, downBytes: 4 * GB, country: 'us', at: daysAgo(8) },
  ]);
  await stack.settle();
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

async function open(path: string, language: 'en' | 'de' = 'en'): Promise<Page> {
  const { context, page } = await visitInTest(browser, stack.url);
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await context.addCookies([
    { name, value, url: stack.url },
    { name: 'language', value: language, url: stack.url },
  ]);
  await page.goto(stack.url + path);
  await page.getByTestId('together-total').waitFor();
  return page;
}
const total = (page: Page) => expect.poll(() => page.getByTestId('together-total').innerText());
const rows = async (page: Page, table: string) =>
  (await page.getByRole('region', { name: table }).getByRole('row').allInnerTexts()).slice(1).map((row) => row.split(/\s*\t\s*/));

test('a person sees what all plans used beside the days before, and what each of them used', async () => {
  const page = await open('/residential/usage?days=7');
  await total(page).toBe('6 GB');
  expect(await page.getByTestId('together-before').innerText()).toMatch(/^4 GB\s*\+50%$/);
  const shares = await rows(page, 'Table of usage by what caused it');
  expect(shares.map(([name, , , bytes]) => [name, bytes])).toEqual([
    ['Shop prices', '5 GB'],
    ['Mobile', '1 GB'],
  ]);
  await page.getByLabel('By', { exact: true }).selectOption({ label: 'Country' });
  await expect
    .poll(async () => (await rows(page, 'Table of usage by what caused it')).map(([name, , , bytes]) => [name, bytes]))
    .toEqual([
      ['Germany', '3 GB'],
      ['United States', '3 GB'],
    ]);
  expect(new URL(page.url()).searchParams.get('by')).toBe('COUNTRY');
});

test('one product alone, and days of one’s own, stand in the address and in the files', async () => {
  const page = await open('/residential/usage?days=7');
  await page.getByLabel('Product').selectOption({ label: 'Mobile' });
  await total(page).toBe('1 GB');
  await page.getByLabel('From (UTC day)').fill(toDay(after(stack.clock.now(), -9 * DAY)));
  await page.getByLabel('To', { exact: true }).fill(toDay(after(stack.clock.now(), -7 * DAY)));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await total(page).toBe('4 GB');
  const loading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Plan as CSV' }).click();
  const file = readFileSync(await (await loading).path(), 'utf8');
  expect(file).toMatch(/^plan,up_bytes,down_bytes,total_bytes\r\nplan_[0-9a-z]{26},0,4000000000,4000000000\r\n$/);
  await page.reload();
  await total(page).toBe('4 GB');
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('The last day is not before the first.').waitFor();
});

test('drawing over bars shows their days alone, and what happened to plans is listed', async () => {
  const page = await open('/residential/usage?days=30');
  await total(page).toBe('10 GB');
  const chart = page.getByRole('img', { name: /^Bar chart of gigabytes used by all plans/ }).locator('.u-over');
  const box = await chart.boundingBox();
  if (!box) throw new Error('no chart');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.9, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 1, y, { steps: 5 });
  await page.mouse.up();
  await total(page).toBe('5 GB');
  expect(new URL(page.url()).searchParams.get('to')).toBe(toDay(stack.clock.now()));
  await page.getByText('2 changes to plans in these days').click();
  expect(await page.getByTestId('marks').innerText()).toMatch(/Mobile: bought, 50 GB[\s\S]*Shop prices: bought, 50 GB/);
});

test('a day is drawn by hours, and German has its own words', async () => {
  const today = toDay(stack.clock.now());
  const page = await open(`/residential/usage?from=${today}&to=${today}`, 'de');
  await total(page).toBe('3 GB');
  await page.getByRole('heading', { name: 'Nach Stunden' }).waitFor();
  expect(await rows(page, 'Tabelle des Verbrauchs aller Pakete')).toHaveLength(24);
});
