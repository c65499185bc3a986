// The processor's webhook: signed events. Every further attempt is a delivery of its own, and all deliveries are stored.
import { createHmac } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { createSender } from '../sender.ts';
import type { Sender, DeliveryFaults, Message, Retry } from '../sender.ts';
import type { Random } from '../random.ts';
import type { CryptoEvent } from './books.ts';
import type { CryptoState, Delivery } from './state.ts';
import { newId } from './store.ts';

export interface WebhooksOptions {
  clock: Clock;
  random: Random;
  faults: DeliveryFaults;
  retry: Retry;
  webhookSecret: string;
  webhookUrl: () => string;
  state: CryptoState;
  changed: () => void;
}

export interface Webhooks {
  sender: Sender;
  send(event: CryptoEvent): void;
  /** Sends an event again; returns the new delivery's id. */
  redeliver(delivery: Delivery): string;
}

export function createWebhooks({ clock, random, faults, retry, webhookSecret, webhookUrl, state, changed }: WebhooksOptions): Webhooks {
  const now = (): number => Math.floor(clock.now().getTime() / 1000);
  const sign = (secret: string, body: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  /** The same event as a new delivery, which refers to the first one. */
  const again = (body: string): CryptoEvent => {
    const event = JSON.parse(body) as CryptoEvent;
    return { ...event, deliveryId: newId(), isRedelivery: true, timestamp: now() };
  };
  const sender = createSender({
    clock,
    random,
    faults,
    retry,
    address: webhookUrl,
    underWay: state.webhooksUnderWay,
    changed,
    /** The first attempt sends the event itself, each further one a redelivery. */
    bodyOf: ({ body, attempts }: Readonly<Message>) => (attempts === 0 ? body : JSON.stringify(again(body))),
    onAttempt({ status, forged }, body) {
      if (forged) return;
      const event = JSON.parse(body) as CryptoEvent;
      const delivery = { id: event.deliveryId, originalId: event.originalDeliveryId, createdAt: event.timestamp };
      state.deliveries[event.deliveryId] = { ...delivery, sentAt: now(), httpCode: status, body };
    },
    sign: (body, forged) => ({ 'btcpay-sig': sign(forged ? 'forged' : webhookSecret, body) }),
  });
  const send = (event: CryptoEvent): void => {
    void sender.send({ id: event.deliveryId, kind: event.type, body: JSON.stringify(event) });
  };
  return {
    sender,
    send,
    redeliver({ body }) {
      const event = again(body);
      send(event);
      return event.deliveryId;
    },
  };
}
