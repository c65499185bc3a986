// The log of a plan's requests: an owner switches it on, sees what comes live, filters, downloads, and deletes.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoggedRequest } from '../../edge/protocol/request-log.ts';
import { receiveRequests } from '../../subgraphs/residential/requests/services/receive-requests.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';
import { type FilledAccount, fillAccount } from './filled-account.ts';

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

let batches = 0;
const receive = (over: Partial<LoggedRequest>) =>
  receiveRequests(stack.subgraphs.residential.systemContext('test'), 'edge-1', {
    id: `batch-${++batches}`,
    requests: [
      {
        subject: filled.active,
        at: stack.clock.now().getTime(),
        durationMs: 120,
        host: 'shop.example',
        port: 443,
        status: 200,
        up: 1_200,
        down: 45_000,
        country: 'de',
        ...over,
      },
    ],
    gaps: [],
  });

test('an owner switches the log on, sees requests as they come with what to do about errors, filters, downloads and deletes it', async () => {
  const { context, page, complaints } = await visitInTest(browser, stack.url);
  await context.addCookies([filled.cookie]);
  await page.goto(`${stack.url}/residential/${filled.active}?tab=requests`);
  await page.getByText('Off by default.').waitFor();
  await page.getByText('The log is off.').waitFor();
  await page.getByText('Everything', { exact: true }).click();
  await page.getByText('Proxy nodes hear of it within a second.').waitFor();
  await page.getByText('What the lines of this plan do from now on').waitFor();

  await receive({});
  await page.getByText('shop.example:443').waitFor();
  await page.getByText('Requests kept: 1').waitFor();
  await receive({ host: 'mail.example', port: 25, status: 403, error: 'target_port_forbidden', up: 0, down: 0 });
  await page.getByText('Connections to this port are not allowed.').waitFor();
  await page.getByText('Ports of mail and of remote control are closed').waitFor();

  await page.getByLabel('Outcome').selectOption('FAILED');
  await page.getByText('shop.example:443').waitFor({ state: 'detached' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download these requests as CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('mail.example,25,403');

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Delete the log' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the log' }).click();
  await page.getByText('Requests kept: 0').waitFor();
  await page.getByText('mail.example').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});
