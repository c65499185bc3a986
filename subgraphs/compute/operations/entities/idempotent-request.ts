// The table compute.idempotent_request: which operation a request with an idempotency key began.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface IdempotentRequest {
  accountId: string;
  /** Chosen by the caller. */
  key: string;
  /** Of everything that determines the effect. */
  requestMac: string;
  operationId: string;
  at: Date;
}

type Key = Pick<IdempotentRequest, 'accountId' | 'key'>;

/** Lets one request with the key pass at a time: the next one waits until the transaction has ended. */
export async function lockIdempotencyKey(em: EntityManager, { accountId, key }: Key): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`compute.idempotent_request ${accountId} ${key}`}, 0))`.execute(em.getKysely());
}

/** The request of an account with this key, unless it was made at `forgotten` or earlier. */
export async function requestWithKey(
  em: EntityManager,
  { accountId, key }: Key,
  forgotten: Date,
): Promise<Pick<IdempotentRequest, 'requestMac' | 'operationId'> | undefined> {
  const { rows } = await sql<Pick<IdempotentRequest, 'requestMac' | 'operationId'>>`
    select request_mac as "requestMac", operation_id as "operationId" from idempotent_request
    where account_id = ${accountId} and key = ${key} and at > ${forgotten}::timestamptz`.execute(em.getKysely());
  return rows[0];
}

/** Stores a request, in the place of a forgotten one with the same key. */
export async function keepRequest(em: EntityManager, { accountId, key, requestMac, operationId, at }: IdempotentRequest): Promise<void> {
  await sql`
    insert into idempotent_request (account_id, key, request_mac, operation_id, at)
    values (${accountId}, ${key}, ${requestMac}, ${operationId}, ${at}::timestamptz)
    on conflict (account_id, key) do update
      set request_mac = excluded.request_mac, operation_id = excluded.operation_id, at = excluded.at`.execute(em.getKysely());
}

/** Deletes what was made at `forgotten` or earlier. */
export async function deleteRequests(em: EntityManager, forgotten: Date): Promise<void> {
  await sql`delete from idempotent_request where at <= ${forgotten}::timestamptz`.execute(em.getKysely());
}
