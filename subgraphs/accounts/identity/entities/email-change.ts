import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** A change of an account's address that waits for its links. `passwordHash`: the password that is set together with an account's first address. */
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

const open = (accountId: string, now: Date) => ({ accountId, closedAt: null, expiresAt: { $gt: now } });

export const openEmailChange = (em: EntityManager, accountId: string, now: Date): Promise<EmailChange | null> =>
  em.findOne(EmailChange, open(accountId, now));

/** The open change that is known to exist, since its link has just been followed. */
export const followedEmailChange = (em: EntityManager, accountId: string, now: Date): Promise<EmailChange> =>
  em.findOneOrFail(EmailChange, open(accountId, now));

/** Inserts a change of which neither link has been followed. */
export async function insertEmailChange(
  em: EntityManager,
  change: Omit<EmailChange, 'oldConfirmedAt' | 'newConfirmedAt' | 'closedAt'>,
): Promise<void> {
  await em.insert(EmailChange, { ...change, oldConfirmedAt: null, newConfirmedAt: null, closedAt: null });
}

/** Follows one of the two links of an open change, once; false where the token belongs to neither, or was used before. */
export async function followEmailLink(em: EntityManager, accountId: string, tokenHash: string, now: Date): Promise<boolean> {
  const one = { ...open(accountId, now), newTokenHash: tokenHash, newConfirmedAt: null };
  const other = { ...open(accountId, now), oldTokenHash: tokenHash, oldConfirmedAt: null };
  const followed =
    (await em.nativeUpdate(EmailChange, one, { newConfirmedAt: now })) +
    (await em.nativeUpdate(EmailChange, other, { oldConfirmedAt: now }));
  return followed === 1;
}

/** Closes all open changes of an account. */
export async function closeEmailChanges(em: EntityManager, accountId: string, now: Date): Promise<void> {
  await em.nativeUpdate(EmailChange, { accountId, closedAt: null }, { closedAt: now });
}

export async function forgetEmailChanges(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(EmailChange, { expiresAt: { $lte: until } });
}
