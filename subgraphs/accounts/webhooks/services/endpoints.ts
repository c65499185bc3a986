// What owners do with their end points: add, change, test, replay and remove them.
import { accountOf } from '#platform/context.ts';
import { after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { seal } from '#platform/sealing.ts';
import { makeSecret } from '#platform/standard-webhook.ts';
import { lockMoneyOf } from '../../identity/entities/account.ts';
import { record } from '../../identity/services/activity.ts';
import type { WebhooksContext } from '../context.ts';
import { type CustomerEventType, TEST_EVENT, bodyOf, isCustomerEvent } from '../../../../schema/customer-events.ts';
import { WEBHOOKS } from '../../../../schema/limits.ts';
import { OVERLAP_MS } from '../domain/delivery.ts';
import { checkDescription, checkUrl } from '../domain/endpoint-terms.ts';
import {
  type WebhookEndpoint,
  countEndpoints,
  deleteEndpoint,
  deleteEndpointsOfAccount,
  endpointOfOwner,
  insertEndpoint,
  lockEndpoint,
} from '../entities/webhook-endpoint.ts';
import { deleteEventsOfAccount, eventOfOwner, insertEvent, lastPosition, positionBefore } from '../entities/webhook-event.ts';
import { disable } from './deliver-events.ts';

export interface EndpointWish {
  url: string;
  description?: string | null | undefined;
  eventTypes?: readonly string[] | null | undefined;
}

/** An end point with its secret, which is shown only this once. */
export interface WithSecret {
  endpoint: WebhookEndpoint;
  secret: string;
}

/** The failure fields of an end point that was just added, enabled, pointed to another URL or moved to another position. */
const UNFAILED = { failures: 0, failingSince: null, nextTryAt: null } as const;

/** The wanted types without repeats; an empty list stands for all types. Errors: parameter_invalid. */
function checkTypes(types: readonly string[]): CustomerEventType[] {
  const unknown = types.find((type) => !isCustomerEvent(type));
  if (unknown !== undefined)
    throw fail('parameter_invalid', { field: 'eventTypes', reason: because('webhook_type_unknown', { type: unknown.slice(0, 60) }) });
  return [...new Set(types)].filter(isCustomerEvent);
}

/** Adds an end point; it gets no events from before. Errors: parameter_invalid, too_many_webhooks (ten). What has happened before is not sent. */
export function addEndpoint(ctx: WebhooksContext, wish: EndpointWish): Promise<WithSecret> {
  const accountId = accountOf(ctx);
  const url = checkUrl(wish.url, ctx.providers.receivers.insecure);
  const terms = { description: checkDescription(wish.description ?? ''), eventTypes: checkTypes(wish.eventTypes ?? []) };
  return inTransaction(ctx, async (tx) => {
    // Locked, so that concurrent requests cannot add an eleventh.
    await lockMoneyOf(tx.em, accountId);
    if ((await countEndpoints(tx.em, accountId)) >= WEBHOOKS.endpoints) throw fail('too_many_webhooks');
    const id = newId('hook', tx.clock);
    const secret = makeSecret();
    const now = tx.clock.now();
    await insertEndpoint(tx.em, {
      id,
      accountId,
      url,
      ...terms,
      secretSealed: seal(secret, tx.providers.secrets.sealing, id),
      previousSecretSealed: null,
      previousUntil: null,
      createdAt: now,
      disabledAt: null,
      disabledBecause: null,
      position: await lastPosition(tx.em),
      ...UNFAILED,
      claim: null,
      claimedUntil: null,
    });
    await record(tx, { type: 'webhook_endpoint.added', accountId, subject: id, data: { url } });
    return { endpoint: await existing(tx, id), secret };
  });
}

async function existing(ctx: WebhooksContext, id: string): Promise<WebhookEndpoint> {
  const endpoint = await endpointOfOwner(ctx.em, id, accountOf(ctx));
  if (!endpoint) throw fail('webhook_not_found', { field: 'id' });
  return endpoint;
}

/** Changes an end point of the caller's account under its lock. Errors: webhook_not_found. */
const change = (ctx: WebhooksContext, id: string, work: (tx: WebhooksContext, endpoint: WebhookEndpoint) => Promise<void> | void) =>
  inTransaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx.em, id, accountOf(tx));
    if (!endpoint) throw fail('webhook_not_found', { field: 'id' });
    await work(tx, endpoint);
    return endpoint;
  });

type Action = `webhook_endpoint.${'changed' | 'enabled' | 'removed' | 'secret_renewed'}`;
/** Records what the owner did, as an event and in the activity. */
const say = (tx: WebhooksContext, type: Action, { id, accountId, url }: WebhookEndpoint) =>
  record(tx, { type, accountId, subject: id, data: { url } });

const deliver = (tx: WebhooksContext, id: string) => tx.jobs.enqueue(tx.em, 'accounts.webhook-deliver', { id }, { key: id });

export interface EndpointChange {
  id: string;
  url?: string | null | undefined;
  description?: string | null | undefined;
  eventTypes?: readonly string[] | null | undefined;
  enabled?: boolean | null | undefined;
}

