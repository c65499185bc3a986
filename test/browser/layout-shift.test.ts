// Nothing on a page jumps while its data arrives. Every answer of the graph comes late and in an order of its own, as it does over a slow line, and the browser
// measures what moved by itself (Cumulative Layout Shift: https://web.dev/articles/cls, good below 0.1; here a fifth of that). A page waits for most of the
// time, so several are measured at once. Pages of an account are measured on a wide screen too in `npm run prove -- dashboard`, which sets FORMS=whole.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visit } from './browser.ts';
import { type FilledAccount, fillAccount } from './filled-account.ts';
import { CUSTOMER_PAGES, PUBLIC_PAGES } from './pages.ts';

const LIMIT = 0.02;
/** A refusal in the address is known only to the script, so its note comes into a form that is drawn; and pages of servers are not there yet. */
const EXCEPTIONS: readonly [RegExp, number][] = [
  [/^\/sign-in\?error/, 0.1],
  [/^\/servers\b/, 0.25],
];
const limitOf = (path: string) => EXCEPTIONS.find(([pattern]) => pattern.test(path))?.[1] ?? LIMIT;
/** The answers to the queries of a page, in the order in which they are asked, come after so many milliseconds. */
const LATE_MS = [250, 100, 400, 175, 325, 50];

let stack: Stack;
let browser: Browser;
let filled: FilledAccount;
beforeAll(async () => {
  // A page that is refused a connection once, on a machine with much else to do, stays without its data.
  stack = await startStack({ environment: { DATABASE_WAIT_MS: '15000' } });
  browser = await launchBrowser();
  filled = await fillAccount(stack);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

declare global {
  interface Window {
    shifts: { value: number; of: string[] }[];
  }
}

/** Collects every shift that no input has caused, with what moved. */
const observe = (context: BrowserContext) =>
  context.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      }[])
        if (!entry.hadRecentInput)
          window.shifts.push({
            value: entry.value,
            of: entry.sources.map(
              ({ node, previousRect, currentRect }) =>
                `${(node as Element | null)?.textContent?.trim().slice(0, 40) ?? ''} ${previousRect.y} -> ${currentRect.y}`,
            ),
          });
    }).observe({ type: 'layout-shift', buffered: true });
  });

async function slowly(page: Page): Promise<void> {
  let asked = 0;
  await page.route('**/graphql', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS[asked++ % LATE_MS.length]));
    await route.continue();
  });
}

/** What has moved on a page that is opened until all its data is there, and for a moment after. */
async function shiftsOf(page: Page, path: string) {
  await slowly(page);
  await page.goto(stack.url + path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  return page.evaluate(() => window.shifts);
}

describe.each([
  ['wide', { width: 1280, height: 900 }, process.env['FORMS'] === 'whole'],
  ['narrow', { width: 390, height: 844 }, true],
] as const)('on a %s screen', (_name, viewport, isWhole) => {
  let context: BrowserContext;
  beforeAll(async () => {
    ({ context } = await visit(browser, stack.url, { viewport, reducedMotion: 'reduce' }));
    await observe(context);
  });
  afterAll(() => context?.close());

  /** What moved on a page, if it is more than may. */
  async function movedOn(path: string): Promise<string | undefined> {
    const page = await context.newPage();
    try {
      const shifts = await shiftsOf(page, path);
      return shifts.reduce((all, { value }) => all + value, 0) < limitOf(path) ? undefined : `${path} ${JSON.stringify(shifts)}`;
    } finally {
      await page.close();
    }
  }

  describe('of anyone', () => {
    test.concurrent.each(PUBLIC_PAGES)('%s stays where it is', async (_page, path) => expect(await movedOn(path(filled))).toBeUndefined());
  });

  test('the measure sees what moves, on each of several pages at once', async () => {
    const sees = async () => {
      const page = await context.newPage();
      await page.goto(`${stack.url}/docs`, { waitUntil: 'networkidle' });
      await page.evaluate(() => {
        const late = document.createElement('div');
        late.style.height = '300px';
        document.querySelector('main')?.prepend(late);
      });
      await expect.poll(() => page.evaluate(() => window.shifts.reduce((all, { value }) => all + value, 0))).toBeGreaterThan(0.1);
      await page.close();
    };
    await Promise.all([sees(), sees(), sees(), sees(), sees()]);
  });

  describe.runIf(isWhole)('signed in', () => {
    beforeAll(() => context.addCookies([filled.cookie]));
    test.concurrent.each(CUSTOMER_PAGES)('%s stays where it is', async (_page, path) =>
      expect(await movedOn(path(filled))).toBeUndefined(),
    );
  });
});
