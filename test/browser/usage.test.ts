// The usage of a plan, its batches, and the check of proxy lines, in a real browser.
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, after } from '#platform/clock.ts';
import { resetAuthentication } from '../../subgraphs/residential/plans/services/plan-settings.ts';
import { syncLeases } from '../../subgraphs/residential/leases/services/leases.ts';
import { sessionOf } from '../kit/platform.ts';
import { freePorts } from '../kit/ports.ts';
import { type SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let page: Page;
let account: SeededAccount;
let plan: { id: string; username: string };

const shown = (locator: Locator) => locator.waitFor();
const MB = 1_000_000;

beforeAll(async () => {
  stack = await startStack({ environment: { PROXY_HTTP_PORT: String(await freePorts(1)) } });
  browser = await launchBrowser();
  account = await stack.seed.account();
  plan = await account.residentialPlan({ gigabytes: 5 });
  opened = await visit(browser, stack.url);
  page = opened.page;
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await opened.context.addCookies([{ name, value, domain: new URL(stack.url).hostname, path: '/' }]);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const at = (hours: number) => after(stack.clock.now(), -hours * HOUR);
  await stack.sandbox.network.report([
    {
      username: plan.username,
      upBytes: 1 * MB,
      downBytes: 100 * MB,
      country: 'de',
      host: 'shop.example',
      client: '203.0.113.10',
      at: at(30),
    },
    {
      username: plan.username,
      upBytes: 2 * MB,
      downBytes: 400 * MB,
      country: 'us',
      host: 'video.example',
      client: '198.51.100.77',
      at: at(1),
    },
    { username: plan.username, upBytes: 0, downBytes: 50 * MB, country: 'de', host: 'shop.example', client: '203.0.113.10' },
  ]);
  await stack.settle();
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const open = async (path: string) => {
  await page.goto(stack.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const region = (name: string) => page.getByRole('region', { name });

describe('a person looks where the bytes went', () => {
  test('sees the current rate, and no projected end of the package before a day of use', async () => {
    await open(`/residential/${plan.id}?tab=usage`);
    // 50 MB were reported just now.
    await shown(page.getByTestId('rate').filter({ hasText: /^5 MB\/s now$/ }));
  });

  test('sees which address and host grew, with a link to act on it', async () => {
    const findings = page.getByTestId('findings');
    const first = findings.getByRole('listitem').first();
    await shown(first.getByText('198.51.100.77'));
    expect(await first.innerText()).toMatch(/New[\s\S]*402 MB more/);
    await first.getByRole('link', { name: 'Not yours? Reset authentication' }).click();
    await shown(page.getByRole('button', { name: 'Reset authentication' }));
    await page.goBack();
    await findings.getByRole('listitem').filter({ hasText: 'video.example' }).getByRole('link', { name: 'See all hosts' }).click();
    await page.waitForURL(/by=HOST&span=24h/);
  });

  test('breaks it down by host, country and address, each with figures that add up', async () => {
    const table = region('Table of usage by what caused it').getByRole('row');
    await open(`/residential/${plan.id}?tab=usage`);
    await shown(table.filter({ hasText: 'video.example' }));
    expect(await table.nth(1).innerText()).toMatch(/video\.example\s+2 MB\s+400 MB\s+402 MB\s+72/);
    await page.getByLabel('By', { exact: true }).selectOption({ label: 'Country' });
    await shown(table.filter({ hasText: 'United States' }));
    await shown(table.filter({ hasText: 'Germany' }).filter({ hasText: '151 MB' }));
    await page.getByLabel('By', { exact: true }).selectOption({ label: 'Client address' });
    await shown(table.filter({ hasText: '203.0.113.10' }).filter({ hasText: '151 MB' }));
    await page.getByText('24 hours').last().click();
    await shown(table.filter({ hasText: '203.0.113.10' }).filter({ hasText: '50 MB' }));
  });

  test('sees hours and days change when traffic is reported, without a reload', async () => {
    const newest = region('Table of usage per hour').getByRole('row').nth(1);
    await shown(newest.filter({ hasText: '50 MB' }));
    await stack.sandbox.network.report({ username: plan.username, upBytes: 0, downBytes: 25 * MB, country: 'de', host: 'shop.example' });
    await shown(newest.filter({ hasText: '75 MB' }));
    await shown(region('Table of usage per day').getByRole('row').nth(1).filter({ hasText: 'today' }));
  });

  test('finds a key by how it ends, as in the list of keys', async () => {
    const { key, authorization } = await account.apiKey();
    const other = await account.residentialPlan({ product: 'MOBILE' });
    const generated = await fetch(`${stack.url}/v1/residential/${other.id}/proxies?sticky=true&pool=Germany&quantity=1`, {
      headers: { authorization },
    });
    const { data } = (await generated.json()) as { data: { proxies: string[] } };
    await stack.sandbox.network.report({ username: data.proxies[0]?.split(':')[2] ?? '', upBytes: 0, downBytes: 3 * MB });
    await stack.settle();
    await open(`/residential/${other.id}?tab=usage&by=API_KEY`);
    const row = region('Table of usage by what caused it').getByRole('row').nth(1);
    await shown(row.filter({ hasText: key.slice(-4) }).filter({ hasText: '3 MB' }));
    expect(await row.innerText()).not.toContain('key_');
    await open(`/residential/${plan.id}?tab=usage&by=CLIENT`);
  });

  test('chooses to have hosts kept hashed, and the tables by host say so with what is counted from then on', async () => {
    await open(`/residential/${plan.id}?tab=usage&by=HOST`);
    const table = region('Table of usage by what caused it').getByRole('row');
    await shown(table.filter({ hasText: 'video.example' }));
    expect(await page.getByTestId('hosts-kept').count()).toBe(0);
    await open('/settings');
    await page.getByRole('group', { name: 'Kept' }).getByText('Hashed').click();
    await shown(page.getByText('Hosts can be told apart, but not read'));
    await shown(page.getByText('It counts from the next counted line on.'));
    await stack.sandbox.network.report({ username: plan.username, upBytes: 0, downBytes: 5 * MB, country: 'de', host: 'secret.example' });
    await stack.settle();
    await open(`/residential/${plan.id}?tab=usage&by=HOST`);
    await shown(table.filter({ hasText: /~[\w-]{16}/ }).filter({ hasText: '5 MB' }));
    await shown(table.filter({ hasText: 'video.example' }));
    expect(await page.getByTestId('hosts-kept').allInnerTexts()).toEqual([
      expect.stringContaining('kept hashed'),
      expect.stringContaining('kept hashed'),
    ]);
    expect(await page.getByText('secret.example').count()).toBe(0);
    await page.getByTestId('hosts-kept').last().getByRole('link', { name: 'How they are kept' }).click();
    await page.getByRole('group', { name: 'Kept' }).getByText('As they are').click();
    await shown(page.getByText('You can see by host what your data was used for.'));
    await open('/settings?tab=activity');
    await shown(page.getByText('Keeping of target hosts changed').first());
    await open(`/residential/${plan.id}?tab=usage&by=CLIENT`);
  });

  test('downloads a table as a file', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Client address as CSV' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('198.51.100.77,2000000,400000000,402000000');
  });
});

describe('a person keeps batches', () => {
  let lines: string[] = [];
  const listed = async () => (await region('Generated lines').locator('pre').allTextContents()).join('\n').split('\n');

  test('generates one, takes it as CSV, and finds it again line by line', async () => {
    await open(`/residential/${plan.id}?pool=Germany&session=STICKY&quantity=250`);
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await shown(page.getByText('250 lines', { exact: true }));
    lines = await listed();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download as CSV' }).click()]);
    const [head, first] = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect([head, first]).toEqual(['scheme,host,port,username,password', `http,${lines[0]?.replaceAll(':', ',')}`]);
    await page.getByRole('tab', { name: 'Batches' }).click();
    await shown(page.getByText(/250 lines · sticky 1h · HTTP/));
    await page.getByRole('button', { name: 'Show lines' }).click();
    await shown(region('Generated lines'));
    expect(await listed()).toEqual(lines);
  });

  test('keeps the choices as a preset, fills the form with it again, and removes it', async () => {
    await page.getByRole('tab', { name: 'Generate' }).click();
    await page.getByRole('button', { name: 'Keep as preset' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('German shops');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep', exact: true }).click();
    await shown(page.getByText('Kept as German shops'));
    await open(`/residential/${plan.id}`);
    expect(await page.getByLabel('Quantity').inputValue()).toBe('1');
    await page.getByLabel('Preset').selectOption('German shops');
    const chosen = async () => [await page.getByLabel('Quantity').inputValue(), await page.getByLabel('Location').inputValue()];
    await expect.poll(chosen).toEqual(['250', 'Germany']);
    expect(new URL(page.url()).searchParams.get('session')).toBe('STICKY');

    await page.getByRole('button', { name: 'Remove: German shops' }).click();
    await shown(page.getByRole('button', { name: 'Keep as preset' }));
    expect(await page.getByLabel('Preset').isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'Batches' }).click();
  });

  test('creates a download address for tools, and revokes it', async () => {
    await page.getByRole('button', { name: 'Make a download address' }).click();
    const address = (await page.getByRole('alertdialog').getByRole('region', { name: 'address' }).innerText()).trim();
    expect((await (await fetch(address)).text()).trim().split('\n')).toEqual(lines);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Take the address back' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take the address back' }).click();
    await shown(page.getByText('The address no longer works'));
    expect((await fetch(address)).status).toBe(404);
  });

  test('checks a line, resets, and sees why the line is refused and who still uses it', async () => {
    await open('/residential');
    await page.getByRole('link', { name: 'Check a line' }).click();
    await page
      .getByLabel('Proxy line')
      .fill(`http://${lines[0]?.split(':').slice(2).join(':')}@${lines[0]?.split(':').slice(0, 2).join(':')}`);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await shown(page.getByText('This line works'));
    await shown(page.getByTestId('line-check').getByText('Germany'));
    // No node is there.
    await page.getByRole('button', { name: 'Test for real' }).click();
    await shown(page.getByTestId('line-test').getByText(/^No connection to the proxy at localhost:\d+ opens: try again/));

    const ctx = stack.subgraphs.residential.context(sessionOf(account.id));
    await resetAuthentication(ctx, plan.id);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await shown(page.getByText('This line does not work'));
    await shown(page.getByText(/This password was replaced by a reset on/));
    await page.getByRole('link', { name: 'Generate new lines' }).click();
    await page.getByRole('tab', { name: 'Batches' }).click();
    await shown(page.getByText('Outdated', { exact: true }));
    expect(await page.getByRole('button', { name: 'Show lines' }).isDisabled()).toBe(true);

    const node = stack.subgraphs.residential.systemContext('test');
    await syncLeases(node, 'local', { reports: [], wants: [], oldPasswords: [{ planId: plan.id, client: '203.0.113.10', tries: 7 }] });
    await page.getByRole('tab', { name: 'Settings' }).click();
    await shown(region('Addresses that try an old password').getByRole('row').filter({ hasText: '203.0.113.10' }).filter({ hasText: '7' }));
  });

  test('has caused no script error, no violation of the security policy and no request to another host', () => {
    expect(opened.complaints).toEqual([]);
  });
});
