import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** An event as it is sent to the end points of an account. */
export const WebhookEvent = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: (p) => ({
    id: p.string().primary(),
    /** Counts up over all accounts; assigned by the database. */
    position: p.bigint('string').generated('identity'),
    accountId: p.string(),
    /** For a test: the end point that it is for. */
    endpointId: p.string().nullable(),
    type: p.string(),
    at: p.datetime(),
    subject: p.string(),
    body: p.text(),
  }),
});
export type WebhookEvent = InferEntity<typeof WebhookEvent>;

export async function insertEvent(em: EntityManager, event: Omit<WebhookEvent, 'position'>): Promise<void> {
  const { id, accountId, endpointId, type, at, subject, body } = event;
  await sql`
    insert into webhook_event (id, account_id, endpoint_id, type, at, subject, body)
    values (${id}, ${accountId}, ${endpointId}, ${type}, ${at}::timestamptz, ${subject}, ${body})`.execute(em.getKysely());
}

/** Whether the account already has an event of this type about this subject. */
export const isStored = async (em: EntityManager, { accountId, type, subject }: Pick<WebhookEvent, 'accountId' | 'type' | 'subject'>) =>
  (await em.count(WebhookEvent, { accountId, type, subject })) > 0;

export const eventOfOwner = (em: EntityManager, id: string, accountId: string): Promise<WebhookEvent | null> =>
  em.findOne(WebhookEvent, { id, accountId });

const wantedBy = ({ accountId, eventTypes }: Pick<WebhookEndpoint, 'accountId' | 'eventTypes'>) => ({
  accountId,
  endpointId: null,
  ...(eventTypes.length > 0 && { type: { $in: eventTypes as string[] } }),
});

/** The next event for an end point, by position. */
export const nextEvent = (em: EntityManager, endpoint: WebhookEndpoint): Promise<WebhookEvent | null> =>
  em.findOne(WebhookEvent, { ...wantedBy(endpoint), position: { $gt: endpoint.position } }, { orderBy: { position: 'asc' } });

/** The events of an account after the event `after`, oldest first; without `after` from the oldest that is kept. Null when the account has no such event. */
export async function eventsAfter(
  em: EntityManager,
  accountId: string,
  after: string | undefined,
  limit: number,
): Promise<WebhookEvent[] | null> {
  const last = after === undefined ? undefined : await eventOfOwner(em, after, accountId);
  if (last === null) return null;
  return em.find(
    WebhookEvent,
    { accountId, endpointId: null, ...(last && { position: { $gt: last.position } }) },
    { orderBy: { position: 'asc' }, limit },
  );
}

/** The position of the last event of all accounts, where a new end point begins. */
export async function lastPosition(em: EntityManager): Promise<string> {
  const { rows } = await sql<{ last: string }>`select coalesce(max(position), 0)::text as last from webhook_event`.execute(em.getKysely());
  return rows[0]?.last ?? '0';
}

/** The position before the first event of an account at or after an instant. */
export async function positionBefore(em: EntityManager, accountId: string, at: Date): Promise<string> {
  const { rows } = await sql<{ before: string | null }>`
    select (min(position) - 1)::text as before from webhook_event
    where account_id = ${accountId} and endpoint_id is null and at >= ${at}::timestamptz`.execute(em.getKysely());
  return rows[0]?.before ?? (await lastPosition(em));
}

/** Deletes events from before that moment, and with them their attempts. */
export async function deleteEventsBefore(em: EntityManager, at: Date): Promise<void> {
  await em.nativeDelete(WebhookEvent, { at: { $lt: at } });
}

export async function deleteEventsOfAccount(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(WebhookEvent, { accountId });
}
