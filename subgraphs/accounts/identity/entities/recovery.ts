import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const Recovery = defineEntity({
  name: 'Recovery',
  tableName: 'recovery',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    tokenHash: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
export type Recovery = InferEntity<typeof Recovery>;

const open = (tokenHash: string, now: Date) => ({ tokenHash, usedAt: null, expiresAt: { $gt: now } });

/** The recovery of a link that is still valid. */
export const openRecovery = (em: EntityManager, tokenHash: string, now: Date): Promise<Recovery | null> =>
  em.findOne(Recovery, open(tokenHash, now));

/** Uses up a link; false when it is no longer valid. */
export const useRecovery = async (em: EntityManager, tokenHash: string, now: Date): Promise<boolean> =>
  (await em.nativeUpdate(Recovery, open(tokenHash, now), { usedAt: now })) === 1;

/** Whether a link that was made since then is still unused. */
export const isRecoveryWaiting = async (em: EntityManager, accountId: string, since: Date): Promise<boolean> =>
  (await em.count(Recovery, { accountId, usedAt: null, createdAt: { $gt: since } })) > 0;

export async function insertRecovery(em: EntityManager, recovery: Omit<Recovery, 'usedAt'>): Promise<void> {
  await em.insert(Recovery, { ...recovery, usedAt: null });
}

/** Makes all links of an account void. */
export async function voidRecoveries(em: EntityManager, accountId: string, now: Date): Promise<void> {
  await em.nativeUpdate(Recovery, { accountId, usedAt: null }, { usedAt: now });
}

export async function forgetRecoveries(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(Recovery, { expiresAt: { $lte: until } });
}
