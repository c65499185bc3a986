// Checks every page with axe-core, wide in the light theme and narrow in the dark one, and the dialogs over pages. In `npm run prove -- dashboard`, which sets
// FORMS=whole, each width in each theme.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { residentialTables } from '../subgraphs/residential/tables.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';
import { type FilledAccount, fillAccount, staffCookie } from './filled-account.ts';
import { CUSTOMER_PAGES, PUBLIC_PAGES, SUPPORT_PAGES } from './pages.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules on colours, as a theme changes nothing else. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const EVERY_FORM = process.env['FORMS'] === 'whole';

let stack: Stack;
let browser: Browser;
let stranger: Visit;
let customer: Visit;
let support: Visit;
let filled: FilledAccount;

beforeAll(async () => {
  // A page that is refused a connection once, on a machine with much else to do, stays without its data.
  stack = await startStack({ environment: { DATABASE_WAIT_MS: '15000' } });
  browser = await launchBrowser();
  // Without animations, as axe could check a transition half-way.
  stranger = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  customer = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  filled = await fillAccount(stack);
  await customer.context.addCookies([filled.cookie]);
  support = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  await support.context.addCookies([await staffCookie(stack)]);
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** The violations that axe finds: each rule with its elements. */
async function violations(page: Page, runOnly: typeof ALL | typeof COLOURS = ALL): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const results = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: { run(on: Document, how: object): Promise<AxeResults> } }).axe.run(document, {
        runOnly: rules,
        // Passed checks are not reported, which halves the time.
        resultTypes: ['violations'],
        selectors: false,
      }),
    runOnly,
  );
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Waits until the page has all its data, and nothing fades in or out any more: what is half there has half its contrast. */
async function rest(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy="true"]'));
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
}

/** Loads a page anew, which also closes dialogs. */
async function open(page: Page, path: string): Promise<void> {
  await page.setViewportSize(WIDE);
  await page.goto(stack.url + path);
  await rest(page);
}

/** Goes to a page by a link, as a visitor does, so that the dashboard and axe stay loaded. */
async function follow(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith(stack.url)) return open(page, path);
  await page.setViewportSize(WIDE);
  const before = await page.evaluate((href) => {
    const id = window.navigation.currentEntry?.id;
    const link = document.createElement('a');
    link.href = href;
    document.querySelector('h1')?.append(link);
    link.click();
    link.remove();
    return id;
  }, path);
  await page.waitForFunction((id) => window.navigation.currentEntry?.id !== id, before);
  await rest(page);
}

async function judge(page: Page, path: string): Promise<Record<string, string[]>> {
  await follow(page, path);
  const found: Record<string, string[]> = {};
  for (const [width, size] of [
    ['wide', WIDE],
    ['narrow', NARROW],
  ] as const) {
    await page.setViewportSize(size);
    const own = width === 'wide' ? ('light' as const) : ('dark' as const);
    for (const theme of EVERY_FORM ? (['light', 'dark'] as const) : [own]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark');
      found[`${width} ${theme}`] = await violations(page, theme === own ? ALL : COLOURS);
    }
    if (width === 'narrow' && (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)))
      found['narrow dark']?.push('wider than the screen');
  }
  return found;
}

const NOTHING = { 'wide light': [], 'narrow dark': [], ...(EVERY_FORM && { 'wide dark': [], 'narrow light': [] }) };

describe('a page that anyone may read has no violation, wide or narrow', () => {
  test.each(PUBLIC_PAGES)('%s', async (_name, path) => {
    expect(await judge(stranger.page, path(filled))).toEqual(NOTHING);
  });
});

describe('a page of an account has no violation, wide or narrow', () => {
  test.each(CUSTOMER_PAGES)('%s', async (_name, path) => {
    expect(await judge(customer.page, path(filled))).toEqual(NOTHING);
  });
});

describe('the desk of support has no violation, wide or narrow', () => {
  test.each(SUPPORT_PAGES)('%s', async (_name, path) => {
    expect(await judge(support.page, path(filled))).toEqual(NOTHING);
  });
});

