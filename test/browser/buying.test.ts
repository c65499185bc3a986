// Orders by card, cryptocurrency, bank transfer and sales agreement in a real browser, with windows of a customer and of support. Tests build on each other.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visit, type Visit } from './browser.ts';
import { staffCookie } from './filled-account.ts';
import { checkoutOf, rowsOf, setRows } from '../kit/tables.ts';

let stack: Stack;
let browser: Browser;
let customer: Visit;
let desk: Visit;
let page: Page;
let email: string;

beforeAll(async () => {
  stack = await startStack({ environment: { BANK_DETAILS: 'Example Bank; IBAN XX00 1234 5678' } });
  browser = await launchBrowser();
  const account = await stack.seed.account();
  ({ email } = account);
  const [name = '', value = ''] = (await account.cookie()).split('=');
  const also = [stack.sandbox.urls.crypto, stack.sandbox.urls.card];
  customer = await visit(browser, stack.url, { also });
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
const heading = (name: string, where = page) => where.getByRole('heading', { name, exact: true });

const toForm = (gigabytes: number) => page.goto(`${stack.url}/residential/buy?product=PREMIUM&gb=${gigabytes}`);
/** Opens the checkout of an offer, as the links of sales and of changes do. */
async function toCheckout(gigabytes: number) {
  await toForm(gigabytes);
  const token = await page.evaluate(async (volume) => {
    const answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ residentialOffer(product: PREMIUM, gigabytes: ${volume}) { token } }` }),
    });
    return ((await answer.json()) as { data: { residentialOffer: { token: string } } }).data.residentialOffer.token;
  }, gigabytes);
  await page.goto(`${stack.url}/checkout#${token}`);
  await shown(heading('Checkout'));
}
/** The processor's id of the payment for the order whose page is open. */
const invoiceOf = async () => {
  const id = new URL(page.url()).pathname.split('/').at(-1);
  return checkoutOf(stack.database.query, id ?? '');
};

describe('on a narrow screen', () => {
  test('the price and its button stay in view, whatever is on the screen, and follow the choice', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await toForm(5);
    const pay = (amount: string) => page.getByRole('button', { name: `Pay ${amount} by card` });
    await shown(pay('$25.00'));
    const isInView = async () => {
      const box = await pay('$25.00').boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 844;
    };
    expect(await isInView()).toBe(true);
    await page.mouse.wheel(0, 400);
    expect(await isInView()).toBe(true);
    await page.getByLabel('Gigabytes').fill('10');
    await shown(pay('$45.00'));
    await page.getByRole('radio', { name: 'Cryptocurrency' }).check();
    await shown(page.getByRole('button', { name: 'Pay $45.00 with crypto' }));
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe('by card', () => {
  const atProcessor = () => page.waitForURL(`${stack.sandbox.urls.card}/**`);
  const orders = () => rowsOf(stack.database.query, 'accounts.customer_order', {}, { columns: 'id' });
  let checkout: string;
  let order: string;

  test('Back from the processor leads to the order that waits, and on to the payment', async () => {
    await toCheckout(5);
    checkout = page.url();
    // A second tab, which has opened the checkout before the order.
    const tab = await customer.context.newPage();
    await tab.goto(checkout);
    await shown(heading('Checkout', tab));
    await page.getByRole('button', { name: 'Pay $25.00 by card' }).click();
    await atProcessor();
    await page.goBack();
    await page.waitForURL(`${stack.url}/orders/**`);
    order = page.url();
    await shown(heading('Waiting for your payment'));
    await page.getByRole('link', { name: 'Continue payment' }).click();
    await atProcessor();
    await tab.getByRole('button', { name: 'Pay $25.00 by card' }).click();
    await tab.waitForURL(order);
    await shown(heading('Waiting for your payment', tab));
    await tab.close();
    expect(await orders()).toHaveLength(1);
  });

  test('the same checkout, opened again, leads to the order, which can be cancelled', async () => {
    await page.goto(checkout);
    await page.waitForURL(order);
    await shown(page.getByRole('link', { name: 'Continue payment' }));
    // As if the processor was unreachable when the order was placed: its page is then created on demand.
    await setRows(stack.database.query, 'accounts.customer_order', { checkout_id: null, checkout_url: null });
    await page.reload();
    await page.getByRole('button', { name: 'Continue payment' }).click();
    await atProcessor();
    await page.goto(order);
    await page.getByRole('button', { name: 'Cancel order' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel order' }).click();
    await shown(page.getByText('Cancelled', { exact: true }));
  });
});

describe('by cryptocurrency', () => {
  test('the form shows each way to pay, and why one is not possible', async () => {
    await toForm(5);
    await shown(page.getByText('A bank transfer is possible from $500.00; this costs $25.00.'));
    expect(await page.getByRole('radio', { name: 'Bank transfer' }).isDisabled()).toBe(true);
    await page.getByRole('radio', { name: 'Cryptocurrency' }).check();
    await page.getByRole('button', { name: 'Pay $25.00 with crypto' }).click();
    await page.waitForURL(`${stack.url}/orders/**`);
    await shown(heading('Waiting for your coins'));
  });

  test('coins are sent in two parts; the order’s page follows each without a reload, and their confirmation', async () => {
    const order = page.url();
    await page.getByRole('link', { name: 'Open the payment page' }).click();
    await page.waitForURL(`${stack.sandbox.urls.crypto}/**`);
    await page.getByRole('button', { name: 'Pay less' }).click();
    await page.getByRole('link', { name: 'Return to Egress' }).click();
    await page.waitForURL(`${order}**`);
    await stack.settle();
    await shown(heading('A part has arrived'));
    await page.evaluate(() => void Object.assign(window, { stillHere: true }));
    stack.sandbox.crypto.pay(await invoiceOf());
    await stack.settle();
    await shown(heading('Waiting for the confirmation'));
    stack.sandbox.crypto.confirm(await invoiceOf());
    await stack.settle();
    await shown(heading('Your plan is ready'));
    expect(await page.evaluate(() => 'stillHere' in window)).toBe(true);
  });
});

describe('by bank transfer', () => {
  test('the order’s page says what to transfer, where to, and with which reference', async () => {
    await toForm(200);
    await page.getByRole('radio', { name: 'Bank transfer' }).check();
    await page.getByRole('button', { name: 'Order and transfer $800.00' }).click();
    await shown(heading('Waiting for your transfer'));
    await shown(page.getByText('IBAN XX00 1234 5678'));
    await shown(page.getByText('$800.00').first());
    await shown(page.getByText(new URL(page.url()).pathname.split('/').at(-1) ?? '').first());
  });

  test('support finds it among the awaited transfers and confirms it; the customer’s page follows', async () => {
    await desk.page.goto(`${stack.url}/support?tab=orders&list=TRANSFERS`);
    await shown(desk.page.getByRole('link', { name: email }));
    await desk.page.getByRole('button', { name: 'Confirm transfer: Premium, 200 GB' }).click();
    await desk.page.getByLabel('Arrived', { exact: true }).fill('800');
    await desk.page.getByLabel('Reference of the bank').fill('SEPA 2026-1');
    await desk.page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await shown(desk.page.getByText('No order waits for a bank transfer.'));
    await stack.settle();
    await shown(heading('Your plan is ready'));
  });
});

describe('by agreement', () => {
  test('the customer contacts sales', async () => {
    await page.goto(`${stack.url}/billing?tab=agreements`);
    await page.getByRole('button', { name: 'Contact sales' }).click();
    await page.getByLabel('Product').fill('Premium residential');
    await page.getByLabel('How much').fill('20 TB a month');
    await page.getByRole('button', { name: 'Send' }).click();
    await shown(page.getByText('Premium residential: 20 TB a month'));
    await shown(page.getByText('Waiting', { exact: true }));
  });

  test('sales answers with an offer, which closes the request', async () => {
    await desk.page.goto(`${stack.url}/support?tab=sales`);
    await desk.page.getByRole('link', { name: 'Answer' }).click();
    await desk.page.getByRole('button', { name: 'Make an offer' }).click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByLabel('Volume').fill('20000');
    await dialog.getByLabel('Price for all of it').fill('58000.5000');
    await dialog.getByLabel('What was agreed').fill('20 TB at 2.90 USD');
    await dialog.getByRole('button', { name: 'Make the offer' }).click();
    await shown(dialog.getByText('An amount such as 5800.00.'));
    await dialog.getByLabel('Price for all of it').fill('58000');
    await dialog.getByRole('button', { name: 'Make the offer' }).click();
    await shown(desk.page.getByText('Premium, 20000 GB'));
    await desk.page.goto(`${stack.url}/support?tab=sales`);
    await shown(desk.page.getByText('Nobody waits for sales'));
  });

  test('the customer buys it like anything else', async () => {
    await page.reload();
    await page.getByRole('link', { name: 'Buy Premium, 20000 GB' }).click();
    await shown(heading('Checkout'));
    await page.getByRole('button', { name: 'Pay $58,000.00 by card' }).click();
    await page.waitForURL(`${stack.sandbox.urls.card}/**`);
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForURL(`${stack.url}/orders/**`);
    await stack.settle();
    await shown(heading('Your plan is ready'));
    await page.goto(`${stack.url}/billing?tab=agreements`);
    await shown(page.getByText('Ordered', { exact: true }));
  });
});

test('no page has thrown, broken the security policy or requested another host', () => {
  expect([...customer.complaints, ...desk.complaints]).toEqual([]);
});
