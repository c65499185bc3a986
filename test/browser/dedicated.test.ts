// The life of a dedicated server in a real browser: order, provisioning, console, settings, reinstall, rescue, cancellation. Tests build on each other.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '#platform/clock.ts';
import { importMachines } from '../../subgraphs/compute/machines/services/machine-inventory.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit, visitInTest } from './browser.ts';
import { staffCookie } from './filled-account.ts';
import { rowOf } from '../kit/tables.ts';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let page: Page;
let account: SeededAccount;

beforeAll(async () => {
  stack = await startStack();
  const byHand = { name: 'rack-7', plan: 'NOETHER', ip: '127.81.0.90', prefixLength: 16, gateway: '127.81.0.1' };
  const faradays = stack.sandbox.controllers.inventory.filter(({ plan }) => plan === 'FARADAY');
  expect((await importMachines(stack.subgraphs.compute.systemContext('test'), [...faradays, byHand])).problems).toEqual([]);
  browser = await launchBrowser();
  opened = await visit(browser, stack.url, { also: [stack.sandbox.urls.card], permissions: ['clipboard-read', 'clipboard-write'] });
  page = opened.page;
  account = await stack.seed.account();
  await signIn();
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** Signs in again, as a session ends long before a billing period. */
async function signIn(): Promise<void> {
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await opened.context.addCookies([{ name, value, url: stack.url }]);
}

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const machine = () => stack.sandbox.controllers.machines().find(({ disk }) => disk !== null);
async function passTen(): Promise<void> {
  stack.clock.advance(10 * SECOND);
  await stack.sandbox.controllers.tick();
  await stack.platform.queue.runNow('compute.operations-sweep');
  await stack.settle();
}
/** Advances time in the sandbox and runs jobs until the element is visible. */
async function passUntil(locator: Locator, minutes = 60): Promise<void> {
  for (let passed = 0; passed < minutes * 6 && !(await locator.isVisible()); passed++) {
    await passTen();
  }
  await shown(locator);
}
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
const serverId = () => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test('sees hardware, price and stock on the cards, and that a plan is out of stock', async () => {
  await page.goto(`${stack.url}/servers`);
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Faraday' }) });
  await shown(card.getByText('8 cores'));
  await shown(card.getByText('2 x 1 TB NVMe'));
  await shown(card.getByText('$89.00'));
  const curie = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Curie' }) });
  await shown(curie.getByText('Out of stock'));
  expect(await curie.getByRole('link').count()).toBe(0);
  await card.getByRole('link', { name: 'Order: Faraday' }).click();
});

test('chooses period, system and host name, and is shown the exact charge', async () => {
  await shown(page.getByRole('heading', { level: 1, name: 'Order a dedicated server' }));
  await page.getByText('3 months', { exact: true }).click();
  await page.getByLabel('Operating system').selectOption({ label: 'Ubuntu 24.04 LTS' });
  await page.getByLabel('Hostname').fill('Metal One');
  await shown(page.getByText('A host name has letters, digits and hyphens.'));
  await page.getByLabel('Hostname').fill('metal-one');
  await shown(page.getByText('Dedicated server Faraday, Ubuntu 24.04 LTS, 3 months'));
  await shown(page.getByText('$252.00').first());
  await shown(page.getByText('A machine is held for you once you order.'));
  expect(await page.getByRole('radio', { name: /Curie/ }).isDisabled()).toBe(true);
});

test('pays, and sees the server being provisioned and then Active without a reload', async () => {
  await page.getByRole('button', { name: /by card/ }).click();
  await page.waitForURL(`${stack.sandbox.urls.card}/**`);
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.waitForURL(`${stack.url}/orders/**`);
  await stack.settle();
  await page.goto(`${stack.url}/servers`);
  await page.getByRole('link', { name: 'metal-one' }).click();
  await shown(page.getByText('Your server is being provisioned'));
  await shown(page.getByTestId('operation'));
  await passUntil(page.getByText('Active', { exact: true }));
  await shown(page.getByText('Running', { exact: true }));
  await page.getByRole('button', { name: 'Reveal' }).click();
  const told = page.getByTestId('password');
  await page.waitForFunction(() => !document.querySelector('[data-testid=password]')?.textContent?.includes('•'));
  expect(machine()?.disk).toMatchObject({ os: 'ubuntu-24-04', hostname: 'metal-one', users: { ubuntu: await told.innerText() } });
  expect(await page.getByTestId('address').innerText()).toBe(machine()?.disk?.ip);
});

test('stops it after a question and starts it without one, each button with its reason where it is not possible', async () => {
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const asked = page.getByRole('alertdialog', { name: 'Stop metal-one?' });
  await shown(asked.getByText('A stopped server stays reserved for you and is billed as before: $252.00 every 3 months.'));
  await asked.getByRole('button', { name: 'Stop', exact: true }).click();
  await passUntil(page.getByText('Stopped', { exact: true }));
  expect(await page.getByRole('button', { name: 'Reboot' }).isDisabled()).toBe(true);
  await shown(page.getByText('The server must be running; it is stopped.'));
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await passUntil(page.getByText('Running', { exact: true }));
});

test('sees its screen, and why there is none where its controller offers none', async () => {
  await tab('Console');
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await page.getByText('Screen', { exact: true }).click();
  await connect.click();
  await page.locator('[data-testid=screen][data-shown=true] canvas').waitFor();
  await page.getByText('Text', { exact: true }).click();
  await connect.click();
  await expect.poll(() => page.locator('.xterm-rows').innerText(), { timeout: 10_000 }).toContain('metal-one login:');
  await stack.sandbox.controllers.change(machine()?.id ?? '', (one) => (one.headless = true));
  await page.getByText('Screen', { exact: true }).click();
  await connect.click();
  const reason = page.getByText('The controller of this machine offers no graphic console.');
  await shown(reason);
  await page.getByText('Text', { exact: true }).click();
  expect(await reason.count()).toBe(0);
});

test('sees the reason in German too', async () => {
  const german = await visitInTest(browser, stack.url, { locale: 'de-DE', storageState: await opened.context.storageState() });
  await german.page.goto(`${stack.url}/servers/${serverId()}?tab=console`);
  await german.page.getByText('Bildschirm', { exact: true }).click();
  await german.page.getByRole('button', { name: 'Verbinden', exact: true }).click();
  await shown(german.page.getByText('Der Controller dieser Maschine bietet keine grafische Konsole an.'));
  expect(german.complaints).toEqual([]);
});

test('protects it against a reinstall, names it, labels it, and names its address', async () => {
  await tab('Settings');
  await page.getByRole('button', { name: 'Protect', exact: true }).click();
  await shown(page.getByText('This server is protected.'));
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Build farm');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await shown(page.getByRole('heading', { level: 1, name: 'Build farm' }));
  await page.getByLabel('Label', { exact: true }).fill('env');
  await page.getByLabel('Value', { exact: true }).fill('prod');
  await page.getByRole('button', { name: 'Add a label' }).click();
  await shown(page.getByTestId('labels').getByText('env=prod'));
  const ip = machine()?.disk?.ip ?? '';
  const field = page.getByLabel(`Name of ${ip}`);
  await field.fill('build.example.com');
  await field.press('Enter');
  await passUntil(page.getByText('Set', { exact: true }));
  expect(stack.sandbox.names.reverse(ip)).toBe('build.example.com');
  await tab('Reinstall OS');
  expect(await page.getByRole('button', { name: 'Reinstall this server' }).isDisabled()).toBe(true);
  await shown(page.getByText('The server is protected: lift its protection first.'));
  await tab('Settings');
  await page.getByRole('button', { name: 'Lift the protection' }).click();
  await shown(page.getByText('This server is not protected.'));
});

test('sets firewall rules, which the router in front of it has then', async () => {
  const ip = machine()?.disk?.ip ?? '';
  const lets = (port: number) => stack.sandbox.router.lets({ from: '203.0.113.9', to: ip, protocol: 'tcp', port });
  expect([lets(22), lets(8080)]).toEqual([true, true]);
  await page.getByLabel('Firewall on').check();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Ports').fill('22');
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await passUntil(page.getByText('In force', { exact: true }));
  expect([lets(22), lets(8080)]).toEqual([true, false]);
});

test('reinstalls it with another system and a password of their own, after typing its host name', async () => {
  await tab('Reinstall OS');
  await page.getByLabel('Operating system').selectOption({ label: 'Debian 13' });
  await page.getByRole('button', { name: 'Reinstall this server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill('short');
  await dialog.getByLabel('Type metal-one to confirm').fill('metal-one');
  await dialog.getByRole('button', { name: 'Reinstall', exact: true }).click();
  await shown(dialog.getByText(/A password has 12 to 72/).first());
  await dialog.getByLabel('Password', { exact: true }).fill('Chosen-by-me-42');
  await dialog.getByRole('button', { name: 'Reinstall', exact: true }).click();
  await shown(page.getByText('Reinstalling', { exact: true }));
  await passUntil(page.getByText('Active', { exact: true }));
  expect(machine()?.disk).toMatchObject({ os: 'debian-13', users: { debian: 'Chosen-by-me-42' } });
});

test('starts the rescue system, reads its one-time password, and leaves it', async () => {
  const generation = machine()?.disk?.generation;
  await tab('Settings');
  await page.getByRole('button', { name: 'Start the rescue system' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start the rescue system' }).click();
  await passUntil(page.getByText('The rescue system runs. Log in as root'));
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.waitForFunction(() => !document.querySelector('[data-testid=rescue-password]')?.textContent?.includes('•'));
  expect(machine()?.rescue?.users).toEqual({ root: await page.getByTestId('rescue-password').innerText() });
  await page.getByRole('button', { name: 'Leave the rescue system' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the rescue system' }).click();
  await passUntil(page.getByRole('button', { name: 'Start the rescue system' }));
  expect(machine()).toMatchObject({ running: 'disk', disk: { generation } });
});

test('is cancelled to the end of its period, and is gone then, its disks wiped', async () => {
  const id = serverId();
  const row = await rowOf<{ period_end: Date }>(stack.database.query, 'compute.server', { id });
  await tab('Overview');
  await page.getByRole('button', { name: 'Cancel this server' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel this server' }).click();
  await stack.settle();
  await shown(page.getByText(/^Cancelled: it ends on/));
  stack.clock.set(new Date((row?.period_end ?? new Date()).getTime() + MINUTE));
  await stack.platform.queue.runNow('accounts.subscriptions-sweep');
  await stack.settle();
  await signIn();
  await page.goto(`${stack.url}/servers/${id}`);
  await shown(page.getByText('Decommissioned', { exact: true }));
  await shown(page.getByText('This server has been decommissioned'));
  await shown(page.getByText('Wiping', { exact: true }).first());
  for (let passed = 0; passed < 60 && machine(); passed++) await passTen();
  expect(machine()).toBeUndefined();
  expect(stack.sandbox.router.commands().filter((line) => line.includes('EGRESS-'))).toEqual([]);
  expect(opened.complaints).toEqual([]);
}, 120_000);

test('support delivers a machine by hand at its desk', async () => {
  stack.clock.advance(DAY);
  await signIn();
  const desk = await visit(browser, stack.url);
  await desk.context.addCookies([await staffCookie(stack)]);
  await page.goto(`${stack.url}/servers/dedicated/order?plan=NOETHER`);
  await shown(page.getByText('$129.00').first());
  await page.getByRole('button', { name: /by card/ }).click();
  await page.waitForURL(`${stack.sandbox.urls.card}/**`);
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.waitForURL(`${stack.url}/orders/**`);
  await stack.settle();
  for (let round = 0; round < 3; round++) {
    stack.clock.advance(MINUTE);
    await stack.platform.queue.runNow('compute.operations-sweep');
  }
  await desk.page.goto(`${stack.url}/support/machines`);
  await shown(desk.page.getByText(/^Deliver:/));
  await desk.page.getByRole('button', { name: 'Claim' }).click();
  await desk.page.getByRole('button', { name: 'Reveal' }).click();
  await desk.page.getByRole('button', { name: 'Done', exact: true }).click();
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Done', exact: true }).click();
  await shown(desk.page.getByText('Nothing waits.'));
  await page.goto(`${stack.url}/servers`);
  const rows = page.getByRole('listitem').filter({ hasText: 'noether-' });
  await rows.getByRole('link').click();
  await passUntil(page.getByText('Active', { exact: true }), 5);
  await shown(page.getByText('This machine is worked by hand: write to support.'));
  expect(desk.complaints).toEqual([]);
}, 120_000);
