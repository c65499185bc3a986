import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** An address on its way to an account. `passwordHash`: the backup log-in that comes with an account's first address. */
export const EmailChange = defineEntity({
  name: 'EmailChange',
  tableName: 'email_change',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    email: p.string(),
    passwordHash: p.string().nullable(),
    oldTokenHash: p.string().nullable(),
    newTokenHash: p.string(),
    oldConfirmedAt: p.datetime().nullable(),
    newConfirmedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    closedAt: p.datetime().nullable(),
  }),
});
export type EmailChange = InferEntity<typeof EmailChange>;

export const openEmailChange = (em: EntityManager, accountId: string, at: Date): Promise<EmailChange | null> =>
  em.findOne(EmailChange, { accountId, closedAt: null, expiresAt: { $gt: at } });
