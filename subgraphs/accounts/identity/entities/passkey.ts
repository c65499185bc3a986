import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    credentialId: p.string(),
    name: p.string(),
    publicKey: p.blob().$type<Buffer>(),
    counter: p.bigint('number'),
    transports: p.array(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  }),
});
export type Passkey = InferEntity<typeof Passkey>;

export const passkeysOfAccount = (em: EntityManager, accountId: string): Promise<Passkey[]> =>
  em.find(Passkey, { accountId }, { orderBy: { id: 'asc' } });

/** A passkey that is known to exist. */
export const existingPasskey = (em: EntityManager, id: string): Promise<Passkey> => em.findOneOrFail(Passkey, { id });

export const passkeyOfAccount = (em: EntityManager, id: string, accountId: string): Promise<Passkey | null> =>
  em.findOne(Passkey, { id, accountId });

/** The passkey with this credential id, which the browser sends. */
export const passkeyWithCredential = (em: EntityManager, credentialId: string): Promise<Passkey | null> =>
  em.findOne(Passkey, { credentialId });

/** Whether the account has a passkey; `without`: the id of one that does not count. */
export const hasPasskey = async (em: EntityManager, accountId: string, without?: string): Promise<boolean> =>
  (await em.count(Passkey, { accountId, ...(without !== undefined && { id: { $ne: without } }) })) > 0;

/** Inserts a passkey; false when its credential is known already. */
export async function insertPasskey(em: EntityManager, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const { affectedRows } = await em
    .qb(Passkey)
    .insert({ ...passkey, lastUsedAt: null })
    .onConflict()
    .ignore()
    .execute('run');
  return affectedRows === 1;
}

/** Notes a log-in, with the signature counter that the device keeps. */
export async function markPasskeyUsed(em: EntityManager, id: string, counter: number, now: Date): Promise<void> {
  await em.nativeUpdate(Passkey, { id }, { counter, lastUsedAt: now });
}

export async function deletePasskey(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(Passkey, { id });
}

export async function deletePasskeysOf(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(Passkey, { accountId });
}
