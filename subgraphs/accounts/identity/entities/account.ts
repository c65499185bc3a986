import { type InferEntity, LockMode, defineEntity, raw } from '@mikro-orm/core';
import { sql } from 'kysely';
import { batched } from '#platform/batched.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Language } from '#platform/language.ts';
import { containing } from '#platform/search-words.ts';
import type { NotificationTopic } from '../../mail/domain/notification-topic.ts';
import type { DateFormat, Density } from '../domain/preferences.ts';

export const ACCOUNT_ROLES = ['CUSTOMER', 'STAFF'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

export const Account = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: (p) => ({
    id: p.string().primary(),
    email: p.string().nullable(),
    passwordHash: p.string().nullable(),
    emailVerifiedAt: p.datetime().nullable(),
    role: p.string().$type<AccountRole>(),
    /** The language of its owner. */
    language: p.string().$type<Language>(),
    /** An IANA name; null: that of the browser. */
    timeZone: p.string().nullable(),
    dateFormat: p.string().$type<DateFormat>().default('LOCALE'),
    density: p.string().$type<Density>().default('COMFORTABLE'),
    apiAllowed: p.boolean(),
    createdAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    /** When support suspended it: from then on nobody can enter it, and nothing that it has bought runs. */
    suspendedAt: p.datetime().nullable(),
    /** The reason as its owner reads it. */
    suspensionReason: p.string().nullable(),
    /** How members of its team call it; null: by its address. */
    teamName: p.string().nullable(),
    unwantedTopics: p.array().$type<NotificationTopic[]>().default([]),
    /** The topics of which its browsers are not told. */
    unpushedTopics: p.array().$type<NotificationTopic[]>().default([]),
  }),
});
export type Account = InferEntity<typeof Account>;

/** The account of an address, whatever its letter case. */
export const accountWithEmail = (em: EntityManager, email: string): Promise<Account | null> =>
  em.findOne(Account, { [raw('lower(email)')]: email.toLowerCase() });

/** The same, locked until the end of the transaction, so that a mail that is to be sent once is sent once. */
export const lockAccountWithEmail = (em: EntityManager, email: string): Promise<Account | null> =>
  em.findOne(Account, { [raw('lower(email)')]: email.toLowerCase() }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

/** The account with that id, closed or not. */
export const accountWithId = (em: EntityManager, id: string): Promise<Account | null> => em.findOne(Account, { id });

/** An account that is known to exist, closed or not; throws where it does not. */
export const existingAccount = (em: EntityManager, id: string): Promise<Account> => em.findOneOrFail(Account, { id });

/** The accounts with these ids, ordered by id. */
export const accountsWithIds = (em: EntityManager, ids: readonly string[]): Promise<Account[]> =>
  em.find(Account, { id: { $in: [...ids] } }, { orderBy: { id: 'asc' } });

/** How people who share an account name one another: by address, or by id once it is closed. */
export const addressOf = batched(async (em, ids) => {
  const addresses = new Map((await accountsWithIds(em, ids)).map(({ id, email }) => [id, email]));
  return ids.map((id) => addresses.get(id) ?? id);
});

/** An account that is not closed. */
export const openAccount = (em: EntityManager, id: string): Promise<Account | null> => em.findOne(Account, { id, closedAt: null });

/** An account that is known to exist and to be open. */
export const existingOpenAccount = (em: EntityManager, id: string): Promise<Account> => em.findOneOrFail(Account, { id, closedAt: null });

/** An account that is known to exist, as it is now, locked until the end of the transaction. */
export const lockAccount = (em: EntityManager, id: string): Promise<Account> =>
  em.findOneOrFail(Account, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

/** Whether support has suspended the account. */
export const isAccountSuspended = async (em: EntityManager, id: string): Promise<boolean> =>
  (await em.count(Account, { id, suspendedAt: { $ne: null } })) > 0;

/**
 * The first lock that is taken by everything that moves money of an account or changes its orders. The account's orders, subscriptions, invoices and balance
 * are locked after it, and what accounts share (a bank's reference, the numbers of a series, the daily limit of a member of staff) last, so that transactions
 * cannot deadlock. Rows that refer to the account can still be written meanwhile.
 */
export async function lockMoneyOf(em: EntityManager, accountId: string): Promise<void> {
  await sql`select from account where id = ${accountId} for no key update`.execute(em.getKysely());
}

/** Accounts with one of these ids, or with `part` in their address, whatever its letter case; newest first. */
export async function searchAccounts(
  em: EntityManager,
  { ids, part, limit }: { ids: string[]; part: string; limit: number },
): Promise<Account[]> {
  const { rows } = await addressesWith(part, limit).execute(em.getKysely());
  return em.find(Account, { id: { $in: [...ids, ...rows.map(({ id }) => id)] } }, { orderBy: { id: 'desc' }, limit });
}

/** Searches by the index of the addresses' pieces, so `part` needs at least three letters. */
export function addressesWith(part: string, limit: number) {
  const pattern = containing(part.toLowerCase());
  return sql<{ id: string }>`select id from accounts.account
    where accounts.pieces(email) @> accounts.pieces(${part}) and email ilike ${pattern} order by id desc limit ${limit}`;
}

export const countStaff = (em: EntityManager): Promise<number> => em.count(Account, { role: 'STAFF' });

/** Inserts a new account, which may use the API. */
export async function insertAccount(
  em: EntityManager,
  account: Pick<Account, 'id' | 'email' | 'passwordHash' | 'emailVerifiedAt' | 'role' | 'language' | 'createdAt'>,
): Promise<void> {
  await em.insert(Account, {
    ...account,
    apiAllowed: true,
    timeZone: null,
    closedAt: null,
    suspendedAt: null,
    suspensionReason: null,
    teamName: null,
  });
}

export async function setPasswordHash(em: EntityManager, id: string, passwordHash: string): Promise<void> {
  await em.nativeUpdate(Account, { id }, { passwordHash });
}

/** Gives an account an address that its owner has confirmed, and the password that was chosen with it, if one was. */
export async function setEmail(
  em: EntityManager,
  id: string,
  { email, passwordHash, now }: { email: string; passwordHash?: string | null | undefined; now: Date },
): Promise<void> {
  await em.nativeUpdate(Account, { id }, { email, emailVerifiedAt: now, ...(passwordHash && { passwordHash }) });
}

/** Closes an account, and deletes its address and password. */
export async function eraseAccount(em: EntityManager, id: string, now: Date): Promise<void> {
  await em.nativeUpdate(
    Account,
    { id },
    { email: null, passwordHash: null, emailVerifiedAt: null, timeZone: null, teamName: null, apiAllowed: false, closedAt: now },
  );
}
