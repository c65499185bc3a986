// Two people in one team, each in a browser of their own: invited in the settings, joined from the mail, at work in the other's account, and back.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { launchBrowser, visitInTest } from './browser.ts';

let stack: Stack;
let browser: Browser;
let owner: SeededAccount;
let guest: SeededAccount;
let planId: string;
let turn = 0;
beforeAll(async () => {
  stack = await startStack();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stack.close();
});
beforeEach(async () => {
  turn += 1;
  owner = await stack.seed.account({ email: `owner-${turn}@customer.example` });
  guest = await stack.seed.account({ email: `guest-${turn}@customer.example` });
  ({ id: planId } = await owner.residentialPlan());
  await owner.residentialPlan({ product: 'MOBILE' });
});

async function signedIn(account: SeededAccount): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await visitInTest(browser, stack.url);
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await context.addCookies([{ name, value, url: stack.url }]);
  return { page, context };
}

async function invitation(): Promise<string> {
  await stack.settle();
  const mail = stack.sandbox.mail.messages(guest.email).findLast(({ text }) => text.includes('/join?token='));
  return mail?.links.find((link) => link.includes('/join')) ?? '';
}

const team = (page: Page) => page.getByTestId('team');
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
const bar = (page: Page) => page.getByRole('region', { name: 'The account of a team' });

test('an owner invites a developer, who works in the account and goes back', async () => {
  const { page } = await signedIn(owner);
  await page.goto(`${stack.url}/settings?tab=team`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Example Ltd');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The name is saved').waitFor();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(guest.email);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await team(page).getByText('Invited').waitFor();

  const other = await signedIn(guest);
  await other.page.goto(await invitation());
  await other.page.getByText('You are invited into the team Example Ltd, as Developer.').waitFor();
  await other.page.getByRole('button', { name: 'Join the team' }).click();
  await bar(other.page).getByText('You work in the account Example Ltd, as a developer.').waitFor();
  await other.page
    .getByRole('link', { name: /^Premium/ })
    .first()
    .waitFor();
  expect((await navigation(other.page)).map((label) => label.trim())).toEqual([
    'Home',
    'Residential',
    'ISP & datacenter',
    'Servers',
    'Developers',
    'Settings',
  ]);
  await other.page.goto(`${stack.url}/billing`);
  await other.page.getByRole('heading', { name: 'Your role does not include this page' }).waitFor();

  const second = await other.context.newPage();
  await second.goto(`${stack.url}/residential`);
  await bar(second).waitFor();
  await bar(other.page).getByRole('button', { name: 'Back to my account' }).click();
  await second.waitForURL('**/home');
  await second.getByRole('button', { name: 'Account' }).click();
  await second.getByRole('button', { name: 'Example Ltd' }).click();
  await bar(second).waitFor();

  await page.reload();
  await team(page).getByText(guest.email).waitFor();
  await page.getByRole('button', { name: `Remove ${guest.email} from the team` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Nobody else works in this account.').waitFor();
  await second.reload();
  await second.getByRole('heading', { name: 'Home' }).waitFor();
  await second.waitForLoadState('networkidle');
  expect(await second.getByText('Example Ltd').count()).toBe(0);
});

test('a viewer with access to one plan sees that, without its password, and no page complains', async () => {
  const { page } = await signedIn(owner);
  await page.goto(`${stack.url}/settings?tab=team`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(guest.email);
  await page.getByRole('radio', { name: /^Viewer/ }).check();
  await page.getByText('Only what is chosen below').click();
  await page.getByRole('checkbox', { name: /^Premium/ }).check();
  await page.getByText('1 item chosen').waitFor();
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await team(page).getByText('Access to 1 item').waitFor();

  const other = await signedIn(guest);
  await other.page.goto(await invitation());
  await other.page.getByRole('button', { name: 'Join the team' }).click();
  await bar(other.page).waitFor();
  const failures: string[] = [];
  for (const path of [
    '/home',
    '/residential',
    '/residential/usage',
    `/residential/${planId}`,
    '/static',
    '/servers',
    '/servers/ssh-keys',
    '/settings',
  ]) {
    await other.page.goto(`${stack.url}${path}`);
    await bar(other.page).waitFor();
    await other.page.waitForLoadState('networkidle');
    for (const text of await other.page.getByRole('alert').allTextContents()) failures.push(`${path}: ${text.trim()}`);
  }
  expect(failures).toEqual([]);
  await other.page.goto(`${stack.url}/residential?show=all`);
  await other.page
    .getByRole('link', { name: /^Premium/ })
    .first()
    .waitFor();
  expect(await other.page.getByRole('link', { name: /^Mobile/ }).count()).toBe(0);
});

test('a developer with access to one proxy user finds it with its log-in, and nothing to change', async () => {
  const created = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.url, cookie: await owner.cookie() },
    body: JSON.stringify({
      query: 'mutation ($id: ID!) { proxyUsersCreate(planId: $id, users: [{ name: "Shop" }, { name: "Farm" }]) { id } }',
      variables: { id: planId },
    }),
  });
  expect(created.status).toBe(200);
  const { page } = await signedIn(owner);
  await page.goto(`${stack.url}/settings?tab=team`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(guest.email);
  await page.getByText('Only what is chosen below').click();
  await page.getByRole('checkbox', { name: /^Shop/ }).check();
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await team(page).getByText('Access to 1 item').waitFor();

  const other = await signedIn(guest);
  await other.page.goto(await invitation());
  await other.page.getByRole('button', { name: 'Join the team' }).click();
  await bar(other.page).waitFor();
  await other.page.goto(`${stack.url}/residential`);
  const users = other.page.getByTestId('proxy-users');
  await users.getByRole('heading', { name: 'Shop' }).waitFor();
  expect(await users.getByRole('listitem').count()).toBe(1);
  await users.getByRole('button', { name: 'Reveal' }).click();
  await users.getByRole('button', { name: 'Hide' }).waitFor();
  expect(await users.getByRole('button', { name: /Edit|Remove|Pause/ }).count()).toBe(0);
});
