// The life of a VPS in a real browser: order, build, console, upgrade, backup, restore, cancellation. Tests build on each other.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { type Customer, customerOf, passTime } from '../subgraphs/compute/bought-vps.ts';
import { computeTables } from '../subgraphs/compute/tables.ts';
import { addCluster } from '../../subgraphs/compute/machines/services/clusters.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';
import { setRows } from '../kit/tables.ts';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let page: Page;
let customer: Customer;
let password = '';
const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGXkciLHURqLACAo5i43AZ4pzUaSMZ5jhfZe2bbf9zBo ada@laptop';

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  opened = await visit(browser, stack.url, { also: [stack.sandbox.urls.card], reducedMotion: 'reduce' });
  page = opened.page;
  customer = await customerOf(stack);
  const [name = '', value = ''] = customer.cookie.split('=');
  await opened.context.addCookies([{ name, value, domain: new URL(stack.url).hostname, path: '/' }]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
const machine = () => {
  const [found] = stack.sandbox.hypervisor.machines();
  if (!found) throw new Error('there is no machine');
  return found;
};

/** Saves screenshots of the page to the folder `PICTURES`, if it is set. */
async function picture(name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (!folder) return;
  for (const [width, height] of [
    [1280, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const theme of ['light', 'dark']) {
      await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark');
      await page.waitForTimeout(150);
      await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: true });
    }
  }
  await page.evaluate(() => document.documentElement.classList.remove('dark'));
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Pays at the card processor's page, from the dashboard's price and back to the order. */
async function pay(): Promise<void> {
  const button = page.getByRole('button', { name: /^Pay .* by card|^Pay/ });
  await shown(button);
  await picture('checkout');
  await button.click();
  await page.waitForURL((url) => url.origin === new URL(stack.sandbox.urls.card).origin);
  await page.getByLabel(/card number/i).fill('4242424242424242');
  await page.getByRole('button', { name: /pay/i }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/orders/'));
  await stack.settle();
}

/** The text of the terminal. */
const screen = () => page.locator('.xterm-rows').innerText();
async function until(text: string): Promise<void> {
  await expect.poll(screen, { timeout: 10_000 }).toContain(text);
}
const type = async (text: string) => {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
};

describe('a customer', () => {
  test('keeps an SSH key', async () => {
    await page.goto(`${stack.url}/servers`);
    await page.getByRole('link', { name: 'SSH keys' }).click();
    await page.getByRole('button', { name: 'Add an SSH key' }).click();
    const dialog = page.getByRole('dialog');
    const submit = () => dialog.getByRole('button', { name: 'Add an SSH key' }).click();
    await dialog.getByLabel('Public key').fill(PUBLIC_KEY.slice(0, -12));
    await submit();
    await shown(dialog.getByText('This is not a public SSH key in one line.'));
    await dialog.getByLabel('Public key').fill(PUBLIC_KEY);
    await submit();
    await shown(page.getByText('ada@laptop', { exact: true }));
    await picture('ssh-keys');
  });

  test('sees where a VPS can be, and what there is no room for', async () => {
    const vienna = { ...stack.sandbox.vienna.terms, location: 'Vienna', addresses: '127.82.0.10-127.82.0.11/16', gateway: '127.82.0.1' };
    await addCluster(stack.subgraphs.compute.systemContext('test'), 'vienna', vienna);
    await page.goto(`${stack.url}/servers/vps/order`);
    const location = page.getByLabel('Location');
    await shown(page.getByText('$32.00').first());
    expect(await location.locator('option').allInnerTexts()).toEqual(['Frankfurt', 'Vienna']);
    await location.selectOption('Vienna');
    await shown(page.getByText('Debian 13, Vienna, 1 month').or(page.getByText('Ubuntu 24.04 LTS, Vienna, 1 month')).first());
    await location.selectOption('Frankfurt');
    await page.getByLabel('Extra IPv4').selectOption('2');
    const full = location.locator('option', { hasText: 'Vienna: no room for Plank' });
    await full.waitFor({ state: 'attached' });
    expect(await full.isDisabled()).toBe(true);
    await picture('order-locations');
  });

  test('orders a VPS with weekly backups at the price that the page shows', async () => {
    await page.goto(`${stack.url}/servers`);
    await shown(page.getByRole('link', { name: 'Order: Plank' }));
    await picture('servers-empty');
    await page.getByRole('link', { name: 'Order: Plank' }).click();
    await page.getByLabel('Hostname').fill('web-1');
    await page.getByLabel('Location').selectOption('Frankfurt');
    await page.getByLabel('Operating system').selectOption('DEBIAN_13');
    await page.getByLabel(/Weekly backups/).check();
    await page.getByLabel('ada@laptop').check();
    await page.getByLabel('User data').fill('#cloud-config\npackages: [nginx]');
    await shown(page.getByText('$37.00').first());
    await picture('order');
    await pay();
  });

  test('watches it being built, step by step, without reloading', async () => {
    const order = page.url();
    await shown(page.getByText('Your server is being built. You can watch it among your servers.'));
    await page.getByRole('link', { name: 'To your servers' }).click();
    await page.getByRole('link', { name: 'web-1' }).click();
    await shown(page.getByText('Your server is being built'));
    await picture('building');
    await passTime(stack);
    await shown(page.getByRole('status').getByText('Active'));
    await shown(page.getByTestId('address'));
    await shown(page.getByText('Frankfurt', { exact: true }));
    await page.getByRole('button', { name: 'Reveal' }).click();
    await expect.poll(() => page.getByTestId('password').innerText()).not.toContain('•');
    password = await page.getByTestId('password').innerText();
    expect(machine().users).toEqual({ debian: password });
    expect(Object.values(machine().disk?.contents ?? {})).toContain('#cloud-config\npackages: [nginx]');
    expect(await page.getByTestId('invoices').getByRole('link').count()).toBe(1);
    await picture('overview');
    const server = page.url();
    await page.goto(order);
    await shown(page.getByRole('heading', { name: 'Your server is ready' }));
    await page.getByRole('link', { name: 'Open the server' }).click();
    await page.waitForURL(server);
  });

  test('confirms a stop, a reboot or a power-off, and reads what is lost and that it costs the same', async () => {
    const server = new URL(page.url()).pathname;
    const operations = () => computeTables(stack.database.query).powerOperations();
    for (const [name, title, lost] of [
      ['Reboot', 'Reboot web-1?', 'what is only in its memory is lost'],
      ['Stop', 'Stop web-1?', 'What is only in its memory is lost'],
      ['Force stop', 'Cut the power of web-1?', 'What was not written to its disks is lost'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      const asked = page.getByRole('alertdialog', { name: title });
      await shown(asked.getByText(lost));
      await shown(
        asked.getByText(name === 'Reboot' ? /billed as before/ : /stays reserved for you and is billed as before: \$37\.00 a month/),
      );
      await picture(`asks-${name}`);
      // Enter presses the default button, which cancels.
      await page.keyboard.press('Enter');
      await asked.waitFor({ state: 'detached' });
    }
    expect(await operations()).toEqual([]);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.poll(operations).toHaveLength(1);
    await passTime(stack);
    await shown(page.getByText('Stopped', { exact: true }));
    expect(machine().running).toBe(false);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect.poll(operations).toHaveLength(2);
    await passTime(stack);
    await shown(page.getByText('Running', { exact: true }));

    await opened.context.addCookies([{ name: 'language', value: 'de', url: stack.url }]);
    await page.goto(stack.url + server);
    await page.getByRole('button', { name: 'Herunterfahren', exact: true }).click();
    await shown(page.getByRole('alertdialog', { name: 'web-1 herunterfahren?' }).getByText(/wird berechnet wie bisher: 37,00.\$ im Monat/));
    await opened.context.clearCookies({ name: 'language' });
    await page.goto(stack.url + server);
  });

  test('logs in on the console and leaves a file', async () => {
    await tab('Console');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await until('web-1 login:');
    await type('debian');
    await until('Password:');
    await type(password);
    await until('debian@web-1');
    await type('echo precious > /srv/data');
    await type('cat /srv/data');
    await until('precious');
    await picture('console');
    expect(machine().disk?.contents['/srv/data']).toBe('precious');
  });

  test('sees the machine’s screen', async () => {
    await page.getByText('Screen', { exact: true }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.locator('[data-testid=screen][data-shown=true] canvas').waitFor();
    await picture('screen');
  });

  test('upgrades it for the rest of the period, and keeps what is on it', async () => {
    await tab('Plan');
    await shown(page.getByText('$12.00').first());
    await picture('plan');
    await page.getByRole('button', { name: 'To the checkout' }).first().click();
    await pay();
    await page.goto(`${stack.url}/servers`);
    await page.getByRole('link', { name: 'web-1' }).click();
    await shown(page.getByText('Restarting', { exact: true }).first());
    await passTime(stack);
    await shown(page.getByText('Broglie: 12 vCPU').first());
    expect(machine()).toMatchObject({
      running: true,
      config: { cores: '12' },
      disk: { gigabytes: 120, contents: { '/srv/data': 'precious' } },
    });
  });

  test('takes a backup, breaks everything, and restores it', async () => {
    await tab('Backups');
    await page.getByRole('button', { name: 'Take one now' }).click();
    await shown(page.getByTestId('operation'));
    await passTime(stack);
    await shown(page.getByRole('button', { name: /^Restore: / }));
    await picture('backups');
    await tab('Console');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await until('login:');
    await type('debian');
    await until('Password:');
    await type(password);
    await until('debian@web-1');
    await type('rm -rf /');
    await type('cat /srv/data');
    await until('No such file');
    expect(machine().disk?.contents).toEqual({});
    await tab('Backups');
    await page.getByRole('button', { name: /^Restore: / }).click();
    await shown(page.getByRole('dialog'));
    await picture('restore');
    const restore = page.getByRole('dialog').getByRole('button', { name: 'Restore' });
    expect(await restore.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByLabel('Type web-1 to confirm').fill('web-1');
    await restore.click();
    await shown(page.getByTestId('operation'));
    await picture('restoring');
    await passTime(stack);
    await shown(page.getByText('Before a restore'));
    expect(machine()).toMatchObject({ running: true, config: { cores: '12' }, disk: { contents: { '/srv/data': 'precious' } } });
  });

  test('sees live use and its history', async () => {
    await stack.sandbox.hypervisor.change(machine().name, (one) => (one.load = 0.5));
    for (let minute = 0; minute < 5; minute++) {
      stack.clock.advance(60_000);
      await stack.sandbox.hypervisor.tick();
    }
    await tab('Metrics');
    await expect.poll(() => page.getByTestId('now-cpu').innerText()).toBe('50%');
    await page.getByText('Table of use').click();
    await picture('metrics');
  });

  test('gives it a name, which its page carries, and its host name back', async () => {
    await tab('Settings');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    for (const [given, heading] of [
      ['Front door', 'Front door'],
      ['', 'web-1'],
    ] as const) {
      await name.fill(given);
      await page.getByRole('button', { name: 'Save', exact: true }).first().click();
      await shown(page.getByRole('heading', { level: 1, name: heading, exact: true }));
    }
    // What is typed while the saving runs is kept, and can be saved after it.
    let sendOn = () => {};
    const held = new Promise<void>((resolve) => (sendOn = resolve));
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('ServerRename')) await held;
      await route.continue();
    });
    await name.fill('Front door');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await name.fill('Back door');
    sendOn();
    await shown(page.getByRole('heading', { level: 1, name: 'Front door', exact: true }));
    expect(await name.inputValue()).toBe('Back door');
    await page.unroute('**/graphql');
    await name.fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await shown(page.getByRole('heading', { level: 1, name: 'web-1', exact: true }));
  });

  test('cancels to the end of the period, takes it back, cancels again', async () => {
    await tab('Plan');
    await page.getByRole('button', { name: 'Cancel this server' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel this server' }).click();
    await stack.settle();
    await shown(page.getByText(/^Cancelled: it ends on/));
    await picture('cancelled');
    expect(await page.getByText('The server is cancelled to the end of its period.').first().isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Keep this server' }).first().click();
    await stack.settle();
    await page.getByText(/^Cancelled: it ends on/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel this server' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel this server' }).click();
    await stack.settle();
    await shown(page.getByText(/^Cancelled: it ends on/));
  });

  test('has nothing left after the period, neither here nor at the hypervisor', async () => {
    // Extends the session, which would end within the month.
    await setRows(stack.database.query, 'accounts.session', { expires_at: new Date(stack.clock.now().getTime() + 90 * DAY) });
    stack.clock.advance(32 * DAY);
    await stack.platform.queue.runNow('accounts.subscriptions-sweep');
    await stack.settle();
    await passTime(stack);
    await page.reload();
    await shown(page.getByText('This server has been removed'));
    await picture('removed');
    expect(stack.sandbox.hypervisor.machines()).toEqual([]);
    expect(stack.sandbox.hypervisor.backups()).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});
