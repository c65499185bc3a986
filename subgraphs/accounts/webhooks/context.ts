// The providers that webhooks are given.
import type { Context } from '#platform/context.ts';
import type { KeysProviders } from '../keys/context.ts';
import type { Receivers } from './providers/receivers.ts';

export interface WebhooksProviders extends KeysProviders {
  receivers: Receivers;
}

export type WebhooksContext = Context<WebhooksProviders>;
