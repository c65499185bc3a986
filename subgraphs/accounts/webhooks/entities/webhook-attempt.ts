import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { AttemptAsker, Outcome } from '../domain/delivery.ts';
import { WebhookEvent } from './webhook-event.ts';

/** One try to deliver an event to an end point. */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: (p) => ({
    id: p.string().primary(),
    endpointId: p.string(),
    eventId: p.string(),
    at: p.datetime(),
    askedBy: p.string().$type<AttemptAsker>(),
    outcome: p.string().$type<Outcome>(),
    status: p.integer().nullable(),
    durationMs: p.integer(),
    said: p.text(),
  }),
});
export type WebhookAttempt = InferEntity<typeof WebhookAttempt>;

export async function insertAttempt(em: EntityManager, attempt: WebhookAttempt): Promise<void> {
  await em.insert(WebhookAttempt, attempt);
}

/** A page of attempts, newest first; `after` is the last id of the page before. */
export const pageOfAttempts = (
  em: EntityManager,
  endpointId: string,
  limit: number,
  after: string | undefined,
): Promise<WebhookAttempt[]> =>
  em.find(WebhookAttempt, { endpointId, ...(after !== undefined && { id: { $lt: after } }) }, { orderBy: { id: 'desc' }, limit });

/** The events with these ids, which attempts refer to. */
export const eventsOfAttempts = (em: EntityManager, ids: string[]): Promise<WebhookEvent[]> => em.find(WebhookEvent, { id: { $in: ids } });
