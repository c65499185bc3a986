// PayPal's webhooks: "The signature is over transmissionId|timeStamp|webhookId|crc32", RSA-SHA256, with the certificate at an address of its API.
// https://developer.paypal.com/api/rest/webhooks/rest/ ("Verify the message"); "up to 25 times over the course of 3 days".
import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Clock, DAY, after } from '#platform/clock.ts';
import { createSender } from '../sender.ts';
import type { Sender, DeliveryFaults, Retry } from '../sender.ts';
import type { Random } from '../random.ts';
import { newId, toTime } from './books.ts';
import { type SigningCertificate, makeCertificate } from './certificate.ts';
import type { PayPalEvent, PayPalState, WebhookListener } from './state.ts';

/** "lists webhook event notifications ... from the last 30 days": https://developer.paypal.com/docs/api/webhooks/v1/#webhooks-events_list */
const LISTED_MS = 30 * DAY;

export interface WebhooksOptions {
  clock: Clock;
  random: Random;
  faults: DeliveryFaults;
  retry: Retry;
  state: PayPalState;
  changed: () => void;
  /** The API's URL. */
  url: () => string;
  /** The listener that exists from the start: its id and URL. */
  webhookId: string;
  webhookUrl: () => string;
}

export interface Webhooks {
  sender: Sender;
  send(event: PayPalEvent): void;
  certificate(): SigningCertificate;
  listeners(): WebhookListener[];
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { clock, state, url, webhookId, webhookUrl } = options;
  let made: SigningCertificate | undefined;
  const certificate = (): SigningCertificate => {
    const now = clock.now();
    return (made ??= makeCertificate(after(now, -DAY), after(now, 3_650 * DAY)));
  };
  const first = (): WebhookListener => state.listeners[webhookId] ?? { id: webhookId, url: webhookUrl(), events: ['*'] };
  const listeners = () => [first(), ...Object.values(state.listeners).filter(({ id }) => id !== webhookId)];
  const sender = createSender({
    ...options,
    address: () => first().url,
    underWay: state.webhooksUnderWay,
    sign(body, forged) {
      const id = randomUUID();
      const at = toTime(clock.now().getTime());
      // A forged copy is signed for another listener.
      const signed = `${id}|${at}|${forged ? newId() : webhookId}|${crc32(body)}`;
      return {
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-auth-version': 'v2',
        'paypal-cert-url': `${url()}/v1/notifications/certs/${certificate().id}`,
        'paypal-transmission-id': id,
        'paypal-transmission-time': at,
        'paypal-transmission-sig': certificate().sign(signed),
      };
    },
  });
  return {
    sender,
    certificate,
    listeners,
    send(event) {
      const { events } = first();
      if (!events.includes('*') && !events.includes(event.event_type)) return;
      const oldest = toTime(after(clock.now(), -LISTED_MS).getTime());
      state.events = [...state.events.filter(({ create_time: at }) => at >= oldest), event];
      void sender.send({ id: event.id, kind: event.event_type, body: JSON.stringify(event) });
    },
  };
}
