// A business buys where tax applies: it gives its country and VAT number and gets an invoice without tax, and the desk sees it. Tests build on each other.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutAt } from '../kit/purchase.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { rowsOf } from '../kit/tables.ts';
import { launchBrowser, visit, type Visit } from './browser.ts';
import { staffCookie } from './filled-account.ts';

let stack: Stack;
let browser: Browser;
let customer: Visit;
let desk: Visit;
let page: Page;
let checkout: string;

beforeAll(async () => {
  const seller = { SELLER_COUNTRY: 'DE', SELLER_TAX_ID: 'DE123456100' };
  stack = await startStack({ environment: { TAX_RATES: 'DE=19,FR=20', ...seller } });
  browser = await launchBrowser();
  const [name = '', value = ''] = (await (await stack.seed.account()).cookie()).split('=');
  customer = await visit(browser, stack.url, { also: [stack.sandbox.urls.card], viewport: { width: 390, height: 844 } });
  await customer.context.addCookies([{ name, value, domain: new URL(stack.url).hostname, path: '/' }]);
  desk = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  await desk.context.addCookies([await staffCookie(stack)]);
  ({ page } = customer);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const pay = (amount: string) => page.getByRole('button', { name: `Pay ${amount} by card` });
const enter = async (taxId: string) => {
  await page.getByLabel('Tax number').fill(taxId);
  await page.getByRole('button', { name: 'Save' }).click();
};

test('nothing can be paid before the country is known', async () => {
  await page.goto(`${stack.url}/residential/buy?product=PREMIUM&gb=5`);
  await shown(page.getByText('Say where you are before you pay'));
  expect(await pay('$25.00').isDisabled()).toBe(true);
  checkout = page.url();
});

test('a VAT number is checked while its page is open, and a wrong one says so at its field', async () => {
  await page.getByRole('link', { name: 'Add details' }).click();
  await page.getByLabel('Name or company').fill('Une Société');
  await page.getByLabel('Address').fill('1 Rue de la Paix');
  await page.getByLabel('Country').selectOption('FR');
  await enter('FR 12');
  await shown(page.getByText('This is no VAT number of FR.'));
  await enter('FR 12345678200');
  await shown(page.getByText('Invalid', { exact: true }));
  await page.goto(checkout);
  await shown(pay('$30.00'));
});

test('one that is valid pays no tax, and its invoice says who owes it', async () => {
  await page.goto(`${stack.url}/billing?tab=details`);
  await enter('FR 12345678100');
  await shown(page.getByText('Checked', { exact: true }));
  await page.goto(checkout);
  await shown(page.getByText('Reverse charge: no tax is charged').first());
  await pay('$25.00').click();
  await page.waitForURL(`${stack.sandbox.urls.card}/**`);
  stack.sandbox.card.payCheckout(checkoutAt(page.url()));
  await stack.settle();
  await page.goto(`${stack.url}/billing?tab=invoices`);
  await shown(page.getByText('Reverse charge', { exact: true }));
});

test('the desk sees where the buyer is, and that the card is from elsewhere', async () => {
  const [order] = await rowsOf<{ id: string }>(stack.database.query, 'accounts.customer_order', { status: 'FULFILLED' }, { columns: 'id' });
  await desk.page.goto(`${stack.url}/support?tab=orders&list=CONTRADICTED`);
  await shown(desk.page.getByText('Premium').first());
  await desk.page.goto(`${stack.url}/support/orders/${order?.id}`);
  for (const words of ['Where the buyer is', 'Different countries', 'France', 'United States'])
    await shown(desk.page.getByText(words).first());
});

test('no page has thrown, broken the security policy or requested another host', () => {
  expect([...customer.complaints, ...desk.complaints]).toEqual([]);
});
