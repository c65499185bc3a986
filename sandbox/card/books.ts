// The processor's books: its state, its clock, and the only way to record an event.
import Stripe from 'stripe';
import type { Clock } from '#platform/clock.ts';
import { createId } from './ids.ts';
import type { CardState } from './state.ts';

/** The request that caused an event, as the event states it; null when no request did (an expiry, the checkout page). */
export type Cause = Stripe.Event.Request | null;

export interface Books {
  readonly state: CardState;
  /** Unix seconds: the clock's time, or the time given to `within`. */
  now(): number;
  /** Runs `work` as of another time (for what fell due meanwhile, or for a test clock), or on behalf of a request. */
  within<Value>(frame: Frame, work: () => Value): Value;
  changed(): void;
  /** Records an event about `object` in its present state and queues its webhook. Default cause: that of the frame. */
  emit(type: Stripe.Event['type'], object: object, cause?: Cause, previous?: object): void;
  /** Changes `object` and records the event with the former values of the changed fields; no event when nothing has changed. */
  change<Item extends object>(type: Stripe.Event['type'], object: Item, work: (object: Item) => void): void;
  /** The processor's own address. */
  url(): string;
  /** The URL that receives the webhooks. */
  webhookUrl(): string;
}

export interface Frame {
  /** Unix seconds. */
  at?: number;
  cause?: Cause;
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
  let frame: Frame = {};
  const now = (): number => frame.at ?? Math.floor(clock.now().getTime() / 1000);
  const books: Books = {
    state,
    now,
    within(inner, work) {
      const outer = frame;
      frame = { ...outer, ...inner };
      try {
        return work();
      } finally {
        frame = outer;
      }
    },
    changed,
    url,
    webhookUrl,
    emit(type, object, cause = frame.cause ?? null, previous = undefined) {
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
    change(type, object, work) {
      const before = structuredClone(object);
      work(object);
      const previous = changedFields(before, object);
      if (Object.keys(previous).length > 0) books.emit(type, object, undefined, previous);
    },
  };
  return books;
}

function changedFields(before: object, after: object): object {
  const now = new Map(Object.entries(after));
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now.get(name))));
}
