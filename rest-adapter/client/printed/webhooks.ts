// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import { eachItem } from '../paging.ts';

export interface Webhook {
  webhook_id: string;
  url: string;
  description: string;
  /** The types that it is sent; empty: all of them. */
  event_types: string[];
  state: 'working' | 'failing' | 'disabled';
  /** owner: paused by you; failing: nothing was taken for three days; gone: it answered 410. */
  disabled_because: 'owner' | 'failing' | 'gone' | null;
  /** Tries in a row that were not taken. */
  failures: number;
  failing_since: string | null;
  next_try_at: string | null;
  /** Events that it has yet to take, counted to 1,000. */
  waiting: number;
  created_at: string;
}

export interface ListWebhooksData {
  webhooks: Webhook[];
}

export interface WebhookWithSecret {
  webhook: Webhook;
  /** Signs what is sent (webhook-signature). Shown this once. */
  secret: string;
}

export interface WebhookDelivery {
  delivery_id: string;
  event_id: string;
  type: string;
  at: string;
  /** owner: sent once more by hand. */
  asked_by: 'platform' | 'owner';
  outcome: 'delivered' | 'refused' | 'no_answer' | 'forbidden';
  /** HTTP status; null: there was no answer. */
  status: number | null;
  duration_ms: number;
  /** The beginning of what was answered, or what went wrong. */
  said: string;
}

export interface WebhookDeliveries {
  deliveries: WebhookDelivery[];
  /** For `after`; null: there are no more. */
  next: string | null;
}

export interface WebhookState {
  webhook: Webhook;
}

export interface RemovedWebhook {
  webhook_id: string;
}

export type ListWebhooksInput = Record<string, never>;

export interface CreateWebhookInput {
  /** Where events are sent: https, a public host. */
  url: string;
  /** What it is for, in your words, at most 200 characters. */
  description?: string;
  /** The types that it is sent; empty: all of them. */
  event_types?: string[];
}

export interface ListWebhookDeliveriesInput {
  /** Identifier of the end point, from the list (webhook_id). */
  webhook_id: string;
  /** `next` of the answer before. */
  after?: string;
  /** How many at most. Default: 25. */
  limit?: number;
}

export interface GetWebhookInput {
  /** Identifier of the end point, from the list (webhook_id). */
  webhook_id: string;
}

export interface ChangeWebhookInput {
  /** Identifier of the end point, from the list (webhook_id). */
  webhook_id: string;
  /** Where events are sent: https, a public host. */
  url?: string;
  /** What it is for, in your words, at most 200 characters. */
  description?: string;
  /** The types that it is sent; empty: all of them. */
  event_types?: string[];
  /** false: nothing is sent until it is true again. */
  enabled?: boolean;
}

export interface RemoveWebhookInput {
  /** Identifier of the end point, from the list (webhook_id). */
  webhook_id: string;
}

export interface RenewWebhookSecretInput {
  /** Identifier of the end point, from the list (webhook_id). */
  webhook_id: string;
}

export interface TestWebhookInput {
  /** Identifier of the end point, from the list (webhook_id). */
  webhook_id: string;
}

export interface ReplayWebhookInput {
  /** Identifier of the end point, from the list (webhook_id). */
  webhook_id: string;
  /** event_id: what came after it is sent. */
  after?: string;
  /** What has happened since is sent. */
  since?: string;
}

export interface ResendWebhookEventInput {
  /** Identifier of the end point, from the list (webhook_id). */
  webhook_id: string;
  /** event_id of an event of the account. */
  event_id: string;
}

export const webhooksMethods = (call: Call) => ({
  /** The end points that events of the account are sent to, with how each is doing. Takes no parameters. Scope of the key: `read`. */
  listWebhooks: (input: ListWebhooksInput = {}, options?: CallOptions): Promise<ListWebhooksData> =>
    call<ListWebhooksData>({ method: 'GET', path: '/v1/webhooks' }, input, options),

  /**
   * A new end point that events of the account are sent to from now on, in order and at least once, signed as Standard Webhooks say. The
   * answer has its secret, this once. An account has at most ten. Scope of the key: `webhooks`.
   */
  createWebhook: (input: CreateWebhookInput, options?: CallOptions): Promise<WebhookWithSecret> =>
    call<WebhookWithSecret>({ method: 'POST', path: '/v1/webhooks' }, input, options),

  /**
   * Every try to deliver an event to one end point, newest first: when, what was answered, and how long it took. Scope of the key: `read`.
   */
  listWebhookDeliveries: (input: ListWebhookDeliveriesInput, options?: CallOptions): Promise<WebhookDeliveries> =>
    call<WebhookDeliveries>({ method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries' }, input, options),
  /** All that `listWebhookDeliveries` has, page after page. */
  eachWebhookDelivery: (input: ListWebhookDeliveriesInput, options?: CallOptions): AsyncGenerator<WebhookDelivery> =>
    eachItem<WebhookDelivery>(
      call, { method: 'GET', path: '/v1/webhooks/{webhook_id}/deliveries' },
      { by: 'next', list: 'deliveries' }, input, options,
    ),

  /** One end point: what it is sent, and how it is doing. Scope of the key: `read`. */
  getWebhook: (input: GetWebhookInput, options?: CallOptions): Promise<WebhookState> =>
    call<WebhookState>({ method: 'GET', path: '/v1/webhooks/{webhook_id}' }, input, options),

  /**
   * Sets where an end point is, what it is sent, and whether it is sent anything. Enabled again, it is sent what it has missed. What is
   * left out stays as it is. Scope of the key: `webhooks`.
   */
  changeWebhook: (input: ChangeWebhookInput, options?: CallOptions): Promise<WebhookState> =>
    call<WebhookState>({ method: 'PATCH', path: '/v1/webhooks/{webhook_id}' }, input, options),

  /** Nothing more is sent to the end point, and what it has yet to take is not kept for it. Scope of the key: `webhooks`. */
  removeWebhook: (input: RemoveWebhookInput, options?: CallOptions): Promise<RemovedWebhook> =>
    call<RemovedWebhook>({ method: 'DELETE', path: '/v1/webhooks/{webhook_id}' }, input, options),

  /** A new secret, shown this once. The old one signs beside it for a day. Scope of the key: `webhooks`. */
  renewWebhookSecret: (input: RenewWebhookSecretInput, options?: CallOptions): Promise<WebhookWithSecret> =>
    call<WebhookWithSecret>({ method: 'POST', path: '/v1/webhooks/{webhook_id}/secret' }, input, options),

  /**
   * Sends an event that says nothing, also to an end point that is disabled. The deliveries say what was answered. Scope of the key:
   * `webhooks`.
   */
  testWebhook: (input: TestWebhookInput, options?: CallOptions): Promise<WebhookState> =>
    call<WebhookState>({ method: 'POST', path: '/v1/webhooks/{webhook_id}/test' }, input, options),

  /**
   * Sends again everything that has happened after an event, or since an instant, in order. With the last event it passes over what cannot
   * be taken. One of the two is needed. Scope of the key: `webhooks`.
   */
  replayWebhook: (input: ReplayWebhookInput, options?: CallOptions): Promise<WebhookState> =>
    call<WebhookState>({ method: 'POST', path: '/v1/webhooks/{webhook_id}/replay' }, input, options),

  /** One event once more, beside the order. Scope of the key: `webhooks`. */
  resendWebhookEvent: (input: ResendWebhookEventInput, options?: CallOptions): Promise<WebhookState> =>
    call<WebhookState>({ method: 'POST', path: '/v1/webhooks/{webhook_id}/events/{event_id}/resend' }, input, options),
});
