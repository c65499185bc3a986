import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { TeamRole } from '#platform/team-permissions.ts';

export const TeamInvitation = defineEntity({
  name: 'TeamInvitation',
  tableName: 'team_invitation',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    email: p.string(),
    role: p.string().$type<TeamRole>(),
    things: p.array().$type<string[]>().nullable(),
    tokenHash: p.string(),
    /** The account of the person who has invited. */
    invitedBy: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  }),
});
export type TeamInvitation = InferEntity<typeof TeamInvitation>;

export const openInvitationsOf = (em: EntityManager, accountId: string, now: Date): Promise<TeamInvitation[]> =>
  em.find(TeamInvitation, { accountId, expiresAt: { $gt: now } }, { orderBy: { id: 'asc' } });

export const openInvitation = (em: EntityManager, tokenHash: string, now: Date): Promise<TeamInvitation | null> =>
  em.findOne(TeamInvitation, { tokenHash, expiresAt: { $gt: now } });

export async function insertInvitation(em: EntityManager, invitation: TeamInvitation): Promise<void> {
  await em.insert(TeamInvitation, invitation);
}

/** Deletes an invitation of the account and returns it; null when there is none. */
export async function deleteInvitation(em: EntityManager, accountId: string, id: string): Promise<TeamInvitation | null> {
  const found = await em.findOne(TeamInvitation, { id, accountId });
  return found && (await em.nativeDelete(TeamInvitation, { id, accountId })) === 1 ? found : null;
}

/** An address is invited to an account once: the newer invitation counts. */
export async function deleteInvitationsTo(em: EntityManager, accountId: string, email: string): Promise<void> {
  await em.nativeDelete(TeamInvitation, { accountId, email });
}

export async function deleteInvitationsOf(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(TeamInvitation, { accountId });
}

export async function forgetInvitations(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(TeamInvitation, { expiresAt: { $lte: until } });
}
