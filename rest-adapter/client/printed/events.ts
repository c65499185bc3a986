// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import { eachItem } from '../paging.ts';

export interface Event {
  /** As the header webhook-id has it. */
  event_id: string;
  /** For example residential_plan.paused; types are only ever added. */
  type: string;
  /** When it happened. */
  timestamp: string;
  /** The id of the thing it happened to. */
  subject: string;
  /** As the type has it: the webhooks section of the description. */
  data: Record<string, unknown>;
}

export interface ListEventsData {
  events: Event[];
}

export interface ListEventsInput {
  /** event_id of the last event that was read; without it from the oldest one on. */
  after?: string;
  /** How many events at most. Default: 25. */
  limit?: number;
}

export const eventsMethods = (call: Call) => ({
  /**
   * What has happened to the account in the last 30 days (a balance is low, a plan has paused, an address was replaced, a server is ready,
   * an invoice was paid), oldest first. Go on with the last event_id as `after`. Events are kept from the moment on at which the account
   * has a webhook end point. Scope of the key: `read`.
   */
  listEvents: (input: ListEventsInput = {}, options?: CallOptions): Promise<ListEventsData> =>
    call<ListEventsData>({ method: 'GET', path: '/v1/events' }, input, options),
  /** All that `listEvents` has, page after page. */
  eachEvent: (input: ListEventsInput = {}, options?: CallOptions): AsyncGenerator<Event> =>
    eachItem<Event>(
      call, { method: 'GET', path: '/v1/events' },
      { by: 'last', list: 'events', id: 'event_id' }, input, options,
    ),
});
