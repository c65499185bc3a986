// Notifications by web push in a real browser: switched on in the settings, sent by the platform, shown by the service worker, opened by a click. A headless browser
// has no push service, so `PushManager` is replaced by a subscription at the sandbox's, and what that has decrypted is handed to the worker by the browser's own
// protocol (ServiceWorker.deliverPushMessage).
import type { Browser, CDPSession, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#platform/database.ts';
import type { SandboxBrowser } from '../../sandbox/push/browsers.ts';
import { postToOwner } from '../../subgraphs/accounts/mail/services/mails.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { rowsOf, setRows } from '../kit/tables.ts';
import { type Visit, launchBrowser, visit } from './browser.ts';

let stack: Stack;
let browser: Browser;
let opened: Visit;
let accountId: string;
let pushed: SandboxBrowser;
let deliver: (text: string) => Promise<void>;

/** Runs in the page: a subscription of the sandbox instead of the browser's, which is kept as the browser would keep it. */
function replacePushManager(): void {
  const KEY = 'subscription-of-the-test';
  type Kept = { endpoint: string; key: string };
  const open = (kept: Kept) => ({
    endpoint: kept.endpoint,
    options: {
      applicationServerKey: Uint8Array.from(atob(kept.key.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0)).buffer,
    },
    toJSON: () => kept,
    unsubscribe: async () => {
      localStorage.removeItem(KEY);
      return true;
    },
  });
  const present = () => JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null;
  PushManager.prototype.getSubscription = async () => {
    const kept = present();
    return (kept && open(kept)) as unknown as PushSubscription;
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey: key } = {}) => {
    const made = await (globalThis as unknown as { subscribeAtSandbox(key: unknown): Promise<object> }).subscribeAtSandbox(key);
    const kept = { ...made, key } as Kept;
    localStorage.setItem(KEY, JSON.stringify(kept));
    return open(kept) as unknown as PushSubscription;
  };
}

/** Delivers messages to the worker as the browser's push service would. */
function deliverer(cdp: CDPSession): (text: string) => Promise<void> {
  let registrationId = '';
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.at(-1)?.registrationId ?? registrationId;
  });
  return async (data) => void (await cdp.send('ServiceWorker.deliverPushMessage', { origin: stack.url, registrationId, data }));
}

