// Public pages without scripts have the operator's name, colour and prices, in the reader's language.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  stack = await startStack({ environment: { BRAND: 'Northwind', BRAND_COLOUR: '#7a1fa2' } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const accent = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());

test('without scripts the landing page has name, prices and colour', async () => {
  const { page } = await visitInTest(browser, stack.url, { javaScriptEnabled: false });
  await page.goto(stack.url);
  await expect(page.title()).resolves.toMatch(/^Northwind · /);
  const text = await page.getByRole('main').innerText();
  for (const price of ['$5.00', '$3.40', '$32.00', '$89.00']) expect(text).toContain(price);
  const colour = await page
    .getByRole('link', { name: 'Create an account' })
    .first()
    .evaluate((link) => getComputedStyle(link).backgroundColor);
  expect(colour).toBe('rgb(122, 31, 162)');
});

test('scripts do not change the page, and request only this origin', async () => {
  const { page, complaints } = await visitInTest(browser, stack.url);
  const before = await (await fetch(stack.url)).text();
  await page.goto(stack.url, { waitUntil: 'networkidle' });
  const wordsOf = (html: string) =>
    page.evaluate(
      (source) => new DOMParser().parseFromString(source, 'text/html').querySelector('main')?.textContent?.replace(/\s+/g, ' '),
      html,
    );
  expect(await page.evaluate(() => document.querySelector('main')?.textContent?.replace(/\s+/g, ' '))).toBe(await wordsOf(before));
  expect(complaints).toEqual([]);
});

test('drawn pages and the shell ask for the font of their texts before any script does', async () => {
  for (const path of ['/', '/home']) {
    const html = await (await fetch(stack.url + path)).text();
    const font = /<link rel="preload" href="([^"]+)" as="font"/.exec(html)?.[1] ?? '';
    expect(font, path).toMatch(/inter-latin-wght-normal/);
    const response = await fetch(new URL(font, `${stack.url}${path}`));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'font/woff2']);
  }
});

test('a German browser reads German from the first byte, and whoever chooses English reads English everywhere', async () => {
  const { page } = await visitInTest(browser, stack.url, { locale: 'de-DE' });
  await page.goto(`${stack.url}/sign-in`);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await page.getByLabel('Sprache').selectOption('en');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(stack.url);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  await page.getByRole('heading', { level: 1, name: /Proxies by the gigabyte/ }).waitFor();
});

test('a dark page is dark before its first paint, in the colour moved to be readable', async () => {
  const { page } = await visitInTest(browser, stack.url, { colorScheme: 'dark' });
  const light = await (await visitInTest(browser, stack.url)).page;
  await Promise.all([page.goto(stack.url), light.goto(stack.url)]);
  expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true);
  expect(await accent(light)).toBe('#7a1fa2');
  expect(await accent(page)).not.toBe('#7a1fa2');
});

test('the slider of the landing page says what the order form charges, and leads there with the volume', async () => {
  const { page } = await visitInTest(browser, stack.url);
  await page.goto(stack.url);
  await page.getByRole('slider', { name: 'Volume' }).focus();
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowRight');
  await page.getByText('50 GB', { exact: true }).waitFor();
  const price = await page.getByTestId('volume-PREMIUM').innerText();
  const path = await page.getByRole('link', { name: 'Buy 50 GB of Premium' }).getAttribute('href');
  expect(decodeURIComponent(path ?? '')).toContain('/residential/buy?product=PREMIUM&gb=50');
  const account = await stack.seed.account();
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await page.context().addCookies([{ name, value, url: stack.url }]);
  await page.goto(`${stack.url}/residential/buy?product=PREMIUM&gb=50`);
  await page.getByText(price, { exact: true }).first().waitFor();
  expect(price).toBe('$200.00');
});
