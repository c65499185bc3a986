// Support's desk in a real browser, with a customer in another window. Tests build on each other.
import { totpCode } from '../kit/totp.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { seedEnrolment } from '../../subgraphs/accounts/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';
import { type FilledAccount, fillAccount } from './filled-account.ts';

let stack: Stack;
let browser: Browser;
let desk: Visit;
let shop: Visit;
let staff: SeededAccount;
let filled: FilledAccount;
/** The whole key, which support sees only once. */
let key: string;

beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
  staff = await stack.seed.account({ role: 'STAFF', email: 'desk@support.example' });
  filled = await fillAccount(stack);
  desk = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  shop = await visit(browser, stack.url, { reducedMotion: 'reduce' });
  await shop.context.addCookies([filled.cookie]);
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

const shown = (locator: Locator) => locator.waitFor({ state: 'visible' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const confirm = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

async function openAccount(tab?: string): Promise<Page> {
  await desk.page.goto(`${stack.url}/support/accounts/${filled.accountId}${tab ? `?tab=${tab}` : ''}`);
  await shown(desk.page.getByRole('heading', { level: 1, name: filled.email }));
  return desk.page;
}

const asks = (authorization: string) => fetch(`${stack.url}/v1/residential`, { headers: { authorization } }).then(({ status }) => status);

describe('support', () => {
  test('is refused the desk until a second factor protects the log-in', async () => {
    const { page } = desk;
    await page.goto(`${stack.url}/sign-in?next=/support`);
    await page.getByLabel('E-mail').fill(staff.email);
    await page.getByLabel('Password', { exact: true }).fill(staff.password);
    await button(page, 'Sign in').click();
    await shown(page.getByText('The desk needs two-factor'));
    await page.getByRole('link', { name: 'To security settings' }).click();
    const setUp = async () => {
      await button(page, 'Set up').click();
      await page.getByLabel('Your password').fill(staff.password);
      await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click();
    };
    // Staff need a link from the operator to set up the second factor, as the password alone is not enough.
    await setUp();
    await shown(page.getByText('The second factor of a member of support needs a link'));
    await page.goto((await seedEnrolment(stack.subgraphs.accounts.systemContext('test'), staff.email)) ?? '');
    await button(page, 'Go on to the setup').click();
    await setUp();
    const secret = await page.getByTestId('totp-secret').innerText();
    await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, stack.clock));
    await button(page, 'Turn on').click();
    await button(page, 'I have stored them').click();
    stack.clock.advance(30 * SECOND);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Support desk' }).click();
    await shown(page.getByText('No request waits'));
  });

  test('does not open for a customer, who does not see it among the places', async () => {
    await shop.page.goto(`${stack.url}/support`);
    await shown(shop.page.getByText('This page is for support'));
    expect(await shop.page.getByRole('link', { name: 'Support desk' }).count()).toBe(0);
  });

  test('gets the request for a partner key that a customer sent', async () => {
    const { page } = shop;
    await page.goto(`${stack.url}/developers`);
    await button(page, 'Request a key').click();
    await page.getByText('Partner', { exact: true }).click();
    await page.getByLabel('Allowed addresses').fill('not an address');
    await page.getByLabel('What do you use it for?').fill('Price comparison');
    await button(page, 'Send request').click();
    await shown(page.getByText('not is neither an address nor a network.'));
    await page.getByLabel('Allowed addresses').fill('127.0.0.1\n::1');
    await button(page, 'Send request').click();
    await shown(page.getByText('Waiting', { exact: true }));
    await desk.page.reload();
    await shown(desk.page.getByText('Price comparison'));
  });

  test('issues the key, which is shown once and works', async () => {
    const { page } = desk;
    await page.getByRole('link', { name: 'Answer' }).click();
    await shown(page.getByRole('dialog').getByText('Answers a request: Price comparison'));
    await button(page, 'Issue').click();
    const once = page.getByRole('alertdialog');
    key = (await once.locator('pre').innerText()).trim();
    await button(page, 'I have handed it over').click();
    await once.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(key);
    expect(await asks(`Bearer ${key}`)).toBe(200);
    await shop.page.reload();
    await shown(shop.page.getByText('Issued', { exact: true }));
    await shown(shop.page.getByText('Only from 127.0.0.1, ::1').first());
  });

  test('finds the account by a part of its address', async () => {
    const { page } = desk;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Support desk' }).click();
    await page.getByLabel('Find an account').fill('no');
    await button(page, 'Find').click();
    await shown(page.getByText('Type at least 3 characters.'));
    await page.getByLabel('Find an account').fill(filled.email.slice(0, 12));
    await button(page, 'Find').click();
    await page.getByRole('link', { name: filled.email }).click();
    await shown(page.getByRole('heading', { level: 1, name: filled.email }));
  });

  test('sees the dashboard as its owner does, changes nothing there, and comes back to the desk', async () => {
    const page = await openAccount();
    await button(page, 'View as customer').click();
    await page.getByRole('dialog').getByLabel('Reason').fill('You asked why a line fails.');
    await page.getByRole('dialog').getByRole('button', { name: 'View as customer' }).click();
    const bar = page.getByRole('region', { name: 'Support looks at this account' });
    await shown(bar.getByText(`You see the account of ${filled.email} as its owner does`));
    expect(await page.getByRole('link', { name: 'Support desk' }).count()).toBe(0);
    await page.goto(`${stack.url}/settings?tab=sessions`);
    await button(page, 'Sign out everywhere').click();
    await confirm(page, 'Sign out everywhere');
    await shown(page.getByText('Support looks at this account, and changes nothing in it.').first());
    await page.goto(`${stack.url}/home`);
    await bar.getByRole('button', { name: 'Back to the desk' }).click();
    await shown(page.getByRole('heading', { level: 1, name: filled.email }));
  });

  test('forbids and allows the use of the API', async () => {
    const page = await openAccount();
    await button(page, 'Forbid API use').click();
    await confirm(page, 'Forbid API use');
    await shown(button(page, 'Allow API use'));
    expect(await asks(`Bearer ${key}`)).toBe(403);
    await button(page, 'Allow API use').click();
    await confirm(page, 'Allow API use');
    await shown(button(page, 'Forbid API use'));
    expect(await asks(`Bearer ${key}`)).toBe(200);
  });

  test('rotates the key with no overlap, as the customer asked for', async () => {
    await shop.page
      .getByRole('button', { name: /^Rotate / })
      .first()
      .click();
    await shop.page.getByLabel('The old key works on for').selectOption('0');
    await button(shop.page, 'Send request').click();
    await shown(shop.page.getByText('New key in the place of an old one, 0 h overlap'));
    const page = await openAccount();
    await button(page, 'Answer').click();
    await page.getByLabel('Overlap in hours').fill('25');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await shown(page.getByText('A whole number from 0 to 24.'));
    await page.getByLabel('Overlap in hours').fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const next = (await page.getByRole('alertdialog').locator('pre').innerText()).trim();
    await button(page, 'I have handed it over').click();
    expect(next).not.toBe(key);
    expect([await asks(`Bearer ${key}`), await asks(`Bearer ${next}`)]).toEqual([401, 200]);
  });

  test('cancels an order that waits', async () => {
    const page = await openAccount('orders');
    await page.getByRole('button', { name: 'Cancel: Premium, 200 GB' }).click();
    await confirm(page, 'Cancel');
    await shown(page.getByText('Done. The order is cancelled.'));
  });

  test('gives a part of a paid order back as credit, with a credit note', async () => {
    const page = await openAccount('orders');
    await page.getByRole('button', { name: 'Refund Premium, 5 GB' }).click();
    await page.getByText('Account credit', { exact: true }).click();
    await page.getByLabel('Amount').fill('a lot');
    await page.getByLabel('Reason').fill('Half of it was never used');
    await button(page, 'Give back').click();
    await shown(page.getByText('An amount such as 12.50.'));
    await page.getByLabel('Amount').fill('10');
    await button(page, 'Give back').click();
    await shown(page.getByText('Money is on its way back'));
    await stack.settle();
    await shop.page.goto(`${stack.url}/orders/${filled.paidOrder}`);
    await shown(shop.page.getByText(/Half of it was never used/));
    await shop.page.goto(`${stack.url}/billing?tab=invoices`);
    await shown(shop.page.getByText('Credit note', { exact: true }));
    const waiting = shop.page.waitForEvent('download');
    await shop.page.getByRole('link', { name: /^Download CN-/ }).click();
    expect((await waiting).suggestedFilename()).toMatch(/^CN-\d{4}-\d{6}\.pdf$/);
  });

  test('gives credit, which the customer finds in the statement', async () => {
    const page = await openAccount();
    await button(page, 'Give credit').click();
    await page.getByLabel('Amount').fill('12.50');
    await page.getByLabel('Reason').fill('An apology for the wait');
    await page.getByRole('dialog').getByRole('button', { name: 'Give credit' }).click();
    await shown(page.getByText('Credit given. The balance is $22.50.'));
    await shop.page.goto(`${stack.url}/billing?tab=credit`);
    await shown(shop.page.getByText('An apology for the wait'));
    expect(await shop.page.getByTestId('credit-balance').innerText()).toBe('$22.50');
  });

  test('ends every session of the account, in open pages too', async () => {
    const page = await openAccount('sessions');
    await button(page, 'End all sessions').click();
    await confirm(page, 'End all sessions');
    await shown(page.getByText('Nobody is signed in.'));
    await shop.page.goto(`${stack.url}/billing`);
    await shop.page.waitForURL(`${stack.url}/sign-in**`);
  });

  test('leaves every act in the activity of the account, under its own name', async () => {
    const page = await openAccount('activity');
    for (const deed of ['API key issued', 'API use forbidden', 'API key revoked', 'Account credit given', 'Signed out everywhere'])
      await shown(page.getByRole('listitem').filter({ hasText: deed }).filter({ hasText: 'Support' }).first());
    // An act of the customer is shown as the customer's, not as "You".
    await shown(page.getByRole('listitem').filter({ hasText: 'Daily limit changed' }).filter({ hasText: 'Customer' }).first());
    expect(await page.getByRole('main').getByText('You', { exact: true }).count()).toBe(0);
  });

  test('searches its own acts by subject, reads their reasons, and downloads them', async () => {
    const { page } = desk;
    await page.goto(`${stack.url}/support`);
    await page.getByRole('link', { name: 'Acts of staff' }).click();
    await page.getByLabel('Member').selectOption({ label: staff.email });
    await page.getByLabel('About').fill(filled.accountId);
    await page.getByRole('button', { name: 'Search' }).last().click();
    await page.waitForURL(`**/support/acts?*about=${filled.accountId}*`);
    const given = page.getByRole('listitem').filter({ hasText: 'supportCreditGrant' });
    await shown(given.getByText('An apology for the wait'));
    await shown(given.getByText(staff.email));
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    expect((await waiting).suggestedFilename()).toMatch(/^staff-acts-[\d-]+\.csv$/);
  });

  test("writes a mail's text, beginning with the program's own, and comes back to it", async () => {
    const { page } = desk;
    await page.goto(`${stack.url}/support/mails`);
    const write = page.getByRole('button', { name: 'Write: order_paid, English' });
    const [subject, body] = [page.getByRole('dialog').getByLabel('Subject'), page.getByRole('dialog').getByLabel('Text')];
    const ours = ['Paid: {title}', 'Thank you. We received {total} for {title}.\n\nSee the order: {url}'];
    const written = async () => [await subject.inputValue(), await body.inputValue()];
    await write.click();
    await shown(page.getByRole('dialog').getByText('We received $25.00 for Premium, 5 GB.'));
    expect(await written()).toEqual(ours);
    await subject.fill('Thanks: {title}');
    await button(page, 'Publish').click();
    await shown(page.getByText('EN: own text'));
    await write.click();
    await expect.poll(written).toEqual(['Thanks: {title}', ours[1]]);
    await button(page, 'Fill in the standard text').click();
    await expect.poll(written).toEqual(ours);
    await button(page, 'Send the standard text again').click();
    await shown(page.getByRole('listitem').filter({ hasText: 'order_paid' }).getByText('EN: standard'));
  });

  test('sets a large discount without a mail, which waits for a colleague, on the page of the account and at the desk', async () => {
    const page = await openAccount('prices');
    await button(page, 'Set a price').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Price, or how much off').fill('45%');
    await form.getByRole('button', { name: 'Preview', exact: true }).click();
    await shown(form.getByText('It is up to 45% below the catalogue, and one person may take off 30% alone: it waits'));
    await form.getByLabel('Reason').fill('A large volume');
    await form.getByLabel('is told by mail').uncheck();
    await form.getByRole('button', { name: 'Set a price', exact: true }).click();
    await shown(page.getByText('a second one has to agree').first());
    await shown(page.getByText(/Waits for a second person until/).first());
    await page.goto(`${stack.url}/support`);
    const row = page.getByRole('listitem').filter({ hasText: 'A large volume' });
    await shown(row.getByText('up to 45% below the catalogue'));
    await shown(row.getByText('Set by you: another member of staff who may set prices agrees or declines.'));
    expect(await row.getByRole('button').count()).toBe(0);
    await stack.settle();
    expect(stack.sandbox.mail.messages(filled.email).filter(({ subject }) => /price/i.test(subject))).toEqual([]);
  });

  test('has caused no script error, no violation of the security policy and no request to another host', () => {
    expect([...desk.complaints, ...shop.complaints]).toEqual([]);
  });
});
