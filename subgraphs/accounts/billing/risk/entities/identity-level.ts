import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** How well it is known who is behind an account. */
export const IdentityLevel = defineEntity({
  name: 'IdentityLevel',
  tableName: 'identity_level',
  properties: (p) => ({
    accountId: p.string().primary(),
    level: p.integer(),
    /** What it was checked by, as whoever checked it calls that. */
    reference: p.string(),
    setBy: p.string(),
    setAt: p.datetime(),
  }),
});
export type IdentityLevel = InferEntity<typeof IdentityLevel>;

/** 0: nobody has checked it. */
export const levelOfAccount = async (em: EntityManager, accountId: string): Promise<number> =>
  (await em.findOne(IdentityLevel, { accountId }))?.level ?? 0;

export const saveLevel = (em: EntityManager, row: IdentityLevel): Promise<IdentityLevel> => em.upsert(IdentityLevel, row);
