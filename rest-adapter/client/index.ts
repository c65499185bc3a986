// The client of the REST API. It needs `fetch` and nothing else: Node 20, browsers, Deno, Bun.
import { type ClientOptions, createCall } from './call.ts';
import { type Methods, methods } from './printed/methods.ts';

export type EgressClient = Methods;

/** A client of one account. It asks nothing before its first method is called. */
export const createClient = (options: ClientOptions): EgressClient => methods(createCall(options));

export type { CallOptions, ClientOptions } from './call.ts';
export { EgressRefusal, EgressUnreachable } from './errors.ts';
export { WebhookForged, type WebhookRequest, verifyWebhook } from './webhook-signature.ts';
export type * from './printed/methods.ts';
