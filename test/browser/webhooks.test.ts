// A customer sets up a webhook endpoint and reads its deliveries, in a real browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isSigned, startReceiver, type Receiver } from '../subgraphs/accounts/webhooks/receiver.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';

let stack: Stack;
let browser: Browser;
let receiver: Receiver;

beforeAll(async () => {
  stack = await startStack({ environment: { WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8' } });
  receiver = await startReceiver();
  receiver.behave(() => 200);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await stack?.close();
});

test('an endpoint is added, its secret shown once, a test event sent, and its answer displayed', async () => {
  const account = await stack.seed.account();
  const { page, context, complaints } = await visitInTest(browser, stack.url, { reducedMotion: 'reduce' });
  const [name = '', value = ''] = (await account.cookie()).split(/=(.*)/s);
  await context.addCookies([{ name, value, domain: new URL(stack.url).hostname, path: '/' }]);
  await page.goto(`${stack.url}/developers?tab=webhooks`);
  const button = (text: string) => page.getByRole('button', { name: text, exact: true });
  await button('Add an end point').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Description').fill('Billing');
  await dialog.getByRole('button', { name: 'Add an end point', exact: true }).click();

  const once = page.getByRole('alertdialog');
  const secret = /whsec_[\w+/=]+/.exec((await once.textContent()) ?? '')?.[0] ?? '';
  expect(secret).toMatch(/^whsec_/);
  await once.getByRole('button', { name: 'I have stored it' }).click();
  expect(await page.content()).not.toContain(secret);

  await button('Send a test').click();
  await expect.poll(() => receiver.heard.map(({ type }) => type)).toEqual(['webhook.test']);
  const [request] = receiver.requests;
  expect(isSigned(request?.headers ?? {}, request?.body ?? '', secret)).toBe(true);
  await stack.settle();
  await button('Deliveries').click();
  await page.getByText('webhook.test').first().click();
  await page.getByText('as you say').waitFor();
  if (process.env['SHOTS']) {
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${process.env['SHOTS']}/webhooks-${width}-${colorScheme}.png`, fullPage: true });
    }
    await button('Change').click();
    await page.getByText('Some events').click();
    await page.screenshot({ path: `${process.env['SHOTS']}/webhooks-form-390.png`, fullPage: true });
    await button('Cancel').click();
  }

  await button('Remove').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No end points yet').waitFor();
  expect(complaints).toEqual([]);
});
