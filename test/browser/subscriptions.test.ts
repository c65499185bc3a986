// A subscription in a real browser: bought by card, cancelled and resumed, its card changed, its failed renewal paid. Tests build on each other.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#platform/clock.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';
import { rowOf } from '../kit/tables.ts';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let page: Page;
let account: SeededAccount;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  account = await stack.seed.account();
  opened = await visit(browser, stack.url, { also: [stack.sandbox.urls.card], reducedMotion: 'reduce' });
  ({ page } = opened);
  await signIn();
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

async function signIn() {
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await opened.context.addCookies([{ name, value, domain: new URL(stack.url).hostname, path: '/' }]);
}
const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
/** Waits until the server is built, so that its order is not refunded later. */
async function built() {
  const status = async () => (await rowOf<{ status: string }>(stack.database.query, 'compute.server'))?.status;
  for (let passed = 0; passed < 180 && (await status()) !== 'ACTIVE'; passed += 3) {
    stack.clock.advance(3 * SECOND);
    await stack.sandbox.hypervisor.tick();
    await stack.platform.queue.runNow('compute.operations-sweep');
  }
  await stack.settle();
}
const row = () => page.getByRole('listitem').filter({ hasText: 'VPS Plank' }).first();
const toSubscriptions = () => page.goto(`${stack.url}/billing?tab=subscriptions`);
const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'));

test('the checkout says what renews, for how much, and the card pays it', async () => {
  await page.goto(`${stack.url}/billing`);
  const token = await page.evaluate(async () => {
    const answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ vpsOffer(plan: PLANK, months: 1, os: DEBIAN_13, hostname: "db-1") { token } }' }),
    });
    return ((await answer.json()) as { data: { vpsOffer: { token: string } } }).data.vpsOffer.token;
  });
  await page.goto(`${stack.url}/checkout#${token}`);
  await shown(page.getByText('Renews every month for $32.00 until you cancel.'));
  await shown(page.getByText('A bank transfer is possible from $1,000.00 for a subscription; this costs $32.00.'));
  await page.getByRole('button', { name: 'Pay $32.00 by card' }).click();
  await page.waitForURL(`${stack.sandbox.urls.card}/**`);
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.waitForURL(`${stack.url}/orders/**`);
  await stack.settle();
  await built();
  await shown(page.getByRole('link', { name: 'Open the server' }));
});

test('it is cancelled, which says what happens and when, and taken back', async () => {
  await toSubscriptions();
  await shown(row().getByText('Active', { exact: true }));
  await row().getByRole('button', { name: 'Cancel: ' }).click();
  await shown(dialog().getByText(/It runs until .+ and is not charged again/));
  await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
  await shown(row().getByText(/Runs until .+, then ends/));
  await row().getByRole('button', { name: 'Take back: ' }).click();
  await shown(row().getByText(/Renews on /));
});

test('its card is the default one and stays while it renews by it', async () => {
  await page.goto(`${stack.url}/billing?tab=methods`);
  await shown(page.getByText(/^Visa ···· 4242/));
  await shown(page.getByText('Default', { exact: true }));
  await page.getByRole('button', { name: /^Remove: Visa/ }).click();
  await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
  await shown(dialog().getByRole('alert'));
  await dialog().getByRole('button', { name: 'Keep as it is' }).click();
});

test('another card is added on the processor’s page and pays from then on', async () => {
  await page.getByRole('button', { name: 'Add a card' }).click();
  await page.waitForURL(`${stack.sandbox.urls.card}/**`);
  await page.getByLabel('Card number').fill('4000000000000341');
  await page.getByRole('button', { name: /^(Save|Pay)/ }).click();
  await page.waitForURL(`${stack.url}/billing**`);
  await shown(page.getByText(/···· 0341/));
  await toSubscriptions();
  await row().getByRole('button', { name: 'Change card: ' }).click();
  const options = dialog().getByLabel('Card');
  await options.selectOption({ label: (await options.locator('option', { hasText: '0341' }).innerText()).trim() });
  await dialog().getByRole('button', { name: 'Change card' }).click();
  await shown(page.getByText('Card changed'));
});

test('its way to pay is changed to coins and back to the card', async () => {
  const change = async (method: string, card?: string) => {
    await row().getByRole('button', { name: 'Change way to pay: ' }).click();
    await dialog().getByLabel('Way to pay').selectOption(method);
    const options = dialog().getByLabel('Card', { exact: true });
    if (card) await options.selectOption({ label: (await options.locator('option', { hasText: card }).innerText()).trim() });
    await dialog().getByRole('button', { name: 'Change way to pay' }).click();
    await dialog().waitFor({ state: 'hidden' });
  };
  const method = async () => (await rowOf<{ method: string }>(stack.database.query, 'accounts.billing_subscription'))?.method;
  await change('CRYPTO');
  expect(await method()).toBe('CRYPTO');
  await change('CARD', '0341');
  expect(await method()).toBe('CARD');
  await stack.settle();
});

test('its renewal fails, which its page says, and paying with the good card renews it', async () => {
  stack.clock.advance(32 * DAY);
  const owes = async () => (await rowOf<{ status: string }>(stack.database.query, 'accounts.billing_subscription'))?.status === 'PAST_DUE';
  for (let round = 0; round < 10 && !(await owes()); round++) {
    stack.clock.advance(MINUTE);
    stack.sandbox.card.tick();
    await stack.platform.queue.runNow('accounts.subscriptions-sweep');
    await stack.settle();
  }
  // The session has expired after a month without use.
  await signIn();
  await toSubscriptions();
  await shown(row().getByText('Payment failed', { exact: true }));
  await row().getByRole('button', { name: 'Pay now: ' }).click();
  const options = dialog().getByLabel('Card');
  await options.selectOption({ label: (await options.locator('option', { hasText: '4242' }).innerText()).trim() });
  await dialog().getByRole('button', { name: 'Pay $32.00' }).click();
  await shown(row().getByText('Active', { exact: true }));
  expect(stack.sandbox.card.charges().filter(({ paid, amount }) => paid && amount === 3_200)).toHaveLength(2);
});

test('no page has thrown, broken the security policy or requested another host', () => {
  expect(opened.complaints).toEqual([]);
});
