import { type InferEntity, LockMode, defineEntity, raw } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { NotificationTopic } from '../../mail/domain/notification-topic.ts';

export const Account = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: (p) => ({
    id: p.string().primary(),
    email: p.string().nullable(),
    passwordHash: p.string().nullable(),
    emailVerifiedAt: p.datetime().nullable(),
    role: p.string().$type<'CUSTOMER' | 'STAFF'>(),
    apiAllowed: p.boolean(),
    createdAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    unwantedTopics: p.array().$type<NotificationTopic[]>().default([]),
  }),
});
export type Account = InferEntity<typeof Account>;

/** The account of an address, whatever its letter case. */
export const accountWithEmail = (em: EntityManager, email: string): Promise<Account | null> =>
  em.findOne(Account, { [raw('lower(email)')]: email.toLowerCase() });

/** The same, locked to the end of the transaction: what is sent to its owner once is sent once. */
export const lockAccountWithEmail = (em: EntityManager, email: string): Promise<Account | null> =>
  em.findOne(Account, { [raw('lower(email)')]: email.toLowerCase() }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
