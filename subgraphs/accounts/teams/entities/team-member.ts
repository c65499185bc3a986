import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { TeamRole } from '#platform/team-permissions.ts';
import type { TeamAccess } from '../domain/team-access.ts';

export const TeamMember = defineEntity({
  name: 'TeamMember',
  tableName: 'team_member',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    /** The member's own account. */
    personId: p.string(),
    role: p.string().$type<TeamRole>(),
    things: p.array().$type<string[]>().nullable(),
    since: p.datetime(),
  }),
});
export type TeamMember = InferEntity<typeof TeamMember>;

/** In the order in which they have joined. */
export const membersOf = (em: EntityManager, accountId: string): Promise<TeamMember[]> =>
  em.find(TeamMember, { accountId }, { orderBy: { id: 'asc' } });

export const membershipsOf = (em: EntityManager, personId: string): Promise<TeamMember[]> =>
  em.find(TeamMember, { personId }, { orderBy: { id: 'asc' } });

export const membershipIn = (em: EntityManager, accountId: string, personId: string): Promise<TeamMember | null> =>
  em.findOne(TeamMember, { accountId, personId });

export const memberWithId = (em: EntityManager, accountId: string, id: string): Promise<TeamMember | null> =>
  em.findOne(TeamMember, { id, accountId });

export async function insertMember(em: EntityManager, member: TeamMember): Promise<void> {
  await em.insert(TeamMember, member);
}

export async function setMemberAccess(em: EntityManager, id: string, access: TeamAccess): Promise<void> {
  await em.nativeUpdate(TeamMember, { id }, access);
}

export const deleteMember = async (em: EntityManager, accountId: string, personId: string): Promise<boolean> =>
  (await em.nativeDelete(TeamMember, { accountId, personId })) === 1;

/** Deletes all members of an account, and what the account's person is a member of. */
export async function deleteMembersOf(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(TeamMember, { $or: [{ accountId }, { personId: accountId }] });
}
