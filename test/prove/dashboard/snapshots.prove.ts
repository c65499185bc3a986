// Compares every page, in light, dark and narrow, with its approved screenshot. Only with the browser and fonts that took the screenshots, since others
// render text differently. SNAPSHOTS=take takes new ones, to be reviewed before they are committed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, visit } from '../../browser/browser.ts';
import { type FilledAccount, fillAccount, staffCookie } from '../../browser/filled-account.ts';
import { CUSTOMER_PAGES, PUBLIC_PAGES, type PageRow, SUPPORT_PAGES } from '../../browser/pages.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { SCALE } from '../scale.ts';
import { type Difference, differenceOf } from './difference.ts';

const TAKE = process.env['SNAPSHOTS'] === 'take';
const SMOKE = SCALE < 1;
const KEPT = fileURLToPath(new URL('../../browser/snapshots/', import.meta.url));
const PINNED = join(KEPT, 'pinned.json');
const AT = '2026-05-04T12:00:00Z';
/** Half the resolution, a file of about 20 KB: enough to see what moved. */
const SCALE_FACTOR = 0.5;
/** The share of pixels that may differ: a cursor, a rounded corner. */
const TOLERANCE = 0.002;

const FORMS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const satisfies Record<string, BrowserContextOptions>;
type Form = keyof typeof FORMS;

const fileOf = (name: string, form: Form) => join(KEPT, `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.${form}.png`);

let stack: Stack;
let browser: Browser;
let filled: FilledAccount;
let reason: string | undefined;
const pages: Record<'public' | 'customer' | 'support', Record<Form, Page>> = {} as never;

beforeAll(async () => {
  browser = await launchBrowser();
  const drawnBy = { chromium: browser.version(), fonts: await widthsOfFonts() };
  const pinned = existsSync(PINNED) ? (JSON.parse(readFileSync(PINNED, 'utf8')) as typeof drawnBy) : undefined;
  if (!TAKE && !isDeepStrictEqual(pinned, drawnBy))
    reason = `the pictures were taken with ${JSON.stringify(pinned ?? 'nothing yet')}, this is ${JSON.stringify(drawnBy)}`;
  if (reason) return;
  stack = await startStack({ at: AT });
  filled = await fillAccount(stack);
  const cookies = { public: [], customer: [filled.cookie], support: [await staffCookie(stack)] };
  for (const [who, own] of Object.entries(cookies)) {
    const opened = Object.entries(FORMS).map(async ([form, look]) => {
      const how = { ...look, deviceScaleFactor: SCALE_FACTOR, reducedMotion: 'reduce', timezoneId: 'UTC', locale: 'en-US' } as const;
      const { context, page } = await visit(browser, stack.url, how);
      await context.addCookies(own);
      await page.clock.setFixedTime(AT);
      return [form, page] as const;
    });
    pages[who as keyof typeof pages] = Object.fromEntries(await Promise.all(opened)) as Record<Form, Page>;
  }
  if (TAKE) {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(PINNED, `${JSON.stringify(drawnBy, null, 2)}\n`);
  }
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** The width of a line of text in each system font family, which identifies the installed fonts. */
async function widthsOfFonts(): Promise<Record<string, number>> {
  const page = await browser.newPage();
  const widths = await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    return ['serif', 'sans-serif', 'monospace', 'system-ui'].map((family) => {
      canvas.font = `100px ${family}`;
      return [family, canvas.measureText('Egress 0123456789 mMwWiIlL').width];
    });
  });
  await page.close();
  return Object.fromEntries(widths) as Record<string, number>;
}

/** A screenshot without what differs between runs: ids, addresses, times, everything in the font of credentials. */
async function picture(page: Page, path: string): Promise<Buffer> {
  await page.goto(stack.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
  await page.addStyleTag({
    content:
      '[data-testid=rate], [data-testid=rate] + p { visibility: hidden } .font-mono, code, pre, canvas { color: transparent !important; caret-color: transparent } canvas { visibility: hidden }',
  });
  await page.evaluate(async () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const same = text.data
        .replace(/person-[0-9a-f]+@/g, 'person@')
        .replace(/· [0-9a-z]{10}\b/g, '· username')
        .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1')
        .replace(/\b[a-z]{2,5}_[0-9a-z]{20,}\b/g, 'id')
        .replace(/\b\d{1,2} [A-Z][a-z]{2} 20\d\d(, \d\d:\d\d)?/g, '1 Jan 2026')
        .replace(/\b\d?\d(:\d\d){1,2}\b/g, '00:00');
      if (same !== text.data) text.data = same;
    }
    for (const input of document.querySelectorAll('input')) if (input.value.startsWith('person-')) input.value = 'person';
    (document.activeElement as HTMLElement | null)?.blur();
    await document.fonts.ready;
  });
  return page.screenshot();
}

function hold(who: keyof typeof pages, rows: readonly PageRow[]): void {
  const wanted = SMOKE ? rows.slice(0, 2) : rows;
  test.each(wanted.map((row) => [...row] as const))('%s', async (name, path) => {
    if (reason !== undefined) return skipped(reason);
    const moved: Record<string, Difference> = {};
    for (const form of Object.keys(FORMS) as Form[]) {
      const now = await picture(pages[who][form], path(filled));
      const file = fileOf(name, form);
      if (TAKE) {
        writeFileSync(file, now);
        continue;
      }
      const difference = existsSync(file)
        ? await differenceOf(browser, readFileSync(file), now)
        : { share: 1, why: 'there is no picture of it yet' };
      if (difference.share <= TOLERANCE) continue;
      const shown = join(tmpdir(), `now-${form}-${name.replace(/[^a-z0-9]+/gi, '-')}.png`);
      writeFileSync(shown, now);
      moved[form] = { ...difference, why: `${difference.why ?? ''} now: ${shown}, kept: ${file}`.trim() };
    }
    expect(moved).toEqual({});
  });
}

/** Printed once. */
const skipped = (() => {
  let told = false;
  return (why: string) => {
    if (!told) console.log(`  no comparison: ${why}`);
    told = true;
  };
})();

describe('public pages', () => {
  hold('public', PUBLIC_PAGES);
});
describe('pages of an account', () => {
  hold('customer', CUSTOMER_PAGES);
});
describe('pages of support', () => {
  hold('support', SUPPORT_PAGES);
});
