import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export const SetUpCode = defineEntity({
  name: 'SetUpCode',
  tableName: 'set_up_code',
  properties: (p) => ({ codeHash: p.string().primary(), expiresAt: p.datetime() }),
});
export type SetUpCode = InferEntity<typeof SetUpCode>;

/** Adds a code; earlier ones stay valid, since each process that starts prints one of its own. */
export async function insertSetUpCode(em: EntityManager, code: SetUpCode): Promise<void> {
  await em.insert(SetUpCode, code);
}

export const isSetUpCode = async (em: EntityManager, codeHash: string, now: Date): Promise<boolean> =>
  (await em.count(SetUpCode, { codeHash, expiresAt: { $gt: now } })) === 1;

/** Locks the set-up until the end of the transaction. */
export async function lockSetUp(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('set-up'))`.execute(em.getKysely());
}

/** Deletes all codes after the set-up, which needs no more. */
export async function forgetAllSetUpCodes(em: EntityManager): Promise<void> {
  await em.nativeDelete(SetUpCode, {});
}

export async function forgetSetUpCodes(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(SetUpCode, { expiresAt: { $lte: until } });
}
