// Slow and interrupted connections, and two windows of one account.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';
import { type FilledAccount, fillAccount } from './filled-account.ts';
import { rowOf } from '../kit/tables.ts';

const GB = 1_000_000_000;

let stack: Stack;
let browser: Browser;
let filled: FilledAccount;
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  filled = await fillAccount(stack);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

async function windowAt(path: string): Promise<Page> {
  const { context, page } = await visitInTest(browser, stack.url);
  await context.addCookies([filled.cookie]);
  await page.goto(stack.url + path);
  return page;
}
const usernameOf = async (id: string) =>
  (await rowOf<{ username: string }>(stack.database.query, 'residential.plan', { id }))?.username ?? '';

test('two windows of one account stay in agreement: a limit that is set in one is in the other without a reload', async () => {
  const [one, other] = await Promise.all([
    windowAt(`/residential/${filled.active}?tab=settings`),
    windowAt(`/residential/${filled.active}?tab=settings`),
  ]);
  await other.getByText('No daily limit').first().waitFor();
  await one.getByLabel('Limit per day').fill('7.5');
  await one.getByRole('button', { name: 'Save limit' }).click();
  await other.getByText('The limit is 7.5 GB a day.').waitFor();
  await other.getByRole('button', { name: 'Remove limit' }).click();
  await one.getByText('No limit is set.').waitFor();
});

test('a page without connection says so, keeps its data, and catches up by itself', async () => {
  const page = await windowAt(`/residential/${filled.active}`);
  await page
    .getByText(/Live · As of/)
    .first()
    .waitFor();
  const before = await page.getByRole('main').innerText();
  await page.context().setOffline(true);
  await page.getByText('No live connection since').waitFor();
  expect(await page.getByRole('main').innerText()).toContain(before.match(/[\d.]+ GB/)?.[0]);
  await stack.sandbox.network.report([{ username: await usernameOf(filled.active), upBytes: 0, downBytes: 3 * GB }]);
  await stack.settle();
  await page.context().setOffline(false);
  await page
    .getByRole('button', { name: 'Reconnect now' })
    .click({ timeout: 2_000 })
    .catch(() => undefined);
  await page.getByText('4.8 GB').first().waitFor();
  await page.getByText('No live connection since').waitFor({ state: 'detached' });
});

test('an action while offline fails with a sentence, and works on a second press when online', async () => {
  const page = await windowAt(`/residential/${filled.mobile}`);
  const generate = page.getByRole('button', { name: 'Generate', exact: true });
  await generate.waitFor();
  await page.context().setOffline(true);
  await generate.click();
  await page.getByRole('alert').filter({ hasText: 'No answer from the server.' }).waitFor();
  await page.context().setOffline(false);
  await generate.click();
  await page.getByTestId('proxy-list').waitFor();
});

test('on a slow connection the frame and placeholders of the final size come first, then the figures', async () => {
  const { context, page } = await visitInTest(browser, stack.url);
  await context.addCookies([filled.cookie]);
  await page.route('**/graphql', async (route) => {
    await slow;
    await route.continue();
  });
  let speedUp = () => {};
  const slow = new Promise<void>((resolve) => (speedUp = resolve));
  await page.goto(`${stack.url}/home`);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.locator('.skeleton').first().waitFor();
  const panel = page.getByText('Used today');
  const { y } = (await panel.boundingBox()) ?? { y: -1 };
  speedUp();
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
  expect((await panel.boundingBox())?.y).toBe(y);
});

test('a page that could not be loaded while the server was away comes by itself once it answers', async () => {
  const page = await windowAt('/home');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('heading', { level: 1, name: 'The server does not answer' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
});
