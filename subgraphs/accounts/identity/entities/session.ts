import { type InferEntity, defineEntity } from '@mikro-orm/core';

export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: (p) => ({
    id: p.string().primary(),
    tokenHash: p.string(),
    accountId: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    lastUsedAt: p.datetime(),
    address: p.string(),
    userAgent: p.string(),
    strongAt: p.datetime().nullable(),
    /** Until when it may set up the second factor of a member of staff. */
    enrolUntil: p.datetime().nullable(),
  }),
});
export type Session = InferEntity<typeof Session>;
