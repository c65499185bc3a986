// Shows the notifications that are pushed to this browser, and opens their page. It keeps no files and answers no request: pages load as they do without it.
import { push as german } from '#lib/text/de/push.ts';
import { push as english } from '#lib/text/en/push.ts';
import { type SubscriptionChange, resubscribe } from './resubscribe.ts';

const worker = globalThis.self as unknown as ServiceWorkerGlobalScope;

interface Notice {
  title: string;
  body?: string;
  navigate?: string;
  lang?: string;
  tag?: string;
}

const HOME = '/home';

/** A browser shows something for every message, so also for one that cannot be read. */
function noticeOf(data: PushMessageData | null): Notice {
  const { title, body } = worker.navigator.language.startsWith('de') ? german : english;
  try {
    const message = data?.json() as { notification?: Notice } | undefined;
    if (typeof message?.notification?.title === 'string') return message.notification;
  } catch {
    // Not of this platform's form.
  }
  return { title, body };
}

/** A page of this site alone. */
function pageOf(navigate: unknown): string {
  const { origin } = worker.location;
  if (typeof navigate !== 'string' || !URL.canParse(navigate, origin)) return HOME;
  const url = new URL(navigate, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : HOME;
}

worker.addEventListener('install', () => void worker.skipWaiting());
// Open pages are taken over at once, so that a click can lead one of them.
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('push', (event) => {
  const { title, body = '', navigate, lang = '', tag = '' } = noticeOf(event.data);
  const icon = new URL(worker.location.href).searchParams.get('icon') ?? '/icon.png';
  const options = { body, lang, tag, icon, data: { page: pageOf(navigate) }, ...(tag !== '' && { renotify: true }) };
  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener('pushsubscriptionchange', (event) => {
  const change = event as ExtendableEvent & SubscriptionChange;
  change.waitUntil(resubscribe(worker.registration, change));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { page?: string } | null)?.page ?? HOME));
});

/** The tab that shows the page already, else one that is open, else a new one. */
async function open(page: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shows = tabs.find(({ url }) => url === new URL(page, worker.location.origin).href);
  const tab = shows ?? tabs[0];
  try {
    if (!tab) throw new Error('no tab is open');
    await tab.focus();
    if (tab !== shows) await tab.navigate(page);
  } catch {
    await worker.clients.openWindow(page);
  }
}
