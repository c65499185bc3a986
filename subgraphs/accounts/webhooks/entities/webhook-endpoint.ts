import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { CustomerEventType } from '../../../../schema/customer-events.ts';
import type { DisabledBecause } from '../domain/delivery.ts';

/** An address at which an account receives its events. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    url: p.string(),
    description: p.string(),
    /** Empty: all types. */
    eventTypes: p.array().$type<CustomerEventType[]>(),
    secretSealed: p.blob().$type<Buffer>(),
    /** Signs too, until `previousUntil`. */
    previousSecretSealed: p.blob().$type<Buffer>().nullable(),
    previousUntil: p.datetime().nullable(),
    createdAt: p.datetime(),
    disabledAt: p.datetime().nullable(),
    disabledBecause: p.string().$type<DisabledBecause>().nullable(),
    /** The position of the last event that was delivered or skipped, as a decimal number. */
    position: p.bigint('string'),
    failures: p.integer(),
    failingSince: p.datetime().nullable(),
    nextTryAt: p.datetime().nullable(),
    claim: p.string().nullable(),
    claimedUntil: p.datetime().nullable(),
  }),
});
export type WebhookEndpoint = InferEntity<typeof WebhookEndpoint>;

export const endpointOfOwner = (em: EntityManager, id: string, accountId: string): Promise<WebhookEndpoint | null> =>
  em.findOne(WebhookEndpoint, { id, accountId });

/** Locks an end point until the end of the transaction. */
export async function lockEndpoint(em: EntityManager, id: string, accountId: string): Promise<WebhookEndpoint | null> {
  await sql`select from webhook_endpoint where id = ${id} and account_id = ${accountId} for update`.execute(em.getKysely());
  return em.findOne(WebhookEndpoint, { id, accountId }, { refresh: true });
}

export const endpointsOfAccount = (em: EntityManager, accountId: string): Promise<WebhookEndpoint[]> =>
  em.find(WebhookEndpoint, { accountId }, { orderBy: { id: 'asc' } });

/** The end points of an account that existed at that instant; they get no events from before they were added. */
export const endpointsToNotify = (em: EntityManager, accountId: string, at: Date): Promise<WebhookEndpoint[]> =>
  em.find(WebhookEndpoint, { accountId, createdAt: { $lte: at } });

export const countEndpoints = (em: EntityManager, accountId: string): Promise<number> => em.count(WebhookEndpoint, { accountId });

export async function insertEndpoint(em: EntityManager, endpoint: WebhookEndpoint): Promise<void> {
  await em.insert(WebhookEndpoint, endpoint);
}

export async function deleteEndpoint(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(WebhookEndpoint, { id });
}

export async function deleteEndpointsOfAccount(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(WebhookEndpoint, { accountId });
}

export interface Claim {
  id: string;
  /** The id of the delivery that holds the end point; no other delivers to it until the claim ends. */
  claim: string;
  now: Date;
  until: Date;
}

/** Claims an end point that is due, or extends a claim of the same delivery; null: another delivery holds it, or it is disabled or waits for its next try. */
export async function claimEndpoint(em: EntityManager, { id, claim, now, until }: Claim): Promise<WebhookEndpoint | null> {
  const { rows } = await sql`
    update webhook_endpoint set claim = ${claim}, claimed_until = ${until}::timestamptz
    where id = ${id} and disabled_at is null and (next_try_at is null or next_try_at <= ${now}::timestamptz)
      and (claim is null or claim = ${claim} or claimed_until <= ${now}::timestamptz) returning id`.execute(em.getKysely());
  return rows.length === 0 ? null : em.findOne(WebhookEndpoint, { id }, { refresh: true });
}

export async function releaseEndpoint(em: EntityManager, { id, claim }: Pick<Claim, 'id' | 'claim'>): Promise<void> {
  await em.nativeUpdate(WebhookEndpoint, { id, claim }, { claim: null, claimedUntil: null });
}

/**
 * Moves the position after an event was delivered, and clears the failures. False when the owner has moved the position meanwhile, or another delivery holds
 * the claim.
 */
export async function moveEndpoint(
  em: EntityManager,
  { id, claim }: Pick<Claim, 'id' | 'claim'>,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const moved = await em.nativeUpdate(
    WebhookEndpoint,
    { id, claim, position: from },
    { position: to, failures: 0, failingSince: null, nextTryAt: null },
  );
  return moved === 1;
}

/** SQL: the events that the end point `due` wants and has not been sent. */
const WANTED = sql`event.account_id = due.account_id and event.endpoint_id is null and event.position > due.position
  and (due.event_types = '{}' or event.type = any(due.event_types))`;

/** SQL: an end point that nobody delivers to although an event waits for it and its next try is due. */
const isDueAt = (now: Date) => sql`disabled_at is null
  and (next_try_at is null or next_try_at <= ${now}::timestamptz) and (claim is null or claimed_until <= ${now}::timestamptz)
  and exists (select from webhook_event as event where ${WANTED})`;

/** The end points that are due, by id, after `after`. */
export async function dueEndpoints(em: EntityManager, now: Date, after: string, limit: number): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoint as due where id > ${after} and ${isDueAt(now)} order by id limit ${limit}`.execute(em.getKysely());
  return rows;
}

export async function isDue(em: EntityManager, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from webhook_endpoint as due where id = ${id} and ${isDueAt(now)}`.execute(em.getKysely());
  return rows.length > 0;
}

/** How many events wait for each end point, counted up to `max`. */
export async function countWaiting(em: EntityManager, ids: readonly string[], max: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; waiting: number }>`
    select id, (select count(*) from (select from webhook_event as event where ${WANTED} limit ${max}) as counted)::int as waiting
    from webhook_endpoint as due where id = any(${[...ids]}::text[])`.execute(em.getKysely());
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}

/** Counts, over all accounts, end points that are failing and those that were disabled because they failed. */
export async function countTroubled(em: EntityManager): Promise<{ failing: number; disabled: number }> {
  const { rows } = await sql<{ failing: number; disabled: number }>`
    select count(*) filter (where disabled_at is null and failures > 0)::int as failing,
      count(*) filter (where disabled_because in ('FAILING', 'GONE'))::int as disabled from webhook_endpoint`.execute(em.getKysely());
  return rows[0] ?? { failing: 0, disabled: 0 };
}
