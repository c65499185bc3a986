// Static addresses in a real browser: bought, downloaded, named, exchanged, removed; and support's inventory. Tests build on each other.
import { readFileSync } from 'node:fs';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { insertSubscription } from '../kit/subscription.ts';
import { type Visit, launchBrowser, visit, visitInTest } from './browser.ts';
import { staffCookie } from './filled-account.ts';
import { rowOf } from '../kit/tables.ts';

let stack: Stack;
let browser: Browser;
let shop: Visit;
let desk: Visit;
let person: SeededAccount;
let planPath = '';

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const button = (name: string | RegExp, where: Visit = shop) =>
  where.page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });

beforeAll(async () => {
  stack = await startStack({ environment: { STATIC_HTTPS_PORT: '8443' } });
  await importInventory(
    stack.subgraphs.static.systemContext('test'),
    ['ip,port,product,location', ...Array.from({ length: 12 }, (_, index) => `203.0.113.${index + 1},8000,isp-northline,Frankfurt`)].join(
      '\n',
    ),
  );
  browser = await launchBrowser();
  person = await stack.seed.account();
  const [name = '', value = ''] = (await person.cookie()).split('=');
  shop = await visit(browser, stack.url, { reducedMotion: 'reduce', acceptDownloads: true, also: [stack.sandbox.urls.card] });
  await shop.context.addCookies([{ name, value, domain: new URL(stack.url).hostname, path: '/' }]);
  desk = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  await desk.context.addCookies([await staffCookie(stack)]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

describe('a customer', () => {
  test('is told before paying that there are not enough, and asks to be told', async () => {
    const { page } = shop;
    await page.goto(`${stack.url}/static`);
    await shown(page.getByText('No ISP plans on this account'));
    await page.getByRole('link', { name: 'Buy addresses' }).first().click();
    await shown(page.getByText('12 in stock'));
    await page.getByRole('textbox', { name: 'How many' }).fill('20');
    await shown(page.getByText('Only 12 of these addresses are free at the moment.'));
    expect(await button('Order now').isDisabled()).toBe(true);
    await button('Tell me when there are').click();
    await shown(page.getByText('We write to you once 20 are in stock.'));
    await button('Do not tell me').click();
    await page.getByText('We write to you once 20 are in stock.').waitFor({ state: 'hidden' });
  });

  test('sees the exact price, pays it by card, and has the lines without reloading', async () => {
    const { page } = shop;
    await page.getByRole('textbox', { name: 'How many' }).fill('5');
    await shown(page.getByText('ISP Northline, 5 addresses'));
    await shown(page.getByText('$12.00').first());
    await button('Pay $12.00 by card').click();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/c\//);
    const row = await rowOf<{ checkout_id: string }>(stack.database.query, 'accounts.customer_order', {}, { orderBy: 'placed_at desc' });
    // Back from the processor: the order says how long the addresses are still set aside.
    await page.goBack();
    await page.waitForURL(/\/orders\//);
    await shown(page.getByText('What you ordered is held for you for another'));
    expect(await page.getByTestId('held').innerText()).toMatch(/^1?\d:\d{2}$/);
    stack.sandbox.card.payCheckout(row?.checkout_id ?? '');
    await stack.settle();
    await page.getByTestId('held').waitFor({ state: 'detached' });
    await page.goto(`${stack.url}/home`);
    const working = page.getByRole('definition').filter({ hasText: 'of 1 bought so far' });
    await expect.poll(() => working.innerText(), { timeout: 20_000 }).toMatch(/^1\s/);
    await page.getByRole('link', { name: /^ISP Northline 5 addresses · Frankfurt/ }).click();
    await page.waitForURL(/\/static\/isp_/);
    planPath = new URL(page.url()).pathname;
    await expect.poll(() => page.getByRole('list', { name: 'Proxy lines' }).getByRole('listitem').count(), { timeout: 20_000 }).toBe(5);
  });

  test('downloads the lines as text, CSV and JSON, in the form that is chosen, and only those that are searched for', async () => {
    const { page } = shop;
    const download = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
      return readFileSync(await file.path(), 'utf8');
    };
    // A second try finds what the first has chosen.
    await page.getByLabel('Find').fill('');
    await page.getByLabel('Format').selectOption('ip:port:user:pass');
    await page.getByLabel('Scheme').selectOption('http');
    const text = await download('.txt');
    expect(text.trim().split('\n')).toHaveLength(5);
    expect(text).toMatch(/^203\.0\.113\.\d+:8000:st\w+:\w+\n/);
    expect(await download('CSV')).toMatch(/^ip,port,username,password,location,label,health,latencyMs,host\r\n203\.0\.113\.\d+,8000,st/);
    expect(JSON.parse(await download('JSON'))).toHaveLength(5);
    await page.getByLabel('Format').selectOption('url');
    await page.getByLabel('Scheme').selectOption('socks5');
    const [first = ''] = text.split('\n');
    const [ip = ''] = first.split(':');
    await page.getByLabel('Find').fill(ip);
    expect((await download('.txt')).split('\n')[0]).toMatch(new RegExp(`^socks5://st\\w+:\\w+@${ip.replaceAll('.', '\\.')}:8000$`));
    await page.getByLabel('Scheme').selectOption('HTTPS (TLS to the proxy)');
    expect((await download('.txt')).split('\n')[0]).toMatch(new RegExp(`^https://st\\w+:\\w+@${ip.replaceAll('.', '\\.')}:8443$`));
    // The search finds addresses that begin so.
    expect(JSON.parse(await download('JSON'))).toContainEqual(expect.objectContaining({ ip, host: ip, port: 8443 }));
    await page.getByLabel('Find').fill('');
    await page.getByLabel('Format').selectOption('ip:port:user:pass');
    expect((await download('.txt')).split('\n')[0]).toMatch(/^203\.0\.113\.\d+:8443:st\w+:\w+$/);
    await page.getByLabel('Scheme').selectOption('http');
  });

  test('names an address, and finds the plan by the name', async () => {
    const { page } = shop;
    await page
      .getByRole('button', { name: /^Add a label/ })
      .first()
      .click();
    await page.getByRole('dialog').getByLabel('Label', { exact: true }).fill('Checkout bot');
    await button('Save').click();
    await shown(page.getByText('Checkout bot'));
    await page.goto(`${stack.url}/static`);
    await page.getByLabel('Search', { exact: true }).fill('no such label');
    await shown(page.getByText('No plan has that.'));
    await page.getByLabel('Search', { exact: true }).fill('checkout bot');
    await shown(page.getByRole('link', { name: 'ISP Northline' }));
  });

  test('sees which address would come for one that is blocked, and exchanges it', async () => {
    const { page } = shop;
    await page.goto(stack.url + planPath);
    const line = page.getByRole('list', { name: 'Proxy lines' }).getByRole('listitem').nth(1);
    const gone = (await line.locator('code').innerText()).split(':')[0] ?? '';
    await line.getByRole('checkbox').check();
    await button('Exchange').click();
    await shown(page.getByText('1 of 1 exchanges are left this month.'));
    await button('Show what would come').click();
    const pair = page.getByRole('dialog').getByRole('listitem');
    await shown(pair);
    expect(await pair.locator('code').first().innerText()).toBe(gone);
    const came = await pair.locator('code').last().innerText();
    await button('Exchange now').click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await shown(page.getByRole('list', { name: 'Proxy lines' }).getByText(`${came}:8000:`));
    expect(await page.getByRole('list', { name: 'Proxy lines' }).getByText(`${gone}:8000:`).count()).toBe(0);
    await page.getByRole('tab', { name: 'Health' }).click();
    await shown(page.getByText('Targets block it · by you'));
  });

  test('makes a new password, allows one client only, and lets failing addresses be exchanged by themselves', async () => {
    const { page } = shop;
    await page.goto(`${stack.url}${planPath}?tab=settings`);
    await button('Reveal').click();
    const credentials = page.getByRole('region', { name: 'Credentials' });
    const before = await credentials.locator('dd span').nth(1).innerText();
    await button('New random password').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make a new password' }).click();
    await shown(page.getByText('The new password is in every line now.'));
    await expect.poll(() => credentials.getByText(before).count(), { timeout: 20_000 }).toBe(0);
    const clients = page.getByLabel('IP addresses or networks, one a line');
    await clients.fill('not an address');
    await page.locator('form').filter({ has: clients }).getByRole('button', { name: 'Save' }).click();
    await shown(page.getByText(/is not an IP address or network/));
    await clients.fill('198.51.100.7');
    await page.locator('form').filter({ has: clients }).getByRole('button', { name: 'Save' }).click();
    await shown(page.getByText('Saved: it works at once.'));
    const exchange = page.getByLabel('Exchange failing addresses by themselves');
    // An update of the plan arrives while the request is still running: the page keeps the new choice.
    let sendOn = () => {};
    const held = new Promise<void>((resolve) => (sendOn = resolve));
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('StaticPlanSetAutoReplace')) await held;
      await route.continue();
    });
    await exchange.check();
    await page.evaluate(async (id) => {
      const query = `mutation { staticPlanSetCredentials(id: "${id}", username: "elsewhere") { id } }`;
      await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) });
    }, planPath.split('/').at(-1));
    await shown(credentials.getByText('elsewhere'));
    expect(await exchange.isChecked()).toBe(true);
    sendOn();
    await shown(page.getByText('Failing addresses are now exchanged by themselves.'));
    await page.unroute('**/graphql');
    const row = await rowOf(stack.database.query, 'static.plan', {}, { columns: 'allowed_addresses, auto_replace' });
    expect(row).toEqual({ allowed_addresses: ['198.51.100.7'], auto_replace: true });
  });

  test('lets an address in at one of the addresses without a password, asks for both, and takes it out again', async () => {
    const { page } = shop;
    await page.goto(`${stack.url}${planPath}?tab=settings`);
    const panel = page.getByRole('region', { name: 'Log-in by address' });
    await shown(panel.getByText('No address is let in without a password.'));
    await panel.getByLabel('Address or network').fill('9.9.0.0/16');
    await button('Let it in').click();
    await shown(panel.getByText('A network is at most /24 of IPv4 or /48 of IPv6.'));
    await panel.getByLabel('Address or network').fill('9.9.9.9');
    await panel.getByLabel('May use').selectOption({ index: 1 });
    await panel.getByLabel('Note').fill('Office');
    await button('Let it in').click();
    await shown(panel.getByText('9.9.9.9/32'));
    await shown(panel.getByText(/Office · 203\.0\.113\.\d+ · not used yet/));
    await panel.getByLabel('Password and address').check();
    await expect
      .poll(() => rowOf(stack.database.query, 'static.plan', {}, { columns: 'networks_and_password' }))
      .toEqual({ networks_and_password: true });
    await panel.getByLabel('Password and address').uncheck();
    await button('Remove 9.9.9.9/32').click();
    await shown(panel.getByText('No address is let in without a password.'));
  });

  test('adds addresses and gives some back at the price that is shown', async () => {
    const { page } = shop;
    await page.goto(`${stack.url}${planPath}?tab=quantity`);
    await page.getByLabel('How many more').fill('2');
    await button('Show the price').click();
    await shown(page.getByText('$16.80'));
    await page.goto(stack.url + planPath);
    await page.getByRole('list', { name: 'Proxy lines' }).getByRole('checkbox').first().check();
    await button('Give back').click();
    await shown(page.getByText('1 address goes back'));
    await shown(page.getByText('$9.60'));
    await page.getByRole('link', { name: 'Continue' }).last().click();
    await page.waitForURL(/\/checkout/);
    await button('Order now').click();
    await page.waitForURL(/\/orders\//);
    await stack.settle();
    await page.goto(stack.url + planPath);
    await expect.poll(() => page.getByRole('list', { name: 'Proxy lines' }).getByRole('listitem').count(), { timeout: 20_000 }).toBe(4);
  });

  test('has caused no script error, no violation of the security policy and no request to another host', () => {
    expect(shop.complaints).toEqual([]);
  });
});

