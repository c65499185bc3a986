// The providers that push messages are given.
import type { Context } from '#platform/context.ts';
import type { WebhooksProviders } from '../webhooks/context.ts';

/** Push services are reached as end points of webhooks are: browsers name their addresses. */
export type PushProviders = WebhooksProviders;

export type PushContext = Context<PushProviders>;
