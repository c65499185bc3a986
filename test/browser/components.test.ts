// The components form, dialog, list and chart in a real browser: keyboard, screen reader and error states.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from './browser.ts';

const HOME = 'http://components.test';
const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

let browser: Browser;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-components-'));
  const config = fileURLToPath(new URL('components/vite.config.ts', import.meta.url));
  // A separate process, as the bundler resolves packages for browsers and the tests resolve them for servers.
  const run = (bin: string, words: string[], cwd?: string) =>
    promisify(execFile)(process.execPath, [`${PACKAGES}${bin}`, ...words], { cwd });
  // Generates the file that the dashboard's tsconfig extends.
  await run('@sveltejs/kit/svelte-kit.js', ['sync'], fileURLToPath(new URL('../../web', import.meta.url)));
  await run('vite/bin/vite.js', ['build', '--config', config, '--outDir', directory]);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function show(name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 }, reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const sheets = readdirSync(join(directory, 'assets'))
    .filter((name) => name.endsWith('.css'))
    .map((name) => `<link rel="stylesheet" href="/assets/${name}">`);
  const html = `<!doctype html><html lang="en"><title>${name}</title>${sheets.join('')}<body><script type="module" src="/mount.js"></script>`;
  await page.route(`${HOME}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ body: html, contentType: 'text/html' });
    const file = join(directory, pathname);
    return existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404 });
  });
  await page.goto(`${HOME}/?show=${name}`);
  await page.getByRole('heading', { name }).waitFor();
  return page;
}
const said = (page: Page) => page.locator('output').innerText();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.tagName);

describe('a form', () => {
  test('shows an invalid input’s error at the input, a server’s error above the form, and closes when done', async () => {
    const page = await show('form');
    await page.getByRole('button', { name: 'Open' }).press('Enter');
    const name = page.getByLabel('Name');
    await name.fill('ada');
    await name.press('Enter');
    await page.getByText('This name is taken.').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    const described = (await name.getAttribute('aria-describedby')) ?? '';
    expect(
      await page
        .locator(
          described
            .split(' ')
            .map((id) => `[id="${id}"]`)
            .join(','),
        )
        .allInnerTexts(),
    ).toContain('This name is taken.');
    await name.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Something went wrong on our side.' }).waitFor();
    expect(await page.getByRole('dialog').innerText()).toContain('req_1');
    expect(await name.inputValue()).toBe('ada');
    await name.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await said(page)).toBe('3 de ada');
  });

  test('a second press while it runs sends nothing twice', async () => {
    const page = await show('form');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await page.getByText('This name is taken.').waitFor();
    expect(await said(page)).toMatch(/^1 /);
  });
});

describe('a dialog', () => {
  test('is named by its title, keeps the focus inside, focuses Cancel first, and returns the focus', async () => {
    const page = await show('dialog');
    await page.getByRole('button', { name: 'Open' }).press('Enter');
    await page.getByRole('alertdialog', { name: 'Really?' }).waitFor();
    const words = [];
    for (let press = 0; press < 3; press++) {
      words.push(await focused(page));
      await page.keyboard.press('Tab');
    }
    expect(words).toEqual(['Keep as it is', 'Do it', 'Keep as it is']);
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Open');
    expect(await said(page)).toMatch(/^0 /);
  });

  test('stays open and says what went wrong', async () => {
    const page = await show('dialog');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByRole('alertdialog').getByText('This name is taken.').waitFor();
  });
});

describe('a list to search', () => {
  test('lists prefix matches before other matches, and is used with arrow keys', async () => {
    const page = await show('list');
    const box = page.getByRole('combobox', { name: 'Place' });
    await box.click();
    await box.fill('ni');
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Nicaragua', 'Nigeria', 'Niger', 'Romania']);
    await page.keyboard.press('ArrowDown');
    const marked = await page.locator('[role=option][data-highlighted]').innerText();
    await page.keyboard.press('Enter');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    expect(await box.inputValue()).toBe(marked);
    expect(await said(page)).toMatch(/^0 n/);
  });

  test('says when nothing matches, and returns to the chosen entry', async () => {
    const page = await show('list');
    const box = page.getByRole('combobox', { name: 'Place' });
    await box.click();
    await box.fill('xyz');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    expect(await said(page)).toMatch(/^0 de/);
  });
});

describe('a chart', () => {
  /** The number of pixels of the canvas in the accent colour. */
  const inked = (page: Page) =>
    page.evaluate(() => {
      const canvas = document.querySelector('canvas');
      const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      let count = 0;
      for (let at = 3; at < pixels.length; at += 4) if ((pixels[at] ?? 0) > 128) count++;
      return count;
    });

  test('draws its bars, draws more for more, and again in the colours of another theme', async () => {
    const page = await show('chart');
    await page.locator('canvas').waitFor();
    const few = await inked(page);
    expect(few).toBeGreaterThan(1_000);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => inked(page)).not.toBe(few);
    const light = await page.locator('canvas').screenshot();
    await page.evaluate(() => document.documentElement.classList.add('dark'));
    await expect.poll(async () => (await page.locator('canvas').screenshot()).equals(light)).toBe(false);
  });

  test('is an image with a name to a screen reader', async () => {
    const page = await show('chart');
    await page.getByRole('img', { name: 'Seven days' }).waitFor();
  });
});
