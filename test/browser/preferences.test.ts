// How pages show things by the choice of the account: moments in its zone, days in UTC, both in its form, and rows in its density, in a real browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { rowOf } from '../kit/tables.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';
import { type FilledAccount, fillAccount } from './filled-account.ts';

let stack: Stack;
let browser: Browser;
let filled: FilledAccount;
let opened: Visit;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  filled = await fillAccount(stack);
  opened = await visit(browser, stack.url, { timezoneId: 'Europe/Berlin' });
  await opened.context.addCookies([filled.cookie]);
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

async function open(path: string): Promise<void> {
  await opened.page.goto(stack.url + path);
  await opened.page.getByRole('heading', { level: 1 }).first().waitFor();
  await opened.page.waitForFunction(() => !document.querySelector('.skeleton'));
}
const choose = (label: string, value: string) => opened.page.getByLabel(label, { exact: true }).selectOption(value);
const said = (id: string) => opened.page.getByTestId(id).innerText();
const density = () => opened.page.evaluate(() => document.documentElement.dataset['density']);
const rowHeight = async () => (await opened.page.locator('main .divide-y > :is(li, tr)').first().boundingBox())?.height ?? 0;

test('moments are in the zone of the browser, until another one is chosen: then at once, and days stay UTC days', async () => {
  await open('/settings?tab=display');
  expect(await said('display-moment')).toMatch(/CET|CEST|GMT\+[12]/);
  const day = await said('display-day');
  await choose('Time zone', 'Pacific/Kiritimati');
  await expect.poll(() => said('display-moment')).toMatch(/GMT\+14/);
  expect(await said('display-day')).toBe(day);
});

test('days and moments are written in the chosen form, on other pages too, and in another browser of the account', async () => {
  await choose('Date format', 'ISO');
  await expect.poll(() => said('display-day')).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await said('display-moment')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+14$/);
  const other = await visit(browser, stack.url, { timezoneId: 'America/New_York' });
  await other.context.addCookies([filled.cookie]);
  await other.page.goto(`${stack.url}/settings?tab=activity`);
  await other.page
    .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
    .or(other.page.locator('[title*="GMT+14"]'))
    .first()
    .waitFor();
  await other.context.close();
});

test('compact rows are lower on every list, also right after the page is loaded anew', async () => {
  await open('/billing?tab=invoices');
  const comfortable = await rowHeight();
  await open('/settings?tab=display');
  await choose('Density of lists', 'COMPACT');
  await expect.poll(density).toBe('COMPACT');
  await open('/billing?tab=invoices');
  expect(await density()).toBe('COMPACT');
  expect(await rowHeight()).toBeLessThan(comfortable - 4);
});

test('a kind of mail is switched off and stays off; what is always sent cannot be, and webhooks that hear a kind are counted', async () => {
  await open('/settings?tab=notifications');
  const row = (topic: string) => opened.page.getByTestId(`notification-${topic}`);
  await row('PAUSED_PLANS').getByRole('checkbox', { name: /^Mail/ }).uncheck();
  await expect
    .poll(async () => (await rowOf(stack.database.query, 'accounts.account', { id: filled.accountId }))?.['unwanted_topics'])
    .toEqual(['PAUSED_PLANS']);
  await open('/settings?tab=notifications');
  expect(await row('PAUSED_PLANS').getByRole('checkbox', { name: /^Mail/ }).isChecked()).toBe(false);
  expect(await row('LOW_BALANCE').getByRole('checkbox', { name: /^Mail/ }).isChecked()).toBe(true);
  expect(await row('SECURITY').getByRole('checkbox', { name: /^Mail/ }).isDisabled()).toBe(true);
  await row('PAUSED_PLANS')
    .getByRole('link', { name: /end points? hears? it/ })
    .waitFor();
  expect(await row('EXPIRING_KEYS').getByRole('link').count()).toBe(0);
});

test('has caused no script error, no violation of the security policy and no request to another host', () => {
  expect(opened.complaints).toEqual([]);
});
