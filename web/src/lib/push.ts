// Web push in this browser: the service worker, the permission, and the subscription at the browser's push service.
import { installation } from './installation.ts';
import { type Subscription, digestOf, toBase64Url, toInput } from './push-subscription.ts';

/** WORKS: it may be switched on. DENIED: its owner has refused notifications of this site. HOME_SCREEN: iOS shows them for installed sites alone. */
export type PushSupport = 'WORKS' | 'DENIED' | 'HOME_SCREEN' | 'NONE';

const ICON = '/icon.png';
/** The worker learns from its address which icon this installation has. */
const workerUrl = () => `/service-worker.js?icon=${encodeURIComponent(installation.logo ?? ICON)}`;

export function pushSupport(): PushSupport {
  const works = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  if (!works) return /\b(iPhone|iPad)\b/.test(navigator.userAgent) ? 'HOME_SCREEN' : 'NONE';
  return Notification.permission === 'denied' ? 'DENIED' : 'WORKS';
}

const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration('/') : undefined;

/** This browser's subscription; undefined: it has none. */
async function present(): Promise<PushSubscription | undefined> {
  return (await (await registration())?.pushManager?.getSubscription()) ?? undefined;
}

/** As the platform names this browser's subscription. */
export async function ownDigest(): Promise<string | undefined> {
  const known = await present();
  return known && digestOf(known);
}

/** This browser's subscription as the platform takes it; undefined: it has none. */
export async function ownSubscription(): Promise<Subscription | undefined> {
  const known = await present();
  return known && toInput(known);
}

/** Asks for the permission and subscribes to the platform's key; undefined: the permission was refused. Throws when the push service cannot be reached. */
export async function subscribe(key: string): Promise<Subscription | undefined> {
  // The browser answers a press alone, so this comes first.
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  await navigator.serviceWorker.register(workerUrl(), { scope: '/' });
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  // One that was made for another key is of no use, and a browser has one alone.
  if (known && toBase64Url(known.options.applicationServerKey ?? new ArrayBuffer(0)) !== key) await known.unsubscribe();
  return toInput(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}
