// Where pages say until when a package is valid: in the shop, in the list of plans, on a plan's page, before a top-up, and once it is over.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, after } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import { grantPlan } from '../../subgraphs/residential/plans/services/grant-plan.ts';
import { askAs } from '../kit/dashboard.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';
import { staffCookie } from './filled-account.ts';

const SAYS = {
  en: {
    locale: 'en-GB',
    shop: 'Valid for 30 days from its delivery',
    until: (when: string) => `Valid until ${when}`,
    topUp: (when: string) => `This plan is valid until ${when}. What you add is valid for 30 days: from then on all of the plan is`,
    topUpForEver: (when: string) => `This plan is valid until ${when}. What you add is valid for ever`,
    lapsed: '10 GB lapsed',
    lapsedTitle: 'The validity of this package is over',
    lapsedLead: (when: string) => `It was valid until ${when}; 10 GB were left and have lapsed.`,
    lapsedOver: 'The validity of this plan is over: nothing can be added to it.',
  },
  de: {
    locale: 'de-DE',
    shop: 'Gültig für 30 Tage ab der Lieferung',
    until: (when: string) => `Gültig bis ${when}`,
    topUp: (when: string) => `Dieses Paket ist bis ${when} gültig. Was Sie hinzufügen, ist 30 Tage gültig`,
    topUpForEver: (when: string) => `Dieses Paket ist bis ${when} gültig. Was Sie hinzufügen, ist unbegrenzt gültig`,
    lapsed: '10 GB verfallen',
    lapsedTitle: 'Die Gültigkeit dieses Pakets ist vorbei',
    lapsedLead: (when: string) => `Es war bis ${when} gültig; 10 GB waren übrig und sind verfallen.`,
    lapsedOver: 'Die Gültigkeit dieses Pakets ist vorbei: Es lässt sich nicht mehr aufladen.',
  },
} as const;
type Language = keyof typeof SAYS;

let stack: Stack;
let browser: Browser;
let owner: SeededAccount;
let ends: Date;
let limited: string;
let mobile: string;
let forEver: string;
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  const desk = askAs(stack.url, (({ name, value }) => `${name}=${value}`)(await staffCookie(stack)));
  await desk(
    'mutation { supportResidentialCatalogueSet(item: "residential.PREMIUM", field: "validDays", value: "30", reason: "sold for a month") { value } }',
  );
  owner = await stack.seed.account();
  ends = after(stack.clock.now(), 30 * DAY);
  const grant = async (product: 'PREMIUM' | 'MOBILE', validDays?: number) =>
    (await grantPlan(stack.subgraphs.residential.systemContext('test'), { accountId: owner.id, product, bytes: 10n * GB, validDays }))
      .planId;
  limited = await grant('PREMIUM', 30);
  mobile = await grant('MOBILE', 30);
  forEver = await grant('PREMIUM');
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** The page in this language, in UTC, signed in anew: the clock may have passed a session's end. */
async function open(path: string, language: Language): Promise<Page> {
  const { context, page } = await visitInTest(browser, stack.url, { timezoneId: 'UTC', locale: SAYS[language].locale });
  const [name = '', value = ''] = (await owner.cookie()).split('=');
  await context.addCookies([
    { name, value, url: stack.url },
    { name: 'language', value: language, url: stack.url },
  ]);
  await page.goto(stack.url + path);
  return page;
}
const shown = (page: Page, text: string) => page.getByText(text).first().waitFor({ state: 'visible' });
const whenIn = (language: Language) =>
  new Intl.DateTimeFormat(SAYS[language].locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(ends);
const LANGUAGES = Object.keys(SAYS) as Language[];

describe.each(LANGUAGES)('while it lasts, in %s', (language) => {
  const says = SAYS[language];

  test('the shop says for how long what is bought is valid, and nothing of what is valid for ever', async () => {
    const page = await open('/residential/buy', language);
    const product = (name: string) => page.getByRole('radio', { name }).locator('xpath=ancestor::label');
    await product('Premium').getByText(says.shop).waitFor();
    expect(await product('Mobile').innerText()).not.toMatch(/valid|gültig/i);
  });

  test('the list and the plan’s page say until when, and nothing of a plan that is valid for ever', async () => {
    const list = await open('/residential', language);
    const row = (id: string) => list.getByRole('listitem').filter({ has: list.locator(`a[href="/residential/${id}"]`) });
    await row(limited)
      .getByText(says.until(whenIn(language)))
      .waitFor();
    expect(await row(forEver).innerText()).not.toMatch(/valid|gültig/i);
    const page = await open(`/residential/${limited}`, language);
    await page
      .getByTestId('valid-until')
      .getByText(says.until(whenIn(language)))
      .waitFor();
    const other = await open(`/residential/${forEver}`, language);
    await other.getByTestId('as-of').waitFor();
    expect(await other.getByTestId('valid-until').count()).toBe(0);
  });

  test('a top-up says what becomes of the plan’s validity', async () => {
    await shown(await open(`/residential/${limited}/top-up`, language), says.topUp(whenIn(language)));
    await shown(await open(`/residential/${mobile}/top-up`, language), says.topUpForEver(whenIn(language)));
  });
});

describe('when it is over', () => {
  beforeAll(async () => {
    if (stack.clock.now() < ends) stack.clock.set(ends);
    await stack.platform.queue.runNow('residential.plans-lapse');
  });

  test.each(LANGUAGES)('list, page and top-up say so and how much was left, in %s', async (language) => {
    const says = SAYS[language];
    const list = await open('/residential?show=all', language);
    await list
      .locator('li', { has: list.locator(`a[href="/residential/${limited}"]`) })
      .getByText(says.lapsed)
      .waitFor();
    const page = await open(`/residential/${limited}`, language);
    await shown(page, says.lapsedTitle);
    await shown(page, says.lapsedLead(whenIn(language)));
    await shown(await open(`/residential/${limited}/top-up`, language), says.lapsedOver);
  });
});
