// The processor's books: its state, its clock, and the one way to note that something has happened.
import Stripe from 'stripe';
import type { Clock } from '#shared/clock.ts';
import { createId } from './ids.ts';
import type { CardState } from './state.ts';

/** The request that caused an event, as the event says it; null for what nobody asked for (an expiry, the checkout page). */
export type Cause = Stripe.Event.Request | null;

export interface Books {
  readonly state: CardState;
  /** Unix seconds. */
  now(): number;
  changed(): void;
  /** Notes an event about `object` as it is now, and hands it to the webhooks. */
  emit(type: Stripe.Event['type'], object: object, cause: Cause, previous?: object): void;
  /** The processor's own address. */
  url(): string;
  /** Where the webhooks go. */
  webhookUrl(): string;
}

export interface BooksOptions {
  state: CardState;
  clock: Clock;
  changed: () => void;
  url: () => string;
  webhookUrl: () => string;
  onEvent: (event: Stripe.Event) => void;
}

export function openBooks({ state, clock, changed, url, webhookUrl, onEvent }: BooksOptions): Books {
  const now = (): number => Math.floor(clock.now().getTime() / 1000);
  return {
    state,
    now,
    changed,
    url,
    webhookUrl,
    emit(type, object, cause, previous) {
      const event = {
        id: createId('evt'),
        object: 'event',
        api_version: Stripe.API_VERSION,
        created: now(),
        data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
        livemode: false,
        pending_webhooks: 1,
        request: cause,
        type,
      } as Stripe.Event;
      state.events[event.id] = event;
      changed();
      onEvent(event);
    },
  };
}
