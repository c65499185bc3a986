import { defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** A request that must have one effect: who asked what under which key, and what was answered. */
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

/** Answers to requests that began before are nobody's to repeat any more. */
export const forgetRequests = (em: EntityManager, before: Date): Promise<number> =>
  em.nativeDelete(IdempotentRequest, { startedAt: { $lt: before } });
