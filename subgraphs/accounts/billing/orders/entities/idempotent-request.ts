import { defineEntity } from '@mikro-orm/core';

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
