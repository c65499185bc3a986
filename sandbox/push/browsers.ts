// The browsers that a push service delivers to: their subscriptions with real keys, what waits for them, and what they have read.
import { createECDH, randomBytes } from 'node:crypto';
import { SECOND } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { decrypt } from './aes128gcm.ts';
import type { SubscriptionKeys } from './aes128gcm.ts';

/** As `PushSubscription.toJSON()` gives it. */
export interface SubscriptionJson {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** A message as a browser has read it. */
export interface ReadMessage {
  text: string;
  urgency: string;
  topic: string | null;
  ttl: number;
}

interface StoredMessage extends Omit<ReadMessage, 'text'> {
  body: Buffer;
  until: number;
}

export interface SandboxBrowser {
  readonly subscription: SubscriptionJson;
  /** What has reached it, decrypted, oldest first. */
  readonly messages: readonly ReadMessage[];
  /** Offline: messages wait at the service, for as long as they live. */
  setOnline(online: boolean): void;
  /** Its owner has taken the permission back, or cleared the browser. */
  unsubscribe(): void;
}

/** A subscription as the service knows it. */
export interface KnownBrowser {
  /** The only key whose owner may send. */
  senderKey: string;
  isGone(): boolean;
  take(message: Omit<StoredMessage, 'until'>): void;
}

/** `senderKey`: `applicationServerKey`, in base64url. */
export function openBrowser(endpoint: string, senderKey: string, clock: Clock): SandboxBrowser & KnownBrowser {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const keys: SubscriptionKeys = { private: ecdh.getPrivateKey(), public: ecdh.getPublicKey(), auth: randomBytes(16) };
  const messages: ReadMessage[] = [];
  let waiting: StoredMessage[] = [];
  let [online, gone] = [true, false];
  const deliver = (): void => {
    const now = clock.now().getTime();
    const alive = waiting.filter(({ until }) => until >= now);
    waiting = [];
    for (const { body, urgency, topic, ttl } of alive) messages.push({ text: decrypt(body, keys), urgency, topic, ttl });
  };
  return {
    senderKey,
    subscription: { endpoint, keys: { p256dh: keys.public.toString('base64url'), auth: keys.auth.toString('base64url') } },
    messages,
    setOnline(now) {
      online = now;
      if (online) deliver();
    },
    unsubscribe: () => void (gone = true),
    isGone: () => gone,
    take(message) {
      // RFC 8030, 5.4: a message replaces one of its topic that has not been delivered.
      if (message.topic !== null) waiting = waiting.filter(({ topic }) => topic !== message.topic);
      waiting.push({ ...message, until: clock.now().getTime() + message.ttl * SECOND });
      if (online) deliver();
    },
  };
}