describe('dialogs and menus over a page have no violation', () => {
  test('the palette', async () => {
    await open(customer.page, '/home');
    await customer.page.keyboard.press('Control+k');
    await customer.page.getByRole('option', { name: 'Developers' }).or(customer.page.getByText('Your plans')).first().waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test('the help', async () => {
    await open(customer.page, '/home');
    await customer.page.keyboard.press('?');
    await customer.page.getByRole('dialog').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test('the menu of a narrow screen', async () => {
    await open(customer.page, '/home');
    await customer.page.setViewportSize(NARROW);
    await customer.page.getByRole('button', { name: 'Open menu' }).click();
    await customer.page.getByRole('dialog').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test('the list of locations', async () => {
    await open(customer.page, `/residential/${filled.active}`);
    await customer.page.getByLabel('Location').click();
    await customer.page.getByRole('option', { name: 'Germany' }).waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test('a question before a reset', async () => {
    await open(customer.page, `/residential/${filled.active}?tab=settings`);
    await customer.page.getByRole('button', { name: 'Reset authentication' }).click();
    await customer.page.getByRole('alertdialog').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test.each([
    ['the request of a key', '/developers', 'Request a key'],
    ['the question for the password', '/settings?tab=security', 'Set up'],
    ['the letter to sales', '/billing?tab=agreements', 'Contact sales'],
    ['the closing of an account', '/settings?tab=close', 'Close account…'],
  ])('%s', async (_name, path, button) => {
    await open(customer.page, path);
    await customer.page.getByRole('button', { name: button, exact: true }).click();
    await customer.page.getByRole('dialog').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });

  test.each([
    ['the issue of a key', 'keys', 'Issue a key'],
    ['a gift of credit', 'keys', 'Give credit'],
    ['a refund', 'orders', /^Refund /],
    ['a transfer that has arrived', 'orders', /^Confirm transfer/],
    ['an offer', 'agreements', 'Make an offer'],
    ['an agreement', 'agreements', 'Record an agreement'],
  ])('%s', async (_name, tab, button) => {
    await open(support.page, `/support/accounts/${filled.accountId}?tab=${tab}`);
    await support.page
      .getByRole('button', typeof button === 'string' ? { name: button, exact: true } : { name: button })
      .first()
      .click();
    await support.page.getByRole('dialog').waitFor();
    expect(await violations(support.page)).toEqual([]);
  });

  test('a proxy list', async () => {
    await open(customer.page, `/residential/${filled.active}`);
    await customer.page.getByRole('button', { name: 'Generate', exact: true }).click();
    await customer.page.getByTestId('proxy-list').waitFor();
    expect(await violations(customer.page)).toEqual([]);
  });
});

test("a proxy node's page and the list of nodes have no violation", async () => {
  const status = {
    version: '1',
    uptimeMs: 1_000,
    endpoints: ['192.0.2.1:7777'],
    connections: 3,
    tunnels: 2,
    plans: 1,
    sessions: 0,
    upBytes: 1_000,
    downBytes: 9_000_000,
    ledgerFailures: 0,
    staticLines: 0,
    refusals: { bandwidth_used_up: 3 },
    exitCount: 1,
    healthyExitCount: 0,
    exits: [
      {
        id: 'de-1',
        kind: 'local' as const,
        country: 'de',
        products: ['PREMIUM' as const],
        healthy: false,
        connections: 0,
        opened: 5,
        faults: 3,
      },
    ],
  };
  await residentialTables(stack.database.query).addEdge('fra-1', { status, at: stack.clock.now() });
  for (const path of ['/support/edges', '/support/edges/fra-1']) expect(await judge(support.page, path)).toEqual(NOTHING);
});

test('no page has thrown, broken the security policy or requested another host', () => {
  expect([...stranger.complaints, ...customer.complaints, ...support.complaints]).toEqual([]);
});
