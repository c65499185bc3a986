import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** The chat identity of an account. `subject` is the platform's own id of the person, never an e-mail address. */
export const ChatIdentity = defineEntity({
  name: 'ChatIdentity',
  tableName: 'chat_identity',
  properties: (p) => ({
    subject: p.string().primary(),
    accountId: p.string(),
    name: p.string(),
    linkedAt: p.datetime(),
  }),
});
export type ChatIdentity = InferEntity<typeof ChatIdentity>;

export const identityOfSubject = (em: EntityManager, subject: string): Promise<ChatIdentity | null> =>
  em.findOne(ChatIdentity, { subject });

/** An identity that is known to exist. */
export const existingIdentity = (em: EntityManager, subject: string): Promise<ChatIdentity> => em.findOneOrFail(ChatIdentity, { subject });

export const identityOfAccount = (em: EntityManager, accountId: string): Promise<ChatIdentity | null> =>
  em.findOne(ChatIdentity, { accountId });

export const hasChatIdentity = async (em: EntityManager, accountId: string): Promise<boolean> =>
  (await em.count(ChatIdentity, { accountId })) > 0;

/** Locks a person of the platform until the end of the transaction, also one who has no account yet. */
export async function lockSubject(em: EntityManager, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`chat ${subject}`}))`.execute(em.getKysely());
}

export async function insertIdentity(em: EntityManager, identity: ChatIdentity): Promise<void> {
  await em.insert(ChatIdentity, identity);
}

/** Links a person to an account; false when the person has an account already, or the account another person. */
export async function linkIdentity(em: EntityManager, identity: ChatIdentity): Promise<boolean> {
  const { affectedRows } = await em.qb(ChatIdentity).insert(identity).onConflict().ignore().execute('run');
  return affectedRows === 1;
}

export async function deleteIdentity(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(ChatIdentity, { accountId });
}
