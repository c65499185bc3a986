// A connection that is dead but not closed, in a real browser: the page reports it in time, and recovers by itself.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '../kit/ports.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type TcpLine, startTcpLine } from '../kit/tcp-line.ts';
import { launchBrowser, visitInTest } from './browser.ts';

const MB = 1_000_000;

let line: TcpLine;
let stack: Stack;
let browser: Browser;
let account: SeededAccount;
let plan: { id: string; username: string };
beforeAll(async () => {
  const port = await freePorts(1);
  line = await startTcpLine(port);
  stack = await startStack({ environment: { PORT: String(port), PUBLIC_URL: line.url } });
  browser = await launchBrowser();
  account = await stack.seed.account();
  plan = await account.residentialPlan({ gigabytes: 5 });
});
afterAll(async () => {
  await browser?.close();
  await line?.close();
  await stack?.close();
});

/** The plan's page with a clock that the test moves, after it has connected. */
async function livePage(): Promise<Page> {
  const { context, page } = await visitInTest(browser, line.url);
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await context.addCookies([{ name, value, url: line.url }]);
  await page.clock.install();
  await page.goto(`${line.url}/residential/${plan.id}`);
  await page.getByTestId('as-of').filter({ hasText: 'Live ·' }).waitFor();
  return page;
}
const asOf = async (page: Page) => (await page.getByTestId('as-of').innerText()).replaceAll('\n', ' ');

test('a dead connection is noticed within five seconds, figures show their age, and missed updates arrive by themselves', async () => {
  const page = await livePage();
  await stack.sandbox.network.report({ username: plan.username, upBytes: 0, downBytes: 20 * MB });
  await page.getByTestId('rate').filter({ hasText: '2 MB/s now' }).waitFor();

  line.cut();
  await page.clock.runFor(5_000);
  expect(await asOf(page)).toMatch(/^Not live · As of/);
  expect(await page.getByText(/^No live connection since \d\d:\d\d:\d\d\. Figures may be behind/).isVisible()).toBe(true);
  // The current rate is not known any more.
  expect(await page.getByTestId('rate').innerText()).not.toContain('now');
  await stack.sandbox.network.report({ username: plan.username, upBytes: 0, downBytes: 30 * MB });
  await page.clock.runFor(60_000);
  expect(await asOf(page)).toMatch(/^Not live · As of \d\d:\d\d:\d\d · 1 minute ago$/);
  expect(await page.getByTestId('used').innerText()).toBe('20 MB');

  line.mend();
  // The running attempt used the dead connection and times out; the next one succeeds.
  await expect
    .poll(
      async () => {
        await page.clock.runFor(250);
        return asOf(page);
      },
      { timeout: 15_000, interval: 20 },
    )
    .toMatch(/^Live · As of \d\d:\d\d:\d\d$/);
  await page.getByTestId('used').filter({ hasText: '50 MB' }).waitFor();
  await page.getByText('No live connection since').waitFor({ state: 'detached' });
});

test('a working connection stays live, also without updates', async () => {
  const page = await livePage();
  for (let minute = 0; minute < 3; minute++) {
    // Small steps, so that each ping gets its answer before the clock advances.
    for (let step = 0; step < 20; step++) {
      await page.clock.runFor(500);
      await page.evaluate(() => fetch('/health/live').then(() => undefined));
    }
    expect(await asOf(page)).toMatch(/^Live · As of \d\d:\d\d:\d\d$/);
  }
});

test('a subscription that ends since the API has changed under it is opened again', async () => {
  const { context, page } = await visitInTest(browser, line.url);
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await context.addCookies([{ name, value, url: line.url }]);
  let asked = 0;
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const { type, id, payload } = JSON.parse(String(message)) as { type: string; id?: string; payload?: { query?: string } };
      const isOfUsage = type === 'subscribe' && payload?.query?.includes('residentialUsageChanged');
      if (isOfUsage) asked++;
      if (!isOfUsage || asked > 1) return server.send(message);
      const extensions = { code: 'graph_changed', requestId: 'req_test', retryable: true };
      socket.send(JSON.stringify({ type: 'next', id, payload: { errors: [{ message: 'The API has changed.', extensions }] } }));
      socket.send(JSON.stringify({ type: 'complete', id }));
    });
  });
  await page.goto(`${line.url}/residential/${plan.id}`);
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(2);
  const before = await page.getByTestId('used').innerText();
  await stack.sandbox.network.report({ username: plan.username, upBytes: 0, downBytes: 40 * MB });
  await expect.poll(() => page.getByTestId('used').innerText(), { timeout: 20_000 }).not.toBe(before);
});
