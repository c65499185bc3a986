import { defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: (p) => ({
    accountId: p.string().primary(),
    codeHash: p.string().primary(),
    usedAt: p.datetime().nullable(),
  }),
});

export const countUnusedCodes = (em: EntityManager, accountId: string): Promise<number> =>
  em.count(RecoveryCode, { accountId, usedAt: null });

/** Uses up a code; false when the account has no such code, or has used it. */
export const takeRecoveryCode = async (em: EntityManager, accountId: string, codeHash: string, now: Date): Promise<boolean> =>
  (await em.nativeUpdate(RecoveryCode, { accountId, codeHash, usedAt: null }, { usedAt: now })) === 1;

/** Replaces the codes of an account; the earlier ones are void. */
export async function replaceCodes(em: EntityManager, accountId: string, codeHashes: readonly string[]): Promise<void> {
  await deleteCodes(em, accountId);
  await em.insertMany(
    RecoveryCode,
    codeHashes.map((codeHash) => ({ accountId, codeHash, usedAt: null })),
  );
}

export async function deleteCodes(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(RecoveryCode, { accountId });
}
