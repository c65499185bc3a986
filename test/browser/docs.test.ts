// The documents beside the dashboard: a call tried with a key of one's own, the language, the search, and the way to them.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let key: string;
let plan: string;
let cookie: string;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  opened = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  const account = await stack.seed.account();
  ({ key } = await account.apiKey());
  ({ id: plan } = await account.residentialPlan({ gigabytes: 5 }));
  cookie = await account.cookie();
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

test('an operation is tried with a key, which the next page of the tab knows', async () => {
  const { page } = opened;
  await page.goto(`${stack.url}/docs/api/list_residential_plans`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'GET /v1/residential' }).click();
  await page.getByText(/^200 in \d+ ms, \d+ requests left$/).waitFor();
  expect(await page.locator('.answer').innerText()).toContain(plan);

  await page.goto(`${stack.url}/docs/api/generate_residential_proxies`);
  expect(await page.getByLabel('API key').inputValue()).toBe(key);
  for (const [name, value] of Object.entries({ product_id: plan, pool: 'Atlantis', quantity: '2' }))
    await page.getByLabel(name).fill(value);
  await page.getByLabel('sticky').selectOption('true');
  await page.getByRole('button', { name: /^GET/ }).click();
  await page.getByText(/^400 in/).waitFor();
  expect(await page.locator('.answer').innerText()).toContain('"code": "pool_unknown"');
  await page.getByLabel('pool').fill('Germany');
  await page.getByRole('button', { name: /^GET/ }).click();
  await page.getByText(/^200 in/).waitFor();
  expect(await page.locator('.answer').innerText()).toContain('-country-de-');
});

test('a call with a body sends it as JSON', async () => {
  const { page } = opened;
  await page.goto(`${stack.url}/docs/api/check_proxy_line`);
  await page.getByLabel('line').fill('localhost:1:someone-country-de:secret');
  await page.getByRole('button', { name: /^POST/ }).click();
  await page.getByText(/^200 in/).waitFor();
  expect(await page.locator('.answer').innerText()).toContain('"success": true');
});

test('the language of the documents is chosen without a script, and is that of the dashboard', async () => {
  const plain = await visit(browser, stack.url, { javaScriptEnabled: false });
  await plain.page.goto(`${stack.url}/docs/vps`);
  await plain.page.getByRole('button', { name: 'Deutsch' }).click();
  await plain.page.getByRole('heading', { level: 1, name: 'Virtuelle Server' }).waitFor();
  await plain.page.getByRole('searchbox').fill('Rettungssystem');
  await plain.page.getByRole('button', { name: 'Suchen' }).click();
  await plain.page.getByText('1 Seite enthält „rettungssystem“.').waitFor();
  await plain.page.goto(stack.url);
  expect(await plain.page.locator('html').getAttribute('lang')).toBe('de');
  await plain.context.close();
});

test('Ctrl-K of the dashboard leads to a page of the documents, and to what they say of any word', async () => {
  const { page, context } = opened;
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: stack.url }]);
  const jump = async (words: string, option: RegExp) => {
    await page.goto(`${stack.url}/home`);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(words);
    await page.getByRole('dialog').getByRole('option', { name: option }).first().click();
  };
  await jump('deprecation', /^Documentation: changes/);
  await page.waitForURL(`${stack.url}/docs/changes`);
  await jump('idempotency', /in the documentation/);
  await page.waitForURL(`${stack.url}/docs/search?q=idempotency`);
  expect(await page.getByRole('link', { name: 'idempotency_conflict' }).count()).toBe(1);
});
