// The desk's finance pages in a real browser: a dispute, a refund that ends the service, a suspension, the books. Tests build on each other.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyPackage } from '../kit/purchase.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { checkoutOf, rowOf } from '../kit/tables.ts';
import { launchBrowser, visit, type Visit } from './browser.ts';
import { staffCookie } from './filled-account.ts';

let stack: Stack;
let browser: Browser;
let desk: Visit;
let page: Page;
let owner: SeededAccount;
let disputed: string;
let refunded: string;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  owner = await stack.seed.account();
  const orderOf = async (planId: string) =>
    (await rowOf<{ order_id: string }>(stack.database.query, 'residential.plan', { id: planId }))?.order_id ?? '';
  disputed = await orderOf((await buyPackage(stack, owner)).planId);
  refunded = await orderOf((await buyPackage(stack, owner)).planId);
  stack.sandbox.card.bank.dispute(await checkoutOf(stack.database.query, disputed));
  await stack.settle();
  desk = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  await desk.context.addCookies([await staffCookie(stack)]);
  ({ page } = desk);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const within = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

test('a dispute says until when it can be answered, and is answered with words of the desk', async () => {
  await page.goto(`${stack.url}/support/disputes`);
  await shown(page.getByText('Needs an answer'));
  await shown(page.getByText('On hold'));
  await press('Send evidence');
  await page.getByLabel('What we say').fill('They used it for a week.');
  await within('Send evidence');
  await shown(page.getByText('With the bank'));
  const [dispute] = stack.sandbox.card.bank.disputes();
  expect(dispute?.evidence.uncategorized_text).toBe('They used it for a week.');
});

test('money is given back, and what was bought ends with it', async () => {
  await page.goto(`${stack.url}/support/orders/${refunded}`);
  await page
    .getByRole('button', { name: /^Refund/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText('End now', { exact: true }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('It was not needed');
  await within('Give back');
  await shown(page.getByText('Money is on its way back'));
  await stack.settle();
  const order = await rowOf<{ status: string }>(stack.database.query, 'accounts.customer_order', { id: refunded });
  expect(order?.status).toBe('REFUNDED');
});

test('an account is suspended with a reason, and restored', async () => {
  await page.goto(`${stack.url}/support/accounts/${owner.id}`);
  await press('Suspend account');
  await page.getByRole('dialog').getByLabel('Reason').fill('A stolen card');
  await within('Suspend account');
  await shown(page.getByRole('button', { name: 'Restore account' }));
  await press('Restore account');
  await page.getByRole('dialog').getByLabel('Reason').fill('It was theirs');
  await within('Restore account');
  await shown(page.getByRole('button', { name: 'Suspend account' }));
});

test('the books of these days show what was sold, what is disputed and what was given back', async () => {
  await page.goto(`${stack.url}/support/finance`);
  await shown(page.getByRole('heading', { level: 1, name: 'Finance' }));
  for (const words of ['DISPUTED', 'REVENUE', 'FEES']) await shown(page.getByText(words).first());
});

test('no page has thrown, broken the security policy or requested another host', () => expect(desk.complaints).toEqual([]));
