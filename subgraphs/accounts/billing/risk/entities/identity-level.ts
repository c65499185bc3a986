import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** How well the identity behind an account has been verified. */
export const IdentityLevel = defineEntity({
  name: 'IdentityLevel',
  tableName: 'identity_level',
  properties: (p) => ({
    accountId: p.string().primary(),
    level: p.integer(),
    /** The reference of the verification, as the person who made it wrote it. */
    reference: p.string(),
    setBy: p.string(),
    setAt: p.datetime(),
  }),
});
export type IdentityLevel = InferEntity<typeof IdentityLevel>;

/** The level of an account; 0: nobody has verified it. */
export const levelOfAccount = async (em: EntityManager, accountId: string): Promise<number> =>
  (await em.findOne(IdentityLevel, { accountId }))?.level ?? 0;

export const saveLevel = (em: EntityManager, row: IdentityLevel): Promise<IdentityLevel> => em.upsert(IdentityLevel, row);
