// Orders with PayPal on a phone: paid, cancelled, declined, pending for days, and with a saved account. Tests build on each other.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visit } from './browser.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
let order: string;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  const [name = '', value = ''] = (await (await stack.seed.account()).cookie()).split('=');
  const customer = await visit(browser, stack.url, { also: [stack.sandbox.urls.paypal], viewport: { width: 390, height: 844 } });
  await customer.context.addCookies([{ name, value, domain: new URL(stack.url).hostname, path: '/' }]);
  ({ page } = customer);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name });

async function toPayPal(): Promise<void> {
  await page.goto(`${stack.url}/residential/buy?product=PREMIUM&gb=5`);
  await page.getByRole('radio', { name: 'PayPal' }).check();
  await button('Pay $25.00 with PayPal').click();
  await page.waitForURL(`${stack.sandbox.urls.paypal}/**`);
}
/** Waits until the browser is back from PayPal and its webhooks are handled. */
async function back(): Promise<void> {
  await page.waitForURL(`${stack.url}/orders/**`);
  await stack.settle();
}

test('a customer who cancels at PayPal returns to the pending order, without a charge', async () => {
  await toPayPal();
  await shown(page.getByText('25.00 USD'));
  await button('Cancel and return').click();
  await back();
  order = page.url();
  await shown(page.getByRole('link', { name: 'Continue with PayPal' }));
  expect(stack.sandbox.paypal.captures()).toEqual([]);
});

test('a customer who continues and pays there gets the plan at once', async () => {
  await page.getByRole('link', { name: 'Continue with PayPal' }).click();
  await button('Pay from the balance').click();
  await back();
  expect(new URL(page.url()).pathname).toBe(new URL(order).pathname);
  await shown(heading('Your plan is ready'));
  expect(stack.sandbox.paypal.captures().map(({ amount, status }) => [amount.value, status])).toEqual([['25.00', 'COMPLETED']]);
});

test('a decline is shown, and the order is paid by something else on the same page', async () => {
  await toPayPal();
  await button('Pay by a card that is declined').click();
  await back();
  await shown(page.getByText('If what you chose at PayPal is declined'));
  // Two agreements of the same second would have the same id.
  stack.clock.advance(MINUTE);
  await page.getByRole('link', { name: 'Continue with PayPal' }).click();
  await button('Pay from the balance').click();
  await back();
  await shown(heading('Your plan is ready'));
});

test('a payment that takes days is shown as pending, and the page follows it by itself', async () => {
  await toPayPal();
  await page.getByLabel('PayPal account').fill('slow@paypal.test');
  await button('Pay by bank account').click();
  await back();
  await shown(heading('PayPal waits for the money'));
  await page.evaluate(() => void Object.assign(window, { stillHere: true }));
  stack.sandbox.paypal.settle(stack.sandbox.paypal.captures().at(-1)?.id ?? '');
  await stack.settle();
  await shown(heading('Your plan is ready'));
  expect(await page.evaluate(() => 'stillHere' in window)).toBe(true);
});

test('an account is saved for renewals, and listed', async () => {
  await page.goto(`${stack.url}/billing?tab=methods`);
  await button('Save a PayPal account').click();
  await page.waitForURL(`${stack.sandbox.urls.paypal}/**`);
  await button('Agree').click();
  await page.waitForURL(`${stack.url}/**`);
  await shown(page.getByText('buyer@paypal.test'));
});