beforeAll(async () => {
  stack = await startStack({ environment: { WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8' } });
  browser = await launchBrowser();
  const account = await stack.seed.account();
  accountId = account.id;
  opened = await visit(browser, stack.url);
  const { context, page } = opened;
  await context.grantPermissions(['notifications'], { origin: stack.url });
  const [name = '', value = ''] = (await account.cookie()).split('=');
  await context.addCookies([{ name, value, domain: '127.0.0.1', path: '/' }]);
  await context.exposeFunction('subscribeAtSandbox', (key: string) => (pushed = stack.sandbox.push.subscribe(key)).subscription);
  await context.addInitScript(replacePushManager);
  const cdp = await context.newCDPSession(page);
  deliver = deliverer(cdp);
  await cdp.send('ServiceWorker.enable');
});

afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

async function open(path: string): Promise<void> {
  await opened.page.goto(stack.url + path);
  await opened.page.getByRole('heading', { level: 1 }).first().waitFor();
  await opened.page.waitForFunction(() => !document.querySelector('.skeleton'));
}
const shown = () =>
  opened.page.evaluate(async () => {
    const notifications = await (await navigator.serviceWorker.ready).getNotifications();
    return notifications.map(({ title, body, lang, icon, data }) => ({ title, body, lang, icon, page: (data as { page: string }).page }));
  });
const worker = (): Worker => {
  const [only] = opened.context.serviceWorkers();
  if (!only) throw new Error('no service worker runs');
  return only;
};
/** What the platform has sent last, as the push service's browser has decrypted it. */
const lastPushed = () => pushed.messages.at(-1)?.text ?? '';

/** Runs in the worker: a press on the notification that is shown. A test has no screen, so a tab notes that it was brought to the front. */
const PRESS = `(async () => {
  const focused = [];
  WindowClient.prototype.focus = async function () {
    focused.push(this.url);
    return this;
  };
  const [notification] = await registration.getNotifications();
  const waits = [];
  const event = new NotificationEvent('notificationclick', { notification });
  event.waitUntil = (work) => waits.push(work);
  dispatchEvent(event);
  await Promise.all(waits);
  return focused;
})()`;
const press = () => worker().evaluate<string[]>(PRESS);

test('nobody loads the service worker before push is switched on', async () => {
  await open('/settings?tab=notifications');
  expect(await opened.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await opened.page.getByText('No browser shows notifications yet.').waitFor();
});

test('it is switched on by a press, and the browser is listed as this one, also after the page is loaded anew', async () => {
  await opened.page.getByRole('button', { name: 'Switch on in this browser' }).click();
  const list = opened.page.getByTestId('push-devices');
  await list.getByText('This browser').waitFor();
  expect(await list.innerText()).toMatch(/Chrome on Linux[\s\S]*since[\s\S]*last notification: never/i);
  await open('/settings?tab=notifications');
  await list.getByText('This browser').waitFor();
  expect(await opened.page.getByRole('button', { name: 'Switch on in this browser' }).count()).toBe(0);
});

test('a test is shown in the language of the account, and the list says when it was sent', async () => {
  await opened.page.getByRole('button', { name: /^Send a test to/ }).click();
  await expect.poll(() => pushed.messages.length).toBe(1);
  await deliver(lastPushed());
  await expect.poll(shown).toEqual([
    expect.objectContaining({
      title: 'Egress: a test',
      body: 'This browser shows your notifications.',
      lang: 'en',
      page: '/settings?tab=notifications',
    }),
  ]);
  await open('/settings?tab=notifications');
  expect(await opened.page.getByTestId('push-devices').innerText()).not.toContain('never');
});

test('a press on it brings the open tab to the front and leads it to the page', async () => {
  await open('/orders');
  expect(await press()).toEqual([`${stack.url}/orders`]);
  await opened.page.waitForURL(`${stack.url}/settings?tab=notifications`);
  expect(await shown()).toEqual([]);
});

test('what happens is shown in German to an account that reads German, and a newer one of the kind takes its place', async () => {
  await setRows(stack.database.query, 'accounts.account', { language: 'de' }, { id: accountId });
  const { systemContext } = stack.subgraphs.accounts;
  for (const percent of [80, 100]) {
    const about = { percent, title: 'Premium, 5 GB', url: `${stack.url}/residential` };
    await inTransaction(systemContext('test'), (tx) => postToOwner(tx, accountId, 'balance_low', about));
    await stack.platform.queue.drain();
    await deliver(lastPushed());
    await expect.poll(async () => (await shown()).map(({ lang }) => lang)).toEqual(['de']);
  }
  await expect.poll(shown).toEqual([expect.objectContaining({ title: 'Aufgebraucht: Premium, 5 GB', lang: 'de', page: '/residential' })]);
});

test('a message that cannot be read shows something all the same, and leads to no other site', async () => {
  await press();
  await deliver('not of this platform');
  await expect
    .poll(async () => (await shown()).map(({ title, page }) => ({ title, page })))
    .toEqual([{ title: 'News of your account', page: '/home' }]);
  await press();
  await deliver(JSON.stringify({ notification: { title: 'Elsewhere', navigate: 'https://elsewhere.example/x' } }));
  await expect.poll(async () => (await shown()).map(({ page }) => page)).toEqual(['/home']);
  await press();
});

/**
 * Runs in the worker: the browser has ended a subscription, and makes `made` when it is asked to. Which one has ended it says (`ended`), or not; resolves to the
 * key that it was asked with.
 */
const END = `async ([ended, made]) => {
  let asked;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    asked = applicationServerKey;
    return { endpoint: made.endpoint, toJSON: () => made };
  };
  const event = new ExtendableEvent('pushsubscriptionchange');
  if (ended) Object.defineProperty(event, 'oldSubscription', { value: { endpoint: ended.endpoint } });
  const waits = [];
  event.waitUntil = (work) => waits.push(work);
  dispatchEvent(event);
  await Promise.all(waits);
  return asked;
}`;
const devicesNow = () => rowsOf(stack.database.query, 'accounts.push_device', { account_id: accountId });

test.each([
  ['says which', true],
  ['does not say which', false],
])('a subscription that the browser ends is replaced without a person, where the browser %s', async (_, says) => {
  await open('/settings?tab=notifications');
  const [before] = await devicesNow();
  const former = pushed;
  const key = String((await rowsOf(stack.database.query, 'accounts.push_key'))[0]?.['public_key']);
  const made = stack.sandbox.push.subscribe(key);
  const read = former.messages.length;
  former.unsubscribe();
  const end = `(${END})(${JSON.stringify([says ? former.subscription : null, made.subscription])})`;
  expect(await worker().evaluate<string>(end)).toBe(key);
  pushed = made;
  // The page's stand-in keeps what the browser would keep.
  await opened.page.evaluate(
    (kept) => localStorage.setItem('subscription-of-the-test', kept),
    JSON.stringify({ ...made.subscription, key }),
  );
  const devices = await devicesNow();
  expect(devices.map(({ id }) => id)).toEqual([before?.['id']]);
  expect(devices[0]?.['endpoint_digest']).not.toBe(before?.['endpoint_digest']);
  await inTransaction(stack.subgraphs.accounts.systemContext('test'), (tx) =>
    postToOwner(tx, accountId, 'balance_low', { percent: 80, title: 'Premium, 5 GB', url: `${stack.url}/residential` }),
  );
  await stack.platform.queue.drain();
  await expect.poll(() => made.messages.length).toBe(1);
  expect(former.messages).toHaveLength(read);
});

test('of a browser that the account does not know nothing is told, and it is not subscribed', async () => {
  const before = await devicesNow();
  await setRows(stack.database.query, 'accounts.push_device', { session_id: 'ses_elsewhere' }, { account_id: accountId });
  const stranger = stack.sandbox.push.subscribe('any-key');
  for (const ended of [null, stranger.subscription])
    expect(await worker().evaluate<unknown>(`(${END})(${JSON.stringify([ended, stranger.subscription])})`)).toBeUndefined();
  expect((await devicesNow()).map(({ endpoint_digest: digest }) => digest)).toEqual(before.map(({ endpoint_digest: digest }) => digest));
  await setRows(stack.database.query, 'accounts.push_device', { session_id: before[0]?.['session_id'] }, { account_id: accountId });
});

test('push of one topic is switched off beside its mail, which stays', async () => {
  await open('/settings?tab=notifications');
  const row = opened.page.getByTestId('notification-SECURITY');
  await row.getByRole('checkbox', { name: /^Push/ }).uncheck();
  await expect
    .poll(async () => (await rowsOf(stack.database.query, 'accounts.account', { id: accountId }))[0]?.['unpushed_topics'])
    .toEqual(['SECURITY']);
  expect(await row.getByRole('checkbox', { name: /^Mail|^E-Mail/ }).isChecked()).toBe(true);
});

test('a browser that is removed is shown nothing any more, and may be switched on anew', async () => {
  await open('/settings?tab=notifications');
  await opened.page.getByRole('button', { name: /^Remove Chrome|entfernen$/ }).click();
  await opened.page
    .getByRole('alertdialog')
    .or(opened.page.getByRole('dialog'))
    .getByRole('button', { name: /^(Remove|Entfernen)$/ })
    .click();
  await opened.page.getByRole('button', { name: /Switch on in this browser|In diesem Browser einschalten/ }).waitFor();
  expect(await rowsOf(stack.database.query, 'accounts.push_device', { account_id: accountId })).toEqual([]);
  expect(await opened.page.evaluate(() => localStorage.getItem('subscription-of-the-test'))).toBeNull();
});

test('whoever signs out leaves no subscription in the browser', async () => {
  await opened.page.getByRole('button', { name: /Switch on in this browser|In diesem Browser einschalten/ }).click();
  await opened.page.getByTestId('push-devices').waitFor();
  await opened.page
    .getByRole('button', { name: /account|Konto/i })
    .last()
    .click();
  await opened.page.getByRole('button', { name: /^(Sign out|Abmelden)$/ }).click();
  await opened.page.waitForURL(/sign-in/);
  expect(await opened.page.evaluate(() => localStorage.getItem('subscription-of-the-test'))).toBeNull();
  await stack.settle();
  expect(await rowsOf(stack.database.query, 'accounts.push_device', { account_id: accountId })).toEqual([]);
});

test('has caused no script error, no violation of the security policy and no request to another host', () => {
  expect(opened.complaints).toEqual([]);
});
