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

/** Closed or not. */
export const accountWithId = (em: EntityManager, id: string): Promise<Account | null> => em.findOne(Account, { id });

/** One that is known to exist, closed or not; throws where it does not. */
export const existingAccount = (em: EntityManager, id: string): Promise<Account> => em.findOneOrFail(Account, { id });

/** One that is not closed. */
export const openAccount = (em: EntityManager, id: string): Promise<Account | null> => em.findOne(Account, { id, closedAt: null });

/** One that is known to exist and not to be closed. */
export const existingOpenAccount = (em: EntityManager, id: string): Promise<Account> => em.findOneOrFail(Account, { id, closedAt: null });

/** One that is known to exist, as it is now, locked to the end of the transaction. */
export const lockAccount = (em: EntityManager, id: string): Promise<Account> =>
  em.findOneOrFail(Account, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

/** Where the owner of an account reads mails; null: nowhere, or nobody owns what is asked about. */
export const emailOf = async (em: EntityManager, accountId: string | null): Promise<string | null> =>
  accountId === null ? null : ((await accountWithId(em, accountId))?.email ?? null);

/** Whether the account of an address does not want mails about a topic. */
export const isUnwanted = async (em: EntityManager, email: string, topic: NotificationTopic): Promise<boolean> =>
  (await accountWithEmail(em, email))?.unwantedTopics.includes(topic) ?? false;

/** Those with one of the ids, or with `part` in their address, whatever its letter case; newest first. */
export function searchAccounts(
  em: EntityManager,
  { ids, part, limit }: { ids: string[]; part: string; limit: number },
): Promise<Account[]> {
  const pattern = `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return em.find(Account, { $or: [{ id: { $in: ids } }, { email: { $ilike: pattern } }] }, { orderBy: { id: 'desc' }, limit });
}

export const countStaff = (em: EntityManager): Promise<number> => em.count(Account, { role: 'STAFF' });

/** A new one, that may use the API. */
export async function insertAccount(
  em: EntityManager,
  account: Omit<Account, 'apiAllowed' | 'closedAt' | 'unwantedTopics'>,
): Promise<void> {
  await em.insert(Account, { ...account, apiAllowed: true, closedAt: null });
}

export async function setPasswordHash(em: EntityManager, id: string, passwordHash: string): Promise<void> {
  await em.nativeUpdate(Account, { id }, { passwordHash });
}

/** Gives an account an address that its owner has confirmed; with a `passwordHash` the password that comes with it. */
export async function setEmail(
  em: EntityManager,
  id: string,
  { email, passwordHash, now }: { email: string; passwordHash?: string | null | undefined; now: Date },
): Promise<void> {
  await em.nativeUpdate(Account, { id }, { email, emailVerifiedAt: now, ...(passwordHash && { passwordHash }) });
}

/** Closes an account and forgets what leads to its person. */
export async function eraseAccount(em: EntityManager, id: string, now: Date): Promise<void> {
  await em.nativeUpdate(Account, { id }, { email: null, passwordHash: null, emailVerifiedAt: null, apiAllowed: false, closedAt: now });
}
