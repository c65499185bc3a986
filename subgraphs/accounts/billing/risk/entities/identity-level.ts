import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
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
    /** A member of staff, or `vendor`. */
    setBy: p.string(),
    setAt: p.datetime(),
    /** When it was found out: of several words the latest holds. */
    decidedAt: p.datetime(),
    /** Null: it holds for good. */
    expiresAt: p.datetime().nullable(),
  }),
});
export type IdentityLevel = InferEntity<typeof IdentityLevel>;

export const levelRow = (em: EntityManager, accountId: string): Promise<IdentityLevel | null> => em.findOne(IdentityLevel, { accountId });

/** The level of an account at a moment; 0: nobody has verified it, or that is over. */
export async function levelOfAccount(em: EntityManager, accountId: string, at: Date): Promise<number> {
  const row = await levelRow(em, accountId);
  return row && (!row.expiresAt || row.expiresAt > at) ? row.level : 0;
}

/** What is known of an account's identity; words about it come one after the other until the end of the transaction. */
export async function lockLevel(em: EntityManager, accountId: string): Promise<IdentityLevel | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${accountId}`}, 0))`.execute(em.getKysely());
  return em.findOne(IdentityLevel, { accountId }, { refresh: true });
}

export const saveLevel = (em: EntityManager, row: IdentityLevel): Promise<IdentityLevel> => em.upsert(IdentityLevel, row);
