import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const StaffEnrolment = defineEntity({
  name: 'StaffEnrolment',
  tableName: 'staff_enrolment',
  properties: (p) => ({
    tokenHash: p.string().primary(),
    accountId: p.string(),
    issuedBy: p.string().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
  }),
});
export type StaffEnrolment = InferEntity<typeof StaffEnrolment>;

/** Stores a new link for an account; the previous one is void. */
export async function replaceEnrolment(em: EntityManager, enrolment: Omit<StaffEnrolment, 'usedAt'>): Promise<void> {
  await em.nativeDelete(StaffEnrolment, { accountId: enrolment.accountId });
  await em.insert(StaffEnrolment, { ...enrolment, usedAt: null });
}

/** Uses up a link; false when it is unknown, used, expired, or another account's. */
export const takeEnrolment = async (em: EntityManager, tokenHash: string, accountId: string, now: Date): Promise<boolean> =>
  (await em.nativeUpdate(StaffEnrolment, { tokenHash, accountId, usedAt: null, expiresAt: { $gt: now } }, { usedAt: now })) === 1;

export async function forgetEnrolments(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(StaffEnrolment, { expiresAt: { $lte: until } });
}
