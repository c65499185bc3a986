import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { StaffRole as StaffRoleName } from '#platform/staff-permissions.ts';

/** A role that a member of staff holds. */
export const StaffRole = defineEntity({
  name: 'StaffRole',
  tableName: 'staff_role',
  properties: (p) => ({
    accountId: p.string().primary(),
    role: p.string().$type<StaffRoleName>().primary(),
    givenAt: p.datetime(),
    givenBy: p.string().nullable(),
  }),
});
export type StaffRole = InferEntity<typeof StaffRole>;

export const rolesOf = async (em: EntityManager, accountId: string): Promise<StaffRoleName[]> =>
  (await em.find(StaffRole, { accountId }, { orderBy: { role: 'asc' } })).map(({ role }) => role);

/** All roles, by account. */
export const allRoles = (em: EntityManager): Promise<StaffRole[]> => em.find(StaffRole, {}, { orderBy: { accountId: 'asc', role: 'asc' } });

/** Locks the owners until the end of the transaction, and returns their account ids: of two concurrent changes the second one sees the result of the first. */
export const lockOwners = async (em: EntityManager): Promise<string[]> =>
  (await em.find(StaffRole, { role: 'OWNER' }, { orderBy: { accountId: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })).map(
    ({ accountId }) => accountId,
  );

/** Gives an account these roles, and removes all others. */
export async function replaceRoles(
  em: EntityManager,
  accountId: string,
  { roles, givenAt, givenBy }: { roles: readonly StaffRoleName[]; givenAt: Date; givenBy: string | null },
): Promise<void> {
  await em.nativeDelete(StaffRole, { accountId, role: { $nin: [...roles] } });
  for (const role of roles) await em.upsert(StaffRole, { accountId, role, givenAt, givenBy }, { onConflictAction: 'ignore' });
}
