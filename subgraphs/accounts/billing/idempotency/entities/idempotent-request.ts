import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** A request that may take effect only once: who sent it, its idempotency key, a hash of its content, and the answer. */
export const IdempotentRequest = defineEntity({
  name: 'IdempotentRequest',
  tableName: 'idempotent_request',
  properties: (p) => ({
    accountId: p.string().primary(),
    key: p.string().primary(),
    requestHash: p.string(),
    attempt: p.string(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    answer: p.json<object>().nullable(),
  }),
});

export type IdempotentRequest = InferEntity<typeof IdempotentRequest>;

type Key = Pick<IdempotentRequest, 'accountId' | 'key'>;
type Attempt = Key & Pick<IdempotentRequest, 'attempt'>;

/** The request of an account with this key. */
export const requestWithKey = (em: EntityManager, { accountId, key }: Key): Promise<IdempotentRequest | null> =>
  em.findOne(IdempotentRequest, { accountId, key });

/** Claims a key for an attempt. True when it may run: the key is new, or the previous attempt began before `died` and has no answer. */
export async function claimRequest(
  em: EntityManager,
  row: Attempt & Pick<IdempotentRequest, 'requestHash'>,
  { now, died }: { now: Date; died: Date },
): Promise<boolean> {
  const { affectedRows } = await em
    .qb(IdempotentRequest)
    .insert({ ...row, startedAt: now, finishedAt: null, answer: null })
    .onConflict()
    .ignore()
    .execute('run');
  if (affectedRows === 1) return true;
  const { accountId, key, requestHash, attempt } = row;
  const dead = { accountId, key, requestHash, finishedAt: null, startedAt: { $lt: died } };
  return (await em.nativeUpdate(IdempotentRequest, dead, { attempt, startedAt: now })) === 1;
}

/** Frees the key of an attempt that failed, as if it had never been used. */
export async function freeRequest(em: EntityManager, attempt: Attempt): Promise<void> {
  await em.nativeDelete(IdempotentRequest, { ...attempt, finishedAt: null });
}

export async function finishRequest(em: EntityManager, attempt: Attempt, answer: object, now: Date): Promise<void> {
  await em.nativeUpdate(IdempotentRequest, { ...attempt, finishedAt: null }, { finishedAt: now, answer });
}

/** Deletes requests that began before then, with their answers. */
export const forgetRequests = (em: EntityManager, before: Date): Promise<number> =>
  em.nativeDelete(IdempotentRequest, { startedAt: { $lt: before } });
