import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const Impersonation = defineEntity({
  name: 'Impersonation',
  tableName: 'impersonation',
  properties: (p) => ({
    id: p.string().primary(),
    tokenHash: p.string(),
    accountId: p.string(),
    staffId: p.string(),
    /** The session of the member of staff; the impersonation ends with it. */
    sessionId: p.string(),
    reason: p.string(),
    startedAt: p.datetime(),
    expiresAt: p.datetime(),
  }),
});
export type Impersonation = InferEntity<typeof Impersonation>;

export async function insertImpersonation(em: EntityManager, impersonation: Impersonation): Promise<void> {
  await em.insert(Impersonation, impersonation);
}

export const impersonationWithToken = (em: EntityManager, tokenHash: string, now: Date): Promise<Impersonation | null> =>
  em.findOne(Impersonation, { tokenHash, expiresAt: { $gt: now } });

export const deleteImpersonation = async (em: EntityManager, id: string): Promise<boolean> =>
  (await em.nativeDelete(Impersonation, { id })) === 1;

export async function forgetImpersonations(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(Impersonation, { expiresAt: { $lte: until } });
}
