// The test of a static address on its plan's page: by a proxy that carries, and by none.
import { type Server, createServer } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { freePorts } from '../kit/ports.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { insertSubscription } from '../kit/subscription.ts';
import { launchBrowser, visitInTest } from './browser.ts';

const IP = '127.0.0.91';

let stack: Stack;
let browser: Browser;
let proxy: Server;
let port = 0;
/** The greetings that the proxy has read: CONNECT, or the version of SOCKS. */
const greetings: string[] = [];

/** Stands for a node: it opens every tunnel, and answers in it as a page that tells the address and its place. */
function startProxy(): Promise<Server> {
  const body = JSON.stringify({ ip: IP, country: 'DE', city: 'Hamburg' });
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const said = bytes.toString('latin1');
      if (said.startsWith('GET ')) socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      else if (said.startsWith('CONNECT ')) {
        greetings.push('CONNECT');
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
      } else if (bytes[0] === 5 && bytes.length <= 4) socket.write(Buffer.of(5, 2));
      else if (bytes[0] === 1) socket.write(Buffer.of(1, 0));
      else {
        greetings.push('SOCKS5');
        socket.write(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
      }
    });
  });
  return new Promise((done) => server.listen(port, IP, () => done(server)));
}

let path: string;
let cookie: string;
beforeAll(async () => {
  port = await freePorts(1);
  stack = await startStack();
  proxy = await startProxy();
  browser = await launchBrowser();
  const owner = await stack.seed.account();
  const statics = stack.subgraphs.static.systemContext('test');
  await importInventory(statics, `ip,port,product,location\n${IP},${port},datacenter,Hamburg`);
  await insertSubscription(stack.database.query, { id: 'sub_tested', accountId: owner.id });
  const id = await createPlan(statics, {
    orderId: 'ord_tested',
    accountId: owner.id,
    subscriptionId: 'sub_tested',
    productId: 'datacenter',
    quantity: 1,
  });
  await stack.settle();
  path = `${stack.url}/static/${id}`;
  cookie = await owner.cookie();
});
afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await stack?.close();
});

test('tells the address that was seen, its place and times by either protocol, and how to mend a line that does not carry', async () => {
  const { context, page } = await visitInTest(browser, stack.url);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: stack.url }]);
  await page.goto(path);
  greetings.length = 0;
  await page.getByRole('button', { name: `Test ${IP}` }).click();
  const dialog = page.getByRole('dialog');
  const said = dialog.getByTestId('line-test');
  for (const [scheme, greeting] of [
    ['HTTP', 'CONNECT'],
    ['SOCKS5', 'SOCKS5'],
  ] as const) {
    await dialog.getByLabel('Scheme').selectOption(scheme);
    await said.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Test for real' }).click();
    await said.getByText('This line carries traffic').waitFor();
    const seen = await said.getByRole('definition').allInnerTexts();
    expect(seen).toEqual([
      IP,
      'Hamburg, Germany (as the target says)',
      scheme,
      expect.stringMatching(/^\d+ ms$/),
      expect.stringMatching(/^\d+ ms$/),
    ]);
    expect(greetings.at(-1)).toBe(greeting);
  }
  await new Promise<void>((done) => proxy.close(() => done()));
  await dialog.getByRole('button', { name: 'Test for real' }).click();
  await said.getByText(`No connection to the proxy at ${IP}:${port} opens: try again in a minute.`).waitFor();
  // A second try finds what this one has ended.
  proxy = await startProxy();
});