describe('support', () => {
  test('sees what is free and sold, loads a file whole or not at all, and keeps addresses back', async () => {
    const { page } = desk;
    await page.goto(`${stack.url}/support/inventory`);
    const row = page.getByRole('row', { name: /ISP Northline/ });
    await shown(row);
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['12', '6', '0', '0', '4', '2', '0', '0']);
    await page
      .getByLabel('Or paste its lines')
      .fill('ip,port,product,location\n198.51.100.1,8000,isp-cascade,Paris\n198.51.100.1,8000,isp-cascade,Paris');
    await button('Load', desk).click();
    await shown(page.getByText('Line 3: 198.51.100.1 stands on line 2 already'));
    await page.getByLabel('Or paste its lines').fill('ip,port,product,location\n198.51.100.1,8000,isp-cascade,Paris');
    await button('Load', desk).click();
    await shown(page.getByText('1 address was loaded.'));
    await page.getByLabel('Addresses or networks, one a line').fill('198.51.100.0/24');
    await button('Do it', desk).click();
    await shown(page.getByText('1 address changed.'));
    await page.getByLabel('Find addresses').fill('198.51.100.1');
    await shown(page.getByRole('listitem').getByText('Kept back'));
    await page.getByRole('listitem').filter({ hasText: 'Kept back' }).getByRole('button', { name: 'Who held it' }).click();
    await shown(page.getByText('Nobody held it so far.'));
    await button('ISP Northline', desk).click();
    await shown(page.getByText('203.0.113.0/24'));
    expect(desk.complaints).toEqual([]);
  });
});

test('who has datacenter plans alone is shown those, and not that there are none of the other kind', async () => {
  const owner = await stack.seed.account();
  await insertSubscription(stack.database.query, { id: 'sub_datacenter', accountId: owner.id });
  await createPlan(stack.subgraphs.static.systemContext('test'), {
    orderId: 'ord_datacenter',
    accountId: owner.id,
    subscriptionId: 'sub_datacenter',
    productId: 'datacenter',
    quantity: 3,
  });
  const { context, page } = await visitInTest(browser, stack.url);
  const [name = '', value = ''] = (await owner.cookie()).split('=');
  await context.addCookies([{ name, value, url: stack.url }]);
  await page.goto(`${stack.url}/static`);
  await shown(page.getByRole('heading', { level: 2, name: /^Datacenter/ }));
  await page.getByText('ISP', { exact: true }).click();
  await shown(page.getByText('No ISP plans on this account'));
});
