// How pages display and parse data sizes and rates, in a real browser and in both languages.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR, SECOND, after } from '#platform/clock.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';
import { staffCookie } from './filled-account.ts';

const GB = 1_000_000_000;
const MB = 1_000_000;

let stack: Stack;
let browser: Browser;
let account: SeededAccount;
let large: { id: string; username: string };
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  account = await stack.seed.account();
  large = await account.residentialPlan({ gigabytes: 250 });
  // 170 GB over the past hours, with one report an hour.
  const at = (hours: number) => after(stack.clock.now(), -hours * HOUR);
  await stack.sandbox.network.report(
    Array.from({ length: 34 }, (_, hour) => ({
      username: large.username,
      upBytes: 0,
      downBytes: 5 * GB,
      country: 'de',
      at: at(hour + 48),
    })),
  );
  await stack.settle();
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

async function at(path: string, language: 'en' | 'de' = 'en'): Promise<Page> {
  const { context, page } = await visitInTest(browser, stack.url);
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await context.addCookies([
    { name, value, url: stack.url },
    { name: 'language', value: language, url: stack.url },
  ]);
  await open(page, path);
  return page;
}
async function open(page: Page, path: string): Promise<void> {
  await page.goto(stack.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
}
/** Sizes that a reader may take for a thousand times more or less: three digits after a single separator. */
const ambiguous = (text: string) => text.match(/(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,])\s?(?:[kMGT]?B|byte)/g) ?? [];

describe('a size of data', () => {
  test.each([
    ['en', '80 GB', 'of 250 GB', '170 GB'],
    ['de', '80 GB', 'von 250 GB', '170 GB'],
  ] as const)('is written without zeros behind it and the same everywhere (%s)', async (language, left, whole, used) => {
    const page = await at(`/residential/${large.id}?tab=usage`, language);
    await expect.poll(() => page.getByTestId('remaining').innerText()).toBe(left);
    expect(await page.getByTestId('used').innerText()).toBe(used);
    await page.getByText(whole, { exact: true }).waitFor();
    const texts = [await page.getByRole('main').innerText()];
    for (const path of ['/home', '/residential', `/residential/${large.id}?tab=usage&days=90`]) {
      await open(page, path);
      await page
        .getByText(path.includes('usage') ? used : left)
        .first()
        .waitFor();
      texts.push(await page.getByRole('main').innerText());
    }
    expect(texts.flatMap(ambiguous)).toEqual([]);
  });

  test('is written at the desk as the customer sees it', async () => {
    const { context, page } = await visitInTest(browser, stack.url);
    await context.addCookies([await staffCookie(stack)]);
    await open(page, `/support/accounts/${account.id}?tab=things`);
    await page.getByText('80 GB of 250 GB').waitFor();
  });

  test('is read as the language writes it, and refused with a sentence where it could be read in two ways', async () => {
    const plan = await account.residentialPlan({ gigabytes: 250 });
    const page = await at(`/residential/${plan.id}?tab=settings`);
    const save = async (text: string, button = 'Save limit', label = 'Limit per day') => {
      await page.getByLabel(label).fill(text);
      await page.getByRole('button', { name: button }).click();
    };
    for (const refused of ['1,000', '1,000,000', '1.5.0', '1.2345']) {
      await save(refused);
      await page.getByText('Enter GB without a sign between thousands').waitFor();
      await page.getByLabel('Limit per day').fill('');
      await page.getByText('Enter GB without a sign between thousands').waitFor({ state: 'detached' });
    }
    await page.getByText('No limit is set.').waitFor();
    await save('1000');
    await page.getByText('The limit is 1 TB a day.').waitFor();
    await save('2,5');
    await page.getByText('The limit is 2.5 GB a day.').waitFor();
    await save('3.125');
    await page.getByText('The limit is 3.12 GB a day.').waitFor();
    expect(await page.getByLabel('Limit per day').inputValue()).toBe('3.125');

    await page.context().addCookies([{ name: 'language', value: 'de', url: stack.url }]);
    await open(page, `/residential/${plan.id}?tab=settings`);
    expect(await page.getByLabel('Limit je Tag').inputValue()).toBe('3,125');
    await save('1.000', 'Limit speichern', 'Limit je Tag');
    await page.getByText('Geben Sie GB ohne Tausenderzeichen').waitFor();
    await save('2,125', 'Limit speichern', 'Limit je Tag');
    await page.getByText('Das Limit ist 2,12 GB am Tag.').waitFor();
    await page.getByRole('button', { name: 'Limit entfernen' }).click();
    await page.getByText('Es ist kein Limit gesetzt.').waitFor();
  });
});

describe('the live rate', () => {
  test('is that of the last ten seconds and falls to nothing on the open page when traffic stops', async () => {
    const plan = await account.residentialPlan({ gigabytes: 5 });
    const page = await at(`/residential/${plan.id}`);
    const rate = page.getByTestId('rate');
    await rate.filter({ hasText: /^No traffic now$/ }).waitFor();
    for (let second = 0; second < 10; second++) {
      stack.clock.advance(SECOND);
      await stack.sandbox.network.report({ username: plan.username, upBytes: 0, downBytes: 16 * MB });
    }
    await rate.filter({ hasText: /^16 MB\/s now$/ }).waitFor();
    stack.clock.advance(10 * SECOND);
    await rate.filter({ hasText: /^No traffic now$/ }).waitFor();
  });

  test('is nothing while the plan is paused, without a forecast, and home counts the plan as not working', async () => {
    const customer = await stack.seed.account();
    const plan = await customer.residentialPlan({ gigabytes: 5 });
    const [name = '', value = ''] = (await customer.cookie()).split('=');
    const { context, page } = await visitInTest(browser, stack.url);
    await context.addCookies([{ name, value, url: stack.url }]);
    await open(page, `/residential/${plan.id}?tab=settings`);
    await page.getByLabel('Limit per day').fill('1');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await page.getByText('The limit is 1 GB a day.').waitFor();
    await stack.sandbox.network.report({ username: plan.username, upBytes: 0, downBytes: GB });
    await page.getByText('Paused: the daily limit is reached').waitFor();
    await page
      .getByTestId('rate')
      .filter({ hasText: /^No traffic now$/ })
      .waitFor();
    await open(page, '/home');
    const working = page.getByRole('definition').filter({ hasText: 'of 1 bought so far' });
    expect(await working.innerText()).toMatch(/^0\s/);
    await page.getByText('4 GB').first().waitFor();
  });
});
