// Checks what a webhook brings, as Standard Webhooks say: https://www.standardwebhooks.com
import { nowMs } from './clock.ts';
import type { WebhookEvent } from './words/webhook-events.ts';

/** A webhook that is not what the platform has sent, or was sent too long ago. `message` says which. */
export class WebhookForged extends Error {
  override readonly name = 'WebhookForged';
}

export interface WebhookRequest {
  /** By names in lower case, as Node's servers have them. */
  headers: Record<string, string | string[] | undefined>;
  /** The body as it came, before anything parses it. */
  body: string;
}

/** Seconds between sending and receiving that are believed. */
const TOLERANCE = 300;

/** The event of a webhook whose signature is right by `secret` (whsec_...). Rejects with WebhookForged. `atMs`: the time to go by; default: now. */
export async function verifyWebhook(secret: string, { headers, body }: WebhookRequest, atMs = nowMs()): Promise<WebhookEvent> {
  const header = (name: string) => String(headers[name] ?? '');
  const [id, sent] = [header('webhook-id'), header('webhook-timestamp')];
  if (id === '' || !/^\d+$/.test(sent)) throw new WebhookForged('It has no webhook-id or webhook-timestamp.');
  if (Math.abs(atMs / 1_000 - Number(sent)) > TOLERANCE) throw new WebhookForged('It was sent more than five minutes ago, or will be.');
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${id}.${sent}.${body}`);
  for (const signature of header('webhook-signature').split(' ')) {
    const [version, text = ''] = signature.split(',');
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(text), signed))) return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookForged('No signature fits the secret.');
}

/** Text that is no base64 is no signature: nothing. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
