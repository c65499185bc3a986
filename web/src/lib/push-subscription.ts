// A subscription at the browser's push service, as the platform takes and names it; pages and the service worker know it.
export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export function toInput(subscription: PushSubscription): Subscription {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' };
}

/** As the platform names it. */
export const digestOf = async ({ endpoint }: PushSubscription): Promise<string> =>
  toBase64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)));

export function toBase64Url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