/** Changes an end point; absent fields stay. One that is enabled again is sent what it has missed. Errors: webhook_not_found, parameter_invalid. */
export function changeEndpoint(ctx: WebhooksContext, { id, enabled, ...wish }: EndpointChange): Promise<WebhookEndpoint> {
  const url = typeof wish.url === 'string' ? checkUrl(wish.url, ctx.providers.receivers.insecure) : undefined;
  const description = typeof wish.description === 'string' ? checkDescription(wish.description) : undefined;
  const eventTypes = wish.eventTypes ? checkTypes(wish.eventTypes) : undefined;
  return change(ctx, id, async (tx, endpoint) => {
    const isNew = url !== undefined && url !== endpoint.url;
    Object.assign(endpoint, url !== undefined && { url }, description !== undefined && { description }, eventTypes && { eventTypes });
    // A new URL starts without failures.
    if (isNew) Object.assign(endpoint, UNFAILED);
    if (url !== undefined || description !== undefined || eventTypes) await say(tx, 'webhook_endpoint.changed', endpoint);
    if (enabled === false && !endpoint.disabledAt) await disable(tx, endpoint, 'OWNER');
    if (enabled === true && endpoint.disabledAt) {
      Object.assign(endpoint, { disabledAt: null, disabledBecause: null, ...UNFAILED });
      await say(tx, 'webhook_endpoint.enabled', endpoint);
    }
    if (!endpoint.disabledAt) await deliver(tx, id);
  });
}

/** Makes a new secret; the old one signs together with it for a day. Errors: webhook_not_found. */
export async function renewSecret(ctx: WebhooksContext, id: string): Promise<WithSecret> {
  const secret = makeSecret();
  const endpoint = await change(ctx, id, async (tx, row) => {
    Object.assign(row, {
      previousSecretSealed: row.secretSealed,
      previousUntil: after(tx.clock.now(), OVERLAP_MS),
      secretSealed: seal(secret, tx.providers.secrets.sealing, id),
    });
    await say(tx, 'webhook_endpoint.secret_renewed', row);
  });
  return { endpoint, secret };
}

/** Errors: webhook_not_found. */
export const removeEndpoint = (ctx: WebhooksContext, id: string): Promise<WebhookEndpoint> =>
  change(ctx, id, async (tx, endpoint) => {
    await say(tx, 'webhook_endpoint.removed', endpoint);
    await deleteEndpoint(tx.em, id);
  });

/** Where an end point continues: after an event, or with the first event since an instant. */
export type From = { after: string } | { since: Date };

/**
 * Moves an end point to that place, from which it is sent everything again in order; moving it forward skips events that it cannot take. Errors:
 * webhook_not_found, webhook_event_not_found.
 */
export const replayFrom = (ctx: WebhooksContext, id: string, from: From): Promise<WebhookEndpoint> =>
  change(ctx, id, async (tx, endpoint) => {
    const { accountId } = endpoint;
    const event = 'after' in from ? await eventOfOwner(tx.em, from.after, accountId) : undefined;
    if (event === null) throw fail('webhook_event_not_found', { field: 'after' });
    const position = event ? event.position : 'since' in from ? await positionBefore(tx.em, accountId, from.since) : endpoint.position;
    Object.assign(endpoint, { position, ...UNFAILED });
    if (!endpoint.disabledAt) await deliver(tx, id);
  });

/** Sends one event again, outside the order. Errors: webhook_not_found, webhook_event_not_found. */
export const sendAgain = (ctx: WebhooksContext, id: string, eventId: string): Promise<WebhookEndpoint> =>
  change(ctx, id, async (tx, { accountId }) => {
    const event = await eventOfOwner(tx.em, eventId, accountId);
    if (!event || (event.endpointId !== null && event.endpointId !== id)) throw fail('webhook_event_not_found', { field: 'eventId' });
    await tx.jobs.enqueue(tx.em, 'accounts.webhook-send-once', { accountId, endpointId: id, eventId });
  });

/** Sends a test event, also to a disabled end point. Errors: webhook_not_found. */
export const sendTest = (ctx: WebhooksContext, id: string): Promise<WebhookEndpoint> =>
  change(ctx, id, async (tx, { accountId }) => {
    const at = tx.clock.now();
    const eventId = newId('evt', tx.clock);
    const body = bodyOf(TEST_EVENT, at, { webhook_id: id });
    await insertEvent(tx.em, { id: eventId, accountId, endpointId: id, type: TEST_EVENT, at, subject: id, body });
    await tx.jobs.enqueue(tx.em, 'accounts.webhook-send-once', { accountId, endpointId: id, eventId });
  });

/** Deletes the webhooks of an account that is being closed, in the caller's transaction. */
export async function forgetWebhooks({ em }: Pick<WebhooksContext, 'em'>, accountId: string): Promise<void> {
  await deleteEndpointsOfAccount(em, accountId);
  await deleteEventsOfAccount(em, accountId);
}
